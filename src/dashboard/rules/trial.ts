// A rule tried on one event: what is sent, and what the server says of it.
import type { Draft } from '../form/draft.ts';

type Evaluated = { readonly matched: boolean; readonly text: string };

export type TriedAlert = {
  readonly action: string;
  readonly dedup_key: string;
  readonly title: string;
  readonly matched: boolean;
  readonly scope: Evaluated;
  readonly groups: readonly {
    readonly matched: boolean;
    readonly conditions: readonly Evaluated[];
  }[];
  readonly effects: readonly string[];
};

/** As POST /alert-rules/test answers. */
export type RuleTest = {
  readonly at: string;
  readonly alerts: readonly TriedAlert[];
  readonly warnings: readonly string[];
};

export type Source = {
  readonly kind: 'event' | 'sample';
  readonly integrationId: string;
  readonly eventId: string;
  readonly title: string;
  /** JSON, as it is typed. */
  readonly details: string;
};

export const noSource: Source = {
  kind: 'event',
  integrationId: '',
  eventId: '',
  title: '',
  details: '',
};

/** Null: it is not JSON. */
export function detailsOf({ details }: Source): { readonly value?: unknown } | null {
  if (details.trim() === '') return {};
  try {
    return { value: JSON.parse(details) };
  } catch {
    return null;
  }
}

/** Undefined: something is still to be chosen. */
export function trialBody(rule: Draft, source: Source): Draft | undefined {
  const { kind, integrationId, eventId, title } = source;
  if (kind === 'event') return eventId === '' ? undefined : { rule, event_id: eventId };
  const details = detailsOf(source);
  if (integrationId === '' || title.trim() === '' || details === null) return undefined;
  const event = {
    integration_id: integrationId,
    title,
    ...('value' in details && { details: details.value }),
  };
  return { rule, event };
}
