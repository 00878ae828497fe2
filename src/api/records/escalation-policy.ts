import type { Problem } from '../../resources/declaration/resource.ts';
import type { Step, Target } from '../../resources/escalation-policy.ts';
import type { NamedChannel } from '../connections/unpostable-channels.ts';
import type { NamedPerson } from '../contacts/contact-warnings.ts';
import { notSetUp, refusedAddress } from './reachability.ts';
import type { Capabilities, Proposal, RecordHooks } from './record-hooks.ts';

export const policyHooks: RecordHooks = {
  check: checkReplacement,
  findInoperative: ({ steps = [] }, capabilities) =>
    // The fields fit their declaration; a preview may lack some.
    (steps as readonly Step[]).flatMap(({ targets }, step) =>
      targets.flatMap((target, index) =>
        inoperativeTarget(target, capabilities).map(
          (text) => `steps[${step}].targets[${index}].${text}`,
        ),
      ),
    ),
  async warn({ channelWarnings, contactWarnings }, { organizationId, fields }) {
    const steps = (fields['steps'] ?? []) as readonly Step[];
    const [channels, contacts] = await Promise.all([
      channelWarnings(organizationId, roomsIn(steps)),
      contactWarnings(organizationId, peopleIn(steps)),
    ]);
    return [...channels, ...contacts];
  },
};

const peopleIn = (steps: readonly Step[]): readonly NamedPerson[] =>
  steps.flatMap(({ targets }, step) =>
    targets.flatMap(({ via, user_id: userId }, index) =>
      userId === undefined ? [] : [{ path: `steps[${step}].targets[${index}]`, userId, via }],
    ),
  );

const roomsIn = (steps: readonly Step[]): readonly NamedChannel[] =>
  steps.flatMap(({ targets }, step) =>
    targets.flatMap(({ via, channel_id: channelId }, index) => {
      const path = `steps[${step}].targets[${index}].channel_id`;
      return channelId === undefined ? [] : [{ path, via, channelId }];
    }),
  );

function checkReplacement({ before, written: { fields } }: Proposal): readonly Problem[] {
  const path = 'archive_replacement_policy_id';
  return before !== undefined && fields[path] === before.id
    ? [{ path, message: 'must be another policy' }]
    : [];
}

export function inoperativeTarget(target: Target, capabilities: Capabilities): readonly string[] {
  const { via, channel_id, webhook_url } = target;
  if (!capabilities.channels.has(via)) return [notSetUp(via)];
  if (channel_id !== undefined && webhook_url === undefined && !capabilities.connected.has(via))
    return [
      `channel_id pages nobody because no connection for ${via} is set up. Use webhook_url instead.`,
    ];
  return refusedAddress('webhook_url', webhook_url, capabilities);
}
