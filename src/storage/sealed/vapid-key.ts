// The key by which push services know this installation. Every subscription is made for it, and so it
// is made once and never replaced.
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { systemClock } from '../../engine/clock.ts';
import { createIds } from '../../engine/ids.ts';
import type { Log } from '../../engine/log.ts';
import { type Queries, type Sql, transact } from '../database/database.ts';
import { loseBrowsers } from '../people/lost-contacts.ts';
import type { Sealer } from './secrets.ts';

const row = 'vapid_key';
const context = ['installation', row];
const form = { format: 'der', type: 'pkcs8' } as const;

/** Makes it where there is none. */
export function claimVapidKey(
  sql: Sql,
  sealer: Pick<Sealer, 'seal' | 'open'>,
  log: Log,
): Promise<KeyObject> {
  return transact(sql, async (tx) => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const made = sealer.seal(privateKey.export(form).toString('base64'), context);
    // Whoever starts at the same time waits here until this has committed.
    const [isNew] = await tx`
      insert into installation (key, value) values (${row}, ${made})
      on conflict (key) do nothing returning key`;
    if (isNew) return privateKey;
    const stored = await readSealed(tx);
    try {
      return keyOf(sealer.open(stored ?? '', context));
    } catch (err) {
      // A version that did not know of it changed the secret key: what subscriptions were made for is
      // lost, and browsers subscribe anew.
      log.error({ err }, 'the key for browser push cannot be decrypted: a new one was created');
      await tx`update installation set value = ${made} where key = ${row}`;
      const means = { ids: createIds(systemClock), now: systemClock.now() };
      await loseBrowsers(tx, means, 'The server has another key for pushes.');
      return privateKey;
    }
  });
}

/** The same key, sealed by another; one that cannot be opened stays as it is. */
export async function resealVapidKey(
  tx: Queries,
  { old, next }: { readonly old: Sealer; readonly next: Sealer },
): Promise<void> {
  const stored = await readSealed(tx);
  if (stored === undefined) return;
  let opened: string;
  try {
    opened = old.open(stored, context);
  } catch {
    return;
  }
  await tx`update installation set value = ${next.seal(opened, context)} where key = ${row}`;
}

async function readSealed(sql: Queries): Promise<string | undefined> {
  const [stored] = await sql<{ value: string }[]>`
    select value from installation where key = ${row}`;
  return stored?.value;
}

const keyOf = (text: string): KeyObject =>
  createPrivateKey({ ...form, key: Buffer.from(text, 'base64') });
