// Twilio as three channels: what one account does for calls, SMS and WhatsApp.
import type { Clock } from '../../engine/clock.ts';
import type { Delivery, PostedMessage, ReportedDelivery } from '../../engine/sending/channel.ts';
import { isFinal } from '../../engine/sending/receipt.ts';
import { sendingLimits } from '../../limits/sending.ts';
import type { Notice } from '../../notices/notice.ts';
import { callbackAddress } from '../../replies/callback.ts';
import { callingCodeOf } from '../../resources/calling-codes.ts';
import type { Fate, NumberConnection, NumberSending, NumberVendor } from '../by-number.ts';
import { type LanePort, turnOf } from '../lanes.ts';
import type { VendorHttp } from '../vendor-http.ts';
import {
  type HasOpenWindow,
  HOLD_SECONDS,
  mayArriveAsTemplate,
  mayWriteFreely,
  withoutTemplate,
} from '../whatsapp.ts';
import { clientOf, type Fields, type TwilioFailure, type TwilioResource } from './client.ts';
import {
  canReceive,
  listedNumberOf,
  senderOf,
  type TwilioChannelName,
  type TwilioConnection,
  twilioConnectionOf,
} from './connection.ts';
import { isTooMany, OUTSIDE_WINDOW, type TwilioFault, twilioFaultOf } from './failure.ts';
import { calls, messages, type TwilioProduct } from './products.ts';
import { contactStateOf, notBegun, receiptOfCall } from './receipt.ts';
import { createTraces, type Traces } from './traces.ts';
import { whatsApp } from './whatsapp.ts';

export type TwilioOptions = {
  readonly hasOpenWindow: HasOpenWindow;
  readonly lanes: LanePort;
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

export const twilioWhatsApp = (options: TwilioOptions): NumberVendor =>
  twilioVendor(options, whatsApp);

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
  const { settings } = connection;
  const canReply = attempt !== undefined && isHeard;
  const fieldsOf = ({ isFree }: { readonly isFree: boolean }) =>
    medium.fieldsOf({
      notice,
      address,
      sender,
      callback,
      canReply,
      isFree,
      settings,
      earlier,
    });
  const trace = `${notice.key} ${address}`;
  const handedOver = (
    sid: string,
    fields: Fields,
    receiptWithinSeconds = medium.receiptWithinSeconds,
  ): ReportedDelivery => {
    traces.end(trace, sid);
    return {
      outcome: 'handed_over',
      connectionId: id,
      vendorId: sid,
      answer: `${sid} by ${name}`,
      receiptWithinSeconds,
      ...(unreported !== undefined && { before: unreported }),
      counted: { connectionId: id, country: callingCodeOf(address), ...medium.countedOf(fields) },
      ...(kind === 'Calls' && { posted: { connectionId: id, place: address, messageId: sid } }),
    };
  };
  /** Nobody may have heard how it ended: the next attempt asks at once. */
  const takenUp = ({ resource, fields }: ListedRequest): ReportedDelivery => {
    const receipt = medium.receiptOf(resource, { notice, isCalledBack: callback !== null });
    const isOver = receipt !== null && isFinal(receipt);
    return handedOver(resource.sid, fields, isOver ? 0 : medium.receiptWithinSeconds);
  };
  const client = clientOf(parts, connection);
  return { connection, client, notice, fieldsOf, earlier, trace, handedOver, takenUp };
}

/** What an account has of a request, and which of its forms that was. */
type ListedRequest = { readonly resource: TwilioResource; readonly fields: Fields };

/** Of requests whose answer nobody knows. */
async function findBefore(
  parts: Parts,
  sending: NumberSending,
): Promise<ReportedDelivery | TwilioFault | null> {
  const requested = requestOf(parts, sending);
  const { connection, trace, takenUp } = requested;
  const { traces, clock } = parts;
  const own = traces.since(trace, connection.id);
  const since = own ?? sending.attempt?.unknownSince;
  if (since === undefined) return null;
  const listed = await findListed(parts, requested, since);
  if (listed.type === 'found') return takenUp(listed);
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
  const { traces, clock } = parts;
  const requested = requestOf(parts, sending);
  const { connection, client, trace, handedOver, takenUp } = requested;
  const forms = await formsOf(parts, sending, requested);
  if ('blame' in forms) return forms;
  const unsent = await turnIn(parts, sending, connection);
  if (unsent !== null) return unsent;
  const began = clock.now();
  let fault: TwilioFault | null = null;
  for (const fields of forms) {
    const created = await client.create(parts.medium.kind, fields);
    if (created.ok) return handedOver(created.result.sid, fields);
    if (isTooMany(created.failure)) await holdOthers(parts, connection, sending.address);
    fault = twilioFaultOf(created.failure);
    if (!mayArriveAsTemplate(fault, OUTSIDE_WINDOW)) break;
  }
  if (fault === null) throw new Error('there is nothing to send');
  if (isOutside(fault) && forms.at(-1)?.['Body'] !== undefined)
    return withoutTemplate(connection.name, 'notice_content_sid');
  if (!fault.maybeExecuted) return fault;
  traces.begin(trace, connection.id, { since: began, lostAt: clock.now() });
  const listed = await findListed(parts, requested, began);
  if (listed.type === 'found') return takenUp(listed);
  if (listed.type === 'unknown') return fault;
  const retryAfterSeconds = unlistedSeconds(parts, requested);
  return { ...fault, maybeExecuted: retryAfterSeconds > 0, retryAfterSeconds };
}

type Requested = ReturnType<typeof requestOf>;

const isOutside = ({ code }: TwilioFault): boolean => code === OUTSIDE_WINDOW;

/** What is requested, in this order, until Twilio takes it: a text in WhatsApp may still arrive as a template. */
async function formsOf(
  parts: Parts,
  { notice, address, earlier }: NumberSending,
  { connection, fieldsOf }: Requested,
): Promise<readonly Fields[] | TwilioFault> {
  if (parts.medium.channel !== 'whatsapp') return formsIn(fieldsOf, [false]);
  // Of a test page, the buttons are tested, too.
  const isTest = notice.about === 'incident' && notice.gotIt !== undefined;
  const isFree = !isTest && (await mayWriteFreely(parts, connection, { address, earlier }));
  const forms = formsIn(fieldsOf, isFree ? [true, false] : [false]);
  return forms.length > 0 ? forms : withoutTemplate(connection.name, 'notice_content_sid');
}

const formsIn = (fieldsOf: Requested['fieldsOf'], free: readonly boolean[]): readonly Fields[] =>
  free.map((isFree) => fieldsOf({ isFree })).filter((fields) => fields !== null);

/** Waits for its turn. What is to be said instead of sending it; null: nothing. */
async function turnIn(
  { medium, clock, lanes, ...parts }: Parts,
  { attempt, address }: NumberSending,
  connection: TwilioConnection,
): Promise<ReportedDelivery | TwilioFault | null> {
  const { channel } = medium;
  const { name, settings } = connection;
  // It ends before another server may send the notice, with a look at what was made of it.
  const until = attempt?.until.subtract({ milliseconds: 2 * sendingLimits.vendorCallTime });
  const isLate = () => until !== undefined && Temporal.Instant.compare(clock.now(), until) > 0;
  const late = notInTime(`${name}: there was no time left`, 0);
  if (isLate()) return late;
  if ('lanesOf' in medium) {
    const turn = await turnOf(lanes, connection, { lanes: medium.lanesOf(address), attempt });
    if ('unsent' in turn)
      return 'outcome' in turn.unsent ? turn.unsent : { ...turn.unsent, code: 0 };
    return isLate() ? late : null;
  }
  const perSecond = medium.perSecondOf(settings);
  if (!(await parts.turn({ connection, channel, perSecond, until })))
    return notInTime(`${name}: ${medium.laneFull}`, sendingLimits.laneHold);
  if (attempt !== undefined && !(await attempt.isWanted()))
    return { outcome: 'withheld', reason: 'the incident has changed since then', forSeconds: 0 };
  return isLate() ? late : null;
}

/** The others wait, instead of being refused one by one. */
async function holdOthers(
  { medium, lanes, hold }: Parts,
  connection: TwilioConnection,
  address: string,
): Promise<void> {
  if (!('lanesOf' in medium)) return hold(connection, medium.channel);
  const lane = medium.lanesOf(address).at(-1);
  if (lane) await lanes.hold(connection, lane.name, HOLD_SECONDS);
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

type Listed =
  | (ListedRequest & { readonly type: 'found' })
  /** Nothing was made of it. */
  | { readonly type: 'none' }
  /** Twilio did not answer. */
  | { readonly type: 'unknown'; readonly fault: TwilioFault };

/** What Twilio has made of a request that it did not answer. */
async function findListed(
  { medium, traces, takenByOthers }: Parts,
  { client, notice, fieldsOf, earlier }: Requested,
  since: Temporal.Instant,
): Promise<Listed> {
  // Whichever of them it was.
  const forms = formsIn(fieldsOf, [false, true]);
  const listed = await client.list(medium.kind, String(forms[0]?.['To']));
  if (!listed.ok) return { type: 'unknown', fault: twilioFaultOf(listed.failure) };
  const oldest = since.subtract({ seconds: CLOCKS_SECONDS });
  const sameIn = (one: TwilioResource) => forms.find((fields) => medium.isSame(one, fields));
  const matching = listed.result.filter(
    (one) =>
      one.createdAt !== null &&
      Temporal.Instant.compare(one.createdAt, oldest) >= 0 &&
      !traces.isTaken(one.sid) &&
      !earlier.some(({ vendorId }) => vendorId === one.sid) &&
      sameIn(one) !== undefined,
  );
  if (matching.length === 0) return { type: 'none' };
  // Another server has sent it, or this one before it was started.
  const taken = await takenByOthers(
    notice,
    matching.map(({ sid }) => sid),
  );
  const match = matching.find(({ sid }) => !taken.has(sid));
  const fields = match && sameIn(match);
  return match && fields ? { type: 'found', resource: match, fields } : { type: 'none' };
}
