import { personName } from '../../resources/person-name.ts';

type Person = { readonly id: string; readonly first_name: string; readonly last_name: string };

/** The names of people by their ids. */
export const namesById = (people: readonly Person[]): ReadonlyMap<string, string> =>
  new Map(people.map((one) => [one.id, personName(one)]));
