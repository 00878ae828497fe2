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
    maxHeadersSize: mailLimits.headers,
  };
  const parsed = await PostalMime.parse(raw, options).catch(() => null);
  if (parsed === null) return null;
  const text = parsed.text?.trim() ? parsed.text : textOfHtml(parsed.html ?? '');
  return {
    subject: storable(parsed.subject ?? ''),
    from: storable(parsed.from?.address ?? ''),
    text: storable(text.replace(TOKEN, '***')),
    headers: headersOf(parsed.headers.map(({ key, value }) => [key, value])),
  };
}
