// What claims of notices and of message updates have in common: candidates are found without locks, the
// engine chooses among them, and only what it chose is locked.
import type { Rooms } from '../../engine/claims/rooms.ts';
import type { Queries } from '../database/database.ts';

/** While no more rows than this are due, all of them are candidates; else the indexes are walked. */
export const CLAIM_WINDOW = 256;

/** Names without any room, for a comparison with `=`. */
export const full = (sql: Queries, { of }: Rooms) =>
  sql`any(${[...of].flatMap(([name, room]) => (room > 0 ? [] : [name]))}::text[])`;
