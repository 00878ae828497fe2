// Sealed texts of the first form, which were bound to nothing, are sealed anew in their places.

import type { Log } from '../../engine/log.ts';
import { isSealed } from '../../resources/declaration/field.ts';
import { type Queries, type Sql, transact } from '../database/database.ts';
import { type Change, changeAll } from './change-sealed.ts';
import { sealedColumns } from './sealed-columns.ts';
import { openUnbound, type Secrets, unboundMark } from './secrets.ts';

const doneKey = 'sealed_texts_are_bound';

type Binding = { readonly secretKey: string; readonly secrets: Secrets; readonly log: Log };

/**
 * Before the server accepts anything. Batch by batch, each in a commit of its own: a start that is
 * killed, or another at the same time, does no harm.
 */
export async function bindSealed(sql: Sql, binding: Binding): Promise<void> {
  if (await isBound(sql)) return;
  for (const sealed of sealedColumns) {
    await changeAll(sealed, changeOf(binding), (batch) => transact(sql, batch));
  }
  await sql`
    insert into installation (key, value) values (${doneKey}, 'true') on conflict (key) do nothing`;
}

export async function isBound(sql: Queries): Promise<boolean> {
  const [row] = await sql`select from installation where key = ${doneKey}`;
  return row !== undefined;
}

function changeOf({ secretKey, secrets, log }: Binding): Change {
  return {
    mark: unboundMark,
    change(stored, context) {
      const text = isSealed(stored) ? stored.sealed : stored;
      if (!text.startsWith(unboundMark)) return stored;
      const opened = openUnbound(secretKey, text);
      if (opened !== null) return { sealed: secrets.seal(opened, context) };
      log.warn({ context }, 'a text that looks sealed cannot be opened; it is left as it is');
      return stored;
    },
  };
}
