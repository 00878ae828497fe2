import type { Received } from './answer.ts';
import type { Sending } from './client.ts';

export type Cache = 'default' | 'no-store';
export type Ends = { readonly signal: AbortSignal; readonly totalMs: number };

/** Apart from the client: what is read ahead of it is sent in the same way. */
export async function fetched(
  sending: Sending,
  { signal, totalMs }: Ends,
  cache: Cache = 'no-store',
): Promise<Received> {
  const { url, method, headers, body } = sending;
  const response = await fetch(url, {
    method,
    headers,
    cache,
    redirect: 'error',
    ...(body !== undefined && { body }),
    signal: AbortSignal.any([signal, AbortSignal.timeout(totalMs)]),
  });
  const header = (name: string) => response.headers.get(name) ?? undefined;
  return {
    status: response.status,
    contentType: header('content-type') ?? '',
    retryAfter: header('retry-after'),
    location: undefined,
    requestId: header('x-request-id') ?? '',
    text: await response.text(),
  };
}
