// Twilio on loopback, with two accounts, their phones and its SMS centre. It holds every request to the
// contract, refuses what Twilio refuses, and signs what it sends as Twilio does.
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type FakePhone, pickUp } from './phone.ts';
import {
  bodyLengthMax,
  twilioContract as contract,
  type TwilioCallback,
  twimlLengthMax,
} from './twilio-contract.ts';
import {
  approvalResource,
  contentResource,
  contents as contentsOf,
  type FakeContent,
  filledIn,
  type PressedButton,
  whatsAppFields,
} from './twilio-whatsapp.ts';
import { readTwiml } from './twiml.ts';

type Fields = Readonly<Record<string, string | readonly string[]>>;
type CallbackFields = Readonly<Record<string, string>>;
type Kind = 'Calls' | 'Messages';

type Common = {
  readonly sid: string;
  /** By which account of the customer. */
  readonly account: string;
  readonly to: string;
  readonly from: string | null;
  readonly createdAt: Temporal.Instant;
  readonly statusCallback: string | null;
  /** As they were sent. */
  readonly fields: Fields;
};

export type FakeCall = Common & {
  readonly twiml: string;
  readonly events: readonly string[];
  status:
    | 'queued'
    | 'ringing'
    | 'in-progress'
    | 'completed'
    | 'busy'
    | 'no-answer'
    | 'failed'
    | 'canceled';
  sequence: number;
};

export type FakeMessage = Common & {
  readonly body: string;
  readonly segments: number;
  readonly service: string | null;
  /** Of a content template. */
  readonly buttons: FakeContent['buttons'];
  readonly content: FakeContent | null;
  status:
    | 'queued'
    | 'sent'
    | 'delivered'
    | 'read'
    | 'undelivered'
    | 'failed'
    | 'canceled'
    | 'received';
  errorCode: number | null;
};

/** What Twilio sent to an address of its customer, and what that answered. */
export type SentCallback = {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly signature: string;
  readonly status: number;
  readonly body: string;
};

/** What becomes of the next creation, fetch or list. */
export type Misbehaviour =
  | {
      readonly type: 'refuse';
      readonly status: number;
      readonly code: number;
      readonly message: string;
    }
  | { readonly type: 'broken' }
  /** Never answered, and not done. */
  | { readonly type: 'hang' }
  | { readonly type: 'reset' }
  /** Done, and the connection breaks before the answer. */
  | { readonly type: 'answer_lost' }
  /** Done, and an error is answered. */
  | { readonly type: 'done_but_broken' }
  /** Done, and never answered. */
  | { readonly type: 'done_but_hangs' };

const done: readonly Misbehaviour['type'][] = ['answer_lost', 'done_but_broken', 'done_but_hangs'];

/** How requests end while it is down: nothing is done. */
export type Outage = 'broken' | 'hang' | 'reset';

/** What a person with this number does by themselves. */
export type Habit =
  | { readonly type: 'presses'; readonly keys: readonly string[] }
  /** A mailbox: it takes the call, and presses nothing. */
  | { readonly type: 'voicemail' | 'busy' | 'no_answer' }
  /** Twilio refuses whatever is to be sent there. */
  | { readonly type: 'refused'; readonly status: number; readonly code: number }
  /** Of messages. */
  | { readonly type: 'receives' }
  | { readonly type: 'out_of_reach'; readonly code: number };

/** What becomes of what is sent to the customer. */
type Receipts = 'sent' | 'lost' | 'twice' | 'held';

export type FakeTwilio = AsyncDisposable & {
  readonly url: string;
  readonly account: { readonly sid: string; readonly name: string };
  /** Another one of the same customer, with the same token. */
  readonly otherAccount: { readonly sid: string };
  readonly authToken: string;
  readonly apiKey: { readonly sid: string; readonly secret: string };
  /** A number of the account. */
  readonly number: string;
  readonly calls: readonly FakeCall[];
  readonly messages: readonly FakeMessage[];
  /** What people have written to it. */
  readonly received: readonly FakeMessage[];
  readonly requests: readonly { readonly operation: string; readonly fields: Fields }[];
  readonly callbacks: readonly SentCallback[];
  /** Receipts that are held, oldest first. */
  readonly held: readonly (() => Promise<SentCallback>)[];
  ring(callSid: string): Promise<void>;
  /** Somebody takes the call. */
  answer(callSid: string): Promise<FakePhone>;
  busy(callSid: string): Promise<void>;
  noAnswer(callSid: string): Promise<void>;
  failCall(callSid: string, sipCode: number): Promise<void>;
  /** A message goes on. */
  report(messageSid: string, status: FakeMessage['status'], errorCode?: number): Promise<void>;
  /** Somebody writes to a number of the account; answers what they get in return, at once. */
  text(from: string, body: string): Promise<readonly string[]>;
  /** The same in WhatsApp; `repliedTo`: the message that it is a reply to. */
  write(from: string, body: string, repliedTo?: FakeMessage): Promise<readonly string[]>;
  press(message: FakeMessage, title: string): Promise<readonly string[]>;
  /** Content templates, which change in the console and at WhatsApp. */
  readonly contents: readonly FakeContent[];
  /** Where messages to the number are sent. */
  setMessageWebhook(url: string): void;
  /** The same of the WhatsApp sender. */
  setWhatsAppWebhook(url: string): void;
  setHabit(number: string, habit: Habit): void;
  setReceipts(how: Receipts): void;
  /** Lists show what was made only after that time. */
  lagLists(seconds: number): void;
  /** Receipts of creations are sent before these are answered. */
  callBackFirst(): void;
  /** Sends something to the customer that somebody else has signed. */
  forge(url: string, fields: Readonly<Record<string, string>>): Promise<SentCallback>;
  misbehave(operation: string, how: Misbehaviour): void;
  /** Until it comes back, for one account or for all; breaks off what hangs. */
  goDown(how: Outage, accountSid?: string): void;
  comeBack(): void;
  /** Requests that hang since it is down. */
  readonly hanging: ReadonlySet<ServerResponse>;
  suspend(): void;
  makeTrial(): void;
  revokeToken(): void;
  /** Resolves once what numbers do by themselves is done. */
  settled(): Promise<void>;
};

const ACCOUNT = 'AC0123456789abcdef0123456789abcdef';
const OTHER_ACCOUNT = 'AC00112233445566778899aabbccddeeff';
const TOKEN = '0c5bd4f9f1c24cd69ee57a0f5c1f7e21';
const KEY = {
  sid: 'SK0123456789abcdef0123456789abcdef',
  secret: 'fakeSecretOfTheApiKey0123456789A',
};
const NUMBER = '+15005550006';
const SERVICE = 'MG0123456789abcdef0123456789abcdef';

type Reply = { readonly status: number; readonly body: unknown };

export async function startFakeTwilio(
  now: () => Temporal.Instant = () => Temporal.Instant.fromEpochMilliseconds(Date.now()),
): Promise<FakeTwilio> {
  const calls: FakeCall[] = [];
  const messages: FakeMessage[] = [];
  const received: FakeMessage[] = [];
  const requests: { operation: string; fields: Fields }[] = [];
  const callbacks: SentCallback[] = [];
  const held: (() => Promise<SentCallback>)[] = [];
  const habits = new Map<string, Habit>();
  const optedOut = new Set<string>();
  const misbehaviours: { readonly operation: string; readonly how: Misbehaviour }[] = [];
  const doings = new Set<Promise<unknown>>();
  const hanging = new Set<ServerResponse>();
  let outage: { readonly how: Outage; readonly account: string | undefined } | null = null;
  let receipts: Receipts = 'sent';
  let isCalledBackFirst = false;
  let listLag = 0;
  let messageWebhook: string | null = null;
  let whatsAppWebhook: string | null = null;
  const contents = contentsOf();
  /** When somebody last wrote in WhatsApp. */
  const wroteAt = new Map<string, Temporal.Instant>();
  let state = { status: 'active', type: 'Full', isRevoked: false };
  let lastSid = 0;

  const sidOf = (prefix: string) => {
    lastSid += 1;
    return prefix + lastSid.toString(16).padStart(32, '0');
  };
  const one = <Thing extends Common>(things: readonly Thing[], sid: string): Thing => {
    const thing = things.find((each) => each.sid === sid);
    if (!thing) throw new Error(`there is no ${sid}`);
    return thing;
  };

  async function send(what: TwilioCallback, url: string, fields: CallbackFields) {
    const problem = contract.callbackProblem(what, fields);
    if (problem !== undefined) throw new Error(`the fake: ${problem}`);
    return deliver(url, fields, TOKEN);
  }

  async function deliver(
    url: string,
    fields: CallbackFields,
    token: string,
  ): Promise<SentCallback> {
    const signature = signatureOf(url, fields, token);
    const request = fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
        'x-twilio-signature': signature,
        'user-agent': 'TwilioProxy/1.1',
      },
      body: new URLSearchParams(fields).toString(),
    });
    // To a customer that does not answer Twilio sends no more than a warning.
    const { status, body } = await request.then(
      async (answer) => ({ status: answer.status, body: await answer.text() }),
      (error: Error) => ({ status: 0, body: String(error.cause) }),
    );
    const callback = { url, fields, signature, status, body };
    callbacks.push(callback);
    return callback;
  }

  async function sendReceipt(what: TwilioCallback, url: string | null, fields: CallbackFields) {
    if (url === null || receipts === 'lost') return;
    if (receipts === 'held') {
      held.push(() => send(what, url, fields));
      return;
    }
    await send(what, url, fields);
    if (receipts === 'twice') await send(what, url, fields);
  }

  const callFields = (call: FakeCall) => ({
    CallSid: call.sid,
    AccountSid: call.account,
    From: call.from ?? '',
    To: call.to,
    Called: call.to,
    Caller: call.from ?? '',
    CallStatus: call.status,
    ApiVersion: '2010-04-01',
    Direction: 'outbound-api',
  });

  async function advance(
    call: FakeCall,
    event: 'initiated' | 'ringing' | 'answered' | 'completed',
    more: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    if (!call.events.includes(event)) return;
    await sendReceipt('the report of a call', call.statusCallback, {
      ...callFields(call),
      ...(event === 'initiated' && { CallStatus: 'initiated' }),
      CallbackSource: 'call-progress-events',
      SequenceNumber: String(call.sequence++),
      Timestamp: rfc2822(now()),
      ...more,
    });
  }

  async function endCall(call: FakeCall, status: FakeCall['status'], sipCode = 200) {
    call.status = status;
    const duration = status === 'completed' ? '12' : '0';
    await advance(call, 'completed', {
      CallDuration: duration,
      SipResponseCode: String(sipCode),
      ...(status === 'completed' && { Duration: '1' }),
    });
  }

  async function ring(sid: string) {
    const call = one(calls, sid);
    call.status = 'ringing';
    await advance(call, 'ringing');
  }

  async function answer(sid: string): Promise<FakePhone> {
    const call = one(calls, sid);
    call.status = 'in-progress';
    await advance(call, 'answered');
    return pickUp(call.twiml, {
      async press(action, key) {
        const more = { Digits: key, msg: 'Gather End', FinishedOnKey: '' };
        return (await send('a pressed key', action, { ...callFields(call), ...more })).body;
      },
      ended: () => endCall(call, 'completed'),
    });
  }

  async function report(sid: string, status: FakeMessage['status'], errorCode?: number) {
    const message = one(messages, sid);
    Object.assign(message, { status, errorCode: errorCode ?? null });
    await sendReceipt('the report of a message', message.statusCallback, {
      MessageSid: sid,
      SmsSid: sid,
      MessageStatus: status,
      SmsStatus: status,
      AccountSid: message.account,
      To: message.to,
      ApiVersion: '2010-04-01',
      ...(message.from !== null && { From: message.from }),
      ...(message.service !== null && { MessagingServiceSid: message.service }),
      ...(errorCode !== undefined && { ErrorCode: String(errorCode) }),
      ...(isWhatsApp(message.to) && {
        ChannelPrefix: 'whatsapp',
        ChannelInstallSid: `XE${'0'.repeat(32)}`,
        EventType: status.toUpperCase(),
      }),
    });
  }

  async function live(call: FakeCall, habit: Habit): Promise<void> {
    await advance(call, 'initiated');
    await ring(call.sid);
    if (habit.type === 'busy') return endCall(call, 'busy', 486);
    if (habit.type === 'no_answer') return endCall(call, 'no-answer', 487);
    const phone = await answer(call.sid);
    for (const key of habit.type === 'presses' ? habit.keys : []) await phone.press(key);
    await phone.listen();
  }

  /** WhatsApp takes templates that it has approved, and anything for a day after the person wrote. */
  function mayArrive({ to, content }: FakeMessage): boolean {
    const at = wroteAt.get(to);
    const isOpen = at !== undefined && Temporal.Instant.compare(at.add({ hours: 24 }), now()) > 0;
    return isOpen || content?.status === 'approved';
  }

  async function receive(message: FakeMessage, habit: Habit): Promise<void> {
    await report(message.sid, 'sent');
    if (habit.type === 'receives') return report(message.sid, 'delivered');
    if (habit.type === 'out_of_reach') return report(message.sid, 'undelivered', habit.code);
  }

  function createCall(account: string, fields: Fields): Reply | FakeCall {
    const [to, from, twiml] = [
      textIn(fields, 'To'),
      textIn(fields, 'From'),
      textIn(fields, 'Twiml'),
    ];
    if (!isNumber(to)) return refused(400, 21211, `Invalid 'To' Phone Number: ${to}`);
    if (from !== NUMBER)
      return refused(
        400,
        21210,
        `The source phone number provided, ${from}, is not yet verified for your account. You may only make calls from phone numbers that you've verified or purchased from Twilio.`,
      );
    if (twiml === '' || twiml.length > twimlLengthMax)
      return refused(400, 21205, 'Twiml must be between 1 and 4000 characters');
    if (state.type === 'Trial' && !habits.has(to))
      return refused(
        400,
        21219,
        `The number ${to} is unverified. Trial accounts may only make calls to verified numbers.`,
      );
    const events = fields['StatusCallbackEvent'] ?? ['completed'];
    return {
      sid: sidOf('CA'),
      account,
      to,
      from,
      twiml,
      fields,
      createdAt: now(),
      statusCallback: textIn(fields, 'StatusCallback') || null,
      events: typeof events === 'string' ? [events] : events,
      status: 'queued',
      sequence: 0,
    };
  }

  function createWhatsApp(account: string, fields: Fields): Reply | FakeMessage {
    const [to, from, written] = [
      textIn(fields, 'To'),
      textIn(fields, 'From'),
      textIn(fields, 'Body'),
    ];
    if (!isNumber(to.replace('whatsapp:', '')))
      return refused(400, 21211, `Invalid 'To' Phone Number: ${to}`);
    if (from !== `whatsapp:${NUMBER}`)
      return refused(400, 63007, 'Twilio could not find a Channel with the specified From address');
    const sid = textIn(fields, 'ContentSid');
    const content = contents.find((one) => one.sid === sid) ?? null;
    if (sid !== '' && content === null) return refused(400, 21655, 'The ContentSid is Invalid');
    const filled = content && filledIn(content, textIn(fields, 'ContentVariables'));
    if (content !== null && filled === null)
      return refused(400, 21656, 'The Content Variables parameter is invalid');
    if (content !== null && written !== '')
      return refused(400, 20_001, 'Body and ContentSid exclude each other');
    const body = filled ?? written;
    if (body === '') return refused(400, 21602, 'Message body is required.');
    if (body.length > bodyLengthMax)
      return refused(400, 21617, 'The concatenated message body exceeds the 1600 character limit.');
    return {
      sid: sidOf(content ? 'MM' : 'SM'),
      account,
      to,
      from,
      body,
      content,
      buttons: content?.buttons ?? [],
      service: null,
      fields,
      createdAt: now(),
      segments: 1,
      errorCode: null,
      status: 'queued',
      statusCallback: textIn(fields, 'StatusCallback') || null,
    };
  }

  function createMessage(account: string, fields: Fields): Reply | FakeMessage {
    if (isWhatsApp(textIn(fields, 'To'))) return createWhatsApp(account, fields);
    const [to, written] = [textIn(fields, 'To'), textIn(fields, 'Body')];
    const prefix = state.type === 'Trial' ? 'Sent from your Twilio trial account - ' : '';
    const body = written && prefix + written;
    const service = textIn(fields, 'MessagingServiceSid') || null;
    const from = textIn(fields, 'From') || (service ? NUMBER : null);
    if (!isNumber(to)) return refused(400, 21211, `Invalid 'To' Phone Number: ${to}`);
    if (from === null) return refused(400, 21603, "A 'From' phone number is required.");
    if (service !== null && service !== SERVICE)
      return refused(400, 21701, 'The Messaging Service does not exist');
    if (from !== NUMBER && !/^(?=.*[a-z])[a-z0-9 ]{1,11}$/i.test(from))
      return refused(
        400,
        21659,
        `'From' ${from} is not a Twilio phone number or Short Code country mismatch`,
      );
    if (body === '') return refused(400, 21602, 'Message body is required.');
    if (body.length > bodyLengthMax)
      return refused(400, 21617, 'The concatenated message body exceeds the 1600 character limit.');
    if (optedOut.has(to)) return refused(400, 21610, 'Attempt to send to unsubscribed recipient');
    if (state.type === 'Trial' && !habits.has(to))
      return refused(
        400,
        21608,
        `The number ${to} is unverified. Trial accounts cannot send messages to unverified numbers`,
      );
    const validity = Number(textIn(fields, 'ValidityPeriod') || 36_000);
    if (validity < 1 || validity > 36_000)
      return refused(400, 30_012, 'ValidityPeriod is out of range');
    return {
      sid: sidOf('SM'),
      account,
      to,
      from,
      body,
      service,
      buttons: [],
      content: null,
      fields,
      createdAt: now(),
      segments: countSegments(body),
      errorCode: null,
      status: 'queued',
      statusCallback: textIn(fields, 'StatusCallback') || null,
    };
  }

  function startLife(created: FakeCall | FakeMessage): Promise<void> {
    if (!isCall(created) && isWhatsApp(created.to) && !mayArrive(created))
      return report(created.sid, 'undelivered', 63016);
    const habit = habits.get(created.to);
    if (habit === undefined) return Promise.resolve();
    return isCall(created) ? live(created, habit) : receive(created, habit);
  }

  async function create(account: string, kind: Kind, fields: Fields): Promise<Reply> {
    const habit = habits.get(textIn(fields, 'To'));
    if (habit?.type === 'refused')
      return refused(habit.status, habit.code, 'Refused for a reason of its own');
    const created = kind === 'Calls' ? createCall(account, fields) : createMessage(account, fields);
    if (!('sid' in created)) return created;
    if (isCall(created)) calls.unshift(created);
    else messages.unshift(created);
    const reply = { status: 201, body: resourceOf(created) };
    if (isCalledBackFirst) await startLife(created);
    else setImmediate(() => track(startLife(created)));
    return reply;
  }

  function track(doing: Promise<unknown>): void {
    const noted = doing.finally(() => doings.delete(noted));
    doings.add(noted);
  }

  async function updateCall(account: string, sid: string, fields: Fields): Promise<Reply> {
    const call = calls.find((each) => each.account === account && each.sid === sid);
    if (!call) return notThere(account, `/Calls/${sid}.json`);
    if (textIn(fields, 'Status') !== 'canceled') throw new Error('the fake only cancels calls');
    // One that is in progress is left alone.
    if (['queued', 'ringing'].includes(call.status)) await endCall(call, 'canceled', 487);
    return { status: 200, body: resourceOf(call) };
  }

  type Requested = { readonly operation: string; readonly account: string };

  async function run(
    { operation, account }: Requested,
    sid: string | undefined,
    fields: Fields,
  ): Promise<Reply> {
    const kind = operation.includes('/Calls') ? 'Calls' : 'Messages';
    const ofAccount = (all: readonly (FakeCall | FakeMessage)[]) =>
      all.filter((each) => each.account === account);
    const things = ofAccount(kind === 'Calls' ? calls : messages);
    switch (operation) {
      case 'GET /v1/Content/{Sid}':
      case 'GET /v1/Content/{Sid}/ApprovalRequests': {
        const content = contents.find((one) => one.sid === sid);
        if (!content) return notThere(account, `/Content/${sid}`);
        const resource = operation.endsWith('Requests') ? approvalResource : contentResource;
        return { status: 200, body: resource(content, account) };
      }
      case 'GET .json':
        return { status: 200, body: accountOf(account, state) };
      case 'POST /Calls.json':
      case 'POST /Messages.json':
        return create(account, kind, fields);
      case 'POST /Calls/{Sid}.json':
        return updateCall(account, sid ?? '', fields);
      case 'GET /Calls.json':
      case 'GET /Messages.json': {
        const to = textIn(fields, 'To');
        const day = textIn(fields, 'DateSent>');
        const since = day === '' ? null : Temporal.Instant.from(`${day}T00:00Z`);
        const listed = [...things, ...(kind === 'Messages' ? ofAccount(received) : [])]
          .filter((each) => to === '' || each.to === to)
          .filter(({ createdAt }) => {
            const shownAt = createdAt.add({ seconds: listLag });
            return Temporal.Instant.compare(shownAt, now()) <= 0;
          })
          .filter(({ createdAt }) => !since || Temporal.Instant.compare(createdAt, since) >= 0)
          .toSorted((one, other) => Temporal.Instant.compare(other.createdAt, one.createdAt));
        return { status: 200, body: pageOf({ account, kind }, listed, fields) };
      }
      case 'GET /Calls/{Sid}.json':
      case 'GET /Messages/{Sid}.json': {
        const thing = things.find((each) => each.sid === sid);
        return thing
          ? { status: 200, body: resourceOf(thing) }
          : notThere(account, `/${kind}/${sid}.json`);
      }
      default:
        return notThere(account, operation);
    }
  }

  async function reply(request: IncomingMessage): Promise<Reply | Misbehaviour> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://twilio');
    // Content is of the account that asks.
    const [, account = '', below = ''] = pathname.startsWith('/v1/Content/')
      ? ['', userOf(request).user === OTHER_ACCOUNT ? OTHER_ACCOUNT : ACCOUNT, pathname]
      : (/^\/2010-04-01\/Accounts\/(AC[0-9a-f]{32})(.*)$/.exec(pathname) ?? []);
    if (outage !== null && (outage.account ?? account) === account) return { type: outage.how };
    const sid = /\/((?:CA|SM|MM|HX)[0-9a-f]{32})(?:\.json|\/|$)/.exec(below)?.[1];
    const operation = `${request.method} ${sid ? below.replace(sid, '{Sid}') : below}`;
    const text = (await request.toArray()).join('');
    const isPost = request.method === 'POST';
    const type = request.headers['content-type'] ?? '';
    if (isPost && !type.startsWith('application/x-www-form-urlencoded'))
      return refused(400, 20_001, 'The body is no form');
    const fields = fieldsOf(isPost ? new URLSearchParams(text) : searchParams);
    if (!isAllowed(request, { operation, account }, state.isRevoked))
      return refused(401, 20003, 'Authenticate');
    if (state.status !== 'active' && operation !== 'GET .json')
      return refused(403, 20005, 'Account not active');
    const problem = contract.requestProblem(operation, fields);
    if (problem !== undefined) return refused(400, 20_001, problem);
    requests.push({ operation, fields });
    const index = misbehaviours.findIndex((each) => each.operation === operation);
    const how = index < 0 ? undefined : misbehaviours.splice(index, 1)[0]?.how;
    if (how && !done.includes(how.type)) return how;
    const result = await run({ operation, account }, sid, fields);
    const wrong = result.status < 300 && contract.resultProblem(operation, result.body);
    if (wrong) throw new Error(wrong);
    return how ?? result;
  }

  type Arriving = { readonly from: string; readonly to: string; readonly body: string };

  async function arrive(
    webhook: string | null,
    { from, to, body }: Arriving,
    more: CallbackFields | null = null,
  ): Promise<readonly string[]> {
    const sid = sidOf('SM');
    received.unshift({
      sid,
      account: ACCOUNT,
      to,
      from,
      body,
      createdAt: now(),
      segments: countSegments(body),
      service: null,
      buttons: [],
      content: null,
      statusCallback: null,
      fields: {},
      errorCode: null,
      status: 'received',
    });
    if (webhook === null) return [];
    const what = more === null ? 'a message to a number' : 'a message in WhatsApp';
    const { body: twiml } = await send(what, webhook, {
      MessageSid: sid,
      SmsSid: sid,
      SmsMessageSid: sid,
      AccountSid: ACCOUNT,
      From: from,
      To: to,
      Body: body,
      NumMedia: '0',
      SmsStatus: 'received',
      NumSegments: String(countSegments(body)),
      ApiVersion: '2010-04-01',
      ...more,
    });
    return readTwiml(twiml).flatMap((verb) => (verb.verb === 'Message' ? [verb.text] : []));
  }

  type About = { readonly pressed?: PressedButton; readonly repliedTo?: FakeMessage };

  async function arriveInWhatsApp(from: string, body: string, about: About) {
    wroteAt.set(from, now());
    const arriving = { from, to: `whatsapp:${NUMBER}`, body };
    return arrive(whatsAppWebhook, arriving, whatsAppFields(from, about));
  }

  const server = createServer(async (request, response) => {
    const answer = await reply(request);
    if (outage !== null && 'type' in answer && answer.type === 'hang') hanging.add(response);
    answerWith(response, answer);
  });
  const breakOff = () => {
    for (const response of hanging) response.socket?.resetAndDestroy();
    hanging.clear();
  };
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  // Listening on a port, a server never has a path or nothing for an address.
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    account: { sid: ACCOUNT, name: 'Acme' },
    otherAccount: { sid: OTHER_ACCOUNT },
    authToken: TOKEN,
    apiKey: KEY,
    number: NUMBER,
    calls,
    messages,
    received,
    requests,
    callbacks,
    held,
    ring,
    answer,
    report,
    hanging,
    busy: (sid) => endCall(one(calls, sid), 'busy', 486),
    noAnswer: (sid) => endCall(one(calls, sid), 'no-answer', 487),
    failCall: (sid, sipCode) => endCall(one(calls, sid), 'failed', sipCode),
    async text(from, body) {
      if (/^(?:STOP|STOPALL|UNSUBSCRIBE|CANCEL|END|QUIT)$/i.test(body.trim())) optedOut.add(from);
      if (/^(?:START|UNSTOP|YES)$/i.test(body.trim())) optedOut.delete(from);
      const answers = await arrive(messageWebhook, { from, to: NUMBER, body });
      // Twilio sends nothing more to whoever has stopped it.
      return optedOut.has(from) ? [] : answers;
    },
    write: (from, body, repliedTo) =>
      arriveInWhatsApp(`whatsapp:${from}`, body, repliedTo ? { repliedTo } : {}),
    press: (message, title) => arriveInWhatsApp(message.to, title, { pressed: { message, title } }),
    contents,
    setWhatsAppWebhook(url) {
      whatsAppWebhook = url;
    },
    setMessageWebhook(url) {
      messageWebhook = url;
    },
    setHabit: (number, habit) => habits.set(number, habit),
    setReceipts(how) {
      receipts = how;
    },
    lagLists(seconds) {
      listLag = seconds;
    },
    callBackFirst() {
      isCalledBackFirst = true;
    },
    forge: (url, fields) => deliver(url, fields, 'f'.repeat(32)),
    misbehave: (operation, how) => misbehaviours.push({ operation, how }),
    goDown(how, account) {
      outage = { how, account };
      breakOff();
    },
    comeBack() {
      outage = null;
      breakOff();
    },
    suspend() {
      state = { ...state, status: 'suspended' };
    },
    makeTrial() {
      state = { ...state, type: 'Trial' };
    },
    revokeToken() {
      state = { ...state, isRevoked: true };
    },
    async settled() {
      await new Promise((next) => setImmediate(next));
      while (doings.size > 0) await Promise.all(doings);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Of Twilio's documentation: the address, then the fields in the order of their names. */
function signatureOf(url: string, fields: Readonly<Record<string, string>>, token: string): string {
  const text = Object.entries(fields)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => name + value)
    .join('');
  return createHmac('sha1', token).update(`${url}${text}`).digest('base64');
}

function userOf({ headers }: Pick<IncomingMessage, 'headers'>) {
  const basic = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
  const pair = Buffer.from(basic, 'base64').toString();
  return { pair, user: pair.split(':')[0] ?? '' };
}

/** An API key of the standard kind may not read the account. */
function isAllowed(
  { headers }: IncomingMessage,
  { operation, account }: { readonly operation: string; readonly account: string },
  isRevoked: boolean,
): boolean {
  const { pair } = userOf({ headers });
  const isKnown = account === ACCOUNT || account === OTHER_ACCOUNT;
  if (pair === `${account}:${TOKEN}`) return isKnown && !isRevoked;
  return account === ACCOUNT && pair === `${KEY.sid}:${KEY.secret}` && operation !== 'GET .json';
}

const isCall = (thing: FakeCall | FakeMessage): thing is FakeCall => thing.sid.startsWith('CA');

const isWhatsApp = (address: string) => address.startsWith('whatsapp:');

const isNumber = (text: string) => /^\+[1-9]\d{6,14}$/.test(text);

const textIn = (fields: Fields, name: string): string => {
  const value = fields[name] ?? '';
  return typeof value === 'string' ? value : (value[0] ?? '');
};

function fieldsOf(form: URLSearchParams): Fields {
  const names = [...new Set(form.keys())];
  return Object.fromEntries(
    names.map((name) => {
      const [first = '', ...more] = form.getAll(name);
      return [name, more.length === 0 ? first : [first, ...more]];
    }),
  );
}

const BASIC =
  /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€]*$/;

/** As an SMS centre counts them, which sends some characters as two. */
function countSegments(body: string): number {
  if (!BASIC.test(body)) return body.length <= 70 ? 1 : Math.ceil(body.length / 67);
  const septets = body.length + (body.match(/[\^{}\\[~\]|€]/g)?.length ?? 0);
  return septets <= 160 ? 1 : Math.ceil(septets / 153);
}

const rfc2822 = (at: Temporal.Instant): string =>
  new Date(at.epochMilliseconds).toUTCString().replace('GMT', '+0000');

const path = (account: string, below: string) => `/2010-04-01/Accounts/${account}${below}`;

function resourceOf(thing: FakeCall | FakeMessage): Readonly<Record<string, unknown>> {
  const date = rfc2822(thing.createdAt);
  const common = {
    sid: thing.sid,
    account_sid: thing.account,
    api_version: '2010-04-01',
    date_created: date,
    date_updated: date,
    direction: thing.status === 'received' ? 'inbound' : 'outbound-api',
    from: thing.from,
    to: thing.to,
    status: thing.status,
    price: null,
    price_unit: 'USD',
  };
  if (isCall(thing))
    return {
      ...common,
      to_formatted: thing.to,
      from_formatted: thing.from,
      phone_number_sid: null,
      parent_call_sid: null,
      start_time: null,
      end_time: null,
      duration: null,
      answered_by: null,
      forwarded_from: null,
      group_sid: null,
      caller_name: '',
      queue_time: '0',
      trunk_sid: null,
      uri: path(thing.account, `/Calls/${thing.sid}.json`),
      subresource_uris: {
        notifications: path(thing.account, `/Calls/${thing.sid}/Notifications.json`),
      },
    };
  return {
    ...common,
    body: thing.body,
    num_segments: String(thing.segments),
    num_media: '0',
    error_code: thing.errorCode,
    error_message: null,
    date_sent: thing.status === 'received' ? date : null,
    messaging_service_sid: thing.service,
    uri: path(thing.account, `/Messages/${thing.sid}.json`),
    subresource_uris: { media: path(thing.account, `/Messages/${thing.sid}/Media.json`) },
  };
}

function pageOf(
  { account, kind }: { readonly account: string; readonly kind: Kind },
  things: readonly (FakeCall | FakeMessage)[],
  fields: Fields,
) {
  const size = Number(textIn(fields, 'PageSize') || 50);
  const page = Number(textIn(fields, 'Page') || 0);
  const start = page * size;
  const uriOf = (index: number) => {
    const form = new URLSearchParams({ PageSize: `${size}`, Page: `${index}` });
    for (const name of ['To', 'DateSent>'])
      if (name in fields) form.set(name, textIn(fields, name));
    if (index > 0) form.set('PageToken', `PA${things[index * size - 1]?.sid}`);
    return path(account, `/${kind}.json?${form}`);
  };
  const listed = things.slice(start, start + size);
  return {
    first_page_uri: uriOf(0),
    uri: uriOf(page),
    page,
    page_size: size,
    next_page_uri: things.length > start + size ? uriOf(page + 1) : null,
    previous_page_uri: page === 0 ? null : uriOf(page - 1),
    start,
    end: Math.max(start + listed.length - 1, 0),
    [kind.toLowerCase()]: listed.map(resourceOf),
  };
}

const accountOf = (
  account: string,
  { status, type }: { readonly status: string; readonly type: string },
) => ({
  sid: account,
  owner_account_sid: account,
  friendly_name: 'Acme',
  status,
  type,
  auth_token: TOKEN,
  date_created: 'Thu, 30 Jul 2015 20:00:00 +0000',
  date_updated: 'Thu, 30 Jul 2015 20:00:00 +0000',
  uri: path(account, '.json'),
  subresource_uris: {
    calls: path(account, '/Calls.json'),
    messages: path(account, '/Messages.json'),
  },
});

const refused = (status: number, code: number, message: string): Reply => ({
  status,
  body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status },
});

const notThere = (account: string, below: string): Reply =>
  refused(404, 20404, `The requested resource ${path(account, below)} was not found`);

function answerWith(response: ServerResponse, reply: Reply | Misbehaviour): void {
  if (!('type' in reply)) {
    writeAnswer(response, reply);
  } else if (reply.type === 'refuse') {
    writeAnswer(response, refused(reply.status, reply.code, reply.message));
  } else if (reply.type === 'broken' || reply.type === 'done_but_broken') {
    writeAnswer(response, refused(500, 20500, 'Internal Server Error'));
  } else if (reply.type !== 'hang' && reply.type !== 'done_but_hangs') {
    response.socket?.resetAndDestroy();
  }
}

function writeAnswer(response: ServerResponse, { status, body }: Reply): void {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(body));
}
