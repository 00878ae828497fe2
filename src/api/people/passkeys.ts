// The passkeys of the signed-in person.
import type { TSchema } from 'typebox';
import { accessLimits } from '../../limits/access.ts';
import { instant, orNull, word } from '../../resources/declaration/answer.ts';
import {
  anyObject,
  anything,
  flag,
  id,
  objectOf,
  optional,
  text,
} from '../../resources/declaration/field.ts';
import { personName } from '../../resources/person-name.ts';
import { transact } from '../../storage/database/database.ts';
import { audit } from '../../storage/organizations/audit.ts';
import { auditedUser } from '../../storage/people/audited.ts';
import {
  addPasskey,
  listPasskeys,
  type Passkey,
  removePasskey,
  renamePasskey,
  takeChallenge,
} from '../../storage/people/passkeys.ts';
import { endOtherSessions } from '../../storage/people/sessions.ts';
import { activePerson, personsBySessions } from '../../storage/people/sign-ins.ts';
import { lockOrganization } from '../../storage/people/users.ts';
import { timeText } from '../../storage/records/rows.ts';
import { pageSchema } from '../answers.ts';
import { invalid, Refusal } from '../failures.ts';
import { type Call, ok, type Route } from '../route.ts';
import {
  answeredChallenge,
  creationOptions,
  newChallenge,
  readRegistration,
  relyingParty,
  usableParty,
  verifyRegistration,
} from '../sign-in/passkeys/passkeys.ts';
import { type OwnerProof, proofFields } from './owner-proof.ts';
import { ownIn } from './sessions.ts';
import { actOf, conflict, idIn, orNotFound, type PeopleParts, readBody, route } from './writing.ts';

const passkeyShape = objectOf(
  {
    id: id('The id of the passkey.'),
    name: word('The name that its person chose.'),
    synced: flag({
      doc: 'Whether it is synced across devices, according to its authenticator.',
    }),
    created_at: instant('When it was added.'),
    last_used_at: orNull(
      instant('When it last signed in.'),
      'When it last signed in. Null if it never has.',
    ),
  },
  'A passkey of the signed-in person.',
);
const listShape = objectOf({
  ...pageSchema(passkeyShape).properties,
  usable: flag({ doc: 'Whether passkeys work at the address of this server.' }),
  reason: optional(word('Why they do not work. Absent if they do.')),
  origin: optional(word('The address at which they work. Absent if they do not.')),
});
const proofInput = objectOf(proofFields);
const nameFields = {
  name: text({ doc: 'The name of the passkey.', min: 1, max: accessLimits.passkeyName }),
};
const nameInput = objectOf(nameFields);
const newInput = objectOf({
  ...nameFields,
  credential: anyObject('The result of PublicKeyCredential.toJSON().'),
});
const optionsShape = objectOf({
  public_key: anything('The input of PublicKeyCredential.parseCreationOptionsFromJSON().'),
});
const removedShape = objectOf({ id: id('The id of the removed passkey.') });

type Parts = PeopleParts & { readonly proof: OwnerProof };

export function passkeyRoutes(parts: Parts): Route[] {
  const own = (doc: string, status: number, schema: TSchema) =>
    ({ tag: 'users', keysRefused: 'session_only', doc, answers: { status, schema } }) as const;
  return [
    route('GET /users/me/passkeys', 'viewer', {
      ...own(
        'Lists the passkeys of the signed-in person, and whether passkeys work at this server’s address.',
        ...([200, listShape] as const),
      ),
      handle: async (call) => ok(await listed(parts, call)),
    }),
    route('POST /users/me/passkeys/options', 'viewer', {
      ...own(
        'Begins adding a passkey. Returns what the browser needs to create one within a few minutes.',
        ...([200, optionsShape] as const),
      ),
      body: proofInput,
      handle: (call) => begin(parts, call),
    }),
    route('POST /users/me/passkeys', 'viewer', {
      ...own(
        'Adds the passkey that the browser created. It then signs in without a password and code.',
        ...([201, passkeyShape] as const),
      ),
      body: newInput,
      handle: (call) => add(parts, call),
    }),
    route('PATCH /users/me/passkeys/:passkey_id', 'viewer', {
      ...own('Renames a passkey of the signed-in person.', ...([200, passkeyShape] as const)),
      body: nameInput,
      namesAll: true,
      handle: (call) => rename(parts, call),
    }),
    route('POST /users/me/passkeys/:passkey_id/remove', 'viewer', {
      ...own(
        'Removes a passkey of the signed-in person and ends their other sessions.',
        ...([200, removedShape] as const),
      ),
      body: proofInput,
      handle: (call) => remove(parts, call),
    }),
  ];
}

async function listed({ sql, publicUrl }: Parts, { caller }: Call) {
  const passkeys = await listPasskeys(sql, caller.id);
  const party = relyingParty(publicUrl);
  return {
    data: passkeys.map(rendered),
    next_cursor: null,
    usable: party.usable,
    ...(party.usable ? { origin: party.origin } : { reason: party.reason }),
  };
}

const rendered = ({ id, name, synced, created_at, last_used_at }: Omit<Passkey, 'user_id'>) => ({
  id,
  name,
  synced,
  created_at: timeText(created_at),
  last_used_at: last_used_at && timeText(last_used_at),
});

/** A challenge is of one session: it ends with it. */
function challenging({ secrets: { digest } }: Parts, call: Call) {
  const { userId, sessionId } = ownIn(call);
  return { digest, purpose: `add ${userId} ${sessionId}` };
}

const tooMany = () =>
  conflict('passkeys', `are already ${accessLimits.passkeys}, the maximum: remove one first`);

async function begin(parts: Parts, call: Call) {
  const { sql, proof } = parts;
  const party = usableParty(parts.publicUrl);
  await proof.check(call, readBody(proofInput, call.body));
  const person = orNotFound(await activePerson(sql, call.caller.id));
  const passkeys = await listPasskeys(sql, person.id);
  if (passkeys.length >= accessLimits.passkeys) throw tooMany();
  const challenge = newChallenge(challenging(parts, call), call.now);
  const user = { id: person.id, email: person.email, name: personName(person) };
  return ok({ public_key: creationOptions(party, { challenge, user, passkeys }) });
}

async function add(parts: Parts, call: Call) {
  const { sql, ids, mails } = parts;
  const party = usableParty(parts.publicUrl);
  const { name, credential } = readBody(newInput, call.body) as {
    name: string;
    credential: unknown;
  };
  const registration = readRegistration(credential);
  const answered =
    registration && answeredChallenge(challenging(parts, call), registration, call.now);
  const made = answered && (await verifyRegistration({ party, answered }, registration));
  if (!made) throw notAccepted();
  const { organizationId: organization_id, id: user_id } = call.caller;
  const passkey = {
    organization_id,
    id: ids.next(),
    user_id,
    name,
    synced: made.synced,
    credential_id: made.credentialId,
    public_key: made.publicKey,
    sign_count: made.signCount,
    created_at: call.now,
  };
  await transact(sql, async (tx) => {
    await lockOrganization(tx, organization_id);
    if (!(await takeChallenge(tx, answered))) throw notAccepted();
    // The session may have ended since the request began: whoever was made inactive adds none.
    const { sessionId } = ownIn(call);
    if ((await personsBySessions(tx, [sessionId], call.now)).length === 0)
      throw new Refusal('unauthorized');
    if ((await listPasskeys(tx, user_id)).length >= accessLimits.passkeys) throw tooMany();
    if (!(await addPasskey(tx, passkey))) throw conflict('credential', 'is already registered');
    const after = { passkey: { id: passkey.id, name } };
    const entry = { act: actOf(call), ...auditedUser, id: user_id, after };
    await audit(tx, ids, { ...entry, action: 'add_passkey' });
  });
  mails.sendFactorChanged(user_id, 'passkey_added', { passkey: name });
  return ok(rendered({ ...passkey, last_used_at: null }), 201);
}

const notAccepted = () =>
  invalid([{ path: 'credential', message: 'was rejected or has expired: begin again' }]);

async function rename({ sql, ids }: Parts, call: Call) {
  const id = idIn(call, 'passkey_id');
  const { name } = readBody(nameInput, call.body) as { name: string };
  const { userId } = ownIn(call);
  const renamed = await transact(sql, async (tx) => {
    const passkeys = await listPasskeys(tx, userId);
    const before = orNotFound(passkeys.find((one) => one.id === id) ?? null);
    await renamePasskey(tx, { userId, id, name });
    const entry = {
      act: actOf(call),
      ...auditedUser,
      id: userId,
      before: { passkey: { id, name: before.name } },
      after: { passkey: { id, name } },
    };
    await audit(tx, ids, { ...entry, action: 'update' });
    return { ...before, name };
  });
  return ok(rendered(renamed));
}

async function remove(parts: Parts, call: Call) {
  const { sql, ids, mails, proof } = parts;
  const passkeyId = idIn(call, 'passkey_id');
  await proof.check(call, readBody(proofInput, call.body));
  const { userId, sessionId } = ownIn(call);
  const name = await transact(sql, async (tx) => {
    const removed = orNotFound(await removePasskey(tx, { userId, id: passkeyId }));
    // Nothing tells which of them it opened.
    await endOtherSessions(tx, { act: actOf(call), ids, userId, exceptId: sessionId });
    const before = { passkey: { id: passkeyId, name: removed } };
    const entry = { act: actOf(call), ...auditedUser, id: userId, before };
    await audit(tx, ids, { ...entry, action: 'remove_passkey' });
    return removed;
  });
  mails.sendFactorChanged(userId, 'passkey_removed', { passkey: name });
  return ok({ id: passkeyId });
}
