// Suggests a mapping from two events, in a worker thread.
import type { Json } from '../../alerts/alert.ts';
import { contentOf } from '../../alerts/body/content.ts';
import { within } from '../../alerts/effort.ts';
import type { Form } from '../../alerts/reading/notation.ts';
import { suggestedForm } from '../../alerts/reading/suggest.ts';
import type { StoredEvent } from '../../engine/ports/events.ts';
import { eventsLimits } from '../../limits/events.ts';
import { requestOf } from '../events/stored-events.ts';
import { invalid } from '../failures.ts';

export type Pair = { readonly firing: StoredEvent; readonly recovered: StoredEvent };

export function runMappingSuggestion({ firing, recovered }: Pair): {
  readonly forms: readonly Form[];
} {
  const form = suggestedForm(bodyOf('firing', firing), bodyOf('recovered', recovered));
  return { forms: Object.keys(form).length === 0 ? [] : [form] };
}

function bodyOf(path: keyof Pair, event: StoredEvent): Json {
  const request = requestOf(event);
  if (request.source === 'mail') {
    const { subject, from, text } = request;
    return { subject, from, text };
  }
  const { body, contentType } = request;
  const content = within(() => contentOf(body, contentType), eventsLimits.readingWork);
  if (content !== null && 'json' in content) return content.json;
  throw invalid([{ path, message: 'has a body without fields' }]);
}
