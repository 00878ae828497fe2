const instant = /(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))/;

export type Part = { readonly text: string } | { readonly at: string };

/** Text from outside may look like a time and be none. */
const isTime = (text: string) => !Number.isNaN(Date.parse(text));

/** A sentence of the API and the times in it, which it has in UTC or on the clock of a schedule. */
export const partsOf = (sentence: string): readonly Part[] =>
  sentence
    .split(instant)
    .map((part, index) => (index % 2 === 1 && isTime(part) ? { at: part } : { text: part }))
    .filter((part) => 'at' in part || part.text !== '');
