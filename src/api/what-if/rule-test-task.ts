// Tests a rule on an event, in a worker thread.
import type { MessagePort } from 'node:worker_threads';
import { timeText } from '../../storage/records/rows.ts';
import { testRule } from '../../what-if/rule-test.ts';
import { rpcClient } from '../../workers/rpc.ts';
import type { Caller } from '../route.ts';
import { lookupBy, type NameMethods, namesIn } from './record-names.ts';
import type { RuleTestRequest } from './rule-test-request.ts';
import { type TestedRule, unsavedRule } from './tested-rule.ts';
import { alertsIn, type TrialEvent } from './trial-event.ts';

export type RuleTestInput = {
  readonly trial: TrialEvent;
  /** A saved rule, or the body of one as JSON, which is fastest to clone. */
  readonly tried: TestedRule | { readonly body: string };
  readonly reader: Pick<Caller, 'teamIds'>;
  readonly counts: Pick<RuleTestRequest, 'repeat_count' | 'suppressed_count'>;
  /** Serves `NameMethods`. */
  readonly port: MessagePort;
};

export async function runRuleTest({ trial, tried, reader, counts, port }: RuleTestInput) {
  const lookup = lookupBy(rpcClient<NameMethods>(port));
  const all = await alertsIn(trial);
  const { rule, teamId, warnings } =
    'rule' in tried
      ? tried
      : await unsavedRule({ body: JSON.parse(tried.body), reader, trial }, lookup);
  const { at, integration } = trial;
  const { alerts, omitted } = testRule({
    rule,
    alerts: all,
    integration,
    at,
    counts,
    isOfTeam: teamId === integration.team_id,
    names: await namesIn(rule.actions, reader, lookup),
  });
  return {
    at: timeText(at),
    alerts,
    warnings: [...warnings, ...(omitted > 0 ? [`${omitted} more alerts are not shown.`] : [])],
  };
}
