// The rule to test: a saved one, or a body that is checked by the rules of a save.
import type { Row } from 'postgres';
import { alertRoutingRule } from '../../resources/alert-routing-rule.ts';
import type { Problem } from '../../resources/declaration/resource.ts';
import type { Rule } from '../../rules/match-rule.ts';
import type { Sql } from '../../storage/database/database.ts';
import { find } from '../../storage/records/queries.ts';
import type { Lookup } from '../../storage/records/uses.ts';
import { invalid } from '../failures.ts';
import { checkOtherTeams } from '../records/actions.ts';
import { readBody } from '../records/body.ts';
import { checkReferences } from '../records/references.ts';
import { type Caller, maySee } from '../route.ts';
import type { TrialEvent } from './trial-event.ts';

export type TestedRule = {
  readonly rule: Rule;
  readonly teamId: string;
  readonly warnings: readonly string[];
};

export async function savedRule(sql: Sql, caller: Caller, key: string): Promise<TestedRule> {
  const row = await find(sql, alertRoutingRule, { key, scope: caller });
  if (row === undefined) throw invalid([{ path: 'rule_id', message: 'does not match any rule' }]);
  const { integration_ids, service_ids, ...rule } = row;
  return {
    // A row of the declared table.
    rule: {
      ...rule,
      ...(integration_ids && { integration_ids }),
      ...(service_ids && { service_ids }),
    } as Rule,
    teamId: row['team_id'],
    warnings: warningsOf(row),
  };
}

/** Why a saved rule would do nothing, even where it matches. */
function warningsOf({ archived_at, enabled }: Row): string[] {
  if (archived_at !== null) return ['The rule is archived: it is not evaluated.'];
  return enabled ? [] : ['The rule is disabled: it is not evaluated.'];
}

type Unsaved = {
  readonly body: unknown;
  readonly reader: Pick<Caller, 'teamIds'>;
  readonly trial: TrialEvent;
};

/** A rule without `team_id` belongs to the team of the integration. */
export async function unsavedRule(
  { body, reader, trial }: Unsaved,
  lookup: Lookup,
): Promise<TestedRule> {
  const { fields, problems, ...written } = readBody(alertRoutingRule, body);
  const teamId = written.teamId ?? trial.integration.team_id;
  const team: Problem[] = maySee(reader, teamId)
    ? []
    : [{ path: 'team_id', message: 'does not match any of your teams' }];
  const referring = { schema: alertRoutingRule.input, before: undefined, after: fields, teamId };
  const all = [
    ...problems,
    ...team,
    ...(await checkReferences(referring, lookup)).problems,
    ...(await checkOtherTeams(fields, lookup)),
  ];
  if (all.length > 0)
    throw invalid(all.map(({ path, message }) => ({ path: pathIn(path), message })));
  // Checked against the declaration above; an unsaved rule needs no id here.
  return { rule: { id: '', ...fields } as Rule, teamId, warnings: [] };
}

const pathIn = (path: string) => (path === '' ? 'rule' : `rule.${path}`);
