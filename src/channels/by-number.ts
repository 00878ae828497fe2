// Calls and SMS by the connections of an organisation, of whatever vendors, in their order: each is
// tried until one has taken the notice. Whether it arrives is reported later, or requested by the
// next attempt.
import type {
  Attempt,
  Delivery,
  HandedOver,
  NoticeChannel,
  PostedMessage,
  ReportedDelivery,
} from '../engine/sending/channel.ts';
import { confirms, isFinal, type Receipt } from '../engine/sending/receipt.ts';
import { distinct, endOf, nextRoute, unreportedOf } from '../engine/sending/retry-routes.ts';
import { sendingLimits } from '../limits/sending.ts';
import type { Notice } from '../notices/notice.ts';
import type { numberChannels } from '../resources/channels.ts';
import { prefixesIn } from '../resources/connections/numbers.ts';
import { reasonAgainstNewNumber, reasonAgainstNumber } from '../resources/phone-prefixes.ts';
import {
  blamed,
  type InTurn,
  inDoubt,
  noteAnswer,
  undelivered,
  type VendorFault,
  withheldOf,
} from './vendor-fault.ts';

export type NumberChannelName = (typeof numberChannels)[number];

/** An account at a vendor, as storage opens it. */
export type NumberConnection = {
  readonly organization_id: string;
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
};

export type NumberFault = VendorFault<'contact' | 'connection'> & {
  /** Why the contact cannot be used until its person does something. */
  readonly contactState?: 'opted_out' | 'invalid';
};

/** What has become of what a vendor took. */
export type Fate =
  /** `contactState`: the number takes nothing more. */
  | {
      readonly type: 'known';
      readonly receipt: Receipt | null;
      readonly contactState?: 'opted_out' | 'invalid' | undefined;
    }
  | { readonly type: 'under_way' }
  /** The vendor did not answer. */
  | { readonly type: 'unknown'; readonly fault: NumberFault };

/** A notice on its way to a number by one connection. */
export type NumberSending = {
  readonly connection: NumberConnection;
  readonly notice: Notice;
  readonly address: string;
  readonly attempt: Attempt | undefined;
  /** What vendors took of it before. */
  readonly earlier: readonly HandedOver[];
  /** What is to be said of the try before. */
  readonly unreported: string | undefined;
};

/** What one vendor does for a channel. Nothing throws. */
export type NumberVendor = {
  /** Whether the connection has what it sends from. */
  serves(connection: NumberConnection): boolean;
  send(sending: NumberSending): Promise<ReportedDelivery | NumberFault>;
  /**
   * What the account has made of requests whose answer nobody knows, such as those of a server that
   * was killed. Absent: the vendor does not say. A fault: it does not say; null: nothing, or there are none.
   */
  find?(sending: NumberSending): Promise<ReportedDelivery | NumberFault | null>;
  /** Asks what has become of one of `earlier`. `hasOther`: another connection may send it. */
  query(queried: {
    readonly connection: NumberConnection;
    readonly notice: Notice;
    readonly one: HandedOver;
    readonly hasOther: boolean;
  }): Promise<Fate>;
  /** Has what was sent show what the notice now is: what is needless stops to ring. */
  show?(connection: NumberConnection, notice: Notice, posted: PostedMessage): Promise<Delivery>;
};

export type NumberOptions = InTurn<Pick<NumberConnection, 'organization_id' | 'id' | 'vendor'>> & {
  readonly channel: NumberChannelName;
  readonly vendors: ReadonlyMap<string, NumberVendor>;
  /** Of an organisation, those that are used, of any vendor, in their order. */
  readonly connectionsOf: (organizationId: string) => Promise<readonly NumberConnection[]>;
  /** The number takes nothing more. */
  readonly lost: (
    contact: {
      readonly organizationId: string;
      readonly channel: NumberChannelName;
      readonly address: string;
    },
    fault: { readonly reason: string; readonly state: 'opted_out' | 'invalid' },
  ) => Promise<void>;
};

export function createNumberChannel(options: NumberOptions): NoticeChannel {
  const { vendors, connectionsOf } = options;
  return {
    async send(notice, address, attempt) {
      const all = await connectionsOf(notice.organization.id);
      const serving = all.filter((one) => vendors.get(one.vendor)?.serves(one) === true);
      const connections = await options.inTurn(serving);
      const before = distinct(attempt?.earlier ?? []);
      const fate = await fateOf(options, { notice, address, connections, earlier: before });
      if ('outcome' in fate) return fate;
      const { earlier, unknown } = fate;
      const unreported = unreportedOf(before.at(-1), earlier.at(-1));
      const route = nextRoute(connections, earlier);
      // The vendor knows more than silence: the end is told once it has said it.
      if ('end' in route)
        return unknown ? undelivered([unknown], '') : { outcome: route.end, reason: route.reason };
      const unused = connections.filter(
        ({ id }) => !earlier.some(({ connectionId }) => connectionId === id),
      );
      const first = connections.filter(({ id }) => id === route.connectionId);
      const order = [...first, ...unused.filter((one) => !first.includes(one))];
      const request = { notice, address, attempt, earlier, unreported };
      const silent = await findBefore(options, request, connections);
      return 'outcome' in silent ? silent : sendByFirst(options, request, { order, ...silent });
    },
    async show(notice, posted) {
      const all = await connectionsOf(notice.organization.id);
      const connection = all.find(({ id }) => id === posted.connectionId);
      const show = connection && vendors.get(connection.vendor)?.show;
      if (!show) return { outcome: 'delivered' };
      const shown = await show(connection, notice, posted);
      return shown.outcome === 'delivered' ? { ...shown, connectionName: connection.name } : shown;
    },
  };
}

type Before = {
  readonly notice: Notice;
  readonly address: string;
  readonly connections: readonly NumberConnection[];
  readonly earlier: readonly HandedOver[];
};

type Fates = {
  readonly earlier: readonly HandedOver[];
  /** Why a vendor did not say what became of one of them. */
  readonly unknown: NumberFault | null;
};

/** What became of the earlier attempts: of those of which nothing final was reported, it is queried. */
async function fateOf(
  options: NumberOptions,
  { earlier, ...before }: Before,
): Promise<ReportedDelivery | Fates> {
  const all = await Promise.all(earlier.map((one) => queryOne(options, { ...before, one })));
  const known: HandedOver[] = [];
  let unknown: NumberFault | null = null;
  for (const [index, one] of earlier.entries()) {
    const queried = all[index];
    if (queried?.type === 'under_way')
      return {
        outcome: 'withheld',
        reason: 'the call is still in progress',
        forSeconds: sendingLimits.callUnderWay,
      };
    if (queried?.type === 'unknown') unknown = queried.fault;
    const receipt = queried?.type === 'known' ? queried.receipt : one.receipt;
    if (receipt !== null && confirms(receipt))
      return {
        outcome: 'delivered',
        answer: `${one.vendorId}: ${receipt.reason || receipt.state}`,
      };
    known.push({ ...one, receipt });
  }
  return { earlier: known, unknown };
}

type One = Omit<Before, 'earlier'> & { readonly one: HandedOver };

async function queryOne(
  { vendors, channel, lost }: NumberOptions,
  { notice, address, connections, one }: One,
): Promise<Fate> {
  const { connectionId, receipt: before } = one;
  const connection = connections.find(({ id }) => id === connectionId);
  const vendor = connection && vendors.get(connection.vendor);
  if (connection === undefined || vendor === undefined || (before !== null && isFinal(before)))
    return { type: 'known', receipt: before };
  const hasOther = connections.length > 1;
  const fate = await vendor.query({ connection, notice, one, hasOther });
  if (fate.type === 'known' && fate.receipt !== null && fate.contactState !== undefined) {
    const contact = { organizationId: notice.organization.id, channel, address };
    await lost(contact, { reason: fate.receipt.reason, state: fate.contactState });
  }
  return fate;
}

type Request = Omit<NumberSending, 'connection'>;

/** By connection, why it did not say whether it has taken the notice before. */
type Silent = { readonly silent: ReadonlyMap<string, NumberFault> };

/** Any of the connections may have taken it, also one that would not be tried next. */
async function findBefore(
  options: NumberOptions,
  request: Request,
  connections: readonly NumberConnection[],
): Promise<ReportedDelivery | Silent> {
  const { vendors } = options;
  const answers = await Promise.all(
    connections
      .filter(({ settings }) => reasonAgainstNumber(request.address, prefixesIn(settings)) === null)
      .map(async (connection) => {
        const find = vendors.get(connection.vendor)?.find;
        return { connection, was: await find?.({ ...request, connection }) };
      }),
  );
  const silent = new Map<string, NumberFault>();
  let withheld: ReportedDelivery | null = null;
  for (const { connection, was } of answers) {
    if (!was) continue;
    if (!('outcome' in was)) silent.set(connection.id, was);
    else if (was.outcome === 'withheld') withheld = was;
    else return takenBy(options, connection, was);
  }
  return withheld ?? { silent };
}

/** What it answered shows that it works, if it has taken the notice. */
async function takenBy(
  options: NumberOptions,
  connection: NumberConnection,
  result: ReportedDelivery,
): Promise<ReportedDelivery> {
  if (result.outcome !== 'handed_over') return result;
  await noteAnswer(options, connection, null);
  return { ...result, connectionName: connection.name };
}

type Connections = Silent & { readonly order: readonly NumberConnection[] };

async function sendByFirst(
  options: NumberOptions,
  request: Request,
  { order, silent }: Connections,
): Promise<ReportedDelivery> {
  const { channel, vendors } = options;
  const { address, notice, earlier } = request;
  const faults: Unsent[] = [];
  const inDoubtOf: NumberFault[] = [];
  const isOnly = order.length === 1;
  for (const connection of order) {
    const vendor = vendors.get(connection.vendor);
    if (vendor === undefined) continue;
    // Nobody has confirmed the number that a code is sent to.
    const reasonAgainst = notice.about === 'contact' ? reasonAgainstNewNumber : reasonAgainstNumber;
    const against = reasonAgainst(address, prefixesIn(connection.settings));
    if (against !== null) {
      faults.push({ blame: 'connection', reason: `${connection.name}: the number ${against}` });
      continue;
    }
    // The next one has its turn: waiting for this one may take longer than the step.
    const fault = isOnly ? undefined : silent.get(connection.id);
    const result = fault ?? (await vendor.send({ ...request, connection }));
    if ('outcome' in result) return takenBy(options, connection, result);
    await noteAnswer(options, connection, result);
    faults.push(result);
    // Nobody can be asked whether it was taken.
    if (vendor.find === undefined) inDoubtOf.push(result);
    const { blame, reason, contactState: state, maybeExecuted } = result;
    if (blame === 'contact') {
      const organizationId = notice.organization.id;
      if (state !== undefined)
        await options.lost({ organizationId, channel, address }, { reason, state });
      // Where there is no such number, nothing has arrived before either.
      return ended(state === 'invalid' ? [] : earlier, [result]);
    }
    // Another connection would perhaps send it twice; it has its turn with the next try.
    if (maybeExecuted) break;
  }
  const withheld = withheldOf(faults);
  if (withheld !== null) return withheld;
  const later = faults.find(
    ({ blame, turnInSeconds }) => blame === 'later' && turnInSeconds === undefined,
  );
  if (later !== undefined) return inDoubt(noAnswer(later), inDoubtOf);
  return ended(earlier, faults);
}

type Unsent = Pick<NumberFault, 'blame' | 'reason' | 'turnInSeconds' | 'retryAfterSeconds'>;

const noAnswer = ({ reason, retryAfterSeconds }: Unsent): Parameters<typeof inDoubt>[0] => ({
  outcome: 'no_answer',
  reason,
  ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
});

/** Without another way. */
function ended(
  earlier: readonly HandedOver[],
  faults: readonly Pick<NumberFault, 'blame' | 'reason'>[],
): ReportedDelivery {
  const reason = faults.map((one) => one.reason).join('; ');
  const outcome = endOf(earlier);
  if (outcome === 'unconfirmed') return { outcome, reason };
  return { outcome, reason, ...blamed(faults) };
}
