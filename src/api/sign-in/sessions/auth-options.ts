import type { Ids } from '../../../engine/ids.ts';
import type { Log } from '../../../engine/log.ts';
import type { Sql } from '../../../storage/database/database.ts';

export type AuthOptions = {
  readonly sql: Sql;
  readonly ids: Ids;
  readonly log: Log;
  /** As people's browsers know the server; over https its cookies are Secure. */
  readonly publicUrl: string;
  /** Signs the cookies; at least 32 characters that nobody can guess. */
  readonly secret: string;
};

export const COOKIE_PREFIX = 'pager';
