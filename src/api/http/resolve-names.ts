// Where a body takes an id, it takes a counter too, and of a person the e-mail address: what is read,
// stored and answered is the id. What names nothing stays as it is, and is a mistake like others.
import type { TSchema } from 'typebox';
import { mapReferences } from '../../resources/declaration/references-and-secrets.ts';
import { displayName } from '../../resources/declaration/resource.ts';
import { Refusal } from '../failures.ts';
import type { Caller } from '../route.ts';

export type FindIds = (
  caller: Caller,
  names: { readonly kind: string; readonly names: readonly string[] },
) => Promise<ReadonlyMap<string, string>>;

type NamesContext = { readonly caller: Caller; readonly schema: TSchema };

export type ResolvedBody = {
  /** The body with its ids. */
  readonly value: unknown;
  /** What is wrong with names that name nothing, by where they stand. */
  readonly unknown: ReadonlyMap<string, string>;
};

/** Nothing is looked up for a body that has only ids, as most have. */
export async function resolveNames(
  body: unknown,
  { caller, schema }: NamesContext,
  findIds: FindIds,
): Promise<ResolvedBody> {
  const unknown = new Map<string, string>();
  const namesByKind = new Map<string, Set<string>>();
  mapReferences(schema, body, ({ to, id }) => {
    if (isId(id) || hasIdOnly(to)) return id;
    const names = namesByKind.get(to) ?? new Set();
    namesByKind.set(to, names.add(id));
    return id;
  });
  if (namesByKind.size === 0) return { value: body, unknown };
  const idsByKind = new Map<string, ReadonlyMap<string, string>>();
  for (const [kind, names] of namesByKind)
    idsByKind.set(kind, await findIds(caller, { kind, names: [...names] }));
  const value = mapReferences(schema, body, ({ to, id }, leaf) => {
    const resolved = idsByKind.get(to)?.get(id);
    if (resolved === undefined && !isId(id) && !hasIdOnly(to))
      unknown.set(leaf.path, namesNothing(to, id));
    return resolved ?? id;
  });
  return { value, unknown };
}

/** Teams have no counter. */
const hasIdOnly = (kind: string) => kind === 'team';

const isId = (text: string) => /^[0-9a-f]{24}$/.test(text);

function namesNothing(to: string, name: string): string {
  if (to === 'user') return 'must be the id or the e-mail address of a user';
  const other = to === 'incident' ? 'number' : 'counter';
  return /^\d+$/.test(name)
    ? `is not the ${other} of any ${displayName(to)}`
    : `must be the id or ${other} of one ${displayName(to)}`;
}

/** Replaces the message of each mistake at a name that names nothing by one that says so. */
export function explainUnknown(
  error: unknown,
  { unknown }: Pick<ResolvedBody, 'unknown'>,
): unknown {
  if (!(error instanceof Refusal) || error.issues.length === 0 || unknown.size === 0) return error;
  const issues = error.issues.map(({ path, message }) => ({
    path,
    message: unknown.get(path) ?? message,
  }));
  return new Refusal(error.code, { message: error.message, issues });
}
