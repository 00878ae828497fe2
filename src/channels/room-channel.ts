// The rooms of a chat as a channel: an organization's connections in their order, each tried until one has
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

type Fault = VendorFault<string>;
type Named = Connected & { readonly name: string };
type Sent = Pick<PostedMessage, 'place' | 'messageId'>;

/** What a vendor of rooms does. None of it throws. */
export type RoomVendor<Connection> = {
  /** As people know it. */
  readonly title: string;
  /** Those of a room, in which each message waits; the last one is held while the room gets too much. */
  readonly lanesOf: (room: string) => readonly [...Lane[], Lane];
  /** In which room a message stands. */
  readonly roomOf: (place: string) => string;
  /** A post of its own. */
  readonly post: (
    connection: Connection,
    room: string,
    notice: Notice,
  ) => Promise<{ readonly sent: Sent } | { readonly fault: Fault }>;
  /** Below a post. */
  readonly reply: (
    connection: Connection,
    posted: PostedMessage,
    notice: Notice,
  ) => Promise<{ readonly sent: Sent } | { readonly fault: Fault }>;
  readonly edit: Change<Connection>;
  readonly comment: Change<Connection>;
  /** Of a request that changes nothing: why the vendor does not answer. */
  readonly probe: (connection: Connection) => Promise<Fault | null>;
};

type Change<Connection> = (
  connection: Connection,
  posted: PostedMessage,
  notice: Notice,
) => Promise<Fault | null>;

export type RoomParts<Connection> = InTurn<Connection> & {
  readonly lanes: LanePort;
  /** Of an organization, those that are used, in their order. */
  readonly connectionsOf: (organizationId: string) => Promise<readonly Connection[]>;
};

export function createRoomChannel<Connection extends Named>(
  vendor: RoomVendor<Connection>,
  parts: RoomParts<Connection>,
): Required<NoticeChannel> {
  const { lanes } = parts;
  const { title, lanesOf, roomOf } = vendor;
  const heldOf = (room: string) => lanesOf(room).at(-1)?.name ?? '';

  /** Why a page that the vendor may have taken before is not posted now; null: it is. */
  async function silenceBefore(connection: Connection, attempt: Attempt | undefined) {
    if (!attempt?.maybeTaken) return null;
    const silence = silenceOf(await vendor.probe(connection));
    if (silence !== null) await noteAnswer(parts, connection, silence);
    return silence;
  }

  type Post = {
    readonly room: string;
    readonly notice: Notice;
    readonly attempt: Attempt | undefined;
  };

  async function postBy(
    connections: readonly Connection[],
    { room, notice, attempt }: Post,
  ): Promise<ReportedDelivery> {
    const faults: Fault[] = [];
    for (const connection of await parts.inTurn(connections)) {
      const silence = await silenceBefore(connection, attempt);
      if (silence !== null) {
        faults.push(silence);
        break;
      }
      const turn = await turnOf(lanes, connection, { lanes: lanesOf(room), attempt });
      if ('unsent' in turn) {
        if ('outcome' in turn.unsent) return turn.unsent;
        faults.push(turn.unsent);
        continue;
      }
      const posted = await vendor.post(connection, room, notice);
      await noteAnswer(parts, connection, 'fault' in posted ? posted.fault : null);
      if ('sent' in posted) return delivered(posted.sent, connection);
      const { fault } = posted;
      faults.push(fault);
      await holdAfter(lanes, connection, heldOf(room), fault);
      // The vendor itself is in trouble: another connection would only wait as long, or post it twice.
      if (fault.blame === 'later' && fault.retryAfterSeconds === undefined) break;
    }
    return inDoubt(undelivered(faults, `no ${title} connection is set up`), faults);
  }

  async function changeBy(
    change: Change<Connection>,
    notice: Notice,
    posted: PostedMessage,
  ): Promise<Delivery> {
    const connections = await parts.connectionsOf(notice.organization.id);
    const connection = connections.find(({ id }) => id === posted.connectionId);
    if (connection === undefined)
      return { outcome: 'failed', reason: `its ${title} connection is not in use` };
    const room = roomOf(posted.place);
    const turn = await turnOfEdit(lanes, connection, lanesOf(room));
    if ('unsent' in turn) return turn.unsent;
    const fault = await change(connection, posted, notice);
    await noteAnswer(parts, connection, fault);
    if (fault === null) return { outcome: 'delivered' };
    await holdAfter(lanes, connection, heldOf(room), fault);
    return unchanged(fault);
  }

  return {
    threads: true,
    async send(notice, room, attempt) {
      const connections = await parts.connectionsOf(notice.organization.id);
      const thread = attempt?.thread ?? null;
      // What stands below a post is posted by the connection that posted it.
      const ofThread = connections.find(({ id }) => id === thread?.connectionId);
      if (thread === null || ofThread === undefined)
        return postBy(connections, { room, notice, attempt });
      const silence = await silenceBefore(ofThread, attempt);
      if (silence !== null) return undelivered([silence], '');
      const roomOfThread = roomOf(thread.place);
      const turn = await turnOf(lanes, ofThread, { lanes: lanesOf(roomOfThread), attempt });
      if ('unsent' in turn) return notSent(turn);
      const reply = await vendor.reply(ofThread, thread, notice);
      await noteAnswer(parts, ofThread, 'fault' in reply ? reply.fault : null);
      if ('fault' in reply) await holdAfter(lanes, ofThread, heldOf(roomOfThread), reply.fault);
      // The post above it shows the incident as it is: this one stays as it was written.
      if ('sent' in reply) return taken(reply.sent, ofThread);
      const { fault } = reply;
      if (fault.blame === 'later') return inDoubt(undelivered([fault], ''), [fault]);
      return postBy(connections, { room, notice, attempt });
    },
    show: (notice, posted) => changeBy(vendor.edit, notice, posted),
    comment: (notice, posted) => changeBy(vendor.comment, notice, posted),
  };
}

const taken = ({ place, messageId }: Sent, { id, name }: Named) =>
  ({
    outcome: 'delivered',
    answer: `message ${messageId} in ${place} by ${name}`,
    counted: { connectionId: id },
  }) as const satisfies Delivery;

const delivered = (sent: Sent, connection: Named): Delivery => ({
  ...taken(sent, connection),
  posted: [{ connectionId: connection.id, ...sent }],
});
