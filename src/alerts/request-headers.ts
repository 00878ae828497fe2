// What is stored of a request beside its body, so that later integration types can read, verify
// and replay it: its query and a few headers, never credentials.
import { eventsLimits } from '../limits/events.ts';
import type { IntegrationType } from './integration-type.ts';
import { signatureHeader } from './sns.ts';

/** At the end of what was cut. It is no character of an address, so no sender puts it there. */
const CUT = '…';

const alwaysStored = ['content-type', 'user-agent'];

/** Never stored, even if a type reads them. */
const secret = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'x-auth-token',
  'x-gitlab-token',
];

type Sent = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Names are in lower case. */
export function storedHeaders(
  type: Pick<IntegrationType, 'headers' | 'envelope'> | undefined,
  sent: Sent,
): Readonly<Record<string, string>> {
  const stored: Record<string, string> = {};
  const read = (type?.headers ?? []).filter((name) => name !== signatureHeader);
  const checked = type?.envelope === 'sns' ? [signatureHeader] : [];
  for (const name of [...alwaysStored, ...checked, ...read]) {
    const value = sent[name] ?? '';
    const text = typeof value === 'string' ? value : value.join(', ');
    if (text !== '' && !secret.includes(name)) stored[name] = cut(text, eventsLimits.headerLength);
  }
  return stored;
}

export const storedQuery = (query: string): string => cut(query, eventsLimits.queryLength);

function cut(text: string, max: number): string {
  const clean = text.replaceAll('\0', '').toWellFormed();
  return clean.length <= max ? clean : `${clean.slice(0, max - CUT.length).toWellFormed()}${CUT}`;
}
