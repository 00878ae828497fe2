// Twilio as two channels: an organisation's accounts in their order, each tried until one has taken
// the notice. Whether it arrives is reported later, or requested by the next attempt.
import type { Clock } from '../../engine/clock.ts';
import { confirms, isFinal, type Receipt } from '../../engine/receiving/receipt.ts';
import type {
  Attempt,
  Delivery,
  HandedOver,
  NoticeChannel,
  Posted,
  ReportedDelivery,
} from '../../engine/sending/channel.ts';
import { distinct, endOf, nextRoute, unreportedOf } from '../../engine/sending/routes.ts';
import { sendingLimits } from '../../limits/sending.ts';
import type { Notice } from '../../notices/notice.ts';
import { callingCodeOf } from '../../resources/calling-codes.ts';
import { reasonAgainstNumber } from '../../resources/phone-prefixes.ts';
import { type InTurn, noteAnswer, undelivered } from '../vendor-fault.ts';
import type { VendorHttp } from '../vendor-http.ts';
import { clientOf, type Fields, type TwilioClient, type TwilioFailure } from './client.ts';
import {
  canReceive,
  listedNumberOf,
  type OpenAccount,
  senderOf,
  type TwilioChannelName,
  type TwilioConnection,
  twilioConnectionOf,
} from './connection.ts';
import { isTooMany, type TwilioFault, twilioFaultOf } from './failure.ts';
import { calls, type Medium, messages } from './medium.ts';
import { contactStateOf, notBegun, receiptOfCall } from './receipt.ts';
import { createTraces, type Traces } from './traces.ts';

export type TwilioOptions = InTurn<Pick<TwilioConnection, 'organization_id' | 'id'>> & {
  readonly baseUrl: string;
  readonly http: VendorHttp;
  readonly clock: Clock;
  /** Where Twilio can call Pager; null: nowhere. */
  readonly callbackUrl: string | null;
  /** Of an organisation, those that are used, in their order. */
  readonly connectionsOf: (organizationId: string) => Promise<readonly OpenAccount[]>;
  /** The number takes nothing more. */
  readonly lost: (
    contact: {
      readonly organizationId: string;
      readonly channel: TwilioChannelName;
      readonly address: string;
    },
    fault: { readonly reason: string; readonly state: 'opted_out' | 'invalid' },
  ) => Promise<void>;
  /**
   * Waits until it is the turn of what else would wait in a queue of Twilio’s; false: that is too
   * late.
   */
  readonly turn: (paced: {
    readonly connection: TwilioConnection;
    readonly channel: TwilioChannelName;
    readonly perSecond: number;
    readonly until: Temporal.Instant | undefined;
  }) => Promise<boolean>;
  /** Twilio gets too much at once: the others wait, instead of being refused one by one. */
  readonly hold: (connection: TwilioConnection, channel: TwilioChannelName) => Promise<void>;
};

export const createTwilioCalls = (options: TwilioOptions): NoticeChannel => ({
  ...createTwilioChannel(options, calls),
  show: (notice, posted) => endRinging(options, notice, posted),
});

export const createTwilioSms = (options: TwilioOptions): NoticeChannel =>
  createTwilioChannel(options, messages);

function createTwilioChannel(options: TwilioOptions, medium: Medium): NoticeChannel {
  const parts: Parts = { ...options, medium, traces: createTraces() };
  return {
    async send(notice, address, attempt) {
      const all = await options.connectionsOf(notice.organization.id);
      const serving = all
        .map(twilioConnectionOf)
        .filter((one) => senderOf(one, medium.channel) !== null);
      const connections = await options.inTurn(serving);
      const before = distinct(attempt?.earlier ?? []);
      const fate = await fateOf(parts, { notice, address, connections, earlier: before });
      if ('outcome' in fate) return fate;
      const { earlier, unknown } = fate;
      const unreported = unreportedOf(before.at(-1), earlier.at(-1));
      const route = nextRoute(connections, earlier);
      // Twilio knows more than silence: the end is told once it has said it.
      if ('end' in route)
        return unknown ? undelivered([unknown], '') : { outcome: route.end, reason: route.reason };
      const unused = connections.filter(
        ({ id }) => !earlier.some(({ connectionId }) => connectionId === id),
      );
      const first = connections.filter(({ id }) => id === route.connectionId);
      const order = [...first, ...unused.filter((one) => !first.includes(one))];
      return sendByFirst(parts, { notice, address, attempt, earlier, unreported }, order);
    },
  };
}

/**
 * A call that somebody else has made needless stops to ring. One that was answered goes on: its person
 * is listening, or has just pressed the key.
 */
async function endRinging(
  options: TwilioOptions,
  notice: Notice,
  { connectionId, messageId }: Posted,
): Promise<Delivery> {
  const isWanted = notice.about === 'incident' && notice.incident.status === 'triggered';
  const all = isWanted ? [] : await options.connectionsOf(notice.organization.id);
  const connection = all.find(({ id }) => id === connectionId);
  if (connection === undefined) return { outcome: 'delivered' };
  const client = clientOf(options, twilioConnectionOf(connection));
  const fetched = await client.fetch('Calls', messageId);
  if (!fetched.ok) return stillRinging(fetched.failure);
  if (!['queued', 'ringing'].includes(fetched.result.status)) return { outcome: 'delivered' };
  const ended = await client.cancel(messageId);
  if (!ended.ok) return stillRinging(ended.failure);
  if (ended.result.status === 'in-progress') return { outcome: 'delivered' };
  // Where Twilio cannot report it, whoever waits for the telephone has to know from here.
  const receipt = options.callbackUrl === null ? receiptOfCall('canceled', endedByUs) : null;
  return { outcome: 'delivered', ...(receipt && { receipt }) };
}

const endedByUs = { keys: 'missing' } as const;

/** It is tried again, unless the vendor knows of no such call. */
const stillRinging = (failure: TwilioFailure): Delivery =>
  failure.type === 'refused' && failure.status === 404
    ? { outcome: 'delivered' }
    : { outcome: 'retry', reason: twilioFaultOf(failure).reason };

type Parts = TwilioOptions & { readonly medium: Medium; readonly traces: Traces };

type Before = {
  readonly notice: Notice;
  readonly address: string;
  readonly connections: readonly TwilioConnection[];
  readonly earlier: readonly HandedOver[];
};

type Fate = {
  readonly earlier: readonly HandedOver[];
  /** Why Twilio did not say what became of one of them. */
  readonly unknown: TwilioFault | null;
};

/** What became of the earlier attempts: of those of which nothing final was reported, it is queried. */
async function fateOf(
  parts: Parts,
  { earlier, ...before }: Before,
): Promise<ReportedDelivery | Fate> {
  const all = await Promise.all(earlier.map((one) => queryOne(parts, { ...before, one })));
  const known: HandedOver[] = [];
  let unknown: TwilioFault | null = null;
  for (const [index, one] of earlier.entries()) {
    const queried = all[index];
    if (queried?.type === 'under_way')
      return {
        ...{ outcome: 'withheld', reason: 'the call is still under way' },
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

type Queried =
  | { readonly type: 'known'; readonly receipt: Receipt | null }
  | { readonly type: 'under_way' }
  /** Twilio did not answer. */
  | { readonly type: 'unknown'; readonly fault: TwilioFault };

async function queryOne(
  parts: Parts,
  { notice, address, connections, one }: One,
): Promise<Queried> {
  const { medium, callbackUrl } = parts;
  const { connectionId, vendorId, receipt: before } = one;
  const connection = connections.find(({ id }) => id === connectionId);
  const known = (receipt: Receipt | null): Queried => ({ type: 'known', receipt });
  if (connection === undefined || (before !== null && isFinal(before))) return known(before);
  const client = clientOf(parts, connection);
  const fetched = await client.fetch(medium.kind, vendorId);
  if (!fetched.ok) {
    const fault = twilioFaultOf(fetched.failure);
    return fault.blame === 'later' ? { type: 'unknown', fault } : known(before);
  }
  const { status, errorCode } = fetched.result;
  if (medium.kind === 'Calls') {
    if (status === 'ringing' || status === 'in-progress') return { type: 'under_way' };
    // It would ring at any time, for what may be over by then.
    const ended = status === 'queued' ? await client.cancel(vendorId) : null;
    if (ended?.ok && ended.result.status === 'canceled') return known(notBegun(connections));
  }
  const isCalledBack = callbackUrl !== null;
  const receipt = medium.receiptOf(fetched.result, { notice, isCalledBack }) ?? before;
  const state = receipt === null ? undefined : contactStateOf(receipt, errorCode);
  if (receipt !== null && state !== undefined) {
    const contact = { organizationId: notice.organization.id, channel: medium.channel, address };
    await parts.lost(contact, { reason: receipt.reason, state });
  }
  return known(receipt);
}

type Request = {
  readonly notice: Notice;
  readonly address: string;
  readonly attempt: Attempt | undefined;
  readonly earlier: readonly HandedOver[];
  readonly unreported: string | undefined;
};

async function sendByFirst(
  parts: Parts,
  request: Request,
  connections: readonly TwilioConnection[],
): Promise<ReportedDelivery> {
  const { channel } = parts.medium;
  const { address, notice, earlier } = request;
  const faults: Pick<TwilioFault, 'blame' | 'reason'>[] = [];
  for (const connection of connections) {
    const against = reasonAgainstNumber(address, connection.settings.allowed_prefixes);
    if (against !== null) {
      faults.push({ blame: 'connection', reason: `${connection.name}: the number ${against}` });
      continue;
    }
    const result = await sendBy(parts, request, connection, connections.length === 1);
    if ('outcome' in result) {
      if (result.outcome === 'handed_over') await noteAnswer(parts, connection, null);
      return result;
    }
    await noteAnswer(parts, connection, result);
    faults.push(result);
    const { blame, reason, contactState: state, maybeExecuted } = result;
    if (blame === 'contact') {
      const organizationId = notice.organization.id;
      if (state !== undefined)
        await parts.lost({ organizationId, channel, address }, { reason, state });
      // Where there is no such number, nothing has arrived before either.
      return ended(state === 'invalid' ? [] : earlier, reason);
    }
    // Another account would perhaps send it twice; it has its turn with the next try.
    if (maybeExecuted) break;
  }
  const later = faults.find(({ blame }) => blame === 'later');
  if (later !== undefined) return { outcome: 'retry', reason: later.reason };
  return ended(earlier, faults.map(({ reason }) => reason).join('; '));
}

function ended(earlier: readonly HandedOver[], reason: string): ReportedDelivery {
  return { outcome: endOf(earlier), reason };
}

async function sendBy(
  parts: Parts,
  { notice, address, attempt, earlier, unreported }: Request,
  connection: TwilioConnection,
  isOnly: boolean,
): Promise<ReportedDelivery | TwilioFault> {
  const { medium, traces, callbackUrl, clock } = parts;
  const { channel, kind } = medium;
  const { id, name, settings } = connection;
  const sender = senderOf(connection, channel);
  if (sender === null) throw new Error(`the connection ${id} has no sender for ${channel}`);
  const callback =
    attempt && callbackUrl !== null
      ? `${callbackUrl}/callbacks/${channel}/${id}/${attempt.handle}`
      : null;
  const client = clientOf(parts, connection);
  // Where Twilio cannot call Pager, it is polled.
  const isHeard = callbackUrl === null ? listedNumberOf(sender) !== null : canReceive(sender);
  const canReply = attempt !== undefined && isHeard;
  const fields = medium.fieldsOf({ notice, address, sender, callback, canReply, earlier });
  const trace = `${id} ${notice.key} ${address}`;
  const handedOver = (sid: string): ReportedDelivery => {
    traces.end(trace, sid);
    return {
      ...{ outcome: 'handed_over', connectionId: id, vendorId: sid, answer: `${sid} by ${name}` },
      receiptWithinSeconds: medium.receiptWithinSeconds,
      ...(unreported !== undefined && { before: unreported }),
      counted: { connectionId: id, country: callingCodeOf(address), ...medium.countedOf(fields) },
      ...(kind === 'Calls' && { posted: { connectionId: id, place: address, messageId: sid } }),
    };
  };
  const requested = { client, fields, address, earlier };
  const since = traces.since(trace) ?? attempt?.unknownSince;
  const before = since && (await findListed(parts, requested, since));
  if (before?.type === 'found') return handedOver(before.sid);
  // The next account has its turn: waiting for this one may take longer than the step.
  if (before?.type === 'unknown' && !isOnly) return { ...before.fault, maybeExecuted: false };
  // It ends before another server may send the notice, with a look at what was made of it.
  const until = attempt?.until.subtract({ milliseconds: 2 * sendingLimits.vendorCallTime });
  const isLate = () => until !== undefined && Temporal.Instant.compare(clock.now(), until) > 0;
  if (isLate()) return notInTime(`${name}: no time was left for it`);
  const perSecond = medium.perSecondOf(settings);
  if (!(await parts.turn({ connection, channel, perSecond, until })))
    return notInTime(`${name}: ${medium.laneFull}`);
  if (attempt !== undefined && !(await attempt.isWanted()))
    return { outcome: 'withheld', reason: 'the incident has changed meanwhile', forSeconds: 0 };
  if (isLate()) return notInTime(`${name}: no time was left for it`);
  const began = clock.now();
  const created = await client.create(kind, fields);
  if (created.ok) return handedOver(created.result.sid);
  if (isTooMany(created.failure)) await parts.hold(connection, channel);
  const fault = twilioFaultOf(created.failure);
  if (!fault.maybeExecuted) return fault;
  traces.begin(trace, began);
  const listed = await findListed(parts, requested, began);
  if (listed.type === 'found') return handedOver(listed.sid);
  return { ...fault, maybeExecuted: listed.type === 'unknown' };
}

/** Nothing was requested. */
const notInTime = (reason: string): TwilioFault => ({
  ...{ blame: 'later', reason, code: 0, maybeExecuted: false },
});

/** The clocks of both may differ by as much. */
const CLOCKS_SECONDS = 5;

type Requested = Pick<Request, 'address' | 'earlier'> & {
  readonly client: TwilioClient;
  readonly fields: Fields;
};

type Listed =
  | { readonly type: 'found'; readonly sid: string }
  /** Nothing was made of it. */
  | { readonly type: 'none' }
  /** Twilio did not answer. */
  | { readonly type: 'unknown'; readonly fault: TwilioFault };

/** What Twilio has made of a request that it did not answer. */
async function findListed(
  { medium, traces }: Parts,
  { client, fields, address, earlier }: Requested,
  since: Temporal.Instant,
): Promise<Listed> {
  const listed = await client.list(medium.kind, address);
  if (!listed.ok) return { type: 'unknown', fault: twilioFaultOf(listed.failure) };
  const oldest = since.subtract({ seconds: CLOCKS_SECONDS });
  const match = listed.result.find(
    (one) =>
      one.createdAt !== null &&
      Temporal.Instant.compare(one.createdAt, oldest) >= 0 &&
      !traces.isTaken(one.sid) &&
      !earlier.some(({ vendorId }) => vendorId === one.sid) &&
      medium.isSame(one, fields),
  );
  return match === undefined ? { type: 'none' } : { type: 'found', sid: match.sid };
}
