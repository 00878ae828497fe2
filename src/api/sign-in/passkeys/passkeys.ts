// Passkeys (WebAuthn): what is asked of browsers, and what their answers are worth. Answers are read
// and verified by a library.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { accessLimits } from '../../../limits/access.ts';
import { isObject } from '../../../resources/declaration/is-object.ts';
import type { Passkey } from '../../../storage/people/passkeys.ts';
import { Refusal } from '../../failures.ts';

/** Where passkeys of this server are good, or why none can be. */
type RelyingParty =
  | { readonly usable: true; readonly id: string; readonly origin: string }
  | { readonly usable: false; readonly reason: string };

export function relyingParty(publicUrl: string): RelyingParty {
  const { protocol, hostname, origin } = new URL(publicUrl);
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const whatIsNeeded = 'browsers require PAGER_PUBLIC_URL to be https:// and a host name';
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    return { usable: false, reason: `Passkeys do not work at an IP address: ${whatIsNeeded}.` };
  if (protocol !== 'https:' && !isLocal)
    return { usable: false, reason: `Passkeys do not work over http: ${whatIsNeeded}.` };
  return { usable: true, id: hostname, origin };
}

/** EdDSA, ES256 and RS256: every authenticator has one of them. */
const ALGORITHMS = [-8, -7, -257];
/** As WebAuthn allows; more would not fit the index either. */
const ID_BYTES = 1_023;
const RANDOM_BYTES = 16;
const TIME_BYTES = 6;

type Digest = (text: string) => Uint8Array;
/** `purpose`: what it is for, and whose it is. */
type Challenging = { readonly digest: Digest; readonly purpose: string };

const macOf = ({ digest, purpose }: Challenging, body: Buffer) =>
  Buffer.from(digest(`passkey challenge ${purpose} ${body.toString('hex')}`));

/** Nothing of it is stored before it was answered rightly: strangers get as many as they like. */
export function newChallenge(about: Challenging, now: Temporal.Instant): string {
  const body = Buffer.alloc(RANDOM_BYTES + TIME_BYTES, randomBytes(RANDOM_BYTES));
  const until = now.add({ minutes: accessLimits.passkeyMinutes });
  body.writeUIntBE(until.epochMilliseconds, RANDOM_BYTES, TIME_BYTES);
  return Buffer.concat([body, macOf(about, body)]).toString('base64url');
}

/** A challenge that was answered, and what is noted so that it is not accepted again. */
export type Answered = {
  readonly challenge: string;
  readonly digest: Uint8Array;
  readonly expiresAt: Temporal.Instant;
};

/** Null: it is none of ours for this, or is over. */
export function answeredChallenge(
  about: Challenging,
  { response: { clientDataJSON } }: AuthenticationResponseJSON | RegistrationResponseJSON,
  now: Temporal.Instant,
): Answered | null {
  const challenge = challengeIn(clientDataJSON);
  const bytes = Buffer.from(challenge, 'base64url');
  const body = bytes.subarray(0, RANDOM_BYTES + TIME_BYTES);
  if (body.length < RANDOM_BYTES + TIME_BYTES || bytes.toString('base64url') !== challenge)
    return null;
  const mac = macOf(about, body);
  const sentMac = bytes.subarray(body.length);
  if (sentMac.length !== mac.length || !timingSafeEqual(sentMac, mac)) return null;
  const until = body.readUIntBE(RANDOM_BYTES, TIME_BYTES);
  if (until <= now.epochMilliseconds) return null;
  const expiresAt = Temporal.Instant.fromEpochMilliseconds(until);
  return { challenge, digest: about.digest(`used challenge ${challenge}`), expiresAt };
}

function challengeIn(clientData: string): string {
  try {
    const read: unknown = JSON.parse(Buffer.from(clientData, 'base64url').toString());
    return isObject(read) && typeof read['challenge'] === 'string' ? read['challenge'] : '';
  } catch {
    return '';
  }
}

/** What authenticators keep of a person; a passkey that comes back with another is not theirs. */
const userHandle = (userId: string) => Buffer.from(userId, 'hex').toString('base64url');

export type UsableParty = Extract<RelyingParty, { usable: true }>;

/** Refuses where none can be. */
export function usableParty(publicUrl: string): UsableParty {
  const party = relyingParty(publicUrl);
  if (!party.usable) throw new Refusal('conflict', { message: party.reason });
  return party;
}
const timeout = accessLimits.passkeyMinutes * 60_000;

type Adding = {
  readonly challenge: string;
  readonly user: { readonly id: string; readonly email: string; readonly name: string };
  /** Those that the person has. */
  readonly passkeys: readonly Passkey[];
};

/** The input of PublicKeyCredential.parseCreationOptionsFromJSON(). */
export const creationOptions = ({ id }: UsableParty, { challenge, user, passkeys }: Adding) => ({
  rp: { id, name: 'Pager' },
  user: { id: userHandle(user.id), name: user.email, displayName: user.name },
  challenge,
  timeout,
  attestation: 'none',
  pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
  authenticatorSelection: {
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'required',
  },
  excludeCredentials: passkeys.map(({ credential_id }) => ({
    type: 'public-key',
    id: Buffer.from(credential_id).toString('base64url'),
  })),
});

/** As PublicKeyCredential.parseRequestOptionsFromJSON() takes it. */
export const requestOptions = ({ id: rpId }: UsableParty, challenge: string) => ({
  rpId,
  challenge,
  timeout,
  userVerification: 'required',
  allowCredentials: [],
});

/** The texts of a credential as its toJSON() gives it; null: it is none. */
function textsOf<Name extends string>(credential: unknown, names: readonly Name[]) {
  if (!isObject(credential) || !isObject(credential['response'])) return null;
  const { id, response } = credential;
  const texts = { id, ...response };
  const read = Object.fromEntries(names.map((name) => [name, texts[name as 'id']]));
  const isWhole = Object.values(read).every((text) => typeof text === 'string');
  return isWhole ? (read as Record<Name, string>) : null;
}

const base = { type: 'public-key', clientExtensionResults: {} } as const;

export function readAssertion(credential: unknown): AuthenticationResponseJSON | null {
  const names = ['id', 'clientDataJSON', 'authenticatorData', 'signature', 'userHandle'] as const;
  const texts = textsOf(credential, names);
  return texts && { ...base, id: texts.id, rawId: texts.id, response: texts };
}

export function readRegistration(credential: unknown): RegistrationResponseJSON | null {
  const texts = textsOf(credential, ['id', 'clientDataJSON', 'attestationObject']);
  return texts && { ...base, id: texts.id, rawId: texts.id, response: texts };
}

type Expected = {
  readonly party: UsableParty;
  readonly answered: Answered;
};

const expectedOf = ({ party: { id, origin }, answered }: Expected) => ({
  expectedOrigin: origin,
  expectedRPID: id,
  expectedChallenge: answered.challenge,
  requireUserVerification: true,
});

/** Loaded when first needed: it takes a quarter of a second, and memory. */
export const loadLibrary = () => import('@simplewebauthn/server');

/**
 * Whether it has no certificates, as was requested: the library would fetch what those name, and
 * whoever registers could have it fetch anything.
 */
export async function isPlain(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers');
  const attested = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const format = attested.get('fmt');
  return (
    format === 'none' || (format === 'packed' && attested.get('attStmt').get('x5c') === undefined)
  );
}

/** What was registered; null: it is not what was asked for. */
export async function verifyRegistration(expected: Expected, response: RegistrationResponseJSON) {
  const { verifyRegistrationResponse } = await loadLibrary();
  const verified = await unlessWrong(async () => {
    if (!(await isPlain(response.response.attestationObject))) return null;
    return verifyRegistrationResponse({
      response,
      ...expectedOf(expected),
      supportedAlgorithmIDs: ALGORITHMS,
    });
  });
  if (!verified?.verified) return null;
  const { credential, credentialBackedUp: synced } = verified.registrationInfo;
  const { id, publicKey, counter: signCount } = credential;
  const credentialId = Buffer.from(id, 'base64url');
  if (credentialId.length > ID_BYTES) return null;
  return { credentialId, publicKey, signCount, synced };
}

/** What the authenticator says of itself; null: it is not what was asked for. */
export async function verifyAssertion(
  expected: Expected,
  response: AuthenticationResponseJSON,
  passkey: Passkey,
) {
  if (response.response.userHandle !== userHandle(passkey.user_id)) return null;
  const { verifyAuthenticationResponse } = await loadLibrary();
  const credential = {
    id: response.id,
    publicKey: new Uint8Array(passkey.public_key),
    counter: passkey.sign_count,
  };
  const verified = await unlessWrong(() =>
    verifyAuthenticationResponse({ response, ...expectedOf(expected), credential }),
  );
  if (!verified?.verified) return null;
  const { newCounter: signCount, credentialBackedUp: synced } = verified.authenticationInfo;
  return { signCount, synced };
}

/** The library throws whatever it does not accept. */
async function unlessWrong<T>(verify: () => Promise<T>): Promise<T | null> {
  try {
    return await verify();
  } catch {
    return null;
  }
}
