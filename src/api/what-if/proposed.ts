// Rules and a policy that are not saved, held to what a save is held to.
import { alertRoutingRule } from '../../resources/alert-routing-rule.ts';
import type { Problem, Resource } from '../../resources/declaration/resource.ts';
import { isObject } from '../../resources/declaration/validate.ts';
import { escalationPolicy, type Step } from '../../resources/escalation-policy.ts';
import type { Rule } from '../../rules/rule.ts';
import type { LookUp } from '../../storage/records/uses.ts';
import type { Proposed } from '../../what-if/configuration.ts';
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
export async function readProposed(said: Said, place: Place, look: LookUp): Promise<Proposed> {
  const { rules: sent, policy: other } = said;
  const rules = (sent?.bodies ?? []).map((body, index) => ({
    ...{ resource: alertRoutingRule, body, path: `${sent?.path}[${index}]` },
  }));
  const policy = other && { resource: escalationPolicy, body: other.body, path: other.path };
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

type Sent = { readonly resource: Resource; readonly body: unknown; readonly path: string };
type Fields = Readonly<Record<string, unknown>>;

async function readOne({ resource, body, path }: Sent, teamId: string, look: LookUp) {
  const { fields, problems, ...written } = readBody(resource, body);
  const isOthers = written.teamId !== null && written.teamId !== teamId;
  const team = isOthers
    ? [{ path: 'team_id', message: 'must be the team that it is tried for' }]
    : [];
  const referring = { schema: resource.input, before: undefined, after: fields, teamId };
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
