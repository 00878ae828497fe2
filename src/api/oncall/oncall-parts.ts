import type { Sql } from '../../storage/database.ts';
import type { Compute } from '../computing/computer.ts';

/** What the routes of schedules and shifts need of the server. */
export type OncallParts = { readonly sql: Sql; readonly compute: Compute };
