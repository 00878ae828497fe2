import * as Type from 'typebox';
import { incidentsLimits } from '../limits/incidents.ts';
import {
  choice,
  description,
  flag,
  id,
  name,
  objectOf,
  optional,
  text,
  wholeNumber,
} from './declaration/field.ts';
import { type Problem, resource } from './declaration/resource.ts';

const longest = { minutes: 1_440, hours: 168, days: 365 } as const;

const span = (doc: string) =>
  objectOf(
    {
      after: wholeNumber({ doc: 'How many units.', min: 1, max: 1_440 }),
      unit: choice(['minutes', 'hours', 'days'], { doc: 'Of what.' }),
    },
    doc,
  );

/** minutes 1..1440, hours 1..168, days 1..365. */
export function spanIsShort(
  path: string,
  value: { after: number; unit: keyof typeof longest } | undefined,
): Problem[] {
  return value && value.after > longest[value.unit]
    ? [{ path: `${path}.after`, message: `must be at most ${longest[value.unit]} ${value.unit}` }]
    : [];
}

export const integration = resource({
  name: 'integration',
  table: 'integrations',
  route: 'integrations',
  doc: 'Where a monitoring tool sends alerts.',
  fields: {
    slug: text({ doc: 'The integration type, one of GET /integration-types.', min: 1, max: 64 }),
    service_id: id('Incidents are attributed to it.', { to: 'service', within: 'team' }),
    escalation_policy_id: id('Decides who is paged.', { to: 'escalation_policy', within: 'team' }),
    name: optional(name('Shown on incidents.')),
    description: description(),
    ack_timeout_minutes: optional(
      wholeNumber({
        doc: 'An acknowledged incident starts paging again after this long.',
        min: 1,
        max: 1_440,
      }),
    ),
    repeat_escalation: optional(
      flag({
        doc: `Starts again 10 minutes after the last step, ${incidentsLimits.repeats} times.`,
        default: false,
      }),
    ),
    auto_resolve: optional(span('Resolves an incident this long after it was created.')),
    disable_incident_suppression: optional(
      flag({ doc: 'Every trigger opens an incident of its own.', default: false }),
    ),
    enabled: optional(flag({ doc: 'Events are dropped while false.', default: true })),
  },
  computed: {
    webhook_url: Type.Optional(
      Type.String({ description: 'Where tools send events.', 'x-sensitive': true }),
    ),
    email_address: Type.Optional(
      Type.String({ description: 'Where tools send mail.', 'x-sensitive': true }),
    ),
    token: Type.String({ description: 'The secret in both.', 'x-sensitive': true }),
  },
  lostByReplacement:
    'The new integration has a new token and webhook URL: monitoring tools have to be told, and events sent to the old one are refused.',
  check: (value) => spanIsShort('auto_resolve', value.auto_resolve),
});
