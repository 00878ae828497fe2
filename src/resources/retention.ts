// How long an organization keeps data that grows.
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
      'The number of days to keep events after they arrive. Default: set by the server operator.',
    ),
    outbox_days: days(
      outboxDaysMin,
      `The number of days to keep notices and webhook calls after their last attempt. Default: ${outboxDaysDefault}.`,
    ),
    timelines_days: days(
      evidenceDaysMin,
      'The number of days to keep timelines after their incident ends. If absent, there is no limit.',
    ),
    audit_log_days: days(
      evidenceDaysMin,
      'The number of days to keep audit log entries. If absent, there is no limit.',
    ),
  },
  'How many days data is kept. Data of an open incident is kept until the incident is resolved.',
);
export type Retention = Static<typeof retention>;

export const removedKinds = ['events', 'outbox', 'timelines', 'audit_log'] as const;
export type RemovedKind = (typeof removedKinds)[number];

/** Null: without a limit. The server's setting for events counts where the organization has none. */
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
