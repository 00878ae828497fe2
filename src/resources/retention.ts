// How long an organisation keeps data that grows.
import type { Static } from 'typebox';
import { objectOf, optional, wholeNumber } from './declaration/field.ts';

/** Ten years. */
const daysMax = 3_650;
/** Notices are retried for a day, and the links in them work for a week. */
const outboxDaysMin = 7;
/** What was done yesterday cannot be removed today. */
const evidenceDaysMin = 30;
/** A year can be compared with the year before. */
const outboxDaysDefault = 400;

const days = (min: number, doc: string) => optional(wholeNumber({ doc, min, max: daysMax }));

export const retention = objectOf(
  {
    events_days: days(
      1,
      'The number of days for which events are kept, from their arrival; when absent, what the operator of the server set.',
    ),
    outbox_days: days(
      outboxDaysMin,
      `The number of days for which notices and calls of webhooks are kept, from their last attempt; ${outboxDaysDefault} when absent.`,
    ),
    timelines_days: days(
      evidenceDaysMin,
      'The number of days for which timelines are kept, from the end of their incident; without a limit when absent.',
    ),
    audit_log_days: days(
      evidenceDaysMin,
      'The number of days for which entries of the audit log are kept; without a limit when absent.',
    ),
  },
  'For how many days data is kept; what belongs to an open incident stays until it is resolved.',
);
export type Retention = Static<typeof retention>;

export const removedKinds = ['events', 'outbox', 'timelines', 'audit_log'] as const;
export type RemovedKind = (typeof removedKinds)[number];

/** Null: without a limit. The server's setting for events counts where the organisation has none. */
export function retentionDays(
  { events_days, outbox_days, timelines_days, audit_log_days }: Retention,
  eventsDays: number | null,
): Readonly<Record<RemovedKind, number | null>> {
  return {
    events: events_days ?? eventsDays,
    outbox: outbox_days ?? outboxDaysDefault,
    timelines: timelines_days ?? null,
    audit_log: audit_log_days ?? null,
  };
}
