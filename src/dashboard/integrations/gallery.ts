// Which types a search among all of them finds.
import type { IntegrationType } from '../integration/integration.ts';

type Named = Pick<IntegrationType, 'slug' | 'name' | 'known_as'>;

/** By name, those that begin with the text first; `text` is a part of a name. */
export function typesFor<Type extends Named>(
  types: readonly Type[],
  text: string,
): readonly Type[] {
  const wanted = text.trim().toLowerCase();
  const begins = ({ name }: Type) => (name.toLowerCase().startsWith(wanted) ? 0 : 1);
  return types
    .filter(({ slug, name, known_as = [] }) =>
      [slug, name, ...known_as].some((one) => one.toLowerCase().includes(wanted)),
    )
    .toSorted((one, other) => begins(one) - begins(other) || one.name.localeCompare(other.name));
}
