// What a database knows of its secret key: which it is, and the keys that outlive it.
import { type Queries, type Sql, type Transaction, transact } from '../database/database.ts';
import {
  createSealer,
  createSecrets,
  derivedKeys,
  type LastingKeys,
  randomKeys,
  type Sealer,
  type Secrets,
} from './secrets.ts';
import { resealVapidKey } from './vapid-key.ts';

const fingerprintKey = 'secret_key_fingerprint';
const lastingUses = ['digest', 'mac'] as const satisfies (keyof LastingKeys)[];
const rowOf = (use: keyof LastingKeys) => `${use}_key`;
const contextOf = (use: keyof LastingKeys) => ['installation', rowOf(use)];

/** Binds a new database to the key, and gives an old one what it lacks; refuses another key. */
export async function claimInstallation(sql: Sql, secretKey: string): Promise<Secrets> {
  const sealer = createSealer(secretKey);
  await transact(sql, async (tx) => {
    // Whoever starts at the same time waits here until this has committed.
    const [isNew] = await tx`
      insert into installation (key, value) values (${fingerprintKey}, ${sealer.fingerprint})
      on conflict (key) do nothing returning key`;
    if (!isNew) await checkKey(tx, sealer);
    await storeKeys(tx, isNew ? randomKeys() : derivedKeys(secretKey), sealer);
  });
  return readInstallation(sql, secretKey);
}

/** Refuses a database that another key has written to. */
export async function readInstallation(sql: Queries, secretKey: string): Promise<Secrets> {
  const sealer = createSealer(secretKey);
  await checkKey(sql, sealer);
  return createSecrets(sealer, await readKeys(sql, sealer));
}

/** A start of this version gives the database what it lacks. */
export class ServedByOlderVersion extends Error {
  constructor() {
    super('This database was last served by an older version: start this one on it.');
  }
}

type Change = { readonly old: Sealer; readonly next: Sealer };

/** Binds the database to another key; the lasting ones stay, sealed by that. */
export async function changeKey(tx: Transaction, { old, next }: Change): Promise<void> {
  await checkKey(tx, old);
  const keys = await readKeys(tx, old);
  await tx`
    update installation set value = ${next.fingerprint} where key = ${fingerprintKey}`;
  await tx`delete from installation where key = any(${lastingUses.map(rowOf)})`;
  await storeKeys(tx, keys, next);
  await resealVapidKey(tx, { old, next });
}

async function readKeys(sql: Queries, sealer: Sealer): Promise<LastingKeys> {
  const [digest, mac] = await Promise.all(lastingUses.map((use) => readKey(sql, use, sealer)));
  if (!digest || !mac) throw new ServedByOlderVersion();
  return { digest, mac };
}

export async function fingerprintOf(sql: Queries): Promise<string | null> {
  const [row] = await sql<{ value: string }[]>`
    select value from installation where key = ${fingerprintKey}`;
  return row?.value ?? null;
}

async function checkKey(sql: Queries, { fingerprint: expected }: Sealer): Promise<void> {
  const actual = await fingerprintOf(sql);
  if (actual !== expected)
    throw new Error(
      `This database belongs to another secret key (fingerprint ${actual}; this key has ` +
        `${expected}). Start with the key it was created with: nothing encrypted could be read.`,
    );
}

/** Those that are there stay. */
async function storeKeys(tx: Queries, keys: LastingKeys, sealer: Sealer): Promise<void> {
  const rows = lastingUses.map((use) => ({
    key: rowOf(use),
    value: sealer.seal(keys[use].toString('base64'), contextOf(use)),
  }));
  await tx`insert into installation ${tx(rows)} on conflict (key) do nothing`;
}

async function readKey(sql: Queries, use: keyof LastingKeys, sealer: Sealer) {
  const [row] = await sql<{ value: string }[]>`
    select value from installation where key = ${rowOf(use)}`;
  return row && Buffer.from(sealer.open(row.value, contextOf(use)), 'base64');
}
