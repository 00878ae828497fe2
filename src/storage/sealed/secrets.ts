import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { accessLimits } from '../../limits/access.ts';
import { isSealed, type Sealed } from '../../resources/declaration/field.ts';
import type { SealContext } from './sealed-columns.ts';

/** What the secret key itself is used for; each use has a key of its own, derived from it. */
export type Sealer = {
  /** Encrypted and bound to a place, to be read again there by `open`; another text every time. */
  seal(text: string, context: SealContext): string;
  open(sealed: string, context: SealContext): string;
  /** Tells keys apart without telling anything about them. */
  readonly fingerprint: string;
};

export type Secrets = Sealer & {
  /** For look-ups by a secret that is not stored: the same text, the same digest. */
  digest(text: string): Buffer;
  /** Proves that whoever wrote a text had the key. */
  mac(text: string): string;
};

/** They outlive the secret key: digests and codes that are stored stay valid when it changes. */
export type LastingKeys = { readonly digest: Buffer; readonly mac: Buffer };

/** The first form, which was bound to nothing. */
export const unboundMark = 'v1:';
const BOUND = 'v2:';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

export function createSealer(secretKey: string): Sealer {
  const key = deriveKey(secretKey, 'pager seal v1');
  return {
    seal: (text, context) => BOUND + encrypt(key, text, JSON.stringify(context)),
    open(sealed, context) {
      if (!sealed.startsWith(BOUND)) throw new Error('A stored secret has an unknown form.');
      return decrypt(key, sealed.slice(BOUND.length), JSON.stringify(context));
    },
    fingerprint: deriveKey(secretKey, 'pager fingerprint v1').toString('hex').slice(0, 32),
  };
}

export function createSecrets(sealer: Sealer, keys: LastingKeys): Secrets {
  return {
    ...sealer,
    digest: (text) => createHmac('sha256', keys.digest).update(text, 'utf8').digest(),
    mac: (text) => createHmac('sha256', keys.mac).update(text, 'utf8').digest('base64'),
  };
}

export const randomKeys = (): LastingKeys => ({
  digest: randomBytes(KEY_BYTES),
  mac: randomBytes(KEY_BYTES),
});

/** Of an installation from before they were kept: what it has stored was made with these. */
export const derivedKeys = (secretKey: string): LastingKeys => ({
  digest: deriveKey(secretKey, 'pager digest v1'),
  mac: deriveKey(secretKey, 'pager mac v1'),
});

/** Opens the first form; null: it is none, or not of this key. */
export function openUnbound(secretKey: string, text: string): string | null {
  try {
    return decrypt(deriveKey(secretKey, 'pager seal v1'), text.slice(unboundMark.length), '');
  } catch {
    return null;
  }
}

/**
 * As json keeps it, where it cannot be taken for a text that is not sealed. Equal texts of one
 * value become equal ones: a chat that a step names twice is paged once.
 */
export function sealing(secrets: Pick<Sealer, 'seal'>, context: SealContext) {
  const sealedTexts = new Map<string, Sealed>();
  return (text: string | Sealed): Sealed => {
    if (isSealed(text)) throw new Error('what is to be sealed is sealed already');
    const sealed = sealedTexts.get(text) ?? { sealed: secrets.seal(text, context) };
    sealedTexts.set(text, sealed);
    return sealed;
  };
}

export const opening =
  (secrets: Pick<Sealer, 'open'>, context: SealContext) =>
  (text: string | Sealed): string =>
    isSealed(text) ? secrets.open(text.sealed, context) : text;

function deriveKey(secretKey: string, use: string): Buffer {
  if (secretKey.length < accessLimits.secretKeyMin)
    throw new Error(`The secret key must have at least ${accessLimits.secretKeyMin} characters.`);
  return Buffer.from(hkdfSync('sha256', secretKey, '', use, KEY_BYTES));
}

function encrypt(key: Buffer, text: string, bound: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(bound));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64');
}

function decrypt(key: Buffer, text: string, bound: string): string {
  const bytes = Buffer.from(text, 'base64');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  decipher.setAAD(Buffer.from(bound));
  const body = bytes.subarray(NONCE_BYTES + TAG_BYTES);
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
}
