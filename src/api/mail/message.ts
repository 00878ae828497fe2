import PostalMime from 'postal-mime';
import type { Mail } from '../../alerts/alert.ts';
import { textOfHtml } from '../pages/html-text.ts';

const NESTING_MAX = 32;
const HEADERS_BYTES_MAX = 256 * 1024;
/** Of the address of an integration, in a text that was encoded when it arrived. */
const TOKEN = /\b[0-9a-f]{40}(?=@)/gi;

/** A raw mail as subject, sender and text; null when it cannot be read as one. */
export async function readMessage(raw: Uint8Array): Promise<Mail | null> {
  const limits = { maxNestingDepth: NESTING_MAX, maxHeadersSize: HEADERS_BYTES_MAX };
  const parsed = await PostalMime.parse(raw, limits).catch(() => null);
  if (parsed === null) return null;
  const text = parsed.text?.trim() ? parsed.text : textOfHtml(parsed.html ?? '');
  // The first of several equal headers is the one added last on the way.
  const headers = Object.fromEntries(
    parsed.headers.toReversed().map(({ key, value }) => [key, value] as const),
  );
  return {
    subject: parsed.subject ?? '',
    from: parsed.from?.address ?? '',
    text: text.replace(TOKEN, '***'),
    headers,
  };
}
