// Signing in by a passkey. It is kept by an authenticator that verifies its person, so that neither
// a password nor a code is asked for.
import { randomBytes } from 'node:crypto';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { accessLimits } from '../../../limits/access.ts';
import { anything, objectOf } from '../../../resources/declaration/field.ts';
import { type Transaction, transact } from '../../../storage/database/database.ts';
import {
  emailOfPasskey,
  hasPasskey,
  hasPasskeys,
  lockPasskey,
  notePasskeyUse,
  takeChallenge,
} from '../../../storage/people/passkeys.ts';
import { activePerson, type Person } from '../../../storage/people/sign-ins.ts';
import { invalid, Refusal } from '../../failures.ts';
import { limitGuesses } from '../../http/guesses.ts';
import { createLimiter } from '../../http/limiter.ts';
import { networkOf } from '../../http/network.ts';
import { isFromBrowser, readFields, type SignInParts } from '../forms.ts';
import { openSession, renderSession } from '../sessions/opening.ts';
import {
  type Answered,
  answeredChallenge,
  loadLibrary,
  newChallenge,
  readAssertion,
  relyingParty,
  requestOptions,
  type UsableParty,
  usableParty,
  verifyAssertion,
} from './passkeys.ts';

const COOKIE = 'pager.passkey';
const NONCE = /^[0-9a-f]{32}$/;
/** The same for all: who asks learns of no passkey whether it is known. */
const REFUSED = 'The passkey was rejected. Try again, or sign in with your password.';

/** The address at which somebody could sign in by one; null: nobody could. */
export async function passkeysOfferedAt({ sql, publicUrl }: SignInParts): Promise<string | null> {
  const party = relyingParty(publicUrl);
  return party.usable && (await hasPasskeys(sql)) ? party.origin : null;
}

export function mountPasskeys(app: FastifyInstance, parts: SignInParts): void {
  const { sql, clock, secrets, sameOrigin, browsers, publicUrl } = parts;
  const networks = createLimiter({
    clock,
    tries: accessLimits.signInsPerNetwork,
    seconds: accessLimits.signInWindow,
  });
  const emailOf = limitGuesses(
    (credentialId) => emailOfPasskey(sql, Buffer.from(credentialId, 'base64url')),
    { clock },
  );

  app.post('/auth/passkey-options', async (request, reply) => {
    if (isFromBrowser(request)) sameOrigin.checkOrigin(request.headers);
    const party = usableParty(publicUrl);
    const challenge = newChallenge(
      { digest: secrets.digest, purpose: purposeOf(nonceFor(request, reply)) },
      clock.now(),
    );
    return { public_key: requestOptions(party, challenge) };
  });

  app.post('/auth/sign-in-passkey', async (request, reply) => {
    if (isFromBrowser(request)) sameOrigin.checkOrigin(request.headers);
    const party = usableParty(publicUrl);
    const read = readFields(credentialField, request.body);
    if (!read.ok) throw invalid(read.problems);
    const assertion = readAssertion(read.value['credential']);
    const email = assertion && (await emailOf(assertion.id, request.ip));
    if (email === 'too_many') throw new Refusal('rate_limited', { retryAfterSeconds: 1 });
    const isKnown = email !== null && browsers.isKnown(request, email);
    const wait = isKnown ? 0 : networks.take(networkOf(request.ip));
    if (wait > 0) throw new Refusal('rate_limited', { retryAfterSeconds: wait });
    const nonce = request.cookies[COOKIE];
    const using =
      assertion !== null && email !== null && nonce !== undefined
        ? answeredBy(assertion, nonce)
        : null;
    if (using === null) throw new Refusal('unauthorized', { message: REFUSED });
    await loadLibrary();
    const person = await transact(sql, (tx) => signedInBy(tx, { party, ...using }));
    if (person === null) throw new Refusal('unauthorized', { message: REFUSED });
    // One that is removed meanwhile ends the sessions that it finds, and this one ends itself.
    const isEntitled = () => hasPasskey(sql, using.credentialId);
    return renderSession(parts, await openSession(parts, { request, reply, isEntitled }, person));
  });

  /** Null: its challenge is not of that browser, or is over. */
  function answeredBy(assertion: AuthenticationResponseJSON, nonce: string) {
    const now = clock.now();
    const about = { digest: secrets.digest, purpose: purposeOf(nonce) };
    const answered = answeredChallenge(about, assertion, now);
    const credentialId = Buffer.from(assertion.id, 'base64url');
    return answered && { assertion, answered, credentialId, now };
  }

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
  credential: anything('The result of PublicKeyCredential.toJSON().'),
});

const purposeOf = (nonce: string) => `sign in ${nonce}`;

type Using = {
  readonly party: UsableParty;
  readonly assertion: AuthenticationResponseJSON;
  readonly answered: Answered;
  readonly credentialId: Uint8Array;
  readonly now: Temporal.Instant;
};

/** Who they are; null: refused. */
async function signedInBy(
  tx: Transaction,
  { party, assertion, answered, credentialId, now }: Using,
): Promise<Person | null> {
  const passkey = await lockPasskey(tx, credentialId);
  const verified = passkey && (await verifyAssertion({ party, answered }, assertion, passkey));
  const person = verified && (await activePerson(tx, passkey.user_id));
  if (!person || !(await takeChallenge(tx, answered))) return null;
  await notePasskeyUse(tx, passkey, { ...verified, now });
  return person;
}
