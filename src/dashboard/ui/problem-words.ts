// Problems name other fields as the API does; a form shows them as its own labels.

/** `integration_ids`, `settings.from_phone`. */
const NAME = /\b[a-z]+(?:[._][a-z]+)+\b/g;

/** The fields that a message may mean. */
export const namesIn = (message: string): readonly string[] => message.match(NAME) ?? [];

/** Undefined: it is no field of the form, so it stays as it is. */
type LabelOf = (name: string) => string | undefined;

export const withLabels = (text: string, labelOf: LabelOf): string =>
  text.replace(NAME, (name) => {
    const label = labelOf(name);
    return label === undefined ? name : `“${label}”`;
  });

/** The path of another field, as a problem at this path names it: a sibling, else a whole path. */
export const pathsNamed = (path: string, name: string): readonly string[] => [
  path.replace(/[^.]*$/, name),
  name,
];
