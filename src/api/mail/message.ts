// The task of the worker threads for mail: strangers can make it take as long as they like.
import PostalMime from 'postal-mime';
import type { Mail } from '../../alerts/alert.ts';
import { storable } from '../../alerts/text.ts';
import { mailLimits } from '../../limits/mail.ts';
import { textOfHtml } from '../pages/html-text.ts';
import { headersOf } from './headers.ts';

/** Of the address of an integration, in a text that was encoded when it arrived. */
const TOKEN = /\b[0-9a-f]{40}(?=@)/gi;

/** A raw mail as subject, sender and text; null when it cannot be read as one. */
export async function readMessage(raw: Uint8Array): Promise<Mail | null> {
  const options = {
    maxNestingDepth: mailLimits.nesting,
    maxRfc822NestingDepth: mailLimits.forwarded,
    maxHeadersSize: mailLimits.headers,
  };
  const parsed = await PostalMime.parse(firstLines(raw), options).catch(() => null);
  if (parsed === null) return null;
  const text = parsed.text?.trim() ? parsed.text : textOfHtml(parsed.html ?? '');
  return {
    subject: storable(parsed.subject ?? ''),
    from: storable(parsed.from?.address ?? ''),
    text: storable(text.replace(TOKEN, '***')),
    headers: headersOf(parsed.headers.map(({ key, value }) => [key, value])),
  };
}

const NEWLINE = 0x0a;

/** Each line costs its reader some microseconds and a kilobyte, however short it is. */
function firstLines(raw: Uint8Array): Uint8Array {
  let end = -1;
  for (let line = 0; line < mailLimits.lines; line += 1) {
    end = raw.indexOf(NEWLINE, end + 1);
    if (end < 0) return raw;
  }
  return raw.subarray(0, end + 1);
}
