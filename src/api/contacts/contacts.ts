import type { TSchema } from 'typebox';
import { accessLimits } from '../../limits/access.ts';
import { contactText } from '../../notices/kinds/lost-contact.ts';
import {
  isDeviceChannel,
  isLinkedChannel,
  isNumberChannel,
  signInChannel,
} from '../../resources/channels.ts';
import { newNumberProblem, numberProblem } from '../../resources/connections/numbers.ts';
import { id, objectOf } from '../../resources/declaration/field.ts';
import { isObject } from '../../resources/declaration/is-object.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { maskedAddress } from '../../resources/masked-address.ts';
import { dialed } from '../../resources/phone-prefixes.ts';
import { listConnections } from '../../storage/connections/connections.ts';
import {
  type Contact,
  changeContact,
  createContact,
  deleteContact,
  listContacts,
} from '../../storage/people/contacts.ts';
import { findUser, type User } from '../../storage/people/users.ts';
import { pageSchema } from '../answers.ts';
import { invalid, notFound } from '../failures.ts';
import { contactChange, contactInput, contactOutput } from '../people/shapes.ts';
import {
  actOf,
  conflict,
  idIn,
  isOwn,
  mayReadAddresses,
  needsOwnOrAbove,
  orNotFound,
  type PeopleParts,
  readOnly,
  route,
} from '../people/writing.ts';
import { mergePatch } from '../records/body.ts';
import { type Call, ok, type Route } from '../route.ts';
import { oneWithReachability, withReachability } from './contact-problems.ts';
import { deviceContact, isSameDevice } from './push.ts';

const tag = 'users';
const made = { status: 201, schema: contactOutput };
const removed = {
  status: 200,
  schema: objectOf({ id: id('The id of the removed contact.') }),
};
const listed = { status: 200, schema: pageSchema(contactOutput) };

export function contactRoutes(parts: PeopleParts): Route[] {
  return [
    route('GET /users/:id/contacts', 'viewer', {
      tag,
      answers: listed,
      doc: 'Lists the contacts of a person. The person, admins, and API keys with the role admin that are not limited to teams see full addresses. Others see masked addresses, except for the e-mail address that the person signs in with.',
      handle: async (call) => {
        const { user, contacts } = await read(parts, call);
        const data = await withReachability(parts, call, contacts);
        return ok({ data: data.map(shownTo(call, user)), next_cursor: null });
      },
    }),
    route('POST /users/:id/contacts', 'responder', {
      tag,
      doc: 'Adds a contact to a person. The contact is used once it is verified.',
      body: contactInput,
      answers: made,
      ignored,
      handle: (call) => create(parts, call),
      again: async (call, contact_id) => {
        const params = { ...call.params, contact_id };
        const { user, contact } = await readContact(parts, { ...call, params });
        needsOwnOrAbove(call, user);
        return ok(await oneWithReachability(parts, call, contact), 201);
      },
    }),
    route('PATCH /users/:id/contacts/:contact_id', 'responder', {
      tag,
      keysRefused: 'session_only',
      doc: 'Updates the label of a contact, or its position among the contacts on its channel. People update their own contacts, admins those of others, and only owners those of owners.',
      body: contactChange,
      answers: { status: 200, schema: contactOutput },
      ignored,
      handle: (call) => change(parts, call),
      again: async (call) => {
        const { user, contact } = await readContact(parts, call);
        needsOwnOrAbove(call, user);
        return ok(await oneWithReachability(parts, call, contact));
      },
    }),
    route('DELETE /users/:id/contacts/:contact_id', 'responder', {
      tag,
      keysRefused: 'session_only',
      answers: removed,
      doc: 'Removes a contact from a person. People remove their own contacts, admins those of others, and only owners those of owners. The person gets an e-mail when a verified contact is removed.',
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
  needsOwnOrAbove(call, user);
  if (isObject(call.body) && isLinkedChannel(String(call.body['channel']))) throw mustBeLinked();
  // The reader has held it to the schema.
  const written = readWith(contactInput, withDialed(call.body)) as Address & Pick<Contact, 'label'>;
  const isDevice = isDeviceChannel(written.channel);
  const device = isDevice ? await deviceContact(parts, call, written.address) : null;
  const { channel, label } = written;
  const address = device?.address ?? written.address;
  const contact = { channel, address, ...(label !== undefined && { label }) };
  await needsConnection(parts, call.caller.organizationId, contact, writtenIn(call.body));
  const check = (others: readonly Contact[]) => {
    if (others.some((each) => isSame(each, contact)))
      throw conflict('address', 'is already a contact of this person');
    if (others.length >= accessLimits.contacts)
      throw conflict('', `the person already has ${accessLimits.contacts} contacts, the maximum`);
    // Those that are gone get none.
    const devices = others.filter(({ channel, state }) => isDeviceChannel(channel) && !state);
    if (device && devices.length >= accessLimits.browsers)
      throw conflict(
        '',
        `the person already has ${accessLimits.browsers} devices for pushes, the maximum`,
      );
  };
  const { sql, ids } = parts;
  const creating = {
    act: actOf(call),
    ids,
    userId: user.id,
    contact,
    check,
    ...(device && { subscription: device.subscription }),
  };
  const created = await createContact(sql, creating);
  return ok(await oneWithReachability(parts, call, created), 201);
}

/** Nothing is sent to an address whose person has not written first. */
export const mustBeLinked = () =>
  invalid([
    { path: 'channel', message: 'must be linked by the person: POST /users/:id/link-codes' },
  ]);

/** Numbers are taken as people write them. */
function withDialed(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const { channel } = body as { readonly channel?: unknown };
  const address = writtenIn(body);
  const isNumber = typeof channel === 'string' && isNumberChannel(channel);
  return isNumber && address !== undefined ? { ...body, address: dialed(address) } : body;
}

function writtenIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('address' in body)) return undefined;
  return typeof body.address === 'string' ? body.address : undefined;
}

type Address = Pick<Contact, 'channel' | 'address'>;

/** Of a number: a connection that calls or texts it. A premium number that is proved stays. */
export async function needsConnection(
  { sql }: PeopleParts,
  organizationId: string,
  { channel, address, verified }: Address & { readonly verified?: boolean },
  written = address,
): Promise<void> {
  if (!isNumberChannel(channel)) return;
  const connections = await listConnections(sql, { organizationId, archived: false });
  const problemOf = verified ? numberProblem : newNumberProblem;
  const problem = problemOf(connections, channel, address);
  if (problem === null) return;
  const isOther = written !== address && problem.path !== 'address';
  throw invalid([
    problem,
    ...(isOther ? [{ path: 'address', message: `is dialed as ${address}` }] : []),
  ]);
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
  needsOwnOrAbove(call, user);
  const before = { position: contact.position, label: contact.label ?? null };
  // The reader has held it to the schema.
  const read = readWith(contactChange, mergePatch(before, call.body)) as Partial<Change>;
  const { label = null, position = contact.position } = read;
  const { sql, ids } = parts;
  const edit = { act: actOf(call), ids, userId: user.id, contact, label, position };
  const changed = orNotFound(await changeContact(sql, edit));
  return ok(await oneWithReachability(parts, call, changed));
}

/** As a caller may see it. */
function shownTo(call: Call, user: Pick<User, 'id' | 'email'>) {
  return <Shown extends Address>(contact: Shown): Shown =>
    mayReadAddresses(call, user.id) || isSame(contact, signInAddress(user))
      ? contact
      : { ...contact, address: shownAddress(contact) };
}

/** Of a browser and of a topic, the address is a name already. */
const shownAddress = ({ channel, address }: Address): string =>
  isDeviceChannel(channel) ? address : maskedAddress(address);

const signInAddress = ({ email }: Pick<User, 'email'>): Address => ({
  channel: signInChannel,
  address: email,
});

function isSame(one: Address, other: Address): boolean {
  if (one.channel !== other.channel) return false;
  if (isDeviceChannel(one.channel)) return isSameDevice(one.address, other.address);
  return one.channel === signInChannel
    ? one.address.toLowerCase() === other.address.toLowerCase()
    : one.address === other.address;
}

async function remove(parts: PeopleParts, call: Call) {
  const { user, contact } = await readContact(parts, call);
  needsOwnOrAbove(call, user);
  if (isSame(contact, signInAddress(user)))
    throw conflict(
      'address',
      'is the address that the person signs in with: change the person’s email instead',
    );
  const { sql, ids, mails } = parts;
  await deleteContact(sql, { act: actOf(call), ids, userId: user.id, contact });
  // Browsers end their pushes, and renew them, by themselves.
  const isOwnDevice = isDeviceChannel(contact.channel) && isOwn(call, user.id);
  if (contact.verified && !isOwnDevice)
    mails.sendFactorChanged(user.id, 'contact_removed', {
      removed: [contactText({ channel: contact.channel, name: shownAddress(contact) })],
      removed_by: call.caller.name,
    });
  return ok({ id: contact.id });
}
