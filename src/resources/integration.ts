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
import { resource } from './declaration/resource.ts';
import { checkSpan, span } from './span.ts';

export const integration = resource({
  name: 'integration',
  table: 'integrations',
  route: 'integrations',
  doc: 'Where a monitoring tool sends alerts.',
  fields: {
    slug: text({
      doc: 'The type of the integration, such as prometheus: a slug of GET /integration-types. It decides how events are read.',
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
      name('The name of the integration, as incidents show it; its type and counter when absent.'),
    ),
    description: description('integration'),
    ack_timeout_minutes: optional(
      wholeNumber({
        doc: 'The time in minutes after which an acknowledged incident pages again, if it is still open; never when absent.',
        min: 1,
        max: 1_440,
      }),
    ),
    repeat_escalation: optional(
      flag({
        doc: `Whether the policy starts again ${incidentsLimits.repeatPause} minutes after its last step, up to ${incidentsLimits.repeats} times, while nobody acknowledges.`,
        default: false,
      }),
    ),
    auto_resolve: optional(
      objectOf(
        span('until an incident is resolved'),
        'The time after which an incident is resolved by itself, counted from its creation; never when absent.',
      ),
    ),
    resolve_when_quiet: optional(
      objectOf(
        span('without another alert after which an incident is resolved'),
        'The time without another alert of its key after which an incident is resolved by itself, counted from the last alert; never when absent. For tools that repeat an alert while it lasts and never report its end. Time in which Pager took no events does not count. Set it once all servers run this version.',
      ),
    ),
    disable_incident_suppression: optional(
      flag({
        doc: 'Whether every alert opens an incident of its own; while false, an alert is counted onto the open incident of its key.',
        default: false,
      }),
    ),
    enabled: optional(
      flag({ doc: 'Whether events are accepted; while false, they are dropped.', default: true }),
    ),
  },
  computed: {
    webhook_url: Type.Optional(
      Type.String({
        description:
          'The address that the monitoring tool sends events to. It holds the token: whoever has it can open incidents.',
        'x-sensitive': true,
      }),
    ),
    email_address: Type.Optional(
      Type.String({
        description:
          'The address that the monitoring tool sends mail to. It holds the token: whoever has it can open incidents.',
        'x-sensitive': true,
      }),
    ),
    token: Type.String({
      description: 'The secret part of webhook_url and email_address.',
      'x-sensitive': true,
    }),
    previous_token_expires_at: Type.Optional(
      instant(
        'Until when the token from before the last rotation is accepted, or was; absent if none was after it.',
      ),
    ),
  },
  lostByReplacement:
    'The new integration has a new token and webhook URL: set them in the monitoring tools; events sent to the old ones are refused.',
  rotates: 'token',
  check: (value) => [
    ...checkSpan('auto_resolve', value.auto_resolve),
    ...checkSpan('resolve_when_quiet', value.resolve_when_quiet),
  ],
});
