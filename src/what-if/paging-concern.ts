// Which events a change concerns that is about people or channels, and not about one record.
import type { Integration } from '../incidents/configuration.ts';
import type { Target } from '../resources/escalation-policy.ts';
import type { Routed } from './paging-part.ts';
import {
  eventsLed,
  eventsOf,
  everyEvent,
  integrationsOf,
  type PagingSides,
  pagingSides,
  type Sides,
} from './paging-sides.ts';

/** What may page by the person or channel. */
type Concern = {
  readonly target: (target: Target) => boolean;
  readonly action: (action: Routed) => boolean;
};

/** Events of the policies that page so, and of rules and playbooks that do, or that lead there. */
export function pagingSidesOf(
  { target, action }: Concern,
  sides: Sides,
  now: Temporal.Instant,
): PagingSides | null {
  const { policies } = sides.before.configuration;
  const pages = (id: string) =>
    policies.get(id)?.steps.some(({ targets }) => targets.some(target)) ?? false;
  const isNamed = (one: Integration) => pages(one.escalation_policy_id);
  const ids = new Set(integrationsOf(sides.before, isNamed).map(({ id }) => id));
  const leads = (one: Routed) =>
    action(one) ||
    ('escalation_policy_id' in one && pages(one.escalation_policy_id)) ||
    ('integration_id' in one && ids.has(one.integration_id));
  const events = integrationsOf(sides.before, () => true).flatMap((one) => [
    ...(isNamed(one) ? [eventsOf(one, everyEvent, sides)] : []),
    ...eventsLed(one, leads, sides),
  ]);
  return pagingSides(sides, events, now);
}
