// An authenticator in software: it makes passkeys and signs with them, as WebAuthn has it, or wrongly
// where a test wants it so.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** What it says, other than is right. */
export type Wrongs = {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly userHandle?: string;
  readonly isVerified?: boolean;
  readonly isPresent?: boolean;
  readonly count?: number;
  /** Signs with another key. */
  readonly isForged?: boolean;
  /** Attests with certificates, in this format. */
  readonly certified?: string;
};

type CreationOptions = {
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
  readonly challenge: string;
};
type RequestOptions = { readonly rpId: string; readonly challenge: string };

const PRESENT = 0x01;
const VERIFIED = 0x04;
const BACKED_UP = 0x18;
const HAS_CREDENTIAL = 0x40;

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

type Kind = {
  /** Else it is one of those that are synced. */
  readonly hasCounter?: boolean;
  /** Signs its own creation, as some do though nobody requested it. */
  readonly attestsItself?: boolean;
  readonly idBytes?: number;
};

export function createAuthenticator(origin: string, more: Kind = {}) {
  const id = randomBytes(more.idBytes ?? 20);
  const key = newKey();
  let count = 0;
  let userHandle = '';

  function dataOf(rpId: string, wrongs: Wrongs, credential?: Buffer): Buffer {
    if (more.hasCounter) count += 1;
    const flags =
      (wrongs.isPresent === false ? 0 : PRESENT) +
      (wrongs.isVerified === false ? 0 : VERIFIED) +
      (more.hasCounter ? 0 : BACKED_UP) +
      (credential ? HAS_CREDENTIAL : 0);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(wrongs.count ?? count);
    const rpIdHash = createHash('sha256')
      .update(wrongs.rpId ?? rpId)
      .digest();
    return Buffer.concat([rpIdHash, Buffer.of(flags), counter, credential ?? Buffer.alloc(0)]);
  }
  const clientData = (type: string, challenge: string, wrongs: Wrongs) =>
    Buffer.from(
      JSON.stringify({
        type: wrongs.type ?? type,
        challenge,
        origin: wrongs.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const credentialOf = <Response>(response: Response) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    response,
    authenticatorAttachment: 'platform',
    clientExtensionResults: {},
  });

  return {
    /** As `PublicKeyCredential.toJSON()` gives what `navigator.credentials.create()` made. */
    create({ rp, user, challenge }: CreationOptions, wrongs: Wrongs = {}) {
      userHandle = user.id;
      const { x = '', y = '' } = key.publicKey.export({ format: 'jwk' });
      const publicKey = cbor(
        new Map<number, unknown>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, Buffer.from(x, 'base64url')],
          [-3, Buffer.from(y, 'base64url')],
        ]),
      );
      const length = Buffer.of(id.length >> 8, id.length & 255);
      const credential = Buffer.concat([Buffer.alloc(16), length, id, publicKey]);
      const data = dataOf(rp.id, wrongs, credential);
      const client = clientData('webauthn.create', challenge, wrongs);
      const statement = new Map<string, unknown>();
      if (more.attestsItself || wrongs.certified) {
        const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
        statement.set('alg', -7).set('sig', sign('sha256', signed, key.privateKey));
      }
      if (wrongs.certified) statement.set('x5c', [Buffer.from('a certificate')]);
      const attestation = new Map<string, unknown>([
        ['fmt', wrongs.certified ?? (more.attestsItself ? 'packed' : 'none')],
        ['attStmt', statement],
        ['authData', data],
      ]);
      return credentialOf({
        clientDataJSON: client.toString('base64url'),
        attestationObject: cbor(attestation).toString('base64url'),
        transports: ['internal'],
      });
    },
    /** The same of `navigator.credentials.get()`. */
    get({ rpId, challenge }: RequestOptions, wrongs: Wrongs = {}) {
      const data = dataOf(rpId, wrongs);
      const client = clientData('webauthn.get', challenge, wrongs);
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
      const { privateKey } = wrongs.isForged ? newKey() : key;
      return credentialOf({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
        userHandle: wrongs.userHandle ?? userHandle,
      });
    },
  };
}

export type Authenticator = ReturnType<typeof createAuthenticator>;

/** Of the kinds of values that it needs (RFC 8949). */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  if (!(value instanceof Map)) throw new TypeError('no such value');
  return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)]);
}

function head(major: number, length: number): Buffer {
  const first = major << 5;
  if (length < 24) return Buffer.of(first | length);
  if (length < 256) return Buffer.of(first | 24, length);
  return Buffer.of(first | 25, length >> 8, length & 255);
}
