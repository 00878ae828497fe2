import {
  type Contact,
  createContact,
  deleteContact,
  keepCode,
  listContacts,
  verifyContact,
} from '../../storage/people/contacts.ts';
import { findUser, type User } from '../../storage/people/users.ts';
import { invalid, notFound, Refusal } from '../failures.ts';
import { type Call, ok, type Route } from '../route.ts';
import { codeInput, contactInput, contactOutput, pageOfThese } from './shapes.ts';
import {
  actOf,
  conflict,
  found,
  idIn,
  isOwn,
  needsOwnOrAdmin,
  type PeopleParts,
  readBody,
  route,
  systemRandom,
} from './writing.ts';

const tag = 'users';
const answers = { status: 200, schema: contactOutput };
const made = { status: 201, schema: contactOutput };
const listed = { status: 200, schema: pageOfThese(contactOutput) };

const CONTACTS_MAX = 50;
const CODE_LASTS = Temporal.Duration.from({ minutes: 15 });
const CODE_PAUSE = Temporal.Duration.from({ minutes: 1 });
const CODE_TRIES_MAX = 5;
const CODES = 1_000_000;

export function contactRoutes(parts: PeopleParts): Route[] {
  return [
    route('GET /users/:id/contacts', 'viewer', {
      ...{ tag, doc: 'Lists where a person can be reached.', answers: listed },
      handle: async (call) => {
        const { contacts } = await read(parts, call);
        return ok({ data: contacts, next_cursor: null });
      },
    }),
    route('POST /users/:id/contacts', 'responder', {
      ...{ tag, doc: 'Adds a contact, not verified yet.', body: contactInput, answers: made },
      handle: (call) => create(parts, call),
    }),
    route('DELETE /users/:id/contacts/:contact_id', 'responder', {
      ...{ tag, doc: 'Removes a contact.' },
      handle: (call) => remove(parts, call),
    }),
    route('POST /users/:id/contacts/:contact_id/code', 'responder', {
      ...{ tag, doc: 'Sends a code to your own contact, at most once a minute.' },
      keysRefused: 'session_only',
      handle: (call) => sendCode(parts, call),
    }),
    route('POST /users/:id/contacts/:contact_id/verify', 'responder', {
      ...{ tag, doc: 'Proves your own contact with the code.', body: codeInput, answers },
      keysRefused: 'session_only',
      handle: (call) => verify(parts, call),
    }),
  ];
}

async function read({ sql }: PeopleParts, call: Call) {
  const { organizationId } = call.caller;
  const user = found(await findUser(sql, organizationId, idIn(call)));
  return { user, contacts: await listContacts(sql, { organizationId, userId: user.id }) };
}

async function readOne(parts: PeopleParts, call: Call) {
  const { user, contacts } = await read(parts, call);
  const id = idIn(call, 'contact_id');
  const contact = contacts.find((each) => each.id === id);
  if (contact === undefined) throw notFound();
  return { user, contact };
}

async function create(parts: PeopleParts, call: Call) {
  const { user } = await read(parts, call);
  needsOwnOrAdmin(call, user.id, 'contacts');
  // The reader has held it to the schema.
  const contact = readBody(contactInput, call.body) as Address;
  const check = (others: readonly Contact[]) => {
    if (others.some((each) => isSame(each, contact)))
      throw conflict('address', 'is a contact of this person already');
    if (others.length >= CONTACTS_MAX)
      throw conflict('', `a person has at most ${CONTACTS_MAX} contacts`);
  };
  const { sql, ids } = parts;
  const creating = { act: actOf(call), ids, userId: user.id, contact, check };
  return ok(await createContact(sql, creating), 201);
}

type Address = Pick<Contact, 'channel' | 'address'>;

const isSame = (one: Address, other: Address) =>
  one.channel === other.channel &&
  (one.channel === 'email'
    ? one.address.toLowerCase() === other.address.toLowerCase()
    : one.address === other.address);

async function remove(parts: PeopleParts, call: Call) {
  const { user, contact } = await readOne(parts, call);
  needsOwnOrAdmin(call, user.id, 'contacts');
  if (isSame(contact, { channel: 'email', address: user.email }))
    throw conflict('address', 'is what the person signs in with: change their e-mail instead');
  const { sql, ids } = parts;
  await deleteContact(sql, { act: actOf(call), ids, userId: user.id, contact });
  return ok({ id: contact.id });
}

function onlyOwn(call: Call, user: User): void {
  if (isOwn(call, user.id)) return;
  throw new Refusal('forbidden', { message: 'Only its owner verifies a contact.' });
}

const codeDigest = ({ secrets }: PeopleParts, contact: Contact, code: string) =>
  secrets.digest(`contact ${contact.id} ${contact.address} ${code}`);

async function sendCode(parts: PeopleParts, call: Call) {
  const { user, contact } = await readOne(parts, call);
  onlyOwn(call, user);
  const { sql, sendCode: send, random = systemRandom } = parts;
  if (contact.verified) throw conflict('verified', 'is true already');
  if (send === undefined)
    throw new Refusal('unavailable', { message: 'This server cannot send codes yet.' });
  const code = String(random.below(CODES)).padStart(6, '0');
  const isKept = await keepCode(sql, {
    organizationId: call.caller.organizationId,
    contactId: contact.id,
    digest: codeDigest(parts, contact, code),
    now: call.now,
    lasts: CODE_LASTS,
    pause: CODE_PAUSE,
  });
  if (!isKept)
    throw new Refusal('rate_limited', { retryAfterSeconds: CODE_PAUSE.total('seconds') });
  await send(contact, code);
  return ok({ id: contact.id, expires_at: call.now.add(CODE_LASTS).toString() }, 202);
}

async function verify(parts: PeopleParts, call: Call) {
  const { user, contact } = await readOne(parts, call);
  onlyOwn(call, user);
  const code = String(readBody(codeInput, call.body)['code']);
  if (contact.verified) return ok(contact);
  const { sql, ids } = parts;
  const done = await verifyContact(sql, {
    act: actOf(call),
    ids,
    userId: user.id,
    contact,
    digest: codeDigest(parts, contact, code),
    triesMax: CODE_TRIES_MAX,
  });
  if (done === 'wrong')
    throw invalid([{ path: 'code', message: 'is wrong or too old: have another one sent' }]);
  return ok({ ...contact, verified: true });
}
