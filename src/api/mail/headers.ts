// What the headers of a mail say by themselves, for when its body cannot be read.
import { addressParser, decodeWords } from 'postal-mime';
import type { Mail } from '../../alerts/alert.ts';
import { storable } from '../../alerts/text.ts';
import { mailLimits } from '../../limits/mail.ts';
import { withHeadersInUtf8 } from './charsets.ts';

/**
 * By their names in lower case. The first of several equal ones was added last on the way; of those
 * that say when a server took the mail, the one that was added first is kept.
 */
export function headersOf(all: readonly (readonly [string, string])[]): Mail['headers'] {
  const headers = new Map<string, string>();
  for (const [name, value] of all) {
    if (headers.size >= mailLimits.headersStored) break;
    if (!headers.has(name) || name === 'received')
      headers.set(storable(name), storable(cut(name, value)));
  }
  return Object.fromEntries(headers);
}

/** The date of a server stands at the end of what it wrote. */
const cut = (name: string, value: string): string =>
  name === 'received'
    ? value.slice(-mailLimits.headerLength)
    : value.slice(0, mailLimits.headerLength);

/** A mail without what cannot be read of it: in the place of its text stands why. */
export function mailOfHeaders(raw: Uint8Array, why: string): Mail {
  const start = withHeadersInUtf8(raw.subarray(0, mailLimits.headersAlone));
  const headers = headersOf(fieldsOf(new TextDecoder().decode(start)));
  const [sender] = addressParser(headers['from'] ?? '');
  return {
    subject: storable(decodeWords(headers['subject'] ?? '')),
    from: storable(sender?.address ?? ''),
    text: `The text of this e-mail could not be read: ${why}. The event log has the e-mail without its attachments.`,
    headers,
  };
}

/** Up to the first empty line; a line that begins with a space goes on with the one before. */
function fieldsOf(text: string): readonly (readonly [string, string])[] {
  const fields: [name: string, parts: string[]][] = [];
  for (const line of text.split(/\r?\n/)) {
    if (line === '') break;
    const colon = line.indexOf(':');
    if (/^[ \t]/.test(line)) fields.at(-1)?.[1].push(line);
    else if (colon > 0) fields.push([line.slice(0, colon).toLowerCase(), [line.slice(colon + 1)]]);
  }
  return fields.map(([name, parts]) => [name.trim(), parts.join('').trim()] as const);
}
