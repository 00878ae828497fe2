// How many rows of each name a claim may take, in conditions.
import type { Rooms } from '../engine/claims/rooms.ts';
import type { Queries } from './database.ts';

/** Whether the row that is the nth of its name has room. */
export const isWithin = (sql: Queries, nth: string, name: string, { each, of }: Rooms) => sql`
  ${sql(nth)} <= coalesce((
    select room from unnest(${[...of.keys()]}::text[], ${[...of.values()]}::integer[])
      as own (name, room) where own.name = ${sql(name)}), ${each}::integer)`;

/** Those without any room, for a comparison with `=`. */
export const full = (sql: Queries, { of }: Rooms) =>
  sql`any(${[...of].flatMap(([name, room]) => (room > 0 ? [] : [name]))}::text[])`;
