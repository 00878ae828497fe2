import { accessLimits } from '../../limits/access.ts';
import { id, objectOf } from '../../resources/declaration/field.ts';
import {
  type Contact,
  createContact,
  deleteContact,
  listContacts,
} from '../../storage/people/contacts.ts';
import { findUser } from '../../storage/people/users.ts';
import { pageSchema } from '../answers.ts';
import { invalid, notFound } from '../failures.ts';
import { type Call, ok, type Route } from '../route.ts';
import { browserContact, isSameBrowser } from './push.ts';
import { contactInput, contactOutput } from './shapes.ts';
import {
  actOf,
  conflict,
  idIn,
  needsOwnOrAdmin,
  orNotFound,
  type PeopleParts,
  readBody,
  route,
} from './writing.ts';

const tag = 'users';
const browserChannel = 'push-notification';
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
        return ok({ data: contacts, next_cursor: null });
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
        return ok((await readContact(parts, { ...call, params })).contact, 201);
      },
    }),
    route('DELETE /users/:id/contacts/:contact_id', 'responder', {
      ...{ tag, doc: 'Removes a contact of a person.', answers: removed },
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
  const written = readBody(contactInput, call.body) as Address;
  const isBrowser = written.channel === browserChannel;
  const browser = isBrowser ? await browserContact(parts, call, written.address) : null;
  const contact = { channel: written.channel, address: browser?.address ?? written.address };
  if (contact.channel === 'telegram')
    throw invalid([
      { path: 'channel', message: 'is linked by its person: POST /users/:id/link-codes' },
    ]);
  const check = (others: readonly Contact[]) => {
    if (others.some((each) => isSame(each, contact)))
      throw conflict('address', 'is a contact of this person already');
    if (others.length >= accessLimits.contacts)
      throw conflict('', `a person has at most ${accessLimits.contacts} contacts`);
    // Those that are gone get none.
    const browsers = others.filter(({ channel, state }) => channel === browserChannel && !state);
    if (browser && browsers.length >= accessLimits.browsers)
      throw conflict('', `a person has at most ${accessLimits.browsers} browsers that take pushes`);
  };
  const { sql, ids } = parts;
  const creating = {
    ...{ act: actOf(call), ids, userId: user.id, contact, check },
    ...(browser && { subscription: browser.subscription }),
  };
  return ok(await createContact(sql, creating), 201);
}

type Address = Pick<Contact, 'channel' | 'address'>;

function isSame(one: Address, other: Address): boolean {
  if (one.channel !== other.channel) return false;
  if (one.channel === browserChannel) return isSameBrowser(one.address, other.address);
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
