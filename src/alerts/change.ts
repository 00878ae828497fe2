// What a tool tells of a change, such as a deployment: no alert, but perhaps why there is one.
import { eventsLimits } from '../limits/events.ts';
import type { HttpRequest, Json, Link } from './alert.ts';
import { contentOf } from './body/content.ts';
import { asText } from './body/json.ts';
import { instantOf } from './instant.ts';
import { isObject, oneLine, titleOf } from './text.ts';
import { linksOf } from './words.ts';

export type Change = {
  readonly at: Temporal.Instant;
  readonly summary: string;
  readonly source?: string;
  readonly links: readonly Link[];
};

/** What may be wrong in it is left out: it was taken when it came. */
export function changeIn(
  { body, contentType }: Pick<HttpRequest, 'body' | 'contentType'>,
  receivedAt: Temporal.Instant,
): Change {
  const content = contentOf(body, contentType);
  const sent = 'json' in content && isObject(content.json) ? content.json : {};
  const payload = isObject(sent['payload']) ? sent['payload'] : {};
  const source = lineOf(payload['source']);
  return {
    at: madeAt(asText(payload['timestamp']), receivedAt),
    summary: lineOf(payload['summary']) || 'A change without a summary',
    ...(source !== '' && { source }),
    links: [...new Map(linksOf(sent['links']).map((link) => [link.href, link])).values()],
  };
}

const lineOf = (value: Json | undefined): string => titleOf(oneLine(asText(value) ?? ''));

/** As the tool says, unless its clock is wrong or it tells of it much later. */
function madeAt(text: string | undefined, receivedAt: Temporal.Instant): Temporal.Instant {
  const at = instantOf(text);
  if (at === undefined) return receivedAt;
  const ageMs = receivedAt.epochMilliseconds - at.epochMilliseconds;
  return ageMs >= 0 && ageMs <= eventsLimits.changeHours * 3_600_000 ? at : receivedAt;
}
