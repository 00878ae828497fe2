// Checks proposed rules and a proposed policy by the rules of a save, in a worker thread.
import { alertRoutingRule } from '../../resources/alert-routing-rule.ts';
import { isObject } from '../../resources/declaration/is-object.ts';
import { referencesIn } from '../../resources/declaration/references-and-secrets.ts';
import type { Problem, Resource } from '../../resources/declaration/resource.ts';
import { escalationPolicy, type Step } from '../../resources/escalation-policy.ts';
import type { Rule } from '../../rules/match-rule.ts';
import type { ReferencedRecord } from '../../storage/records/record-hooks.ts';
import type { Lookup } from '../../storage/records/uses.ts';
import type { Proposed } from '../../what-if/proposals.ts';
import type { RpcClient } from '../../workers/rpc.ts';
import { invalid } from '../failures.ts';
import { checkOtherTeams } from '../records/actions.ts';
import { type ParsedBody, readBody } from '../records/body.ts';
import { checkReferences } from '../records/references.ts';
import type { NameMethods } from './record-names.ts';

export type TeamScope = { readonly organization_id: string; readonly team_id: string };
export type ProposalBodies = {
  readonly rules?: { readonly path: string; readonly bodies: readonly unknown[] };
  /** Checked already. */
  readonly grouping?: NonNullable<Proposed['grouping']>;
  /** In the place of the policy of that integration; null: it is simulated alone. */
  readonly policy?: {
    readonly path: string;
    readonly integrationId: string | null;
    readonly body: unknown;
  };
};

/** What checking a proposal requests. */
export type ProposalMethods = NameMethods & {
  /** The rules of the team, in portions; null at the end. */
  readonly savedRules: (params: null) => Promise<readonly Fields[] | null>;
  /** That of the integration, else the one with the id. */
  readonly policyOf: (saved: SavedPolicy) => Promise<Fields | null>;
};

type SavedPolicy = { readonly integrationId: string | null; readonly id: string | null };

/** Throws all problems at once, each with its path. */
export async function readProposal(
  { rules: sent, policy: other, grouping }: ProposalBodies,
  team: TeamScope,
  call: RpcClient<ProposalMethods>,
): Promise<Proposed> {
  const saved = sent ? await savedRules(call) : new Map();
  const rules = (sent?.bodies ?? []).map((body, index) => ({
    resource: alertRoutingRule,
    body,
    path: `${sent?.path}[${index}]`,
    before: saved.get(idOf(body)),
  }));
  const policy = other && {
    resource: escalationPolicy,
    body: other.body,
    path: other.path,
    before: (await call('policyOf', savedPolicyOf(other))) ?? undefined,
  };
  const all = [...rules, ...(policy ? [policy] : [])].map((one) => ({
    ...one,
    written: readBody(one.resource, one.body),
  }));
  const lookup = await lookupFor(all, call);
  const problemLists = await Promise.all(all.map((one) => problemsOf(one, team.team_id, lookup)));
  const problems = [...problemLists.flat(), ...repeatedIds(rules)];
  if (problems.length > 0) throw invalid(problems);
  // Checked against their declarations above.
  const read = rules.map(({ body }, index) =>
    ruleOf(body, index, all[index]?.written.fields ?? {}),
  );
  return {
    ...(sent && { rules: { ...team, rules: inOrder(read) } }),
    ...(grouping && { grouping }),
    ...(other && proposedPolicy(other, team, all.at(-1)?.written.fields ?? {})),
  };
}

type Fields = Readonly<Record<string, unknown>>;
type Sent = {
  readonly resource: Resource;
  readonly body: unknown;
  readonly path: string;
  /** The saved record that it replaces: its references may stay, as in a save. */
  readonly before: Fields | undefined;
};
type Read = Sent & { readonly written: ParsedBody };

/** By their ids. */
async function savedRules(call: RpcClient<ProposalMethods>): Promise<ReadonlyMap<unknown, Fields>> {
  const saved = new Map<unknown, Fields>();
  const next = () => call('savedRules', null);
  for (let some = await next(); some; some = await next())
    for (const one of some) saved.set(one['id'], one);
  return saved;
}

/** Reads all referenced records at once. */
async function lookupFor(all: readonly Read[], call: RpcClient<ProposalMethods>): Promise<Lookup> {
  const references = all.flatMap(({ resource, written }) =>
    referencesIn(resource.input, written.fields),
  );
  const known = new Map<string, ReadonlyMap<string, ReferencedRecord>>();
  for (const [kind, named] of Map.groupBy(references, ({ to }) => to)) {
    const ids = [...new Set(named.map(({ id }) => id))];
    known.set(kind, await call('named', { kind, ids }));
  }
  return async (kind) => known.get(kind) ?? new Map();
}

async function problemsOf(
  { resource, path, before, written }: Read,
  teamId: string,
  lookup: Lookup,
): Promise<readonly Problem[]> {
  const { fields, problems } = written;
  const isOthers = written.teamId !== null && written.teamId !== teamId;
  const team = isOthers
    ? [{ path: 'team_id', message: 'must be the team whose rules are tried' }]
    : [];
  const referring = { schema: resource.input, before, after: fields, teamId };
  const all = [
    ...problems,
    ...team,
    ...(await checkReferences(referring, lookup)).problems,
    ...(await checkOtherTeams(fields, lookup)),
  ];
  const at = (inner: string) => (inner === '' ? path : `${path}.${inner}`);
  return all.map((one) => ({ ...one, path: at(one.path) }));
}

/** That of the saved rule that it replaces, if it names one. */
const idOf = (body: unknown): string | null =>
  isObject(body) && typeof body['id'] === 'string' ? body['id'] : null;

function repeatedIds(sent: readonly Sent[]): readonly Problem[] {
  const ids = sent.map(({ body }) => idOf(body));
  return sent.flatMap(({ path }, index) => {
    const id = ids[index] ?? null;
    const isRepeated = id !== null && ids.indexOf(id) < index;
    return isRepeated ? [{ path: `${path}.id`, message: 'is the id of an earlier rule' }] : [];
  });
}

type Declared = Rule & { readonly enabled: boolean; readonly position?: number };

const ruleOf = (body: unknown, index: number, fields: Fields): Declared =>
  ({ ...fields, id: idOf(body) ?? `proposed-${index + 1}` }) as Declared;

/** In the order in which saved rules run: by position, then as listed. */
const inOrder = (rules: readonly Declared[]): readonly Rule[] =>
  rules.filter(({ enabled }) => enabled).toSorted((a, b) => positionOf(a) - positionOf(b));

const positionOf = ({ position = Number.MAX_SAFE_INTEGER }: Declared) => position;

type PolicyBody = NonNullable<ProposalBodies['policy']>;

const savedPolicyOf = ({ integrationId, body }: PolicyBody): SavedPolicy => ({
  integrationId,
  id: idOf(body),
});

function proposedPolicy(
  { integrationId, body }: PolicyBody,
  { team_id: teamId }: TeamScope,
  fields: Fields,
): Proposed {
  const policy = {
    name: fields['name'] as string,
    steps: fields['steps'] as readonly Step[],
    delayMinutes: (fields['delay_minutes'] as number | undefined) ?? 0,
  };
  return integrationId === null
    ? { policyAlone: { ...policy, id: idOf(body) ?? 'proposed', teamId } }
    : { policy: { ...policy, integrationId } };
}
