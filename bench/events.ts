// Events as monitoring tools send them, and what their answers have to be.
import { type Loaded, request } from './load.ts';

/** About as much as an alert has to say. */
export const filler = 'x'.repeat(200);

export const event = (path: string, fields: object): string =>
  request(path, JSON.stringify({ severity: 'critical', body: { text: filler }, ...fields }));

/** Titles that the server of pages recognises, none twice. */
export function newTitles(first: number): () => string {
  let n = first;
  return () => {
    n += 1;
    return `Load ${n}`;
  };
}

export function only(status: string, result: Loaded): Loaded {
  const others = Object.entries(result.statuses).filter(([one]) => one !== status);
  if (others.length > 0) throw new Error(`answers other than ${status}: ${JSON.stringify(others)}`);
  return result;
}
