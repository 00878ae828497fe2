// Where each thing stands in the configuration: under which name, and how others refer to it.

import { inexpressible } from './inexpressible.ts';
import { distinctNames, localName } from './names.ts';
import { type ExportedRecord, type Organization, textOf } from './organization.ts';

export type Location = {
  /** A data source only refers to what is managed elsewhere. */
  readonly mode: 'resource' | 'data';
  /** Such as `pager_service`. */
  readonly type: string;
  readonly name: string;
};
/** By id. Whatever is not here is referred to by its id. */
export type Locations = ReadonlyMap<string, Location>;

export const addressOf = ({ mode, type, name }: Location): string =>
  mode === 'data' ? `data.${type}.${name}` : `${type}.${name}`;

export function locationsOf({ records, users, teams }: Organization): Locations {
  const named = createNaming();
  return new Map([
    ...records.map((exported): [string, Location] => {
      const { id, counter } = exported.record;
      const mode = inexpressible(exported).length > 0 ? 'data' : 'resource';
      const wanted = { mode, kind: exported.resource.name, title: displayName(exported) } as const;
      return [id, named(wanted, String(counter))];
    }),
    ...users.map(({ id, name }): [string, Location] => [
      id,
      named({ mode: 'data', kind: 'user', title: name }, id.slice(-6)),
    ]),
    ...teams.map(({ id, name }): [string, Location] => [
      id,
      named({ mode: 'data', kind: 'team', title: name }, id.slice(-6)),
    ]),
  ]);
}

/** An integration need not have a name. */
export const displayName = ({ record }: ExportedRecord): string =>
  textOf(record, 'name') || textOf(record, 'slug');

type Wanted = Pick<Location, 'mode'> & { readonly kind: string; readonly title: string };

function createNaming(): (wanted: Wanted, suffix: string) => Location {
  const byType = new Map<string, ReturnType<typeof distinctNames>>();
  return ({ mode, kind, title }, suffix) => {
    const type = `pager_${kind}`;
    const distinct = byType.get(type) ?? distinctNames();
    byType.set(type, distinct);
    return { mode, type, name: distinct(localName(title, kind), suffix) };
  };
}
