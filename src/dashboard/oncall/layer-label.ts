// What a layer is called where people look for who is on call: by its hours and its people.
import { firstWord } from './bar.ts';
import { hoursText } from './hours-text.ts';
import type { Layer } from './queries.ts';
import { editWords, hoursWords as words } from './words.ts';

type NameOf = (userId: string) => string;
type Labelled = Pick<Layer, 'name' | 'users' | 'restriction'>;

/** So many people are named. */
const NAMED = 3;

/** Such as `22:00–06:00 · Ada, Lin`. */
export function hoursAndPeople({ users, restriction }: Labelled, nameOf: NameOf): string {
  const hours = restriction === undefined ? words.always : hoursText(restriction.windows);
  return words.by(hours, peopleText(users, nameOf));
}

/** By its own name, if it has one. */
export const layerLabel = (layer: Labelled, nameOf: NameOf): string =>
  layer.name || hoursAndPeople(layer, nameOf);

/** Each once, in the order of their turns; by first names, unless two people share one. */
function peopleText(users: Layer['users'], nameOf: NameOf): string {
  const people = [...new Set(users)].map((user) =>
    user === null ? editWords.nobody : nameOf(user),
  );
  const counts = Map.groupBy(people, firstWord);
  const names = people.map((name) =>
    (counts.get(firstWord(name)) ?? []).length > 1 ? name : firstWord(name),
  );
  const more = names.length - NAMED;
  return more > 1 ? words.andMore(names.slice(0, NAMED).join(', '), more) : names.join(', ');
}
