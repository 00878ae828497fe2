// Signing in by a passkey. It is kept by an authenticator that verifies its person, so that neither
// a password nor a code is asked for.
import { randomBytes } from 'node:crypto';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { accessLimits } from '../../limits/access.ts';
import { anything, objectOf } from '../../resources/declaration/field.ts';
import { type Transaction, transact } from '../../storage/database.ts';
import {
  emailOfPasskey,
  hasPasskeys,
  lockPasskey,
  notePasskeyUse,
  takeChallenge,
} from '../../storage/people/passkeys.ts';
import { activePerson, type Person } from '../../storage/people/sign-ins.ts';
import { invalid, Refusal } from '../failures.ts';
import { limitGuesses } from '../http/guesses.ts';
import { networkOf } from '../http/network.ts';
import { isFromBrowser, readFields, type SignInParts } from './forms.ts';
import { createLimiter } from './limiter.ts';
import { openSession, renderSession } from './opening.ts';
import {
  answeredChallenge,
  newChallenge,
  type RelyingParty,
  readAssertion,
  relyingParty,
  requestOptions,
  type UsableParty,
  verifyAssertion,
} from './passkeys.ts';

const COOKIE = 'pager.passkey';
const NONCE = /^[0-9a-f]{32}$/;
/** The same for all: who asks learns of no passkey whether it is known. */
const REFUSED = 'The passkey was not accepted. Try again, or sign in with your password.';

/** The address at which somebody could sign in by one; null: nobody could. */
export async function passkeysOfferedAt({ sql, publicUrl }: SignInParts): Promise<string | null> {
  const party = relyingParty(publicUrl);
  return party.usable && (await hasPasskeys(sql)) ? party.origin : null;
}

export function mountPasskeys(app: FastifyInstance, parts: SignInParts): void {
  const { sql, clock, secrets, sameOrigin, browsers, publicUrl } = parts;
  const party = relyingParty(publicUrl);
  const networks = createLimiter({
    ...{ clock, tries: accessLimits.signInsPerNetwork, seconds: accessLimits.signInWindow },
  });
  const emailOf = limitGuesses(
    (credentialId) => emailOfPasskey(sql, Buffer.from(credentialId, 'base64url')),
    { clock },
  );

  app.post('/auth/passkey-options', async (request, reply) => {
    if (isFromBrowser(request)) sameOrigin.checkOrigin(request.headers);
    const usable = orRefused(party);
    const challenge = newChallenge(
      { digest: secrets.digest, purpose: purposeOf(nonceFor(request, reply)) },
      clock.now(),
    );
    return { public_key: requestOptions(usable, challenge) };
  });

  app.post('/auth/sign-in-passkey', async (request, reply) => {
    if (isFromBrowser(request)) sameOrigin.checkOrigin(request.headers);
    const usable = orRefused(party);
    const read = readFields(credentialField, request.body);
    if (!read.ok) throw invalid(read.problems);
    const assertion = readAssertion(read.value['credential']);
    const email = assertion && (await emailOf(assertion.id, request.ip));
    if (email === 'too_many') throw new Refusal('rate_limited', { retryAfterSeconds: 1 });
    const isKnown = email !== null && browsers.isKnown(request, email);
    const wait = isKnown ? 0 : networks.take(networkOf(request.ip));
    if (wait > 0) throw new Refusal('rate_limited', { retryAfterSeconds: wait });
    const nonce = request.cookies[COOKIE];
    const person =
      assertion !== null && email !== null && nonce !== undefined
        ? await transact(sql, (tx) => signedInBy(tx, parts, { party: usable, assertion, nonce }))
        : null;
    if (person === null) throw new Refusal('unauthorized', { message: REFUSED });
    return renderSession(parts, await openSession(parts, { request, reply }, person));
  });

  /** Its browser alone can answer a challenge, in any of its tabs. */
  function nonceFor(request: FastifyRequest, reply: FastifyReply): string {
    const known = request.cookies[COOKIE] ?? '';
    const nonce = NONCE.test(known) ? known : randomBytes(16).toString('hex');
    const secure = new URL(publicUrl).protocol === 'https:';
    reply.setCookie(COOKIE, nonce, { path: '/auth', httpOnly: true, secure, sameSite: 'strict' });
    return nonce;
  }
}

const credentialField = objectOf({
  credential: anything('As the toJSON() of the PublicKeyCredential gives it.'),
});

const purposeOf = (nonce: string) => `sign in ${nonce}`;

function orRefused(party: RelyingParty): UsableParty {
  if (!party.usable) throw new Refusal('conflict', { message: party.reason });
  return party;
}

type Using = {
  readonly party: UsableParty;
  readonly assertion: AuthenticationResponseJSON;
  readonly nonce: string;
};

/** Who they are; null: refused. */
async function signedInBy(
  tx: Transaction,
  { clock, secrets: { digest } }: SignInParts,
  { party, assertion, nonce }: Using,
): Promise<Person | null> {
  const now = clock.now();
  const answered = answeredChallenge({ digest, purpose: purposeOf(nonce) }, assertion, now);
  const passkey = await lockPasskey(tx, Buffer.from(assertion.id, 'base64url'));
  if (!answered || !passkey) return null;
  const verified = await verifyAssertion({ party, answered }, assertion, passkey);
  const person = verified && (await activePerson(tx, passkey.user_id));
  if (!person || !(await takeChallenge(tx, answered))) return null;
  await notePasskeyUse(tx, passkey, { ...verified, now });
  return person;
}
