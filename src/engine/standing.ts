// Reads what teams decided beforehand and what that points to, before anything is decided.
import { joined, type Named, namedBy, namesNothing } from '../incidents/named.ts';
import type { Action } from '../incidents/perform.ts';
import { bookFor, noStanding, type Standing } from '../incidents/ruled.ts';
import type { NamedIn, TeamKey, Tx } from './ledger.ts';

/** Each team once. */
export function teamsOf(owned: Iterable<TeamKey>): readonly TeamKey[] {
  const teams = new Map<string, TeamKey>();
  for (const { organization_id, team_id } of owned)
    teams.set(team_id, { organization_id, team_id });
  return [...teams.values()];
}

/** The targets, once per organisation; nothing is asked when nothing is named. */
export async function readTargets(tx: Tx, named: readonly NamedIn[]): Promise<Standing['targets']> {
  const all = perOrganization(named);
  return all.length === 0 ? noStanding.targets : tx.targets(all);
}

/** What is named in each organisation, for those in which anything is. */
export function perOrganization(named: readonly NamedIn[]): readonly NamedIn[] {
  const some = named.filter((one) => !namesNothing(one));
  return [...Map.groupBy(some, (one) => one.organization_id)].map(([organization_id, own]) => ({
    organization_id,
    ...joined(own),
  }));
}

/** What playbooks may do by themselves when an incident of these teams changes. */
export const automaticOf = (
  teams: readonly TeamKey[],
  books: Standing['books'],
): readonly NamedIn[] =>
  teams.flatMap((team) =>
    bookFor(team, { books }).automatic.map(({ named }) => namedIn(team, named)),
  );

export const namedIn = ({ organization_id }: TeamKey, named: Named): NamedIn => ({
  organization_id,
  ...named,
});

/** For what is done to incidents: their teams' books, targets of their playbooks and of `asked`. */
export async function readStanding(
  tx: Tx,
  owned: Iterable<TeamKey>,
  asked: readonly Action[] = [],
): Promise<{ readonly standing: Standing; readonly named: readonly NamedIn[] }> {
  const teams = teamsOf(owned);
  const books = await tx.books(teams);
  const askedOf = (team: TeamKey) => namedBy(asked, bookFor(team, { books }).playbooks);
  const named = perOrganization([
    ...automaticOf(teams, books),
    ...teams.map((team) => namedIn(team, askedOf(team))),
  ]);
  return { standing: { books, targets: await readTargets(tx, named) }, named };
}
