// Accounts at vendors, by which an organisation reaches people.
import Type from 'typebox';
import { accessLimits } from '../../limits/access.ts';
import {
  connectionInput,
  connectionOutput,
  vendors,
} from '../../resources/connections/connection.ts';
import { flag, id, objectOf, optional, text } from '../../resources/declaration/field.ts';
import type { Problem } from '../../resources/declaration/resource.ts';
import { isObject, readObject, requiredMessage } from '../../resources/declaration/validate.ts';
import {
  AccountConnected,
  archiveConnection,
  type Connection,
  type ConnectionFields,
  changeConnection,
  createConnection,
  findConnection,
  listConnections,
  type OpenConnection,
  OtherAccount,
  openConnection,
} from '../../storage/connections/connections.ts';
import { listContacts } from '../../storage/people/contacts.ts';
import { pageSchema } from '../answers.ts';
import { invalid, notFound, Refusal } from '../failures.ts';
import { readFlag } from '../people/listing.ts';
import { archivedOutput } from '../people/shapes.ts';
import {
  actOf,
  checkVersion,
  conflict,
  idIn,
  needsWholeOrganization,
  orNotFound,
  type PeopleParts,
  readBody,
  readOnly,
  route,
} from '../people/writing.ts';
import { mergePatch } from '../records/body.ts';
import { type Call, ok, type Route } from '../route.ts';

/** What was looked at of a connection, and what came of it. */
export type ConnectionCheck = {
  readonly name: string;
  readonly ok: boolean;
  readonly message: string;
};

export type ConnectionParts = Pick<PeopleParts, 'sql' | 'ids' | 'secrets'> & {
  /** Calls the vendor; with an address, sends a message there too. */
  readonly checkConnection: (
    connection: OpenConnection,
    address: string | null,
  ) => Promise<readonly ConnectionCheck[]>;
};

const tag = 'channel_connections';
const answers = { status: 200, schema: connectionOutput };
const made = { ...answers, status: 201 };
const listed = { status: 200, schema: pageSchema(connectionOutput) };
const archived = { status: 200, schema: archivedOutput };

const testInput = objectOf({
  contact_id: optional(
    id('A contact of the signed-in person, to which a message is sent; none is when absent.'),
  ),
});

const testOutput = objectOf({
  checks: Type.Array(
    objectOf({
      name: text({ doc: 'What was checked.' }),
      ok: flag({ doc: 'Whether it is as it should be.' }),
      message: text({ doc: 'What came of it, as a sentence.' }),
    }),
    { description: 'What was checked, in this order.' },
  ),
});

export function connectionRoutes(parts: ConnectionParts): Route[] {
  const path = '/channel-connections/:id' as const;
  return [
    route('GET /channel-connections', 'manager', {
      ...{ tag, doc: 'Lists the channel connections, in the order in which they are used.' },
      query: { archived: 'true: only archived ones; otherwise only active ones.' },
      answers: listed,
      handle: (call) => list(parts, call),
    }),
    route('POST /channel-connections', 'admin', {
      ...{ tag, doc: 'Adds a channel connection.', body: connectionInput, answers: made },
      handle: (call) => create(parts, call),
      again: async ({ caller }, connectionId) =>
        ok(orNotFound(await findConnection(parts.sql, caller.organizationId, connectionId)), 201),
    }),
    route(`GET ${path}`, 'manager', {
      ...{ tag, doc: 'Reads a channel connection, an archived one too.', answers },
      handle: async (call) => ok(await read(parts, call)),
    }),
    route(`PATCH ${path}`, 'admin', {
      ...{ tag, doc: 'Changes a channel connection.', body: connectionInput, answers },
      handle: (call) => change(parts, call, true),
    }),
    route(`PUT ${path}`, 'admin', {
      ...{ tag, doc: 'Replaces a channel connection; its secrets stay where it names none.' },
      ...{ body: connectionInput, answers },
      handle: (call) => change(parts, call, false),
    }),
    route(`DELETE ${path}`, 'admin', {
      ...{ tag, doc: 'Archives a channel connection: nobody is paged by it any more.' },
      answers: archived,
      handle: (call) => archive(parts, call),
    }),
    route(`POST ${path}/restore`, 'admin', {
      ...{ tag, doc: 'Restores one archived channel connection.', answers },
      keysRefused: 'restore_is_dashboard_only',
      handle: (call) => restore(parts, call),
      again: async (call) => ok(await read(parts, call)),
    }),
    route(`POST ${path}/test`, 'admin', {
      ...{ tag, doc: 'Calls the vendor with the credentials of a channel connection.' },
      ...{ body: testInput, answers: { status: 200, schema: testOutput } },
      handle: (call) => check(parts, call),
    }),
  ];
}

/** The account is the whole organisation's: to a key of some teams it is not there. */
function connectionIn(call: Call): string {
  if (call.caller.teamIds !== null) throw notFound();
  return idIn(call);
}

const read = async ({ sql }: ConnectionParts, call: Call) =>
  orNotFound(await findConnection(sql, call.caller.organizationId, connectionIn(call)));

async function list({ sql }: ConnectionParts, call: Call) {
  needsWholeOrganization(call);
  const archived = readFlag(call, 'archived') ?? false;
  const { organizationId } = call.caller;
  const data = await listConnections(sql, { organizationId, archived });
  return ok({ data, next_cursor: null });
}

type Sent = ConnectionFields & { readonly secrets?: Readonly<Record<string, string>> };

/** What a client reads and may send back. */
const ignored = [...readOnly, 'channels', 'account', 'health'];

function readSent(body: unknown): ConnectionFields & { newSecrets: Record<string, string> } {
  const read = readObject(connectionInput, withoutStored(body), { ignored });
  if (!read.ok) throw invalid(read.problems);
  // The reader has held it to the schema.
  const { name, vendor, position = 1, enabled, secrets = {} } = read.value as Sent;
  return { name, vendor, position, enabled, newSecrets: { ...secrets } };
}

/** Without what stands in an answer in the place of a secret. */
function withoutStored(body: unknown): unknown {
  if (!isObject(body) || !isObject(body['secrets'])) return body;
  const secrets = Object.entries(body['secrets']).filter(([, value]) => !isObject(value));
  return { ...body, secrets: Object.fromEntries(secrets) };
}

async function create({ sql, ids, secrets }: ConnectionParts, call: Call) {
  needsWholeOrganization(call);
  const written = readSent(call.body);
  const missing = missingSecrets(written);
  if (missing.length > 0) throw invalid(missing);
  const creating = { act: actOf(call), ids, secrets, written, check: needsRoom };
  return ok(await explained(createConnection(sql, creating)), 201);
}

async function explained<T>(written: Promise<T>): Promise<T> {
  try {
    return await written;
  } catch (error) {
    if (error instanceof AccountConnected)
      throw conflict('secrets', 'are of an account that is connected already');
    if (error instanceof OtherAccount)
      throw invalid([
        { path: 'secrets', message: 'are of another account: add another connection for it' },
      ]);
    throw error;
  }
}

function missingSecrets({ vendor, newSecrets }: ReturnType<typeof readSent>): readonly Problem[] {
  const declared = vendors.find((each) => each.vendor === vendor)?.secrets ?? {};
  return Object.keys(declared)
    .filter((name) => newSecrets[name] === undefined)
    .map((name) => ({ path: `secrets.${name}`, message: requiredMessage }));
}

function needsRoom(others: readonly Connection[]): void {
  if (others.length >= accessLimits.connections)
    throw conflict('', `an organisation has at most ${accessLimits.connections} connections`);
}

async function change({ sql, ids, secrets }: ConnectionParts, call: Call, isPatch: boolean) {
  const changing = changeConnection(sql, {
    ...{ act: actOf(call), ids, secrets, id: connectionIn(call) },
    change(before) {
      if (before.archived_at !== undefined) throw new Refusal('archived');
      checkVersion(call, before);
      const { name, vendor, position, enabled } = before;
      const fields = { name, vendor, position, enabled };
      const written = readSent(isPatch ? mergePatch(fields, call.body) : call.body);
      if (written.vendor !== vendor)
        throw invalid([{ path: 'vendor', message: `stays ${vendor}: add another connection` }]);
      return written;
    },
  });
  return ok(orNotFound(await explained(changing)));
}

async function archive({ sql, ids }: ConnectionParts, call: Call) {
  const archived = await archiveConnection(sql, {
    ...{ act: actOf(call), ids, id: connectionIn(call), isArchived: true },
    check: (before) => checkVersion(call, before),
  });
  const { id, archived_at } = orNotFound(archived);
  return ok({ id, archived_at, warnings: [] });
}

async function restore({ sql, ids }: ConnectionParts, call: Call) {
  const restoring = archiveConnection(sql, {
    ...{ act: actOf(call), ids, id: connectionIn(call), isArchived: false },
    check: (_before, others) => needsRoom(others),
  });
  return ok(orNotFound(await explained(restoring)));
}

async function check(parts: ConnectionParts, call: Call) {
  const connection = await read(parts, call);
  const { contact_id } = readBody(testInput, call.body ?? {}) as { contact_id?: string };
  const address =
    contact_id === undefined ? null : await ownAddress(parts, call, { connection, contact_id });
  const open = await openConnection(parts, call.caller.organizationId, connection.id);
  if (open === null)
    throw new Refusal('unavailable', { message: 'Its secrets cannot be read: set them anew.' });
  return ok({ checks: await parts.checkConnection(open, address) });
}

type OwnContact = { readonly connection: Connection; readonly contact_id: string };

async function ownAddress(
  { sql }: ConnectionParts,
  { caller }: Call,
  { connection, contact_id }: OwnContact,
): Promise<string> {
  const owner = { organizationId: caller.organizationId, userId: caller.id };
  const own = caller.kind === 'session' ? await listContacts(sql, owner) : [];
  const contact = own.find((each) => each.id === contact_id);
  if (contact?.verified && connection.channels.includes(contact.channel)) return contact.address;
  const message = 'names no verified contact of yours that this connection serves';
  throw invalid([{ path: 'contact_id', message }]);
}
