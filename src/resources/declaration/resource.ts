import type { Static, TProperties } from 'typebox';
import * as Type from 'typebox';
import { httpLimits } from '../../limits/http.ts';
import type { CompileExpression } from './expression.ts';
import { id, objectOf, optional } from './field.ts';

/** Something wrong with a value: where, and what it must be. */
export type Problem = { readonly path: string; readonly message: string };

/** One declared record: every surface (API, OpenAPI, storage, Terraform, forms) reads this. */
export type Resource = {
  /** Singular, as in `pager_<name>` and in messages with blanks for underscores. */
  readonly name: string;
  /** Storage table and tag. */
  readonly table: string;
  readonly route: string;
  readonly doc: string;
  readonly fields: TProperties;
  /** By list field: what its members have in an answer that is ignored when it is sent back. */
  readonly readOnlyMembers: Readonly<Record<string, readonly string[]>>;
  /** Below the record: the route that reads all of it, if its own leaves something out; or ''. */
  readonly detailRoute: string;
  /** What is lost when Terraform replaces the record, beside its id; or ''. */
  readonly lostByReplacement: string;
  /** What a client writes: the fields and `team_id`. */
  readonly input: ReturnType<typeof objectOf>;
  /** What a client reads: the input plus what the service adds. */
  readonly output: ReturnType<typeof objectOf>;
  /** Rules beyond shapes; runs only on values of the right shape. */
  readonly check: Check<Record<string, unknown>>;
};

type Extras = Pick<Resource, 'readOnlyMembers' | 'detailRoute' | 'lostByReplacement'>;

/** Regular expressions are taken as they are if nothing is given that compiles them. */
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
  id: id('The id of the record. It never changes, and is never used again.'),
  counter: Type.Integer({
    description:
      'A short number for people, such as 12, unique among the records of this kind in the organisation. The API takes it wherever it takes an id.',
  }),
  version: Type.Integer({
    description:
      'The number of writes so far, 1 for a new record. Sent as If-Match, it lets a write fail that is based on an older version.',
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
      description: 'When the record was archived, in UTC; absent while it is active.',
    }),
  ),
};

/** Fields that may be sent back by a client that writes what it read; they are ignored. */
export const readOnlyFields: readonly string[] = Object.keys(added);

export function resource<Fields extends TProperties>(said: Declaration<Fields>) {
  const team = {
    team_id: optional(
      id(
        'The team that owns the record; when absent, the team of the API key, else the default team. A record never changes its team.',
      ),
    ),
  };
  const check = said.check ?? (() => []);
  return {
    ...{ readOnlyMembers: {}, detailRoute: '', lostByReplacement: '' },
    ...said,
    computed: said.computed ?? {},
    input: objectOf({ ...said.fields, ...team }, said.doc),
    output: objectOf(
      { ...added, team_id: id('The team that owns the record.'), ...said.fields, ...said.computed },
      said.doc,
    ),
    // The generic surfaces hold values they validated against `fields`; here the type is regained.
    check: check as unknown as Check<Record<string, unknown>>,
  };
}

/** The rules beyond shapes, as far as what they look at could be read. */
export function rulesOn(
  { check }: Resource,
  readable: Record<string, unknown>,
  compile?: CompileExpression,
): readonly Problem[] {
  try {
    return check(readable, compile);
  } catch {
    // A rule looked at a field that is wrong itself, which is told already.
    return [];
  }
}

const toldMax = httpLimits.problemsListed;
/** Whoever sent so many reads no more of them: reading ends there. */
export const PROBLEMS_MAX = httpLimits.problemsSearched;

const countSaid = (count: number) =>
  count < PROBLEMS_MAX ? String(count) : `${PROBLEMS_MAX} or more`;

/** As many as a person reads, and how many there are. */
export function firstProblems(problems: readonly Problem[]): readonly Problem[] {
  if (problems.length <= toldMax) return problems;
  const message = `has ${countSaid(problems.length)} mistakes, of which the first ${toldMax} are told`;
  return [...problems.slice(0, toldMax), { path: '', message }];
}
