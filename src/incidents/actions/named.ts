// What actions point to, so that it is read before they are performed.
import type { Action } from './perform.ts';
import type { Playbook } from './playbook.ts';

/** Ids of what actions name, those of the playbooks they run included. */
export type Named = {
  readonly policyIds: ReadonlySet<string>;
  readonly integrationIds: ReadonlySet<string>;
  readonly webhookIds: ReadonlySet<string>;
  readonly userIds: ReadonlySet<string>;
};

type Playbooks = ReadonlyMap<string, Pick<Playbook, 'actions'>>;

export function namedBy(actions: readonly Action[], playbooks: Playbooks): Named {
  const named = {
    policyIds: new Set<string>(),
    integrationIds: new Set<string>(),
    webhookIds: new Set<string>(),
    userIds: new Set<string>(),
  };
  const seen = new Set<string>();
  const waiting = [...actions];
  for (let action = waiting.pop(); action !== undefined; action = waiting.pop()) {
    if (action.type === 'playbook') {
      if (!seen.has(action.playbook_id))
        waiting.push(...(playbooks.get(action.playbook_id)?.actions ?? []));
      seen.add(action.playbook_id);
    } else add(named, action);
  }
  return named;
}

function add(named: Record<keyof Named, Set<string>>, action: Action): void {
  if ('escalation_policy_id' in action) named.policyIds.add(action.escalation_policy_id);
  if ('integration_id' in action) named.integrationIds.add(action.integration_id);
  if ('outbound_webhook_id' in action) named.webhookIds.add(action.outbound_webhook_id);
  if ('user_id' in action) named.userIds.add(action.user_id);
}

export const namesNothing = (named: Named): boolean =>
  [named.policyIds, named.integrationIds, named.webhookIds, named.userIds].every(isEmpty);

const isEmpty = ({ size }: ReadonlySet<string>) => size === 0;

/** What any of them names. */
export const joined = (all: readonly Named[]): Named => ({
  policyIds: new Set(all.flatMap(({ policyIds }) => [...policyIds])),
  integrationIds: new Set(all.flatMap(({ integrationIds }) => [...integrationIds])),
  webhookIds: new Set(all.flatMap(({ webhookIds }) => [...webhookIds])),
  userIds: new Set(all.flatMap(({ userIds }) => [...userIds])),
});
