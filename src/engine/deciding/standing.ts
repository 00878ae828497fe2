// Reads what teams decided beforehand and what that points to, before anything is decided.
import { joined, type Named, namesNothing } from '../../incidents/actions/named.ts';
import { bookFor, noStanding, type Standing } from '../../incidents/actions/ruled.ts';
import type { NamedIn, TeamKey, Tx } from '../ledger.ts';

/** Each team once. */
export function teamsOf(owned: Iterable<TeamKey>): readonly TeamKey[] {
  const teams = new Map<string, TeamKey>();
  for (const { organization_id, team_id } of owned)
    teams.set(team_id, { organization_id, team_id });
  return [...teams.values()];
}

/** What is named in each organisation, for those in which anything is. */
export function perOrganization(named: readonly NamedIn[]): readonly NamedIn[] {
  const some = named.filter((one) => !namesNothing(one));
  return [...Map.groupBy(some, (one) => one.organization_id)].map(([organization_id, own]) => ({
    organization_id,
    ...joined(own),
  }));
}

export const namedIn = ({ organization_id }: TeamKey, named: Named): NamedIn => ({
  organization_id,
  ...named,
});

/** What playbooks may do by themselves when an incident of these teams changes. */
const automaticOf = (teams: readonly TeamKey[], books: Standing['books']): readonly NamedIn[] =>
  teams.flatMap((team) =>
    bookFor(team, { books }).automatic.map(({ named }) => namedIn(team, named)),
  );

type Read = {
  readonly standing: Standing;
  /** All that the targets were sought for. */
  readonly named: readonly NamedIn[];
};

/**
 * For what is done to incidents of these teams: their books, and what their playbooks and `asked`
 * point to. Of teams that incidents may move to by that, the same.
 */
export async function readStanding(
  tx: Tx,
  owned: Iterable<TeamKey>,
  asked: (books: Standing['books']) => readonly NamedIn[] = () => [],
): Promise<Read> {
  const teams = teamsOf(owned);
  const own = await tx.books(teams);
  const first = await readTargets(tx, [...automaticOf(teams, own), ...asked(own)]);
  const moved = teamsOf(first.targets.receivers.values()).filter(
    ({ team_id }) => !own.has(team_id),
  );
  if (moved.length === 0)
    return { standing: { books: own, targets: first.targets }, named: first.named };
  const books = new Map([...own, ...(await tx.books(moved))]);
  const { targets, named } = await readTargets(tx, [...first.named, ...automaticOf(moved, books)]);
  return { standing: { books, targets }, named };
}

/** Once per organisation; nothing is asked when nothing is named. */
async function readTargets(tx: Tx, asked: readonly NamedIn[]) {
  const named = perOrganization(asked);
  const targets = named.length === 0 ? noStanding.targets : await tx.targets(named);
  return { named, targets };
}
