import type { TSchema } from 'typebox';
import { queryLimits } from '../../limits/queries.ts';
import {
  eachReference,
  type Reference,
} from '../../resources/declaration/references-and-secrets.ts';
import { displayName, PROBLEMS_MAX, type Problem } from '../../resources/declaration/resource.ts';
import type { ReferencedRecord } from '../../storage/records/record-hooks.ts';
import type { Lookup } from '../../storage/records/uses.ts';

type JsonObject = Readonly<Record<string, unknown>>;
export type ReferenceCheck = {
  /** Declares which texts are references. */
  readonly schema: TSchema;
  /** What is stored now; none for a new record. */
  readonly before: JsonObject | undefined;
  readonly after: JsonObject;
  /** Null: it belongs to the organization as a whole. */
  readonly teamId: string | null;
};
export type ReferenceResult = {
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
};

/**
 * Every id must name something that exists in its scope. References that the write adds must be to
 * something active; of those that were stored before, only a warning is given.
 */
export async function checkReferences(
  referring: ReferenceCheck,
  lookup: Lookup,
): Promise<ReferenceResult> {
  const { schema, before, after, teamId } = referring;
  const referenced = await readReferenced(referring, lookup);
  let stored: ReadonlySet<string> | undefined;
  const problems: Problem[] = [];
  const warnings: string[] = [];
  eachReference(schema, after, (reference, leaf) => {
    const problem = problemOf(reference, referenced.get(reference.to)?.get(reference.id), teamId);
    if (problem === undefined || problems.length >= PROBLEMS_MAX) return;
    stored ??= referenceKeys(schema, before);
    if (!stored.has(referenceKey(reference))) problems.push({ path: leaf.path, message: problem });
    else if (warnings.length < queryLimits.warnings) warnings.push(`${leaf.path} ${problem}.`);
  });
  return { problems, warnings };
}

/** One id may be allowed in one field and not in another. */
const referenceKey = ({ to, within, id }: Reference) => `${to} ${within} ${id}`;

function referenceKeys(schema: TSchema, fields: JsonObject | undefined): ReadonlySet<string> {
  const names = new Set<string>();
  eachReference(schema, fields, (reference) => names.add(referenceKey(reference)));
  return names;
}

async function readReferenced({ schema, after }: ReferenceCheck, lookup: Lookup) {
  const idsByKind = new Map<string, Set<string>>();
  eachReference(schema, after, ({ to, id }) => {
    const ids = idsByKind.get(to);
    if (ids) ids.add(id);
    else idsByKind.set(to, new Set([id]));
  });
  const referenced = new Map<string, ReadonlyMap<string, ReferencedRecord>>();
  for (const [kind, ids] of idsByKind) referenced.set(kind, await lookup(kind, [...ids]));
  return referenced;
}

function problemOf(
  reference: Reference,
  record: ReferencedRecord | undefined,
  teamId: string | null,
) {
  const ofTeam = reference.within === 'team';
  if (record === undefined || (ofTeam && record.teamId !== teamId))
    return `does not match any ${displayName(reference.to)} in this ${reference.within}`;
  if (record.active) return undefined;
  const what = reference.to === 'user' ? 'a deactivated' : 'an archived';
  return `refers to ${what} ${displayName(reference.to)}`;
}
