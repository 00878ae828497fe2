import type { TSchema } from 'typebox';
import { queryLimits } from '../../limits/queries.ts';
import { eachReference, type Reference } from '../../resources/declaration/map-text.ts';
import { PROBLEMS_MAX, type Problem } from '../../resources/declaration/resource.ts';
import type { ReferencedRecord } from '../../storage/records/record-hooks.ts';
import type { Lookup } from '../../storage/records/uses.ts';
import { displayName } from '../display-name.ts';

type Fields = Readonly<Record<string, unknown>>;
export type Referring = {
  /** Tells which texts are references. */
  readonly schema: TSchema;
  /** What is stored now; none for a new record. */
  readonly before: Fields | undefined;
  readonly after: Fields;
  /** Null: it belongs to the organisation as a whole. */
  readonly teamId: string | null;
};
export type Checked = {
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
};

/**
 * Every id must name something that exists in its scope. References that the write adds must be to
 * something active; of those that were stored before, only a warning is given.
 */
export async function checkReferences(referring: Referring, look: Lookup): Promise<Checked> {
  const { schema, before, after, teamId } = referring;
  const found = await lookUpAll(referring, look);
  let stored: ReadonlySet<string> | undefined;
  const problems: Problem[] = [];
  const warnings: string[] = [];
  eachReference(schema, after, (reference, leaf) => {
    const trouble = troubleOf(reference, found.get(reference.to)?.get(reference.id), teamId);
    if (trouble === undefined || problems.length >= PROBLEMS_MAX) return;
    stored ??= namesIn(schema, before);
    if (!stored.has(namedBy(reference))) problems.push({ path: leaf.path, message: trouble });
    else if (warnings.length < queryLimits.warnings) warnings.push(`${leaf.path} ${trouble}.`);
  });
  return { problems, warnings };
}

/** One id may be fit for one place and not for another. */
const namedBy = ({ to, within, id }: Reference) => `${to} ${within} ${id}`;

function namesIn(schema: TSchema, fields: Fields | undefined): ReadonlySet<string> {
  const names = new Set<string>();
  eachReference(schema, fields, (reference) => names.add(namedBy(reference)));
  return names;
}

async function lookUpAll({ schema, after }: Referring, look: Lookup) {
  const sought = new Map<string, Set<string>>();
  eachReference(schema, after, ({ to, id }) => {
    const ids = sought.get(to);
    if (ids) ids.add(id);
    else sought.set(to, new Set([id]));
  });
  const found = new Map<string, ReadonlyMap<string, ReferencedRecord>>();
  for (const [kind, ids] of sought) found.set(kind, await look(kind, [...ids]));
  return found;
}

function troubleOf(
  reference: Reference,
  named: ReferencedRecord | undefined,
  teamId: string | null,
) {
  const ofTeam = reference.within === 'team';
  if (named === undefined || (ofTeam && named.teamId !== teamId))
    return `names no ${displayName(reference.to)} of this ${reference.within}`;
  if (named.active) return undefined;
  const what = reference.to === 'user' ? 'a deactivated' : 'an archived';
  return `names ${what} ${displayName(reference.to)}`;
}
