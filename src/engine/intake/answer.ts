// The answer that the sender of an event gets.
import type { Reading } from '../../alerts/alert.ts';
import type { Configurations } from '../../incidents/configuration.ts';
import { type Decided, integrationOf, type Readable } from './decide.ts';

type AlertAnswer = {
  readonly dedup_key: string;
  readonly outcome: string;
  readonly incident: number | null;
};

/** There is no room; the sender should try again in a second. */
export const full = { type: 'full' } as const;

export type IntakeAnswer =
  | {
      readonly type: 'accepted';
      readonly eventId: string;
      readonly alerts: readonly AlertAnswer[];
      /** What is odd about the event, or why it asks for nothing. */
      readonly note?: string;
    }
  | { readonly type: 'unreadable'; readonly eventId: string; readonly reason: string }
  | { readonly type: 'archived'; readonly eventId: string };

/** For an event that is stored and waits to be decided. */
export const pendingAnswer = ({ event, reading }: Readable): IntakeAnswer =>
  'unreadable' in reading
    ? { type: 'unreadable', eventId: event.id, reason: reading.unreadable }
    : {
        type: 'accepted',
        eventId: event.id,
        alerts: reading.alerts.map(({ dedup_key }) => ({
          dedup_key,
          outcome: 'accepted',
          incident: null,
        })),
        ...noteOf(reading),
      };

/** For an event that was decided. */
export function decidedAnswer(
  one: Decided,
  context: {
    readonly configurations: Configurations;
    readonly numbers: ReadonlyMap<string, number>;
  },
): IntakeAnswer {
  const eventId = one.stormEventId ?? one.event.id;
  const integration = integrationOf(one.event, context.configurations);
  if (integration === null || integration.archived) return { type: 'archived', eventId };
  if (one.decision.outcome === 'unreadable')
    return { type: 'unreadable', eventId, reason: one.decision.reason ?? '' };
  const alerts = one.decision.alerts.map(({ dedup_key, outcome, incident_id }) => ({
    dedup_key,
    outcome,
    incident: incident_id === null ? null : (context.numbers.get(incident_id) ?? null),
  }));
  return { type: 'accepted', eventId, alerts, ...noteOf(one.reading) };
}

const noteOf = (reading: Reading) =>
  'alerts' in reading && reading.note !== undefined ? { note: reading.note } : {};
