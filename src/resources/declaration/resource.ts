import type { Static, TProperties } from 'typebox';
import * as Type from 'typebox';
import { httpLimits } from '../../limits/http.ts';
import { instant } from './answer.ts';
import type { CompileExpression } from './expression-compiler.ts';
import { id, objectOf, optional } from './field.ts';
import { managedBySchema } from './managed-by.ts';

/** Something wrong with a value: where, and what it must be. */
export type Problem = { readonly path: string; readonly message: string };

/** One declared record: every surface (API, OpenAPI, storage, Terraform, forms) reads this. */
export type Resource = {
  /** Singular, as in `pager_<name>` and in messages with blanks for underscores. */
  readonly name: string;
  /** Storage table and tag. */
  readonly table: string;
  /** `services`; below another record, with the field that names that: `on-calls/:schedule_id/x`. */
  readonly route: string;
  readonly doc: string;
  readonly fields: TProperties;
  /** By list field: what its members have in an answer that is ignored when it is sent back. */
  readonly readOnlyMembers: Readonly<Record<string, readonly string[]>>;
  /** Below the record: the route that reads all of it, if its own leaves something out; or ''. */
  readonly detailRoute: string;
  /** Whether a team owns it. What is below a team in the API is part of the team. */
  readonly isOfTeam: boolean;
  /** What is lost when Terraform replaces the record, beside its id; or ''. */
  readonly lostByReplacement: string;
  /** What `POST <record>/rotate-<it>` changes, with all that is made of it: a secret; or ''. */
  readonly rotates: string;
  /** Whether another one takes its place where anything of it would change. */
  readonly neverChanges: boolean;
  /** The field with the time from which on it is over and can no longer be changed; or ''. */
  readonly endsAt: string;
  /** What a change to it ends, for one that is not archived; or null. */
  readonly ending: Readonly<Record<string, unknown>> | null;
  /** Whether there is exactly one: creating it changes it, and `ending` has the defaults that its end restores. */
  readonly isSingleton: boolean;
  /** The field that no two of them share, by which one is known for ever, active or not; or ''. */
  readonly knownBy: string;
  /** The field at which a plan tells what a save does to people: not one with secrets; or ''. */
  readonly effectsAt: string;
  /** Of settings: the field that says whose they are, which never changes; or null. */
  readonly owner: string | null;
  /** Of settings that there may be none of: the list that is empty then; or ''. They are written as a whole, and deleted. */
  readonly noneAt: string;
  /** Whether creating one that is there already changes nothing, and is no error. */
  readonly isAdopted: boolean;
  /** The field that has its id too; or ''. */
  readonly idOf: string;
  /** Beside its team and what it is below: the fields that never change. */
  readonly fixed: readonly string[];
  /** The secret that only the answer to its creation has; or ''. Such a record is revoked, for ever. */
  readonly secretOnce: string;
  /** What a client writes: the fields and `team_id`. */
  readonly input: ReturnType<typeof objectOf>;
  /** What a client reads: the input plus what the service adds. */
  readonly output: ReturnType<typeof objectOf>;
  /** What of a write only a signed-in person may do, and no API key. */
  readonly sessionOnly: SessionOnly;
  /** Rules beyond shapes. It runs only on values of the right shape. */
  readonly check: Check<Record<string, unknown>>;
};

type Written = Readonly<Record<string, unknown>>;

/** `before` is null for a new one. What is not known yet is absent. */
export type SessionOnly = (before: Written | null, after: Written) => readonly Problem[];

type Extras = Pick<
  Resource,
  | 'readOnlyMembers'
  | 'detailRoute'
  | 'lostByReplacement'
  | 'rotates'
  | 'ending'
  | 'neverChanges'
  | 'endsAt'
  | 'isSingleton'
  | 'knownBy'
  | 'effectsAt'
  | 'owner'
  | 'noneAt'
  | 'isAdopted'
  | 'idOf'
  | 'fixed'
  | 'secretOnce'
  | 'sessionOnly'
>;

/** Without a compiler, regular expressions are not checked. */
type Check<Value> = (value: Value, compile?: CompileExpression) => readonly Problem[];

type Declaration<Fields extends TProperties> = Partial<Extras> & {
  readonly name: string;
  readonly table: string;
  readonly route: string;
  readonly doc: string;
  readonly fields: Fields;
  /** What only the service sets: an integration's token and addresses. */
  readonly computed?: TProperties;
  readonly check?: Check<Static<ReturnType<typeof objectOf<Fields>>>>;
};

const added = {
  id: id('The id of the record. It never changes and is never reused.'),
  counter: Type.Integer({
    description:
      'A short number such as 12, unique among the organization’s records of this kind. The API accepts it wherever it accepts an id.',
  }),
  version: Type.Integer({
    description:
      'The number of writes so far, 1 for a new record. If you send it as If-Match, a write based on an older version fails.',
  }),
  created_at: Type.String({
    format: 'date-time',
    description: 'When the record was created, in UTC.',
  }),
  updated_at: Type.String({
    format: 'date-time',
    description: 'When the record was last written, in UTC.',
  }),
  archived_at: Type.Optional(
    Type.String({
      format: 'date-time',
      description: 'When the record was archived, in UTC. Absent while it is active.',
    }),
  ),
  managed_by: optional(managedBySchema),
};

/** Fields that may be sent back by a client that writes what it read; they are ignored. */
export const readOnlyFields: readonly string[] = Object.keys(added);

export function resource<Fields extends TProperties>(declaration: Declaration<Fields>) {
  const team = {
    team_id: optional(
      id(
        'The team that owns the record. Default: the team of the API key, or else the default team. A record cannot change its team.',
      ),
    ),
  };
  return {
    ...common(declaration),
    isOfTeam: true,
    input: objectOf({ ...declaration.fields, ...team }, declaration.doc),
    output: objectOf(
      {
        ...added,
        team_id: id('The team that owns the record.'),
        ...declaration.fields,
        ...declaration.computed,
      },
      declaration.doc,
    ),
  };
}

function common<Fields extends TProperties>(declaration: Declaration<Fields>) {
  const check = declaration.check ?? (() => []);
  return {
    readOnlyMembers: {},
    isOfTeam: false,
    detailRoute: '',
    lostByReplacement: '',
    rotates: '',
    ending: null,
    neverChanges: false,
    endsAt: '',
    isSingleton: false,
    knownBy: '',
    effectsAt: '',
    owner: null,
    noneAt: '',
    isAdopted: false,
    idOf: '',
    fixed: [],
    secretOnce: '',
    sessionOnly: () => [],
    ...declaration,
    computed: declaration.computed ?? {},
    // The generic surfaces validated the value against `fields`; here it gets its type back.
    check: check as unknown as Check<Record<string, unknown>>,
  };
}

/** What belongs to the whole organization: it has no team, and no counter. */
export function organizationResource<Fields extends TProperties>(
  declaration: Declaration<Fields> & { readonly noun: string },
) {
  const { noun, fields, computed, doc } = declaration;
  return {
    ...common(declaration),
    input: objectOf(fields, doc),
    output: objectOf({ ...versioned(noun), ...fields, ...computed }, doc),
  };
}

/** Settings of a record or a person, below it in the API: they have its id, and no version. */
export function settingsResource<Fields extends TProperties>(
  declaration: Declaration<Fields> & { readonly noun: string; readonly owner: string },
) {
  const { noun, fields, computed, doc } = declaration;
  return {
    ...common(declaration),
    input: objectOf(fields, doc),
    output: objectOf({ id: id(`The id of the ${noun}.`), ...computed, ...fields }, doc),
  };
}

export const versioned = (noun: string) => ({
  id: id(`The id of the ${noun}. It never changes.`),
  version: Type.Integer({
    description: `Grows with every write of the ${noun}. If you send it as If-Match, your write fails instead of overwriting a newer one.`,
  }),
  created_at: instant(`When the ${noun} was created.`),
  updated_at: instant(`When the ${noun} was last written.`),
});

/** The fields that name the record that it is below. */
export const parentFields = ({ route }: Resource): readonly string[] =>
  Array.from(route.matchAll(/:(\w+)/g), ([, name = '']) => name);

/** The rules beyond shapes, on the part of a value that could be read. */
export function checkReadable(
  { check }: Resource,
  readable: Record<string, unknown>,
  compile?: CompileExpression,
): readonly Problem[] {
  try {
    return check(readable, compile);
  } catch {
    // The rule needs a field that is wrong itself, which is reported already.
    return [];
  }
}

const problemsListed = httpLimits.problemsListed;
/** Reading stops there: a sender of so many mistakes reads no more of them. */
export const PROBLEMS_MAX = httpLimits.problemsSearched;

const countText = (count: number) =>
  count < PROBLEMS_MAX ? String(count) : `${PROBLEMS_MAX} or more`;

/** As many as a person reads, with a last one that says how many there are. */
export function firstProblems(problems: readonly Problem[]): readonly Problem[] {
  if (problems.length <= problemsListed) return problems;
  const message = `has ${countText(problems.length)} errors, of which the first ${problemsListed} are listed`;
  return [...problems.slice(0, problemsListed), { path: '', message }];
}

/** Problems of a part, at their places in the whole. */
export const located = (path: string, problems: readonly Problem[]): readonly Problem[] =>
  problems.map((problem) => ({
    ...problem,
    path: problem.path === '' ? path : `${path}.${problem.path}`,
  }));

/** A name from code as people say it: `oncall_schedules` are on-call schedules. */
export const displayName = (name: string): string =>
  name.replaceAll('_', ' ').replace('oncall', 'on-call');
