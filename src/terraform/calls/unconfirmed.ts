// A creation whose answer was lost: until it is known what came of it, the state has its key for an
// id (docs/decisions/0016-lost-creations.md).

const mark = 'unconfirmed:';

export const unconfirmedId = (key: string): string => `${mark}${key}`;

/** The key of the creation; undefined for the id of a record. */
export const unconfirmedKey = (id: string): string | undefined =>
  id.startsWith(mark) ? id.slice(mark.length) : undefined;
