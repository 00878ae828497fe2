import type { TSchema } from 'typebox';
import type { PlaybookAction, RuleAction } from '../../resources/action.ts';
import { type Reference, referencesIn } from '../../resources/declaration/map-text.ts';
import { pathText } from '../../resources/declaration/path.ts';
import type { Problem, Resource } from '../../resources/declaration/resource.ts';
import type { LookUp, Named } from '../../storage/records/uses.ts';
import { spoken } from '../spoken.ts';

type Action = RuleAction | PlaybookAction;
type Fields = Readonly<Record<string, unknown>>;
export type Referring = {
  /** Tells which texts are references. */
  readonly schema: TSchema;
  /** What is stored now; none for a new record. */
  readonly before: Fields | undefined;
  readonly after: Fields;
  /** Null: it belongs to the organisation as a whole. */
  readonly teamId: string | null;
};
export type Checked = {
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
};

/**
 * Every id must name something that exists in its scope. References that the write adds must be to
 * something active; of those that were stored before, only a warning is given.
 */
export async function checkReferences(referring: Referring, look: LookUp): Promise<Checked> {
  const { schema, before, after, teamId } = referring;
  const references = referencesIn(schema, after);
  const stored = new Set(before === undefined ? [] : referencesIn(schema, before).map(namedBy));
  const found = await lookUpAll(references, look);
  const problems: Problem[] = [];
  const warnings: string[] = [];
  for (const reference of references) {
    const trouble = troubleOf(reference, found.get(reference.to)?.get(reference.id), teamId);
    if (trouble === undefined) continue;
    if (stored.has(namedBy(reference))) warnings.push(`${pathText(reference.at)} ${trouble}.`);
    else problems.push({ path: pathText(reference.at), message: trouble });
  }
  return { problems, warnings };
}

/** One id may be fit for one place and not for another. */
const namedBy = ({ to, within, id }: Reference) => `${to} ${within} ${id}`;

async function lookUpAll(references: readonly Reference[], look: LookUp) {
  const found = new Map<string, ReadonlyMap<string, Named>>();
  for (const [kind, named] of Map.groupBy(references, ({ to }) => to)) {
    const ids = [...new Set(named.map(({ id }) => id))];
    found.set(kind, await look(kind, ids));
  }
  return found;
}

function troubleOf(reference: Reference, named: Named | undefined, teamId: string | null) {
  const what = spoken(reference.to);
  const ofTeam = reference.within === 'team';
  if (named === undefined || (ofTeam && named.teamId !== teamId))
    return `names no ${what} of this ${reference.within}`;
  if (named.active) return undefined;
  return `names ${reference.to === 'user' ? 'a deactivated' : 'an archived'} ${what}`;
}

/** Of a rule or a playbook: its actions; none of another record. */
export function actionsOf({ fields }: Resource, { actions }: Fields): readonly Action[] {
  // The shape was read against the declaration before; actions that did not fit are absent.
  return 'actions' in fields && actions !== undefined ? (actions as Action[]) : [];
}

/** An incident goes to another team by way of one of that team's integrations. */
export async function checkOtherTeams(
  resource: Resource,
  after: Fields,
  look: LookUp,
): Promise<readonly Problem[]> {
  const actions = actionsOf(resource, after);
  const moves = actions.flatMap((action, index) =>
    action.type === 'routeToTeam' ? [{ ...action, path: `actions[${index}].integration_id` }] : [],
  );
  const found = await look(
    'integration',
    moves.map(({ integration_id }) => integration_id),
  );
  return moves.flatMap(({ path, team_id, integration_id }) => {
    const named = found.get(integration_id);
    return named === undefined || named.teamId === team_id
      ? []
      : [{ path, message: 'names an integration of another team than team_id' }];
  });
}
