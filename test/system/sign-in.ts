import type { InProcess } from './in-process.ts';

/** What a browser sends once somebody has signed in: the owner unless another is named. */
export async function sessionOf(
  { url }: Pick<InProcess, 'url'>,
  password: string,
  email = 'owner@example.test',
) {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ email, password });
  const answer = await fetch(`${url}/auth/sign-in`, { method: 'POST', headers, body });
  const cookies = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  const { csrf_token } = (await answer.json()) as { csrf_token: string };
  return { ...headers, cookie: cookies.join('; '), 'x-csrf-token': csrf_token };
}

/** What a signed-in person does. */
export async function signIn(
  pager: Pick<InProcess, 'url'> & { readonly origin?: string },
  password: string,
) {
  const { url, origin = url } = pager;
  const signedIn = await sessionOf(pager, password);
  return async (line: string, sent: unknown = undefined) => {
    const [method = 'GET', path = ''] = line.split(' ');
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { ...signedIn, origin },
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
    return { status: response.status, body: (await response.json()) as any };
  };
}
