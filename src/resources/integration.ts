import * as Type from 'typebox';
import { incidentsLimits } from '../limits/incidents.ts';
import { instant } from './declaration/answer.ts';
import {
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
import { groupingFields } from './grouping.ts';
import { nearestNames } from './nearest.ts';
import { checkSpan, span } from './span.ts';

export const integration = resource({
  name: 'integration',
  table: 'integrations',
  route: 'integrations',
  doc: 'The endpoint to which a monitoring tool sends alerts.',
  fields: {
    slug: text({
      doc: 'The type of the integration, such as prometheus: a slug from GET /integration-types. It determines how events are read.',
      min: 1,
      max: 64,
    }),
    service_id: id('The service that the incidents of this integration are about.', {
      to: 'service',
      within: 'team',
    }),
    escalation_policy_id: id('The policy that decides who is paged.', {
      to: 'escalation_policy',
      within: 'team',
    }),
    name: optional(
      name('The name of the integration, shown on incidents. Default: its type and counter.'),
    ),
    description: description('integration'),
    ack_timeout_minutes: optional(
      wholeNumber({
        doc: 'The number of minutes after which an acknowledged incident that is still open pages again. If absent, it never does.',
        min: 1,
        max: 1_440,
      }),
    ),
    repeat_escalation: optional(
      flag({
        doc: `Whether the policy restarts ${incidentsLimits.repeatPause} minutes after its last step, up to ${incidentsLimits.repeats} times, while nobody acknowledges.`,
        default: false,
      }),
    ),
    auto_resolve: optional(
      objectOf(
        span('until an incident is resolved'),
        'The time after which an incident resolves automatically, counted from its creation. If absent, it never does.',
      ),
    ),
    resolve_when_quiet: optional(
      objectOf(
        span('without another alert after which an incident is resolved'),
        'The time without another alert with its key after which an incident resolves automatically, counted from the last alert. If absent, it never does. Use it for tools that repeat an active alert and never report its end. Time in which Pager accepted no events does not count. Set it once all servers run this version.',
      ),
    ),
    grouping: optional(
      objectOf(
        groupingFields,
        'How alerts are grouped: alerts with equal values join one open incident, which ends once none of them is active. An alert that is worse than those already paged for pages again. Default: by `group` for types whose tools send groups, such as alertmanager and grafana, and no grouping for others.',
        { setElsewhere: true },
      ),
    ),
    disable_incident_suppression: optional(
      flag({
        doc: 'Whether every alert opens its own incident. If false, an alert is counted on the open incident with its key.',
        default: false,
      }),
    ),
    enabled: optional(
      flag({ doc: 'Whether events are accepted. If false, they are dropped.', default: true }),
    ),
  },
  computed: {
    webhook_url: Type.Optional(
      Type.String({
        description:
          'The address to which the monitoring tool sends events. It contains the token, so anyone who has it can open incidents.',
        'x-sensitive': true,
      }),
    ),
    email_address: Type.Optional(
      Type.String({
        description:
          'The address to which the monitoring tool sends e-mail. It contains the token, so anyone who has it can open incidents.',
        'x-sensitive': true,
      }),
    ),
    token: Type.String({
      description: 'The secret part of webhook_url and email_address.',
      'x-sensitive': true,
    }),
    previous_token_expires_at: Type.Optional(
      instant(
        'When acceptance of the previous token ends, or ended. Absent if the last rotation had no grace period.',
      ),
    ),
  },
  effectsAt: 'escalation_policy_id',
  lostByReplacement:
    'The new integration has a new token and webhook URL. Set them in the monitoring tools, because events sent to the old ones are rejected.',
  rotates: 'token',
  check: (value) => [
    ...checkSpan('grouping.window', value.grouping?.window),
    ...checkSuppression(value),
    ...checkSpan('auto_resolve', value.auto_resolve),
    ...checkSpan('resolve_when_quiet', value.resolve_when_quiet),
  ],
});

type Grouping = {
  readonly grouping?: { readonly by?: readonly string[] };
  readonly disable_incident_suppression?: boolean;
};

/** An alert that is not suppressed joins nothing either. */
export const checkSuppression = ({
  grouping,
  disable_incident_suppression: isDisabled,
}: Grouping): readonly Problem[] =>
  isDisabled && (grouping?.by?.length ?? 0) > 0
    ? [{ path: 'grouping.by', message: groupsOrNot }]
    : [];

const groupsOrNot =
  'must be empty if disable_incident_suppression is true, because then every alert opens its own incident';

/** What is wrong with a slug, of those that a server knows. */
export function slugProblem(slug: string, known: readonly string[]): Problem {
  const likely = nearestNames(slug.toLowerCase(), known).map((one) => JSON.stringify(one));
  const names = [likely.slice(0, -1).join(', '), ...likely.slice(-1)].filter(Boolean).join(' or ');
  const help = names === '' ? 'GET /integration-types lists them' : `did you mean ${names}?`;
  return { path: 'slug', message: `is not an integration type (${help})` };
}
