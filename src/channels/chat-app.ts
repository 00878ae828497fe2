// An app in a chat as a channel: an organisation's connections in their order, each tried until one has
// posted. Where a post about the incident stands, what follows goes below it.
import type {
  Attempt,
  Delivery,
  NoticeChannel,
  PostedMessage,
  ReportedDelivery,
} from '../engine/sending/channel.ts';
import type { Notice } from '../notices/notice.ts';
import {
  type Connected,
  holdAfter,
  type Lane,
  type LanePort,
  notSent,
  turnOf,
  turnOfEdit,
} from './lanes.ts';
import {
  type InTurn,
  inDoubt,
  noteAnswer,
  silenceOf,
  unchanged,
  undelivered,
  type VendorFault,
} from './vendor-fault.ts';

/** An app, as a connection has it. */
export type ChatConnection = Connected & {
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
};

export type ChatAppOptions = InTurn<ChatConnection> & {
  readonly lanes: LanePort;
  /** Of an organisation, those that are used, in their order. */
  readonly connectionsOf: (organizationId: string) => Promise<readonly ChatConnection[]>;
};

/** A message that stands in a chat. */
export type ChatPost = Pick<PostedMessage, 'place' | 'messageId'>;

export type ChatResult<Fault> = ({ readonly sent: ChatPost } | { readonly fault: Fault }) & {
  /** Nothing more is taken there for that time. */
  readonly fullForSeconds?: number;
};

type Fault = VendorFault<string>;
type Written = { readonly notice: Notice; readonly once?: string | undefined };

/** What a vendor does for it. Nothing of it throws. */
export type ChatApp<Of extends Fault> = {
  readonly title: string;
  /** For a message in a place, one below another, or an edit there. The last is of that alone. */
  readonly lanes: (what: 'post' | 'reply' | 'edit', place: string) => readonly [Lane, ...Lane[]];
  /** Whether everything of the connection waits, and not only that place. */
  readonly isOfAll?: (fault: Of) => boolean;
  readonly post: (
    connection: ChatConnection,
    place: string,
    written: Written,
  ) => Promise<ChatResult<Of>>;
  readonly reply: (
    connection: ChatConnection,
    post: ChatPost,
    written: Written,
  ) => Promise<ChatResult<Of>>;
  /** Null: nothing is to be changed. */
  readonly edit: Change<Of>;
  readonly comment: Change<Of>;
  /** Whether somebody has deleted the message that was to be changed: it is posted anew. */
  readonly isDeleted?: (fault: Of) => boolean;
  /** Whether it answers. Absent: it takes no message twice, so nobody has to know. */
  readonly probe?: (connection: ChatConnection) => Promise<Of | null>;
};

type Change<Of> = (
  connection: ChatConnection,
  post: ChatPost,
  notice: Notice,
) => Promise<ChatResult<Of> | null>;

export function createChatApp<Of extends Fault>(
  options: ChatAppOptions,
  app: ChatApp<Of>,
): Required<NoticeChannel> {
  return {
    threads: true,
    async send(notice, place, attempt) {
      const connections = await options.connectionsOf(notice.organization.id);
      const thread = attempt?.thread ?? null;
      // What stands below a post is posted by the app that posted it.
      const ofThread = connections.find(({ id }) => id === thread?.connectionId);
      if (thread !== null && ofThread !== undefined) {
        const silence = await silenceBefore(options, app, { connection: ofThread, attempt });
        if (silence !== null) return undelivered([silence], '');
        const lanes = app.lanes('reply', thread.place);
        const turn = await turnOf(options.lanes, ofThread, { lanes, attempt });
        if ('unsent' in turn) return notSent(turn);
        const reply = await app.reply(ofThread, thread, { notice, once: attempt?.once });
        await noteResult(options, app, { connection: ofThread, lanes, result: reply });
        // The post above it shows the incident as it is: this one stays as it was written.
        if ('sent' in reply) return taken(reply.sent, ofThread);
        const { fault } = reply;
        if (fault.blame === 'later') return untaken(app, [fault], '');
      }
      return postBy(options, app, { connections, place, notice, attempt });
    },

    show: (notice, posted) => changeBy(options, app, { how: 'edit', notice, posted }),
    comment: (notice, posted) => changeBy(options, app, { how: 'comment', notice, posted }),
  };
}

type Changing = {
  readonly how: 'edit' | 'comment';
  readonly notice: Notice;
  readonly posted: PostedMessage;
};

/** By the app that posted it. */
async function changeBy<Of extends Fault>(
  options: ChatAppOptions,
  app: ChatApp<Of>,
  { how, notice, posted }: Changing,
): Promise<Delivery> {
  const connections = await options.connectionsOf(notice.organization.id);
  const connection = connections.find(({ id }) => id === posted.connectionId);
  if (connection === undefined)
    return { outcome: 'failed', reason: `its ${app.title} connection is not in use` };
  const lanes = app.lanes(how === 'edit' ? 'edit' : 'reply', posted.place);
  const turn = await turnOfEdit(options.lanes, connection, lanes);
  if ('unsent' in turn) return turn.unsent;
  const result = await app[how](connection, posted, notice);
  if (result === null) return { outcome: 'delivered' };
  await noteResult(options, app, { connection, lanes, result });
  if ('sent' in result) return { outcome: 'delivered' };
  if (how === 'edit' && app.isDeleted?.(result.fault))
    return postAnew(options, app, { connection, notice, posted });
  return unchanged(result.fault);
}

type Deleted = {
  readonly connection: ChatConnection;
  readonly notice: Notice;
  readonly posted: PostedMessage;
};

/** Once, by the id of the message that was deleted, and without a mention: it calls nobody again. */
async function postAnew<Of extends Fault>(
  options: ChatAppOptions,
  app: ChatApp<Of>,
  { connection, notice, posted: { place, messageId } }: Deleted,
): Promise<Delivery> {
  const lanes = app.lanes('post', place);
  const turn = await turnOfEdit(options.lanes, connection, lanes);
  if ('unsent' in turn) return turn.unsent;
  const { mention: _called, ...silent } = notice;
  const result = await app.post(connection, place, { notice: silent, once: messageId });
  await noteResult(options, app, { connection, lanes, result });
  if ('fault' in result) return unchanged(result.fault);
  return { outcome: 'delivered', insteadBy: { connectionId: connection.id, ...result.sent } };
}

type Posting = {
  readonly connections: readonly ChatConnection[];
  readonly place: string;
  readonly notice: Notice;
  readonly attempt: Attempt | undefined;
};

async function postBy<Of extends Fault>(
  options: ChatAppOptions,
  app: ChatApp<Of>,
  { connections, place, notice, attempt }: Posting,
): Promise<ReportedDelivery> {
  const faults: Fault[] = [];
  const lanes = app.lanes('post', place);
  for (const connection of await options.inTurn(connections)) {
    const silence = await silenceBefore(options, app, { connection, attempt });
    if (silence !== null) {
      faults.push(silence);
      break;
    }
    const turn = await turnOf(options.lanes, connection, { lanes, attempt });
    if ('unsent' in turn) {
      if ('outcome' in turn.unsent) return turn.unsent;
      faults.push(turn.unsent);
      continue;
    }
    const result = await app.post(connection, place, { notice, once: attempt?.once });
    await noteResult(options, app, { connection, lanes, result });
    if ('sent' in result) return delivered(result.sent, connection);
    const { fault } = result;
    faults.push(fault);
    // The vendor itself is in trouble: another app would only wait as long, or post it twice.
    if (fault.blame === 'later' && fault.retryAfterSeconds === undefined) break;
  }
  return untaken(app, faults, `no ${app.title} connection is set up`);
}

type Result<Of> = {
  readonly connection: ChatConnection;
  readonly lanes: readonly [Lane, ...Lane[]];
  readonly result: ChatResult<Of>;
};

/** The health of the connection, and how long others wait. */
async function noteResult<Of extends Fault>(
  options: ChatAppOptions,
  { isOfAll }: ChatApp<Of>,
  { connection, lanes, result }: Result<Of>,
): Promise<void> {
  const fault = 'fault' in result ? result.fault : null;
  await noteAnswer(options, connection, fault);
  const [first] = lanes;
  const own = lanes.at(-1) ?? first;
  if (fault !== null)
    await holdAfter(options.lanes, connection, isOfAll?.(fault) ? first.name : own.name, fault);
  const { fullForSeconds } = result;
  if (fullForSeconds !== undefined)
    await options.lanes.hold(connection, own.name, Math.ceil(fullForSeconds));
}

type Before = { readonly connection: ChatConnection; readonly attempt: Attempt | undefined };

/** Why a page that the vendor may have taken before is not posted now; null: it is. */
async function silenceBefore<Of extends Fault>(
  options: ChatAppOptions,
  { probe }: ChatApp<Of>,
  { connection, attempt }: Before,
): Promise<Of | null> {
  if (!attempt?.maybeTaken || probe === undefined) return null;
  const silence = silenceOf(await probe(connection));
  if (silence !== null) await noteAnswer(options, connection, silence);
  return silence;
}

/** Whoever takes no message twice has not taken it for all that matters. */
function untaken<Of extends Fault>(
  { probe }: ChatApp<Of>,
  faults: readonly Fault[],
  withoutConnection: string,
): ReportedDelivery {
  const delivery = undelivered(faults, withoutConnection);
  return probe === undefined ? delivery : inDoubt(delivery, faults);
}

const taken = ({ place, messageId }: ChatPost, { id, name }: ChatConnection) =>
  ({
    outcome: 'delivered',
    answer: `message ${messageId} in ${place} by ${name}`,
    counted: { connectionId: id },
  }) as const satisfies Delivery;

const delivered = (sent: ChatPost, connection: ChatConnection): Delivery => ({
  ...taken(sent, connection),
  posted: [{ connectionId: connection.id, ...sent }],
});
