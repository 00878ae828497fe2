import { count } from '../../resources/declaration/answer.ts';
import { mapOf, objectOf, optional, text } from '../../resources/declaration/field.ts';
import type { Queries } from '../../storage/database.ts';
import { readQuota } from '../../storage/quota.ts';
import { ok, type Route } from '../route.ts';
import { route } from './writing.ts';

const quotaShape = objectOf(
  {
    month: text({ doc: 'Such as 2026-11, in the time zone of the organisation.' }),
    limit: optional(count('The monthly_alert_limit of the organisation.')),
    used: count('Notices to people so far, of incidents and of shifts.'),
    by_channel: mapOf(count('Of them, by this channel.'), { doc: 'By channel.', max: 10 }),
  },
  'What the organisation used of its monthly limit.',
);

export const quotaRoutes = (parts: { readonly sql: Queries }): Route[] => [
  route('GET /quota', 'viewer', {
    ...{ tag: 'organization', doc: 'Reads what was used of the monthly limit.' },
    answers: { status: 200, schema: quotaShape },
    async handle({ caller, now }) {
      return ok(await readQuota(parts.sql, { organizationId: caller.organizationId, now }));
    },
  }),
];
