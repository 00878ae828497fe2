// How long an organisation keeps what grows.
import type { Static } from 'typebox';
import { objectOf, optional, wholeNumber } from './declaration/field.ts';

/** Ten years. */
const daysMax = 3_650;
/** Notices are retried for a day, and the links in them work for a week. */
const outboxDaysMin = 7;
/** So that nobody wipes away today what they did yesterday. */
const provingDaysMin = 30;
/** A year can be compared with the year before. */
const outboxDaysUnlessSaid = 400;

const days = (min: number, doc: string) => optional(wholeNumber({ doc, min, max: daysMax }));

export const retention = objectOf(
  {
    events_days: days(1, 'Events, from their arrival. Absent: as the operator of the server set.'),
    outbox_days: days(
      outboxDaysMin,
      `Notices and calls of webhooks with their attempts, from their end. Absent: ${outboxDaysUnlessSaid}.`,
    ),
    timelines_days: days(
      provingDaysMin,
      'Timelines, from the end of their incident. Absent: for good.',
    ),
    audit_log_days: days(provingDaysMin, 'The audit log. Absent: for good.'),
  },
  'For how many days what grows is kept; what belongs to an incident stays while that goes on.',
);
export type Retention = Static<typeof retention>;

export const removedKinds = ['events', 'outbox', 'timelines', 'audit_log'] as const;
export type RemovedKind = (typeof removedKinds)[number];

/** Null: for good. What the server says of events holds where the organisation says nothing. */
export function keptDays(
  { events_days, outbox_days, timelines_days, audit_log_days }: Retention,
  eventsDays: number | null,
): Readonly<Record<RemovedKind, number | null>> {
  return {
    events: events_days ?? eventsDays,
    outbox: outbox_days ?? outboxDaysUnlessSaid,
    timelines: timelines_days ?? null,
    audit_log: audit_log_days ?? null,
  };
}
