// What a story may ask about, read once: what is saved, or what is proposed in its place.
import { neededBy, neededFor } from '../engine/deciding/needed.ts';
import { namedIn, perOrganization, teamsOf } from '../engine/deciding/standing.ts';
import type { NamedIn, TeamKey, Tx } from '../engine/ledger.ts';
import type { Targets } from '../incidents/actions/perform.ts';
import { type Book, bookFor, bookOf, type Standing } from '../incidents/actions/ruled.ts';
import type { Receiver } from '../incidents/arrival/receiver.ts';
import type { Incident } from '../incidents/incident.ts';
import { compileRule, type Rule } from '../rules/rule.ts';
import type { Given } from './memory/ledger.ts';

/** The questions that deciding asks, which lock nothing. */
export type Questions = Pick<Tx, 'books' | 'targets' | 'directory'> & Pick<Given, 'receiverOf'>;

export type Proposed = {
  /** All rules of one team, in their order. */
  readonly rules?: TeamKey & { readonly rules: readonly Rule[] };
  /** In the place of the policy of that integration, wherever it is used. */
  readonly policy?: Omit<Receiver['policy'], 'id' | 'archived'> & {
    readonly integrationId: string;
  };
};

export const asSaved: Proposed = {};

type Concerning = {
  readonly organization_id: string;
  /** Where events arrive. */
  readonly integrationIds: ReadonlySet<string>;
  readonly incidents: readonly Incident[];
  /** Whoever is on call is known from then on. */
  readonly from: Temporal.Instant;
};

const none: ReadonlySet<string> = new Set();

export async function readConfiguration(
  questions: Questions,
  concerning: Concerning,
  proposed: Proposed,
): Promise<Given> {
  const { organization_id, integrationIds, incidents, from } = concerning;
  const start = { organization_id, integrationIds, policyIds: none, webhookIds: none };
  const { standing, named } = await reachable(questions, proposed, {
    incidents,
    start: { ...start, userIds: none },
  });
  const { targets } = standing;
  const needed = [
    ...neededBy(integrationIds, targets.receivers, { incidents, named, targets }),
    ...neededFor(incidents),
  ];
  const directory = await questions.directory(needed, from);
  const { receiverOf } = questions;
  return { receivers: targets.receivers, standing, directory, ...(receiverOf && { receiverOf }) };
}

type Start = { readonly start: NamedIn; readonly incidents: readonly Incident[] };

/** Rules move incidents to integrations of other teams, whose playbooks name more: until no more. */
async function reachable(
  questions: Questions,
  proposed: Proposed,
  { start, incidents }: Start,
): Promise<{ readonly standing: Standing; readonly named: readonly NamedIn[] }> {
  let named: readonly NamedIn[] = [start];
  for (;;) {
    const targets = withPolicy(await questions.targets(named), proposed);
    const teams = teamsOf([...incidents, ...targets.receivers.values()]);
    const books = withRules(await questions.books(teams), proposed);
    const all = perOrganization([start, ...teams.flatMap((team) => namedOf(team, books))]);
    if (sizeOf(all) === sizeOf(named)) return { standing: { books, targets }, named };
    named = all;
  }
}

const namedOf = (team: TeamKey, books: Standing['books']): readonly NamedIn[] => {
  const { rules, automatic } = bookFor(team, { books });
  return [...rules, ...automatic].map(({ named }) => namedIn(team, named));
};

const sizeOf = (all: readonly NamedIn[]): number =>
  all.reduce(
    (sum, { policyIds, integrationIds, webhookIds, userIds }) =>
      sum + policyIds.size + integrationIds.size + webhookIds.size + userIds.size,
    0,
  );

function withRules(
  books: ReadonlyMap<string, Book>,
  { rules: proposed }: Proposed,
): ReadonlyMap<string, Book> {
  if (!proposed) return books;
  const playbooks = [...bookFor(proposed, { books }).playbooks.values()];
  const book = bookOf(proposed.rules.map(compileRule), playbooks);
  return new Map([...books, [proposed.team_id, book]]);
}

type Found = Omit<Targets, 'playbooks'>;

function withPolicy(targets: Found, { policy: proposed }: Proposed): Found {
  const saved = proposed && targets.receivers.get(proposed.integrationId)?.policy;
  if (!saved) return targets;
  const { name, steps, delayMinutes } = proposed;
  const policy = { ...{ id: saved.id, archived: false }, ...{ name, steps, delayMinutes } };
  const { policies, receivers } = targets;
  const swapped = [...receivers].map(([id, receiver]): [string, Receiver] => [
    id,
    receiver.policy.id === policy.id ? { ...receiver, policy } : receiver,
  ]);
  return {
    ...targets,
    receivers: new Map(swapped),
    policies: policies.has(policy.id) ? new Map([...policies, [policy.id, policy]]) : policies,
  };
}
