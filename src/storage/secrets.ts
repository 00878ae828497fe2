import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Sql } from './database.ts';

/** What the secret key is used for: each use has a key of its own, derived from it. */
export type Secrets = {
  /** Encrypted, to be read again by `open`; another text every time. */
  seal(text: string): string;
  open(sealed: string): string;
  /** For look-ups by a secret that is not stored: the same text, the same digest. */
  digest(text: string): Buffer;
  /** Proves that whoever wrote a text had the key. */
  mac(text: string): string;
  /** Tells keys apart without telling anything about them. */
  fingerprint(): string;
};

const VERSION = 'v1:';
/** Whether a stored text is encrypted. */
export const isSealed = (text: string): boolean => text.startsWith(VERSION);

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SHORTEST_KEY = 32;

export function createSecrets(secretKey: string): Secrets {
  if (secretKey.length < SHORTEST_KEY)
    throw new Error(`The secret key must have at least ${SHORTEST_KEY} characters.`);
  const derived = (use: string) => Buffer.from(hkdfSync('sha256', secretKey, '', use, 32));
  const sealing = derived('pager seal v1');
  const digesting = derived('pager digest v1');
  const proving = derived('pager mac v1');
  return {
    seal: (text) => seal(sealing, text),
    open: (sealed) => open(sealing, sealed),
    digest: (text) => createHmac('sha256', digesting).update(text, 'utf8').digest(),
    mac: (text) => createHmac('sha256', proving).update(text, 'utf8').digest('base64'),
    fingerprint: () => derived('pager fingerprint v1').toString('hex').slice(0, 32),
  };
}

function seal(key: Buffer, text: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return VERSION + Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
}

function open(key: Buffer, sealed: string): string {
  if (!isSealed(sealed)) throw new Error('A stored secret has an unknown form.');
  const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const body = bytes.subarray(NONCE_BYTES + TAG_BYTES);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
}

/** Binds a new database to the key; refuses one that another key has written to. */
export async function claimInstallation(sql: Sql, secrets: Secrets): Promise<void> {
  await sql`
    insert into installation (key, value)
    values ('secret_key_fingerprint', ${secrets.fingerprint()})
    on conflict (key) do nothing`;
  await checkInstallation(sql, secrets);
}

/** Refuses a database that another key has written to. */
export async function checkInstallation(sql: Sql, secrets: Secrets): Promise<void> {
  const mine = secrets.fingerprint();
  const [row] = await sql<{ value: string }[]>`
    select value from installation where key = 'secret_key_fingerprint'`;
  if (row?.value !== mine)
    throw new Error(
      `This database belongs to another secret key (fingerprint ${row?.value}; this key has ` +
        `${mine}). Start with the key it was created with: nothing encrypted could be read.`,
    );
}
