import type { TSchema } from 'typebox';
import { accessLimits } from '../../limits/access.ts';
import { isNumberChannel, numberProblem } from '../../resources/connections/numbers.ts';
import { id, objectOf } from '../../resources/declaration/field.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { listConnections } from '../../storage/connections/connections.ts';
import {
  type Contact,
  changeContact,
  createContact,
  deleteContact,
  listContacts,
} from '../../storage/people/contacts.ts';
import { findUser } from '../../storage/people/users.ts';
import { pageSchema } from '../answers.ts';
import { invalid, notFound } from '../failures.ts';
import { mergePatch } from '../records/body.ts';
import { type Call, ok, type Route } from '../route.ts';
import { oneWithReachability, withReachability } from './contact-problems.ts';
import { deviceContact, isSameDevice } from './push.ts';
import { contactChange, contactInput, contactOutput } from './shapes.ts';
import {
  actOf,
  conflict,
  idIn,
  needsOwnOrAdmin,
  orNotFound,
  type PeopleParts,
  readOnly,
  route,
} from './writing.ts';

const tag = 'users';
const pushChannel = 'push-notification';
const made = { status: 201, schema: contactOutput };
const removed = {
  status: 200,
  schema: objectOf({ id: id('The id of the contact that was removed.') }),
};
const listed = { status: 200, schema: pageSchema(contactOutput) };

export function contactRoutes(parts: PeopleParts): Route[] {
  return [
    route('GET /users/:id/contacts', 'viewer', {
      ...{ tag, doc: 'Lists the contacts of a person.', answers: listed },
      handle: async (call) => {
        const { contacts } = await read(parts, call);
        const data = await withReachability(parts, call, contacts);
        return ok({ data, next_cursor: null });
      },
    }),
    route('POST /users/:id/contacts', 'responder', {
      ...{
        tag,
        doc: 'Adds a contact to a person; it is used once it is verified.',
        body: contactInput,
        answers: made,
      },
      handle: (call) => create(parts, call),
      again: async (call, contact_id) => {
        const params = { ...call.params, contact_id };
        const { contact } = await readContact(parts, { ...call, params });
        return ok(await oneWithReachability(parts, call, contact), 201);
      },
    }),
    route('PATCH /users/:id/contacts/:contact_id', 'responder', {
      ...{ tag, doc: 'Changes the label of a contact, or its place among those on its channel.' },
      ...{ body: contactChange, answers: { status: 200, schema: contactOutput } },
      handle: (call) => change(parts, call),
      again: async (call) => {
        const { contact } = await readContact(parts, call);
        return ok(await oneWithReachability(parts, call, contact));
      },
    }),
    route('DELETE /users/:id/contacts/:contact_id', 'responder', {
      ...{ tag, doc: 'Removes a contact of a person.', answers: removed },
      // A leaked key would else take from people the ways by which they are paged. Decision 0071.
      keysRefused: 'session_only',
      handle: (call) => remove(parts, call),
    }),
  ];
}

async function read({ sql }: PeopleParts, call: Call) {
  const { organizationId } = call.caller;
  const user = orNotFound(await findUser(sql, organizationId, idIn(call)));
  return { user, contacts: await listContacts(sql, { organizationId, userId: user.id }) };
}

/** The contact of the path, and whose it is. */
export async function readContact(parts: PeopleParts, call: Call) {
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
  const written = readWith(contactInput, call.body) as Address & Pick<Contact, 'label'>;
  const isDevice = written.channel === pushChannel;
  const device = isDevice ? await deviceContact(parts, call, written.address) : null;
  const { channel, label } = written;
  const address = device?.address ?? written.address;
  const contact = { channel, address, ...(label !== undefined && { label }) };
  if (contact.channel === 'telegram')
    throw invalid([
      { path: 'channel', message: 'is linked by its person: POST /users/:id/link-codes' },
    ]);
  await needsConnection(parts, call.caller.organizationId, contact);
  const check = (others: readonly Contact[]) => {
    if (others.some((each) => isSame(each, contact)))
      throw conflict('address', 'is a contact of this person already');
    if (others.length >= accessLimits.contacts)
      throw conflict('', `a person has at most ${accessLimits.contacts} contacts`);
    // Those that are gone get none.
    const devices = others.filter(({ channel, state }) => channel === pushChannel && !state);
    if (device && devices.length >= accessLimits.browsers)
      throw conflict('', `a person has at most ${accessLimits.browsers} devices that take pushes`);
  };
  const { sql, ids } = parts;
  const creating = {
    ...{ act: actOf(call), ids, userId: user.id, contact, check },
    ...(device && { subscription: device.subscription }),
  };
  const created = await createContact(sql, creating);
  return ok(await oneWithReachability(parts, call, created), 201);
}

type Address = Pick<Contact, 'channel' | 'address'>;

/** Of a number: a connection that calls or texts it. */
export async function needsConnection(
  { sql }: PeopleParts,
  organizationId: string,
  { channel, address }: Address,
): Promise<void> {
  if (!isNumberChannel(channel)) return;
  const connections = await listConnections(sql, { organizationId, archived: false });
  const problem = numberProblem(connections, channel, address);
  if (problem !== null) throw invalid([problem]);
}

/** What a client reads and may send back. */
const ignored = [
  ...[...readOnly, 'position', 'state', 'state_reason', 'state_at'],
  ...['proved_at', 'reachability', 'reachability_reason'],
];

function readWith(schema: TSchema, body: unknown): Record<string, unknown> {
  const read = readObject(schema, body, { ignored });
  if (!read.ok) throw invalid(read.problems);
  return read.value;
}

type Change = { readonly label?: string; readonly position: number };

async function change(parts: PeopleParts, call: Call) {
  const { user, contact } = await readContact(parts, call);
  needsOwnOrAdmin(call, user.id, 'contacts');
  const before = { position: contact.position, label: contact.label ?? null };
  // The reader has held it to the schema.
  const read = readWith(contactChange, mergePatch(before, call.body)) as Partial<Change>;
  const { label = null, position = contact.position } = read;
  const { sql, ids } = parts;
  const edit = { act: actOf(call), ids, userId: user.id, contact, label, position };
  const changed = orNotFound(await changeContact(sql, edit));
  return ok(await oneWithReachability(parts, call, changed));
}

function isSame(one: Address, other: Address): boolean {
  if (one.channel !== other.channel) return false;
  if (one.channel === pushChannel) return isSameDevice(one.address, other.address);
  return one.channel === 'email'
    ? one.address.toLowerCase() === other.address.toLowerCase()
    : one.address === other.address;
}

async function remove(parts: PeopleParts, call: Call) {
  const { user, contact } = await readContact(parts, call);
  needsOwnOrAdmin(call, user.id, 'contacts');
  if (isSame(contact, { channel: 'email', address: user.email }))
    throw conflict('address', 'is what the person signs in with: change their e-mail instead');
  const { sql, ids } = parts;
  await deleteContact(sql, { act: actOf(call), ids, userId: user.id, contact });
  return ok({ id: contact.id });
}
