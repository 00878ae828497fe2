import { count, instant } from '../../resources/declaration/answer.ts';
import { flag, mapOf, objectOf, optional, text } from '../../resources/declaration/field.ts';
import type { Queries } from '../../storage/database/database.ts';
import { readQuota } from '../../storage/organizations/quota.ts';
import { ok, type Route } from '../route.ts';
import { route } from './writing.ts';

const quotaShape = objectOf(
  {
    month: text({
      doc: 'The current month in the organization’s time zone, such as 2026-11.',
    }),
    limit: optional(count('The organization’s monthly_alert_limit. Absent if there is none.')),
    used: count(
      'The number of notices sent this month: to people about incidents and shifts, and to chat channels about shifts.',
    ),
    projected: optional(
      count(
        'The number expected by the end of the month at this month’s average rate. Absent on the first day of the month.',
      ),
    ),
    resets_at: instant('When the next month starts and counting starts again.'),
    stops_pages: flag({
      doc: 'Whether pages stop at the limit too, as the server operator sets with PAGER_HARD_ALERT_LIMIT. Otherwise only shift notifications stop.',
    }),
    by_channel: mapOf(count('The number sent by this channel.'), {
      doc: 'The number by channel. Channels without any are absent.',
      max: 10,
    }),
  },
  'The organization’s usage of its monthly limit.',
);

type QuotaParts = { readonly sql: Queries; readonly hardAlertLimit: boolean };

export const quotaRoutes = (parts: QuotaParts): Route[] => [
  route('GET /quota', 'viewer', {
    tag: 'organization',
    doc: 'Returns the organization’s usage of its monthly limit.',
    answers: { status: 200, schema: quotaShape },
    async handle({ caller, now }) {
      const { by_channel, ...quota } = await readQuota(parts.sql, {
        organizationId: caller.organizationId,
        now,
      });
      return ok({ ...quota, stops_pages: parts.hardAlertLimit, by_channel });
    },
  }),
];
