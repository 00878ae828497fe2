// A rule tried on one event: what is sent, and what the server says of it.
import type { Draft } from '../form/draft.ts';
import type { Event } from '../integration/integration.ts';
import { simulationBody } from '../integration/simulation.ts';
import { atOf, isWhole, type When } from '../oncall/when.ts';

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
  readonly sample: Sample;
  /** Null: a past event when it arrived, a sample now. */
  readonly when: When;
};

/** An alert that nobody sent. */
export type Sample = {
  readonly title: string;
  /** JSON, as it is typed. */
  readonly details: string;
};

export const noSource: Source = {
  kind: 'event',
  integrationId: '',
  eventId: '',
  sample: { title: '', details: '' },
  when: null,
};

/** Null: it is not JSON. */
export function detailsOf({ details }: Sample): { readonly value?: unknown } | null {
  if (details.trim() === '') return {};
  try {
    return { value: JSON.parse(details) };
  } catch {
    return null;
  }
}

/** As the API takes it; undefined: it has no title, or its details are not JSON. */
export function sampleEvent(sample: Sample): Draft | undefined {
  const details = detailsOf(sample);
  if (sample.title.trim() === '' || details === null) return undefined;
  return { title: sample.title, ...('value' in details && { details: details.value }) };
}

/** Undefined: something is still to be chosen. */
export function trialBody(rule: Draft, source: Source): Draft | undefined {
  const { kind, integrationId, eventId, when } = source;
  if (!isWhole(when)) return undefined;
  if (kind === 'event')
    return eventId === '' ? undefined : { rule, event_id: eventId, ...atOf(when) };
  const event = sampleEvent(source.sample);
  if (integrationId === '' || event === undefined) return undefined;
  return { rule, event: { integration_id: integrationId, ...event, ...atOf(when) } };
}

/** The same for POST /simulate, without the rules; undefined: the event cannot be sent again. */
export function trialSimulation(source: Source, events: readonly Event[]): Draft | undefined {
  const { kind, integrationId, eventId, sample, when } = source;
  if (kind === 'sample')
    return { integration_id: integrationId, event: sampleEvent(sample), ...atOf(when) };
  const event = events.find(({ id }) => id === eventId);
  const body = event && simulationBody(integrationId, event);
  return body ? { ...body, ...atOf(when) } : undefined;
}
