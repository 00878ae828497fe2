// Sealed texts of the first form, which were bound to nothing, are sealed anew in their places.

import type { Log } from '../../engine/log.ts';
import { isSealed } from '../../resources/declaration/sealed.ts';
import { type Queries, type Sql, transact } from '../database.ts';
import { openUnbound, type Secrets, unboundMark } from '../secrets.ts';
import { type Change, changeAll } from './change.ts';
import { sealedColumns } from './sealed-columns.ts';

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
  const [done] = await sql`select from installation where key = ${doneKey}`;
  return done !== undefined;
}

function changeOf({ secretKey, secrets, log }: Binding): Change {
  return {
    mark: unboundMark,
    change(kept, place) {
      const text = isSealed(kept) ? kept.sealed : kept;
      if (!text.startsWith(unboundMark)) return kept;
      const opened = openUnbound(secretKey, text);
      if (opened !== null) return { sealed: secrets.seal(opened, place) };
      log.warn({ place }, 'what looks sealed here cannot be opened, and stays as it is');
      return kept;
    },
  };
}
