// What a write asks for, read against the declaration and against what is stored.
import type { Problem, Resource } from '../../resources/declaration/resource.ts';
import { readOnlyFields, rulesOn } from '../../resources/declaration/resource.ts';
import { isObject, readObject } from '../../resources/declaration/validate.ts';
import { compileExpression } from '../../rules/expression.ts';
import type { StoredRecord } from '../../storage/records/rows.ts';
import type { Lookup } from '../../storage/records/uses.ts';
import { invalid, Refusal } from '../failures.ts';
import { checkLoops } from './loops.ts';
import { checkOtherTeams, checkReferences } from './references.ts';
import { futile, type Means } from './today.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Rules that need to know more than the record itself. */
export type Knowledge = { readonly slugs: ReadonlySet<string>; readonly means: Means };

/** What a body says, as far as it could be read, and what is wrong with it by itself. */
export type Written = {
  /** The team the body names, if any. */
  readonly teamId: string | null;
  readonly fields: Fields;
  readonly problems: readonly Problem[];
};

/** Nothing is read again that was read before: neither the whole body, nor lists in it. */
export function readBody(resource: Resource, body: unknown, asRead: AsRead = none): Written {
  if (isObject(body) && asRead.has(body)) return { ...teamAndFields(body), problems: [] };
  const sent = withoutReadOnlyParts(resource, body, asRead);
  const read = readObject(resource.input, sent, { ignored: ignoredOf(resource), asRead });
  const written = teamAndFields(read.ok ? read.value : read.readable);
  const problems = read.ok
    ? resource.check(written.fields, compileExpression)
    : [...read.problems, ...rulesOn(resource, written.fields, compileExpression)];
  return { ...written, problems };
}

const teamAndFields = ({ team_id, ...fields }: Fields) => ({
  teamId: typeof team_id === 'string' ? team_id : null,
  fields,
});

/** Values that were read before: bodies as a whole, or lists in them. */
export type AsRead = ReadonlySet<unknown>;
const none: AsRead = new Set();

/** Whatever a client read in an answer it may send back. */
const ignoredOf = (resource: Resource) => [
  ...readOnlyFields,
  ...computedFields(resource),
  'warnings',
];

/** A patch with its lists as they are read; throws a `Refusal` with its mistakes. */
export function readPatch(resource: Resource, patch: unknown): unknown {
  const partial = { ...resource.input, required: [] };
  const sent = withoutReadOnlyParts(resource, patch, none);
  const read = readObject(partial, sent, { ignored: ignoredOf(resource) });
  if (!read.ok) throw invalid(read.problems);
  const said = Object.entries(sent as Fields);
  return Object.fromEntries(
    said.map(([name, one]) => [name, Array.isArray(one) ? read.value[name] : one]),
  );
}

const computedFields = ({ input, output }: Resource) =>
  Object.keys(output.properties).filter((name) => !(name in input.properties));

/** A client may send back the layers that it read from `/config`. */
function withoutReadOnlyParts({ name }: Resource, body: unknown, asRead: AsRead): unknown {
  if (name !== 'oncall_schedule' || !isObject(body) || !Array.isArray(body['layers'])) return body;
  if (asRead.has(body['layers'])) return body;
  const layers = body['layers'].map((layer: unknown) => {
    if (!isObject(layer)) return layer;
    const { id: _id, anchor: _anchor, ...own } = layer;
    return own;
  });
  return { ...body, layers };
}

export type Proposal = {
  readonly resource: Resource;
  readonly before: StoredRecord | undefined;
  readonly teamId: string;
  readonly written: Written;
};

/** Everything that is wrong at once; when nothing is, what should be told all the same. */
export async function review(
  proposal: Proposal,
  look: Lookup,
  { slugs, means }: Knowledge,
): Promise<readonly string[]> {
  const { resource, before, teamId, written } = proposal;
  const { fields } = written;
  const referring = { schema: resource.input, before: before?.fields, after: fields, teamId };
  const references = await checkReferences(referring, look);
  const moved = immutable(proposal);
  const problems = [
    ...written.problems,
    ...moved,
    ...slugProblems(proposal, slugs),
    ...selfReplacement(proposal),
    ...references.problems,
    ...(await checkOtherTeams(resource, fields, look)),
    ...(await checkLoops(proposal, look)),
  ];
  if (problems.length > 0 && problems.length === moved.length)
    throw new Refusal('immutable', { issues: problems });
  if (problems.length > 0) throw invalid(problems);
  return [...references.warnings, ...futile(resource, fields, means)];
}

const immutable = ({ before, written: { teamId } }: Proposal): Problem[] =>
  before !== undefined && teamId !== null && teamId !== before.team_id
    ? [{ path: 'team_id', message: 'is immutable: a record never changes its team' }]
    : [];

/** A slug that was stored before its type went away may stay. */
function slugProblems({ resource, before, written }: Proposal, slugs: ReadonlySet<string>) {
  const { slug } = written.fields;
  if (resource.name !== 'integration' || typeof slug !== 'string') return [];
  if (slugs.has(slug) || before?.fields['slug'] === slug) return [];
  return [{ path: 'slug', message: `must be one of ${[...slugs].join(', ')}` }];
}

function selfReplacement({ before, written: { fields } }: Proposal): Problem[] {
  const path = 'archive_replacement_policy_id';
  return before !== undefined && fields[path] === before.id
    ? [{ path, message: 'must be another policy' }]
    : [];
}

/** RFC 7396: null removes, objects are merged, everything else is replaced whole. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}
