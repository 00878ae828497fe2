// What the actions of routing rules and playbooks may lead to, checked beside other records.
import type { PlaybookAction, RuleAction } from '../../resources/action.ts';
import type { Problem } from '../../resources/declaration/resource.ts';
import { playbook } from '../../resources/playbook.ts';
import { needsNewScheduleRules } from '../../storage/oncall/schedule-rules.ts';
import type { Lookup } from '../../storage/records/uses.ts';
import type { RecordFields } from './body.ts';
import { notSetUp } from './reachability.ts';
import type { Proposal, RecordHooks } from './record-hooks.ts';

export const ruleHooks: RecordHooks = {
  check: async ({ written: { fields } }, lookup, { isUpgrading }) => [
    ...(await checkOtherTeams(fields, lookup)),
    ...(isUpgrading ? checkKnownBefore(fields) : []),
  ],
};

export const playbookHooks: RecordHooks = {
  check: async (proposal, lookup) => [
    ...(await checkOtherTeams(proposal.written.fields, lookup)),
    ...(await checkLoops(proposal, lookup)),
  ],
  findInoperative: (fields, { channels }) =>
    actionsOf(fields).flatMap((action, index) =>
      action.type === 'pagePerson' && !channels.has(action.via)
        ? [`actions[${index}].${notSetUp(action.via)}`]
        : [],
    ),
};

/** The shape was read against the declaration before; actions that did not fit are absent. */
const actionsOf = ({ actions = [] }: RecordFields) =>
  actions as readonly (RuleAction | PlaybookAction)[];

/** A server of 0.1.0 cannot read a rule that groups alerts, and would skip its other actions too. */
const checkKnownBefore = (fields: RecordFields): readonly Problem[] =>
  actionsOf(fields).flatMap(({ type }, index) =>
    type === 'groupIncident'
      ? [{ path: `actions[${index}].type`, message: needsNewScheduleRules }]
      : [],
  );

/** An incident goes to another team by way of one of that team's integrations. */
export async function checkOtherTeams(
  fields: RecordFields,
  lookup: Lookup,
): Promise<readonly Problem[]> {
  const moves = actionsOf(fields).flatMap((action, index) =>
    action.type === 'routeToTeam' ? [{ ...action, path: `actions[${index}].integration_id` }] : [],
  );
  const integrations = await lookup(
    'integration',
    moves.map(({ integration_id }) => integration_id),
  );
  return moves.flatMap(({ path, team_id, integration_id }) => {
    const integration = integrations.get(integration_id);
    return integration === undefined || integration.teamId === team_id
      ? []
      : [
          {
            path,
            message: 'refers to an integration that does not belong to the team in team_id',
          },
        ];
  });
}

/**
 * A playbook that ran itself, by way of others, would never end: each action that leads back to it
 * is a mistake. Nothing leads to a new one. A change that would close a loop together with this
 * one, at the same time, is of a playbook that is read here: one of the two waits for the other,
 * and sees it.
 */
async function checkLoops(
  { before, written }: Proposal,
  lookup: Lookup,
): Promise<readonly Problem[]> {
  if (before === undefined) return [];
  const runs = actionsOf(written.fields).flatMap((action, index) =>
    action.type === 'playbook' ? [{ id: action.playbook_id, index }] : [],
  );
  const calls = await readCalls(
    runs.map(({ id }) => id),
    lookup,
  );
  return runs.flatMap(({ id, index }) =>
    leadsTo(before.id, id, calls)
      ? [{ path: `actions[${index}].playbook_id`, message: 'would make this playbook run itself' }]
      : [],
  );
}

type Calls = ReadonlyMap<string, readonly string[]>;

/** What each playbook runs, of these and of all that they lead to. */
async function readCalls(ids: readonly string[], lookup: Lookup): Promise<Calls> {
  const calls = new Map<string, readonly string[]>();
  for (let next = new Set(ids); next.size > 0; ) {
    const playbooks = await lookup(playbook.name, [...next]);
    for (const id of next) calls.set(id, playbooks.get(id)?.playbookIds ?? []);
    const called = new Set([...next].flatMap((id) => calls.get(id) ?? []));
    next = called.difference(new Set(calls.keys()));
  }
  return calls;
}

function leadsTo(target: string, from: string, calls: Calls): boolean {
  const reached = new Set([from]);
  // A set yields what is added while it is walked.
  for (const id of reached) for (const next of calls.get(id) ?? []) reached.add(next);
  return reached.has(target);
}
