// GET /escalation-policies/unreachable-steps: which steps reach nobody at this moment.
import { setImmediate } from 'node:timers/promises';
import Type from 'typebox';
import { queryLimits } from '../../limits/queries.ts';
import { count, word } from '../../resources/declaration/answer.ts';
import { flag, objectOf } from '../../resources/declaration/field.ts';
import { escalationPolicy } from '../../resources/escalation-policy.ts';
import { readConfiguration } from '../../storage/configuration/past-configuration.ts';
import type { LedgerParts } from '../../storage/ledger/context.ts';
import { inScope } from '../../storage/records/queries.ts';
import { missedOnce, stepsReachingNobody } from '../../what-if/unreachable-now.ts';
import { route } from '../people/writing.ts';
import { inoperativeTarget } from '../records/escalation-policy.ts';
import { inTeams, teamsParameter } from '../records/list-query.ts';
import type { WriteParts } from '../records/write.ts';
import { type Call, ok, type Route } from '../route.ts';

const shape = objectOf({
  data: Type.Array(
    objectOf({
      escalation_policy_id: word('The id of the policy.'),
      step: count('The number of the step, from 1.'),
      reasons: Type.Array(word('A reason, with the target.'), {
        description: 'Why none of its targets can be paged now.',
      }),
    }),
    { description: 'The steps, by policy and number.' },
  ),
  complete: flag({
    doc: 'Whether all policies were examined. It is false if they have too many targets.',
  }),
});

type Parts = Pick<LedgerParts, 'sql' | 'configurations'> & Pick<WriteParts, 'capabilitiesOf'>;

export const unreachableStepsRoute = (parts: Parts): Route =>
  route('GET /escalation-policies/unreachable-steps', 'viewer', {
    tag: escalationPolicy.table,
    doc: 'Lists the steps of active escalation policies that reach nobody now: the channel is not set up, the person is inactive or has no verified contact, or nobody is on call.',
    query: { team_id: teamsParameter },
    answers: { status: 200, schema: shape },
    handle: async (call) => ok(await examine(parts, call)),
  });

async function examine(parts: Parts, call: Call) {
  const { caller, now } = call;
  const { organizationId } = caller;
  const [{ configuration }, capabilities, ids] = await Promise.all([
    readConfiguration(parts, { organizationId, from: now, now }),
    parts.capabilitiesOf(organizationId),
    activePolicies(parts, call),
  ]);
  const missed = missedOnce({
    configuration,
    now,
    inoperative: (target) => inoperativeTarget(target, capabilities),
  });
  const policies = ids.flatMap((id) => configuration.policies.get(id) ?? []);
  const data: object[] = [];
  let left = queryLimits.reachedTargets;
  for (const policy of policies) {
    left -= policy.steps.flatMap(({ targets }) => targets).length;
    if (left < 0) return { data, complete: false };
    for (const { step, reasons } of stepsReachingNobody(policy, missed))
      data.push({ escalation_policy_id: policy.id, step: step + 1, reasons });
    // The engine runs in this thread too.
    await setImmediate();
  }
  return { data, complete: true };
}

async function activePolicies({ sql }: Parts, call: Call): Promise<readonly string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from ${sql(escalationPolicy.table)}
    where ${inScope(sql, inTeams(call.caller, call))} and archived_at is null order by counter`;
  return rows.map(({ id }) => id);
}
