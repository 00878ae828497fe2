// Where a body takes an id, it takes a counter too, and of a person the e-mail address: what is read,
// stored and answered is the id. What names nothing stays as it is, and is told as a mistake then.
import type { TSchema } from 'typebox';
import { mapReferences } from '../../resources/declaration/map-text.ts';
import type { Caller } from '../route.ts';

export type FindIds = (
  caller: Caller,
  sought: { readonly kind: string; readonly names: readonly string[] },
) => Promise<ReadonlyMap<string, string>>;

type Named = { readonly caller: Caller; readonly schema: TSchema };

/** The body with its ids; most have no other names, and nothing is looked up for them. */
export async function withIds(
  body: unknown,
  { caller, schema }: Named,
  findIds: FindIds,
): Promise<unknown> {
  const sought = new Map<string, Set<string>>();
  mapReferences(schema, body, ({ to, id }) => {
    if (isId(id)) return id;
    const names = sought.get(to) ?? new Set();
    sought.set(to, names.add(id));
    return id;
  });
  if (sought.size === 0) return body;
  const found = new Map<string, ReadonlyMap<string, string>>();
  for (const [kind, names] of sought)
    found.set(kind, await findIds(caller, { kind, names: [...names] }));
  return mapReferences(schema, body, ({ to, id }) => found.get(to)?.get(id) ?? id);
}

const isId = (text: string) => /^[0-9a-f]{24}$/.test(text);
