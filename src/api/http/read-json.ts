import { isDeeperThan } from '../../alerts/body/json.ts';
import { httpLimits } from '../../limits/http.ts';
import { Refusal } from '../failures.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The JSON of a request body; nothing at all when the body is empty. */
export function readJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  const text = decode(bytes);
  if (isDeeperThan(text, httpLimits.bodyDepth))
    throw new Refusal('unreadable', {
      message: `The body is nested deeper than ${httpLimits.bodyDepth} levels.`,
    });
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Refusal('unreadable', {
      message: `The body is not valid JSON${where(error, text)}.`,
    });
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Refusal('unreadable', { message: 'The body is not valid UTF-8.' });
  }
}

/** Only the position, if known: the parser's own words may quote secrets from the body. */
function where(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : '';
  if (message.includes('end of JSON input')) return ': it ends too early';
  const match = /at position (\d+)/.exec(message);
  if (match === null) return '';
  const before = text.slice(0, Number(match[1])).split('\n');
  return `: line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
