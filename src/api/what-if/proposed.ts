// Rules and a policy that are not saved, held to what a save is held to.
import { askingLimits } from '../../limits/asking.ts';
import { alertRoutingRule } from '../../resources/alert-routing-rule.ts';
import type { Problem, Resource } from '../../resources/declaration/resource.ts';
import { isObject } from '../../resources/declaration/validate.ts';
import { escalationPolicy, type Step } from '../../resources/escalation-policy.ts';
import { integration } from '../../resources/integration.ts';
import type { Rule } from '../../rules/rule.ts';
import type { Sql } from '../../storage/database.ts';
import { find, select } from '../../storage/records/queries.ts';
import { type LookUp, lookUpIn } from '../../storage/records/uses.ts';
import type { Proposed } from '../../what-if/proposals.ts';
import { invalid } from '../failures.ts';
import { checkOtherTeams, checkReferences } from '../records/references.ts';
import { readBody } from '../records/written.ts';

type Place = { readonly organization_id: string; readonly team_id: string };
type Said = {
  readonly rules?: { readonly path: string; readonly bodies: readonly unknown[] };
  /** In the place of the policy of that integration. */
  readonly policy?: {
    readonly path: string;
    readonly integrationId: string;
    readonly body: unknown;
  };
};

/** Throws what is wrong, all at once, each at its path. */
export async function readProposed(said: Said, place: Place, sql: Sql): Promise<Proposed> {
  const { rules: sent, policy: other } = said;
  const look = lookUpIn(sql, place.organization_id);
  const saved = await savedRules(sql, place);
  const rules = (sent?.bodies ?? []).map((body, index) => ({
    ...{ resource: alertRoutingRule, body, path: `${sent?.path}[${index}]` },
    before: saved.get(idOf(body)),
  }));
  const policy = other && {
    ...{ resource: escalationPolicy, body: other.body, path: other.path },
    before: await policyOfNow(sql, place, other.integrationId),
  };
  const read = await Promise.all(
    [...rules, ...(policy ? [policy] : [])].map((one) => readOne(one, place.team_id, look)),
  );
  const problems = [...read.flatMap((one) => one.problems), ...repeatedIds(rules)];
  if (problems.length > 0) throw invalid(problems);
  // Held to their declarations just now.
  const all = rules.map(({ body }, index) => ruleOf(body, index, read[index]?.fields ?? {}));
  return {
    ...(sent && { rules: { ...place, rules: inOrder(all) } }),
    ...(other && { policy: policyOf(other.integrationId, read.at(-1)?.fields ?? {}) }),
  };
}

type Fields = Readonly<Record<string, unknown>>;
type Sent = {
  readonly resource: Resource;
  readonly body: unknown;
  readonly path: string;
  /** What it stands for: references that are there may stay, as in a save. */
  readonly before: Fields | undefined;
};

/** By their ids. */
async function savedRules(sql: Sql, place: Place): Promise<ReadonlyMap<unknown, Fields>> {
  const query = { limit: askingLimits.rules, after: 0, archived: false, filters: {} };
  const rows = await select(sql, alertRoutingRule, { query, scope: scopeOf(place) });
  return new Map(rows.map((row) => [row['id'], row]));
}

async function policyOfNow(sql: Sql, place: Place, key: string): Promise<Fields | undefined> {
  const scope = scopeOf(place);
  const named = await find(sql, integration, { key, scope });
  return named && find(sql, escalationPolicy, { key: named['escalation_policy_id'], scope });
}

const scopeOf = ({ organization_id, team_id }: Place) => ({
  organizationId: organization_id,
  teamIds: [team_id],
});

async function readOne({ resource, body, path, before }: Sent, teamId: string, look: LookUp) {
  const { fields, problems, ...written } = readBody(resource, body);
  const isOthers = written.teamId !== null && written.teamId !== teamId;
  const team = isOthers
    ? [{ path: 'team_id', message: 'must be the team that it is tried for' }]
    : [];
  const referring = { schema: resource.input, before, after: fields, teamId };
  const all = [
    ...problems,
    ...team,
    ...(await checkReferences(referring, look)).problems,
    ...(await checkOtherTeams(resource, fields, look)),
  ];
  const at = (inner: string) => (inner === '' ? path : `${path}.${inner}`);
  return { fields, problems: all.map((one) => ({ ...one, path: at(one.path) })) };
}

/** That of the saved rule in whose place it is, if it says so. */
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

/** As saved ones run: by position, then as they come. */
const inOrder = (rules: readonly Declared[]): readonly Rule[] =>
  rules.filter(({ enabled }) => enabled).toSorted((a, b) => place(a) - place(b));

const place = ({ position = Number.MAX_SAFE_INTEGER }: Declared) => position;

const policyOf = (integrationId: string, fields: Fields): NonNullable<Proposed['policy']> => ({
  integrationId,
  name: fields['name'] as string,
  steps: fields['steps'] as readonly Step[],
  delayMinutes: (fields['delay_minutes'] as number | undefined) ?? 0,
});
