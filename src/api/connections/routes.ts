// Accounts at vendors, by which an organization reaches people.
import Type from 'typebox';
import { accessLimits } from '../../limits/access.ts';
import { isDeviceChannel } from '../../resources/channels.ts';
import { connectionInput, connectionOutput } from '../../resources/connections/connection.ts';
import { manifestOf, vendorNamed } from '../../resources/connections/vendors.ts';
import { anything, flag, id, objectOf, optional, text } from '../../resources/declaration/field.ts';
import {
  type Connection,
  findConnection,
  listConnections,
} from '../../storage/connections/connections.ts';
import { type OpenConnection, openConnection } from '../../storage/connections/open-connections.ts';
import { readUsage } from '../../storage/connections/usage.ts';
import {
  AccountConnected,
  archiveConnection,
  changeConnection,
  createConnection,
  OtherAccount,
} from '../../storage/connections/write-connections.ts';
import { listContacts } from '../../storage/people/contacts.ts';
import { pageSchema, warned } from '../answers.ts';
import { countTest } from '../contacts/contact-test.ts';
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
  route,
} from '../people/writing.ts';
import { mergePatch } from '../records/body.ts';
import { flagParameter } from '../records/list-query.ts';
import { withWarnings } from '../records/rendering.ts';
import { type Call, ok, type Route } from '../route.ts';
import { callbackWarningOf, inboundModeOf, type ServerAddress } from './inbound-mode.ts';
import { lostChannels } from './lost-channels.ts';
import { reasonUnused } from './unused.ts';
import { vendorsRoute } from './vendors.ts';
import { ignored, readChange, readNew } from './written-connection.ts';

/** What was looked at of a connection, and what came of it. */
export type ConnectionCheck = {
  readonly name: string;
  readonly ok: boolean;
  readonly message: string;
};

type TestContact = { readonly channel: string; readonly address: string };

export type ConnectionParts = Pick<PeopleParts, 'sql' | 'ids' | 'secrets'> &
  ServerAddress & {
    /** Of the server's own settings: it is used in place of connections to others. */
    readonly hasMailServer: boolean;
    /** Calls the vendor; with a contact, sends a message there too. */
    readonly checkConnection: (
      connection: OpenConnection,
      to: TestContact | null,
    ) => Promise<readonly ConnectionCheck[]>;
  };

const tag = 'channel_connections';
const answers = { status: 200, schema: connectionOutput };
const changed = { status: 200, schema: warned(connectionOutput) };
const made = { ...answers, status: 201 };
const listed = { status: 200, schema: pageSchema(connectionOutput) };
const archived = { status: 200, schema: archivedOutput };

const testInput = objectOf({
  contact_id: optional(
    id(
      'A contact of the signed-in person that gets a test message. If absent, no message is sent.',
    ),
  ),
});

const testOutput = objectOf({
  checks: Type.Array(
    objectOf({
      name: text({ doc: 'What was checked.' }),
      ok: flag({ doc: 'Whether the check passed.' }),
      message: text({ doc: 'The result, as a sentence.' }),
    }),
    { description: 'The checks, in order.' },
  ),
});

export function connectionRoutes(parts: ConnectionParts): Route[] {
  const path = '/channel-connections/:id' as const;
  return [
    route('GET /channel-connections', 'manager', {
      tag,
      doc: 'Lists the channel connections in the order in which they are used.',
      query: {
        archived: flagParameter(
          'true returns only archived records. Otherwise, only active records are returned.',
        ),
      },
      answers: listed,
      handle: (call) => list(parts, call),
    }),
    route('POST /channel-connections', 'admin', {
      tag,
      doc: 'Adds a channel connection.',
      body: connectionInput,
      answers: made,
      ignored,
      handle: (call) => create(parts, call),
      again: async (call, connectionId) =>
        shown(parts, call, {
          connection: orNotFound(
            await findConnection(parts.sql, call.caller.organizationId, connectionId),
          ),
          status: 201,
        }),
    }),
    vendorsRoute(parts),
    route(`GET ${path}`, 'manager', {
      tag,
      doc: 'Returns a channel connection, including an archived one.',
      answers,
      handle: async (call) => shown(parts, call, { connection: await read(parts, call) }),
    }),
    route(`PATCH ${path}`, 'admin', {
      tag,
      doc: 'Updates a channel connection.',
      body: connectionInput,
      answers: changed,
      ignored,
      takesVersion: true,
      handle: (call) => change(parts, call, true),
    }),
    route(`PUT ${path}`, 'admin', {
      tag,
      doc: 'Replaces a channel connection. Secrets that are not sent stay unchanged.',
      body: connectionInput,
      answers: changed,
      ignored,
      takesVersion: true,
      handle: (call) => change(parts, call, false),
    }),
    route(`DELETE ${path}`, 'admin', {
      tag,
      doc: 'Archives a channel connection. Pager stops using it.',
      answers: archived,
      takesVersion: true,
      handle: (call) => archive(parts, call),
    }),
    route(`POST ${path}/restore`, 'admin', {
      tag,
      doc: 'Restores an archived channel connection.',
      answers,
      keysRefused: 'restore_is_dashboard_only',
      handle: (call) => restore(parts, call),
      again: async (call) => shown(parts, call, { connection: await read(parts, call) }),
    }),
    route(`GET ${path}/manifest`, 'manager', {
      tag,
      doc: 'Returns what the vendor needs for the app: for Slack and Microsoft Teams, the app manifest, and for Discord, `invite_url`, the link that adds the bot to a server.',
      answers: { status: 200, schema: anything('The manifest in the vendor’s format.') },
      handle: async (call) => ok(shownManifest(parts, await read(parts, call))),
    }),
    route(`POST ${path}/test`, 'admin', {
      tag,
      doc: 'Tests the credentials of a channel connection with the vendor.',
      body: testInput,
      bodyMayBeAbsent: true,
      answers: { status: 200, schema: testOutput },
      handle: (call) => check(parts, call),
    }),
  ];
}

/** The account is the whole organization's: to a key of some teams it is not there. */
function connectionIn(call: Call): string {
  if (call.caller.teamIds !== null) throw notFound();
  return idIn(call);
}

const read = async ({ sql }: ConnectionParts, call: Call) =>
  orNotFound(await findConnection(sql, call.caller.organizationId, connectionIn(call)));

async function list(parts: ConnectionParts, call: Call) {
  const { sql } = parts;
  needsWholeOrganization(call);
  const archived = readFlag(call, 'archived') ?? false;
  const { organizationId } = call.caller;
  const connections = await listConnections(sql, { organizationId, archived });
  const usageOf = await readUsage(sql, { organizationId, now: actOf(call).now });
  const data = connections.map((one) => rendered(parts, one, usageOf));
  return ok({ data, next_cursor: null });
}

type Shown = {
  readonly connection: Connection;
  readonly status?: 200 | 201;
  readonly warnings?: readonly string[];
};

async function shown(
  parts: ConnectionParts,
  call: Call,
  { connection, status = 200, warnings = [] }: Shown,
) {
  const { organizationId } = call.caller;
  const usageOf = await readUsage(parts.sql, { organizationId, now: actOf(call).now });
  return ok(withWarnings(rendered(parts, connection, usageOf), warnings), status);
}

function rendered(
  parts: ConnectionParts,
  connection: Connection,
  usageOf: Awaited<ReturnType<typeof readUsage>>,
) {
  const unused = reasonUnused(connection, parts.hasMailServer);
  const warning = callbackWarningOf(connection.vendor, parts);
  return {
    ...connection,
    usage: usageOf(connection.id),
    ...(unused !== null && { unused_reason: unused }),
    ...inboundModeOf(connection, parts.callbackUrlOf),
    ...(warning !== null && { callback_warning: warning }),
  };
}

async function create(parts: ConnectionParts, call: Call) {
  const { sql, ids, secrets } = parts;
  needsWholeOrganization(call);
  const written = readNew(call.body);
  const creating = { act: actOf(call), ids, secrets, written, check: needsRoom };
  const connection = await explained(createConnection(sql, creating));
  return shown(parts, call, { connection, status: 201 });
}

async function explained<T>(written: Promise<T>): Promise<T> {
  try {
    return await written;
  } catch (error) {
    if (error instanceof AccountConnected)
      throw conflict(accountAt(error), 'belongs to an account that is already connected');
    if (error instanceof OtherAccount) {
      const message = 'belongs to another account: add a separate connection for it';
      throw invalid([{ path: accountAt(error), message }]);
    }
    throw error;
  }
}

const accountAt = ({ vendor }: AccountConnected | OtherAccount): string =>
  vendorNamed(vendor)?.accountAt ?? '';

function needsRoom(others: readonly Connection[]): void {
  if (others.length >= accessLimits.connections)
    throw conflict(
      '',
      `the organization already has ${accessLimits.connections} connections, the maximum`,
    );
}

async function change(parts: ConnectionParts, call: Call, isPatch: boolean) {
  const { sql, ids, secrets } = parts;
  const id = connectionIn(call);
  const warningsAfter = await lostChannels(parts, call.caller);
  const changing = changeConnection(sql, {
    act: actOf(call),
    ids,
    secrets,
    id,
    change(before) {
      if (before.archived_at !== undefined) throw new Refusal('archived');
      checkVersion(call, before);
      const { name, vendor, position, enabled, settings } = before;
      const fields = { name, vendor, position, enabled, settings };
      const body = isPatch ? mergePatch(fields, call.body) : call.body;
      return readChange(body, { before, sent: call.body });
    },
  });
  const changed = orNotFound(await explained(changing));
  return shown(parts, call, {
    connection: changed,
    warnings: await warningsAfter(),
  });
}

async function archive(parts: ConnectionParts, call: Call) {
  const { sql, ids } = parts;
  const connectionId = connectionIn(call);
  const warningsAfter = await lostChannels(parts, call.caller);
  const archived = await archiveConnection(sql, {
    act: actOf(call),
    ids,
    id: connectionId,
    isArchived: true,
    check: (before) => checkVersion(call, before),
  });
  const { id, archived_at } = orNotFound(archived);
  return ok({ id, archived_at, warnings: await warningsAfter() });
}

async function restore(parts: ConnectionParts, call: Call) {
  const { sql, ids } = parts;
  const restoring = archiveConnection(sql, {
    act: actOf(call),
    ids,
    id: connectionIn(call),
    isArchived: false,
    check: (_before, others) => needsRoom(others),
  });
  return shown(parts, call, {
    connection: orNotFound(await explained(restoring)),
  });
}

function shownManifest({ publicUrl }: ConnectionParts, connection: Connection) {
  const { inviteUrl } = vendorNamed(connection.vendor) ?? {};
  if (inviteUrl !== undefined) return { invite_url: inviteUrl(connection.settings) };
  const manifest = manifestOf(connection, publicUrl);
  if (manifest === undefined) throw notFound();
  return manifest;
}

async function check(parts: ConnectionParts, call: Call) {
  const connection = await read(parts, call);
  const { contact_id } = readBody(testInput, call.body) as { contact_id?: string };
  const to =
    contact_id === undefined ? null : await ownContact(parts, call, { connection, contact_id });
  const open = await openConnection(parts, call.caller.organizationId, connection.id);
  if (open === null)
    throw new Refusal('unavailable', {
      message: 'The secrets cannot be decrypted. Enter them again.',
    });
  if (to !== null) await countTest(parts, call, { ...to, userId: call.caller.id });
  return ok({ checks: await parts.checkConnection(open, to) });
}

type OwnContact = { readonly connection: Connection; readonly contact_id: string };

async function ownContact(
  { sql }: ConnectionParts,
  { caller }: Call,
  { connection, contact_id }: OwnContact,
): Promise<TestContact> {
  const owner = { organizationId: caller.organizationId, userId: caller.id };
  const own = caller.kind === 'session' ? await listContacts(sql, owner) : [];
  const contact = own.find((each) => each.id === contact_id);
  // A device may be one of another server; each is tested as a contact.
  const isDevice = contact !== undefined && isDeviceChannel(contact.channel);
  if (contact?.verified && !isDevice && connection.channels.includes(contact.channel)) {
    const { channel, address } = contact;
    return { channel, address };
  }
  const message = isDevice
    ? 'is a device: send it a test page from its contact'
    : 'is not one of your verified contacts on this connection';
  throw invalid([{ path: 'contact_id', message }]);
}
