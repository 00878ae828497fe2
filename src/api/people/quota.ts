import { count } from '../../resources/declaration/answer.ts';
import { mapOf, objectOf, optional, text } from '../../resources/declaration/field.ts';
import type { Queries } from '../../storage/database.ts';
import { readQuota } from '../../storage/quota.ts';
import { ok, type Route } from '../route.ts';
import { route } from './writing.ts';

const quotaShape = objectOf(
  {
    month: text({
      doc: 'The current month in the time zone of the organisation, such as 2026-11.',
    }),
    limit: optional(
      count('The monthly_alert_limit of the organisation; absent when there is none.'),
    ),
    used: count(
      'How many notices were sent in this month: to people about incidents and shifts, to chat channels about shifts.',
    ),
    by_channel: mapOf(count('How many were sent by this channel.'), {
      doc: 'The same by channel; a channel without any is absent.',
      max: 10,
    }),
  },
  'How much of its monthly limit the organisation has used.',
);

export const quotaRoutes = (parts: { readonly sql: Queries }): Route[] => [
  route('GET /quota', 'viewer', {
    tag: 'organization',
    doc: 'Reads how much of the monthly limit of the organisation is used.',
    answers: { status: 200, schema: quotaShape },
    async handle({ caller, now }) {
      return ok(await readQuota(parts.sql, { organizationId: caller.organizationId, now }));
    },
  }),
];
