// Where each thing stands in the configuration: under which name, and how others refer to it.
import { distinctNames, localName } from './names.ts';
import { type Kept, type Organization, textOf } from './organization.ts';
import { unsayable } from './unsayable.ts';

export type Place = {
  /** A data source only refers to what is managed elsewhere. */
  readonly mode: 'resource' | 'data';
  /** Such as `pager_service`. */
  readonly type: string;
  readonly name: string;
};
/** By id. Whatever is not here is referred to by its id. */
export type Places = ReadonlyMap<string, Place>;

export const addressOf = ({ mode, type, name }: Place): string =>
  mode === 'data' ? `data.${type}.${name}` : `${type}.${name}`;

export function placesOf({ records, users, teams }: Organization): Places {
  const named = createNaming();
  return new Map([
    ...records.map((kept): [string, Place] => {
      const { id, counter } = kept.record;
      const mode = unsayable(kept).length > 0 ? 'data' : 'resource';
      const wanted = { mode, kind: kept.resource.name, given: givenName(kept) } as const;
      return [id, named(wanted, String(counter))];
    }),
    ...users.map(({ id, name }): [string, Place] => [
      id,
      named({ mode: 'data', kind: 'user', given: name }, id.slice(-6)),
    ]),
    ...teams.map(({ id, name }): [string, Place] => [
      id,
      named({ mode: 'data', kind: 'team', given: name }, id.slice(-6)),
    ]),
  ]);
}

/** An integration need not have a name. */
export const givenName = ({ record }: Kept): string =>
  textOf(record, 'name') || textOf(record, 'slug');

type Wanted = Pick<Place, 'mode'> & { readonly kind: string; readonly given: string };

function createNaming(): (wanted: Wanted, suffix: string) => Place {
  const byType = new Map<string, ReturnType<typeof distinctNames>>();
  return ({ mode, kind, given }, suffix) => {
    const type = `pager_${kind}`;
    const distinct = byType.get(type) ?? distinctNames();
    byType.set(type, distinct);
    return { mode, type, name: distinct(localName(given, kind), suffix) };
  };
}
