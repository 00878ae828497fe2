const instant = /(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))/;

export type Part = { readonly text: string } | { readonly at: string };

/** Text from outside may look like a time and be none. */
const isTime = (text: string) => !Number.isNaN(Date.parse(text));

/** Behind the quoted name of a record, for those who call the API. */
const idOfNamed = /(?<=") \([0-9a-f]{24}\)/g;

/** A sentence of the API without the ids of the records that it names, and the times in it, which it has in UTC or on the clock of a schedule. */
export const partsOf = (sentence: string): readonly Part[] =>
  sentence
    .replaceAll(idOfNamed, '')
    .split(instant)
    .map((part, index) => (index % 2 === 1 && isTime(part) ? { at: part } : { text: part }))
    .filter((part) => 'at' in part || part.text !== '');
