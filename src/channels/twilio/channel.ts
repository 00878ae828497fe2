// Twilio as two channels: what one account does for calls and SMS.
import type { Clock } from '../../engine/clock.ts';
import type { Delivery, PostedMessage, ReportedDelivery } from '../../engine/sending/channel.ts';
import { sendingLimits } from '../../limits/sending.ts';
import type { Notice } from '../../notices/notice.ts';
import { callbackAddress } from '../../replies/callback.ts';
import { callingCodeOf } from '../../resources/calling-codes.ts';
import type { Fate, NumberConnection, NumberSending, NumberVendor } from '../by-number.ts';
import type { VendorHttp } from '../vendor-http.ts';
import { clientOf, type Fields, type TwilioClient, type TwilioFailure } from './client.ts';
import {
  canReceive,
  listedNumberOf,
  senderOf,
  type TwilioChannelName,
  twilioConnectionOf,
} from './connection.ts';
import { isTooMany, type TwilioFault, twilioFaultOf } from './failure.ts';
import { calls, messages, type TwilioProduct } from './products.ts';
import { contactStateOf, notBegun, receiptOfCall } from './receipt.ts';
import { createTraces, type Traces } from './traces.ts';

export type TwilioOptions = {
  readonly baseUrl: string;
  readonly http: VendorHttp;
  readonly clock: Clock;
  /** Where Twilio can call Pager; null: nowhere. */
  readonly callbackUrl: string | null;
  /**
   * Waits until it is the turn of what else would wait in a queue of Twilio’s; false: that is too
   * late.
   */
  readonly turn: (paced: {
    readonly connection: Pick<NumberConnection, 'organization_id' | 'id'>;
    readonly channel: TwilioChannelName;
    readonly perSecond: number;
    readonly until: Temporal.Instant | undefined;
  }) => Promise<boolean>;
  /** Twilio gets too much at once: the others wait, instead of being refused one by one. */
  readonly hold: (
    connection: Pick<NumberConnection, 'organization_id' | 'id'>,
    channel: TwilioChannelName,
  ) => Promise<void>;
  /** Which of these ids are recorded as what was sent of other notices. */
  readonly takenByOthers: (
    notice: Notice,
    vendorIds: readonly string[],
  ) => Promise<ReadonlySet<string>>;
};

export const twilioCalls = (options: TwilioOptions): NumberVendor => ({
  ...twilioVendor(options, calls),
  show: (connection, notice, posted) => endRinging(options, connection, notice, posted),
});

export const twilioSms = (options: TwilioOptions): NumberVendor => twilioVendor(options, messages);

function twilioVendor(options: TwilioOptions, medium: TwilioProduct): NumberVendor {
  const parts: Parts = { ...options, medium, traces: createTraces() };
  return {
    serves: (connection) => senderOf(twilioConnectionOf(connection), medium.channel) !== null,
    send: (sending) => sendBy(parts, sending),
    find: (sending) => findBefore(parts, sending),
    query: (queried) => queryOne(parts, queried),
  };
}

/**
 * A call that somebody else has made needless stops to ring. One that was answered goes on: its person
 * is listening, or has just pressed the key.
 */
async function endRinging(
  options: TwilioOptions,
  connection: NumberConnection,
  notice: Notice,
  { messageId }: PostedMessage,
): Promise<Delivery> {
  const isWanted = notice.about === 'incident' && notice.incident.status === 'triggered';
  if (isWanted) return { outcome: 'delivered' };
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
    : { outcome: 'no_answer', reason: twilioFaultOf(failure).reason };

type Parts = TwilioOptions & { readonly medium: TwilioProduct; readonly traces: Traces };

async function queryOne(
  parts: Parts,
  { connection: open, notice, one, hasOther }: Parameters<NumberVendor['query']>[0],
): Promise<Fate> {
  const { medium, callbackUrl } = parts;
  const { vendorId, receipt: before } = one;
  const connection = twilioConnectionOf(open);
  const client = clientOf(parts, connection);
  const fetched = await client.fetch(medium.kind, vendorId);
  if (!fetched.ok) {
    const fault = twilioFaultOf(fetched.failure);
    return fault.blame === 'later'
      ? { type: 'unknown', fault }
      : { type: 'known', receipt: before };
  }
  const { status, errorCode } = fetched.result;
  if (medium.kind === 'Calls') {
    if (status === 'ringing' || status === 'in-progress') return { type: 'under_way' };
    // It would ring at any time, for what may be over by then.
    const ended = status === 'queued' ? await client.cancel(vendorId) : null;
    if (ended?.ok && ended.result.status === 'canceled')
      return { type: 'known', receipt: notBegun(hasOther) };
  }
  const isCalledBack = callbackUrl !== null;
  const receipt = medium.receiptOf(fetched.result, { notice, isCalledBack }) ?? before;
  const contactState = receipt === null ? undefined : contactStateOf(receipt, errorCode);
  return { type: 'known', receipt, contactState };
}

/** What is requested of an account, and how it is told once the account has taken it. */
function requestOf(
  { medium, traces, callbackUrl, ...parts }: Parts,
  { connection: open, notice, address, attempt, earlier, unreported }: NumberSending,
) {
  const { channel, kind } = medium;
  const connection = twilioConnectionOf(open);
  const { id, name } = connection;
  const sender = senderOf(connection, channel);
  if (sender === null) throw new Error(`the connection ${id} has no sender for ${channel}`);
  const callback =
    attempt && callbackUrl !== null
      ? `${callbackAddress(callbackUrl, channel, id)}/${attempt.handle}`
      : null;
  // Where Twilio cannot call Pager, it is polled.
  const isHeard = callbackUrl === null ? listedNumberOf(sender) !== null : canReceive(sender);
  const actions = connection.settings.sms_actions;
  const canReply = attempt !== undefined && isHeard && actions !== 'none';
  const fields = medium.fieldsOf({
    notice,
    address,
    sender,
    callback,
    canReply,
    actions,
    earlier,
  });
  const trace = `${notice.key} ${address}`;
  const handedOver = (sid: string): ReportedDelivery => {
    traces.end(trace, sid);
    return {
      outcome: 'handed_over',
      connectionId: id,
      vendorId: sid,
      answer: `${sid} by ${name}`,
      receiptWithinSeconds: medium.receiptWithinSeconds,
      ...(unreported !== undefined && { before: unreported }),
      counted: { connectionId: id, country: callingCodeOf(address), ...medium.countedOf(fields) },
      ...(kind === 'Calls' && { posted: { connectionId: id, place: address, messageId: sid } }),
    };
  };
  const client = clientOf(parts, connection);
  return { connection, client, notice, fields, address, earlier, trace, handedOver };
}

/** Of requests whose answer nobody knows. */
async function findBefore(
  parts: Parts,
  sending: NumberSending,
): Promise<ReportedDelivery | TwilioFault | null> {
  const requested = requestOf(parts, sending);
  const { connection, trace, handedOver } = requested;
  const { traces, clock } = parts;
  const own = traces.since(trace, connection.id);
  const since = own ?? sending.attempt?.unknownSince;
  if (since === undefined) return null;
  const listed = await findListed(parts, requested, since);
  if (listed.type === 'found') return handedOver(listed.sid);
  if (listed.type === 'unknown') return { ...listed.fault, maybeExecuted: false };
  // When a server was killed nobody knows: what it requested may not be listed yet.
  if (traces.lostAt(trace, connection.id) === null)
    traces.begin(trace, connection.id, { since: null, lostAt: clock.now() });
  const forSeconds = unlistedSeconds(parts, requested);
  if (forSeconds > 0) {
    const reason = `${connection.name}: what was requested may not be listed yet`;
    return { outcome: 'withheld', reason, forSeconds };
  }
  if (own === null) return null;
  traces.forget(trace, connection.id);
  // Another connection has its turn.
  return {
    blame: 'later',
    code: 0,
    maybeExecuted: false,
    reason: `${connection.name}: Twilio did not respond and created nothing`,
  };
}

/** For how long an empty list is not believed, as Twilio lists a while later what it has made. */
function unlistedSeconds(
  { traces, clock }: Parts,
  { trace, connection }: Pick<ReturnType<typeof requestOf>, 'trace' | 'connection'>,
): number {
  const lostAt = traces.lostAt(trace, connection.id);
  if (lostAt === null) return 0;
  const believed = lostAt.add({ seconds: sendingLimits.listedWithin });
  const ms = believed.epochMilliseconds - clock.now().epochMilliseconds;
  return Math.max(0, Math.ceil(ms / 1_000));
}

async function sendBy(
  parts: Parts,
  sending: NumberSending,
): Promise<ReportedDelivery | TwilioFault> {
  const { medium, traces, clock } = parts;
  const { channel, kind } = medium;
  const requested = requestOf(parts, sending);
  const { connection, client, fields, trace, handedOver } = requested;
  const { name, settings } = connection;
  const { attempt } = sending;
  // It ends before another server may send the notice, with a look at what was made of it.
  const until = attempt?.until.subtract({ milliseconds: 2 * sendingLimits.vendorCallTime });
  const isLate = () => until !== undefined && Temporal.Instant.compare(clock.now(), until) > 0;
  if (isLate()) return notInTime(`${name}: there was no time left`, 0);
  const perSecond = medium.perSecondOf(settings);
  if (!(await parts.turn({ connection, channel, perSecond, until })))
    return notInTime(`${name}: ${medium.laneFull}`, sendingLimits.laneHold);
  if (attempt !== undefined && !(await attempt.isWanted()))
    return { outcome: 'withheld', reason: 'the incident has changed since then', forSeconds: 0 };
  if (isLate()) return notInTime(`${name}: there was no time left`, 0);
  const began = clock.now();
  const created = await client.create(kind, fields);
  if (created.ok) return handedOver(created.result.sid);
  if (isTooMany(created.failure)) await parts.hold(connection, channel);
  const fault = twilioFaultOf(created.failure);
  if (!fault.maybeExecuted) return fault;
  traces.begin(trace, connection.id, { since: began, lostAt: clock.now() });
  const listed = await findListed(parts, requested, began);
  if (listed.type === 'found') return handedOver(listed.sid);
  if (listed.type === 'unknown') return fault;
  const retryAfterSeconds = unlistedSeconds(parts, requested);
  return { ...fault, maybeExecuted: retryAfterSeconds > 0, retryAfterSeconds };
}

/** Nothing was requested. */
const notInTime = (reason: string, turnInSeconds: number): TwilioFault => ({
  blame: 'later',
  reason,
  code: 0,
  maybeExecuted: false,
  turnInSeconds,
});

/** The clocks of both may differ by as much. */
const CLOCKS_SECONDS = 5;

type Requested = Pick<NumberSending, 'notice' | 'address' | 'earlier'> & {
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
  { medium, traces, takenByOthers }: Parts,
  { client, notice, fields, address, earlier }: Requested,
  since: Temporal.Instant,
): Promise<Listed> {
  const listed = await client.list(medium.kind, address);
  if (!listed.ok) return { type: 'unknown', fault: twilioFaultOf(listed.failure) };
  const oldest = since.subtract({ seconds: CLOCKS_SECONDS });
  const matching = listed.result.filter(
    (one) =>
      one.createdAt !== null &&
      Temporal.Instant.compare(one.createdAt, oldest) >= 0 &&
      !traces.isTaken(one.sid) &&
      !earlier.some(({ vendorId }) => vendorId === one.sid) &&
      medium.isSame(one, fields),
  );
  if (matching.length === 0) return { type: 'none' };
  // Another server has sent it, or this one before it was started.
  const taken = await takenByOthers(
    notice,
    matching.map(({ sid }) => sid),
  );
  const match = matching.find(({ sid }) => !taken.has(sid));
  return match === undefined ? { type: 'none' } : { type: 'found', sid: match.sid };
}
