import assert from 'node:assert/strict';
import { test } from 'node:test';
import twilio from 'twilio';
import { noon } from '../../../test/incident-life.ts';
import { type FakeTwilio, startFakeTwilio } from '../../../test/vendors/twilio.ts';
import { startTwilioCustomer, twilioConnection } from '../../../test/vendors/twilio-customer.ts';
import { backoffSeconds } from '../../engine/sending/backoff.ts';
import type { Attempt, HandedOver, ReportedDelivery } from '../../engine/sending/channel.ts';
import type { Receipt } from '../../engine/sending/receipt.ts';
import { sendingLimits } from '../../limits/sending.ts';
import { sampleCodeNotice } from '../../notices/kinds/code.ts';
import { sampleNotice } from '../../notices/kinds/incident.ts';
import type { Inbound, Reply } from '../../replies/inbound.ts';
import {
  createNumberChannel,
  type NumberConnection,
  type NumberOptions,
  type NumberVendor,
} from '../by-number.ts';
import { noLanes } from '../lanes.ts';
import { createVendorHttp, type VendorHttp } from '../vendor-http.ts';
import { type TwilioOptions, twilioCalls, twilioSms } from './channel.ts';

const to = '+4915112345678';
const handles = { acknowledge: 'a', resolve: 'r', escalate: 'e' };
const page = sampleNotice({ handles, stepMinutes: 5 });
const startFake = () => startFakeTwilio(() => noon);

type World = {
  readonly fake: FakeTwilio;
  readonly callbackUrl?: string | null;
  readonly connections?: readonly NumberConnection[];
  readonly totalTimeoutMs?: number;
  readonly http?: VendorHttp;
  /** By how many seconds each waits for its turn, of a connection; Infinity: none comes in time. */
  readonly waits?: Readonly<Record<string, number>>;
  /** What attempts are recorded to have sent, and of which notice. */
  readonly recorded?: ReadonlyMap<string, string>;
  /** The person has just written in WhatsApp. */
  readonly isOpen?: boolean;
};

/** The channels, with what they report beside them. */
function channelsOf(world: World) {
  const { fake, callbackUrl = null, connections, totalTimeoutMs = 10_000, waits = {} } = world;
  const { http = createVendorHttp({ totalTimeoutMs }) } = world;
  const { recorded = new Map<string, string>(), isOpen = false } = world;
  let now = noon;
  const refusals: string[] = [];
  const answers: string[] = [];
  const losses: string[] = [];
  const turns: string[] = [];
  const holds: string[] = [];
  const options: Omit<NumberOptions, 'channel' | 'vendors'> & TwilioOptions = {
    baseUrl: fake.url,
    http,
    callbackUrl,
    clock: { now: () => now },
    connectionsOf: async () => connections ?? [twilioConnection(fake)],
    inTurn: async (all) => all,
    hasOpenWindow: async () => isOpen,
    lanes: noLanes,
    async answered({ id }, answer) {
      answers.push(answer.kind);
      if (answer.kind === 'refusal') refusals.push(`${id} ${answer.reason}`);
    },
    lost: async ({ channel, address }, { state }) =>
      void losses.push(`${channel} ${address} ${state}`),
    async turn({ connection, channel, perSecond, until }) {
      turns.push(`${connection.id} ${channel} ${perSecond}`);
      const seconds = waits[connection.id] ?? 0;
      if (until !== undefined && seconds > until.since(now).total('seconds')) return false;
      now = now.add({ seconds });
      return true;
    },
    hold: async ({ id }, channel) => void holds.push(`${id} ${channel}`),
    takenByOthers: async ({ key }, vendorIds) =>
      new Set(vendorIds.filter((id) => (recorded.get(id) ?? key) !== key)),
  };
  const by = (vendor: NumberVendor) => ({ ...options, vendors: new Map([['twilio', vendor]]) });
  const phone = createNumberChannel({ ...by(twilioCalls(options)), channel: 'phone' });
  const sms = createNumberChannel({ ...by(twilioSms(options)), channel: 'sms' });
  const pass = (seconds: number) => {
    now = now.add({ milliseconds: seconds * 1_000 });
  };
  return { phone, sms, refusals, answers, losses, turns, holds, pass, now: () => now };
}

const attempt = (...earlier: readonly HandedOver[]): Attempt => ({
  handle: 'h-1.x',
  earlier,
  thread: null,
  until: noon.add({ seconds: 60 }),
  isWanted: async () => true,
});

function takenOf(delivery: ReportedDelivery, receipt: Receipt | null = null): HandedOver {
  assert.equal(delivery.outcome, 'handed_over', JSON.stringify(delivery));
  const { connectionId, vendorId } = delivery;
  return { connectionId, vendorId, receipt };
}

const summaryOf = (delivery: ReportedDelivery) =>
  'reason' in delivery ? `${delivery.outcome}: ${delivery.reason}` : delivery.outcome;

const receiptsIn = (inbound: readonly Inbound[]) =>
  inbound.flatMap((one) => (one.type === 'receipt' ? [one.receipt.state] : []));

test('a page is read out, acknowledged by a key, and reported', async () => {
  await using fake = await startFake();
  const done: Reply = { text: 'Acknowledged: incident 42.' };
  await using customer = await startTwilioCustomer(twilioConnection(fake), () => done);
  const { phone, turns } = channelsOf({ fake, callbackUrl: customer.url });
  const delivery = await phone.send(page, to, attempt());
  const [call] = fake.calls;
  assert.ok(call);
  assert.deepEqual(delivery, {
    outcome: 'handed_over',
    connectionId: 'c1',
    connectionName: 'Twilio',
    vendorId: call.sid,
    receiptWithinSeconds: 60,
    answer: `${call.sid} by Twilio`,
    posted: { connectionId: 'c1', place: to, messageId: call.sid },
    counted: { connectionId: 'c1', country: '+49' },
  });
  assert.equal(call.statusCallback, `${customer.url}/callbacks/phone/c1/h-1.x`);
  assert.deepEqual(turns, ['c1 phone 1']);

  await fake.ring(call.sid);
  const person = await fake.answer(call.sid);
  assert.equal(await person.press('4'), true);
  await person.listen();
  assert.deepEqual(person.heard, ['Acknowledged: incident 42.', 'Goodbye.']);
  assert.deepEqual(
    customer.inbound.filter(({ type }) => type === 'key'),
    [{ type: 'key', vendorId: call.sid, key: '4' }],
  );
  assert.deepEqual(receiptsIn(customer.inbound), ['sent', 'answered', 'unanswered']);
  assert.deepEqual(customer.refusals, []);
  for (const { url, signature, fields } of fake.callbacks)
    assert.ok(twilio.validateRequest(fake.authToken, signature, url, { ...fields }));
});

test('another key has the page read out again', async () => {
  await using fake = await startFake();
  const again: Reply = { text: 'That key has no effect.', notice: page };
  await using customer = await startTwilioCustomer(twilioConnection(fake), () => again);
  const { phone } = channelsOf({ fake, callbackUrl: customer.url });
  const { vendorId } = takenOf(await phone.send(page, to, attempt()));
  const person = await fake.answer(vendorId);
  assert.equal(await person.press('*'), true);
  await person.press('5');
  await person.listen();
  const [first = '', second = '', end] = person.heard;
  assert.match(first, /^That key has no effect\. This is Pager, .* To acknowledge, press 4\./);
  assert.match(second, /^This is Pager/);
  assert.equal(end, 'Goodbye.');
});

test('who listens hears it twice; a call without a key is made once more, by the same', async () => {
  await using fake = await startFake();
  await using customer = await startTwilioCustomer(twilioConnection(fake));
  const second = twilioConnection(fake, {}, { id: 'c2' });
  const connections = [twilioConnection(fake), second];
  const { phone } = channelsOf({ fake, callbackUrl: customer.url, connections });
  fake.setHabit(to, { type: 'voicemail' });
  fake.setReceipts('lost');
  const first = takenOf(await phone.send(page, to, attempt()));
  await fake.settled();
  const again = takenOf(await phone.send(page, to, attempt(first)));
  assert.equal(again.connectionId, 'c1');
  await fake.settled();
  const receipt: Receipt = { state: 'unanswered', reason: 'no answer', blame: 'later' };
  const last = await phone.send(page, to, attempt({ ...first, receipt }, again));
  assert.equal(summaryOf(last), 'failed: picked up, but no key was pressed');
  assert.equal(fake.calls.length, 2);
});

test('without a public address a page is only read out, and its end is queried', async () => {
  await using fake = await startFake();
  const { phone } = channelsOf({ fake });
  const first = takenOf(await phone.send(page, to, attempt()));
  assert.equal(fake.calls[0]?.statusCallback, null);
  const person = await fake.answer(first.vendorId);
  assert.equal(await person.press('4'), false);
  const underWay = await phone.send(page, to, attempt(first));
  assert.equal(summaryOf(underWay), 'withheld: the call is still in progress');
  await person.listen();
  assert.match(person.heard[0] ?? '', /Keys have no effect in this call/);
  assert.equal(person.heard.length, 3);
  // It may have been a mailbox.
  fake.setHabit(to, { type: 'voicemail' });
  const second = takenOf(await phone.send(page, to, attempt(first)));
  await fake.settled();
  assert.equal(
    summaryOf(await phone.send(page, to, attempt(first, second))),
    'unconfirmed: a call without keys was answered by a person or by voicemail',
  );
  assert.equal(fake.calls.length, 2);
});

test('a call that rings in vain is made once more, and one that waits is ended', async () => {
  await using fake = await startFake();
  const connections = [twilioConnection(fake), twilioConnection(fake, {}, { id: 'c2' })];
  const { phone } = channelsOf({ fake, connections });
  const first = takenOf(await phone.send(page, to, attempt()));
  await fake.busy(first.vendorId);
  const again = takenOf(await phone.send(page, to, attempt(first)));
  assert.equal(again.connectionId, 'c1');

  const waiting = takenOf(await phone.send(page, to, attempt()));
  const next = takenOf(await phone.send(page, to, attempt(waiting)));
  assert.equal(next.connectionId, 'c2');
  assert.equal(fake.calls.find(({ sid }) => sid === waiting.vendorId)?.status, 'canceled');
});

test('a call that Twilio never began reached nobody: it is made once more, and then has failed', async () => {
  await using fake = await startFake();
  const { phone } = channelsOf({ fake });
  const first = takenOf(await phone.send(page, to, attempt()));
  const again = await phone.send(page, to, attempt(first));
  assert.ok(again.outcome === 'handed_over');
  const reason = 'Twilio did not start the call in time';
  assert.equal(again.before, `the previous attempt did not arrive: ${reason}`);
  const ended: Receipt = { state: 'undelivered', reason, blame: 'later' };
  const both = attempt({ ...first, receipt: ended }, takenOf(again));
  assert.equal(summaryOf(await phone.send(page, to, both)), `failed: ${reason}`);
  assert.deepEqual(
    fake.calls.map(({ status }) => status),
    ['canceled', 'canceled'],
  );
});

test('without reports, each call that was made counts all the same', async () => {
  await using fake = await startFake();
  const { phone } = channelsOf({ fake });
  const taken: HandedOver[] = [];
  for (const end of ['busy', 'noAnswer'] as const) {
    const one = takenOf(await phone.send(page, to, attempt(...taken)));
    await fake[end](one.vendorId);
    taken.push(one);
  }
  assert.equal(summaryOf(await phone.send(page, to, attempt(...taken))), 'failed: no answer');
  assert.equal(fake.calls.length, 2);
});

test('a call that is needless stops to ring; one that was answered goes on', async () => {
  await using fake = await startFake();
  const { phone } = channelsOf({ fake });
  const call = async () => {
    const delivery = await phone.send(page, to, attempt());
    assert.ok(delivery.outcome === 'handed_over' && delivery.posted && phone.show);
    return { posted: delivery.posted, show: phone.show };
  };
  const acknowledged = sampleNotice({ handles }, { status: 'acknowledged' });
  const first = await call();
  await fake.ring(first.posted.messageId);
  await first.show(page, first.posted);
  assert.equal(fake.calls[0]?.status, 'ringing');
  await first.show(acknowledged, first.posted);
  assert.equal(fake.calls[0]?.status, 'canceled');
  const second = await call();
  await fake.answer(second.posted.messageId);
  await second.show(acknowledged, second.posted);
  assert.equal(fake.calls[0]?.status, 'in-progress');
});

test('what became of a call that is ended is known from its end, unless Twilio reports it', async () => {
  await using fake = await startFake();
  await using customer = await startTwilioCustomer(twilioConnection(fake));
  const acknowledged = sampleNotice({ handles }, { status: 'acknowledged' });
  const receiptOfEnd = async (callbackUrl: string | null) => {
    const { phone } = channelsOf({ fake, callbackUrl });
    const delivery = await phone.send(page, to, attempt());
    assert.ok(delivery.outcome === 'handed_over' && delivery.posted && phone.show);
    await fake.ring(delivery.vendorId);
    const shown = await phone.show(acknowledged, delivery.posted);
    assert.ok(shown.outcome === 'delivered');
    assert.equal(shown.connectionName, 'Twilio');
    return shown.receipt?.reason;
  };
  assert.equal(await receiptOfEnd(null), 'the call was cancelled');
  assert.equal(await receiptOfEnd(customer.url), undefined);
});

test('a call that could not be ended is ended by the next try', async () => {
  await using fake = await startFake();
  const { phone } = channelsOf({ fake });
  const delivery = await phone.send(page, to, attempt());
  assert.ok(delivery.outcome === 'handed_over' && delivery.posted && phone.show);
  const { posted } = delivery;
  const acknowledged = sampleNotice({ handles }, { status: 'acknowledged' });
  await fake.ring(posted.messageId);
  for (const operation of ['GET /Calls/{Sid}.json', 'POST /Calls/{Sid}.json']) {
    fake.misbehave(operation, { type: 'broken' });
    assert.match(summaryOf(await phone.show(acknowledged, posted)), /^no_answer: Twilio: /);
  }
  assert.equal(fake.calls[0]?.status, 'ringing');
  assert.equal((await phone.show(acknowledged, posted)).outcome, 'delivered');
  assert.equal(fake.calls[0]?.status, 'canceled');
  const unknown = { ...posted, messageId: `CA${'9'.repeat(32)}` };
  assert.equal((await phone.show(acknowledged, unknown)).outcome, 'delivered');
});

test('a call that asks for nothing counts as taken once it is completed', async () => {
  await using fake = await startFake();
  await using customer = await startTwilioCustomer(twilioConnection(fake));
  const { phone } = channelsOf({ fake, callbackUrl: customer.url });
  fake.setHabit(to, { type: 'voicemail' });
  await phone.send(sampleNotice({ kind: 'all_clear' }, { status: 'resolved' }), to, attempt());
  await fake.settled();
  assert.deepEqual(receiptsIn(customer.inbound), ['sent', 'sent', 'answered', 'delivered']);
  await phone.send(sampleCodeNotice(), to);
  assert.match(String(fake.calls[0]?.fields['Twiml']), /Your code is: 0, 4, 2, 1, 3, 7\./);
  assert.equal(fake.calls[0]?.statusCallback, null);
});

test('a page by SMS is delivered, answered, stopped and started again', async () => {
  await using fake = await startFake();
  await using customer = await startTwilioCustomer(twilioConnection(fake), ({ type }) =>
    type === 'text' ? { text: 'Acknowledged: INC-42.' } : null,
  );
  const { sms, losses, turns } = channelsOf({ fake, callbackUrl: customer.url });
  fake.setMessageWebhook(`${customer.url}/callbacks/sms/c1`);
  fake.setHabit(to, { type: 'receives' });
  const taken = takenOf(await sms.send(page, to, attempt()));
  await fake.settled();
  const [message] = fake.messages;
  assert.equal(message?.segments, 1);
  assert.equal(
    message.body,
    'INC-42 P1 Payments: Disk full on <db-1> - 4 42 ack, 6 42 resolve, 9 42 escalate',
  );
  assert.equal(message.fields['ValidityPeriod'], '300');
  assert.equal(message.statusCallback, `${customer.url}/callbacks/sms/c1/h-1.x`);
  assert.deepEqual(turns, ['c1 sms 3']);
  assert.deepEqual(receiptsIn(customer.inbound), ['sent', 'delivered']);
  assert.equal((await sms.send(page, to, attempt(taken))).outcome, 'delivered');

  assert.deepEqual(await fake.text(to, '4 42'), ['Acknowledged: INC-42.']);
  assert.deepEqual(await fake.text(to, 'STOP'), []);
  assert.equal(
    summaryOf(await sms.send(page, to, attempt())),
    'failed: Twilio: the person sent STOP to this sender and must send START to it first (21610: Attempt to send to unsubscribed recipient)',
  );
  assert.deepEqual(losses, [`sms ${to} opted_out`]);
  await fake.text(to, 'START');
  const [started, stopped] = fake.received.map(({ sid }) => sid);
  assert.deepEqual(customer.inbound.slice(-2), [
    { type: 'blocked', eventId: stopped, address: to },
    { type: 'restored', eventId: started, address: to },
  ]);
  assert.equal((await sms.send(page, to, attempt())).outcome, 'handed_over');
  await fake.settled();
});

test('a sender that receives nothing names the page of the incident', async () => {
  await using fake = await startFake();
  const named = twilioConnection(fake, { from_sms: 'Pager' });
  const [url, callbackUrl] = [page.incident.url, 'https://pager.example.com'];
  const byName = channelsOf({ fake, callbackUrl, connections: [named] });
  await byName.sms.send(page, to, attempt());
  const service = 'MG0123456789abcdef0123456789abcdef';
  const { from_sms: _sender, ...settings } = twilioConnection(fake).settings;
  const byService = twilioConnection(
    fake,
    {},
    { settings: { ...settings, messaging_service_sid: service } },
  );
  await channelsOf({ fake, connections: [byService] }).sms.send(page, to, attempt());
  const [second, first] = fake.messages;
  assert.deepEqual([first?.from, first?.body.endsWith(` ${url}`)], ['Pager', true]);
  assert.deepEqual([second?.service, second?.body.endsWith(` ${url}`)], [service, true]);
});

test('what a carrier has filtered is sent once more without words from outside', async () => {
  await using fake = await startFake();
  const { sms } = channelsOf({ fake });
  const first = takenOf(await sms.send(page, to, attempt()));
  await fake.report(first.vendorId, 'undelivered', 30007);
  await sms.send(page, to, attempt(first));
  assert.equal(
    fake.messages[0]?.body,
    'INC-42 P1 Payments - 4 42 ack, 6 42 resolve, 9 42 escalate',
  );
});

test('silence leads to the next connection, and then to no confirmation', async () => {
  await using fake = await startFake();
  const connections = [twilioConnection(fake), twilioConnection(fake, {}, { id: 'c2' })];
  const { sms } = channelsOf({ fake, connections });
  const first = takenOf(await sms.send(page, to, attempt()));
  await fake.report(first.vendorId, 'sent');
  fake.misbehave('GET /Messages/{Sid}.json', { type: 'broken' });
  const second = takenOf(await sms.send(page, to, attempt(first)));
  assert.equal(second.connectionId, 'c2');
  fake.misbehave('GET /Messages/{Sid}.json', { type: 'broken' });
  const unknown = await sms.send(page, to, attempt(first, second));
  assert.equal(unknown.outcome, 'no_answer', 'Twilio may know more');
  const end = await sms.send(page, to, attempt(first, second));
  assert.equal(summaryOf(end), 'unconfirmed: no receipt arrived');
  await fake.report(second.vendorId, 'delivered');
  assert.equal((await sms.send(page, to, attempt(first, second))).outcome, 'delivered');
  assert.equal(fake.messages.length, 2);
});

test('silence stays unconfirmed where the next connection refuses', async () => {
  await using fake = await startFake();
  const wrong = { id: 'c2', secrets: { auth_token: 'x'.repeat(32) } };
  const connections = [twilioConnection(fake), twilioConnection(fake, {}, wrong)];
  const { sms } = channelsOf({ fake, connections });
  const first = takenOf(await sms.send(page, to, attempt()));
  assert.match(
    summaryOf(await sms.send(page, to, attempt(first))),
    /^unconfirmed: Twilio: the credentials are not valid/,
  );
  const lost: Receipt = { state: 'undelivered', reason: 'not allowed', blame: 'connection' };
  assert.match(
    summaryOf(await sms.send(page, to, attempt({ ...first, receipt: lost }))),
    /^failed: Twilio: the credentials are not valid/,
  );
  const right = [twilioConnection(fake), twilioConnection(fake, {}, { id: 'c2' })];
  const invalid = { type: 'refuse', status: 400, code: 21614, message: 'No mobile' } as const;
  fake.misbehave('POST /Messages.json', invalid);
  const end = await channelsOf({ fake, connections: right }).sms.send(page, to, attempt(first));
  assert.match(summaryOf(end), /^failed: .*\(21614: /);
});

test('a connection at fault is noted, and the next one sends at once', async () => {
  await using fake = await startFake();
  const wrong = twilioConnection(fake, {}, { secrets: { auth_token: 'x'.repeat(32) } });
  const elsewhere = twilioConnection(fake, { allowed_prefixes: ['+33'] }, { id: 'c2' });
  const right = twilioConnection(fake, {}, { id: 'c3' });
  const { phone, refusals } = channelsOf({ fake, connections: [wrong, elsewhere, right] });
  assert.equal(takenOf(await phone.send(page, to, attempt())).connectionId, 'c3');
  assert.equal(refusals.length, 1);
  assert.match(refusals[0] ?? '', /^c1 Twilio: the credentials are not valid: set account_sid/);
  const alone = channelsOf({ fake, connections: [wrong, elsewhere] });
  assert.match(
    summaryOf(await alone.phone.send(page, to, attempt())),
    /^failed: Twilio: the credentials are not valid.*; Twilio: the number begins with no prefix that an admin has allowed$/,
  );
  const { from_phone: _none, ...settings } = right.settings;
  const without = channelsOf({ fake, connections: [{ ...right, settings }] });
  assert.equal(
    summaryOf(await without.phone.send(page, to, attempt())),
    'failed: no connection is set up for it',
  );
  assert.equal(fake.calls.length, 1);
});

test('what has no turn in time goes by the next connection, else it is withheld', async () => {
  await using fake = await startFake();
  const connections = [twilioConnection(fake), twilioConnection(fake, {}, { id: 'c2' })];
  // Twenty seconds are left for the request itself, and to look it up.
  const full = channelsOf({ fake, waits: { c1: 41 } });
  assert.equal(
    summaryOf(await full.sms.send(page, to, attempt())),
    'withheld: Twilio: too many SMS are waiting there to be sent in time',
  );
  assert.equal(
    summaryOf(await full.phone.send(page, to, attempt())),
    'withheld: Twilio: too many calls are waiting there to be made in time',
  );
  assert.equal(fake.requests.length, 0);
  const { phone } = channelsOf({ fake, connections, waits: { c1: 41 } });
  assert.equal(takenOf(await phone.send(page, to, attempt())).connectionId, 'c2');
});

test('nothing is requested when another server may send it', async () => {
  await using fake = await startFake();
  const connections = [twilioConnection(fake), twilioConnection(fake, {}, { id: 'c2' })];
  const { phone } = channelsOf({ fake, connections, waits: { c1: 35, c2: 10 } });
  const broken = { type: 'refuse', status: 429, code: 20429, message: 'Too many' } as const;
  fake.misbehave('POST /Calls.json', broken);
  assert.match(summaryOf(await phone.send(page, to, attempt())), /^no_answer: .*\(20429: /);
  assert.equal(fake.requests.length, 1);
  const late = { ...attempt(), until: noon.add({ seconds: 19 }) };
  assert.equal(
    summaryOf(await channelsOf({ fake }).sms.send(page, to, late)),
    'withheld: Twilio: there was no time left',
  );
  assert.equal(fake.requests.length, 1);
});

test('what is wanted no more is not requested; a test is never asked about', async () => {
  await using fake = await startFake();
  const { phone, sms } = channelsOf({ fake, waits: { c1: 5 } });
  const unwanted = { ...attempt(), isWanted: async () => false };
  for (const channel of [phone, sms])
    assert.equal((await channel.send(page, to, unwanted)).outcome, 'withheld');
  assert.equal(fake.requests.length, 0);
  assert.equal((await phone.send(page, to)).outcome, 'handed_over');
});

test('a key of the API is used where there is one', async () => {
  await using fake = await startFake();
  const { sid: api_key_sid, secret: api_key_secret } = fake.apiKey;
  const secrets = { auth_token: 'only for signatures', api_key_sid, api_key_secret };
  const { sms } = channelsOf({ fake, connections: [twilioConnection(fake, {}, { secrets })] });
  takenOf(await sms.send(page, to, attempt()));
});

test('a contact at fault ends it, for one account as for several', async () => {
  await using fake = await startFake();
  const connections = [twilioConnection(fake), twilioConnection(fake, {}, { id: 'c2' })];
  const { phone, losses, answers } = channelsOf({ fake, connections });
  const invalid = { type: 'refuse', status: 400, code: 21211, message: 'Invalid number' } as const;
  fake.misbehave('POST /Calls.json', invalid);
  assert.match(summaryOf(await phone.send(page, to, attempt())), /^failed: .*\(21211: /);
  assert.deepEqual(losses, [`phone ${to} invalid`]);
  assert.deepEqual(answers, ['ok'], 'that the number is wrong shows that Twilio works');
  assert.equal(fake.requests.length, 1);
  const first = takenOf(await phone.send(page, to, attempt()));
  await fake.failCall(first.vendorId, 404);
  const receipt: Receipt = { state: 'undelivered', reason: 'no such number', blame: 'contact' };
  const end = await phone.send(page, to, attempt({ ...first, receipt }));
  assert.equal(summaryOf(end), 'failed: no such number');
});

test('a contact at fault is noted, too, where only its end is queried', async () => {
  await using fake = await startFake();
  const { sms, losses } = channelsOf({ fake });
  const first = takenOf(await sms.send(page, to, attempt()));
  await fake.report(first.vendorId, 'undelivered', 30006);
  const end = await sms.send(page, to, attempt(first));
  assert.equal(summaryOf(end), 'failed: the number cannot receive SMS (30006)');
  assert.deepEqual(losses, [`sms ${to} invalid`]);
});

test('too many requests lead to the next account, or are tried again', async () => {
  await using fake = await startFake();
  const tooMany = {
    type: 'refuse',
    status: 429,
    code: 20429,
    message: 'Too Many Requests',
  } as const;
  const { sms, holds, answers } = channelsOf({ fake });
  fake.misbehave('POST /Messages.json', tooMany);
  assert.match(summaryOf(await sms.send(page, to, attempt())), /^no_answer: .*\(20429: /);
  assert.deepEqual(holds, ['c1 sms']);
  assert.deepEqual(answers, [], 'that is neither trouble of Twilio nor the end of any');
  const connections = [twilioConnection(fake), twilioConnection(fake, {}, { id: 'c2' })];
  fake.misbehave('POST /Messages.json', tooMany);
  const both = channelsOf({ fake, connections });
  assert.equal(takenOf(await both.sms.send(page, to, attempt())).connectionId, 'c2');
});

for (const type of ['answer_lost', 'done_but_broken'] as const)
  test(`a call whose answer is ${type} is recognised, and not made twice`, async () => {
    await using fake = await startFake();
    const connections = [twilioConnection(fake), twilioConnection(fake, {}, { id: 'c2' })];
    const { phone } = channelsOf({ fake, connections });
    const other = takenOf(await phone.send(sampleNotice({ key: 'other' }), to, attempt()));
    fake.misbehave('POST /Calls.json', { type });
    const first = takenOf(await phone.send(page, to, attempt()));
    assert.equal(first.vendorId, fake.calls[0]?.sid);
    assert.notEqual(first.vendorId, other.vendorId);

    fake.misbehave('POST /Calls.json', { type });
    fake.misbehave('GET /Calls.json', { type: 'broken' });
    const third = sampleNotice({ key: 'third', handles });
    const unknown = await phone.send(third, to, attempt());
    assert.match(summaryOf(unknown), /^no_answer: Twilio: /);
    const late = takenOf(await phone.send(third, to, attempt()));
    assert.equal(late.vendorId, fake.calls[0]?.sid);
    assert.equal(fake.calls.length, 3);
  });

test('of two calls to a number at one moment, each is recognised as that of its own notice', async () => {
  await using fake = await startFake();
  const recorded = new Map<string, string>();
  // Each on a server of its own, which knows nothing of what the other sends.
  const [one, another] = [channelsOf({ fake, recorded }), channelsOf({ fake, recorded })];
  const other = sampleNotice({ key: 'other', handles });
  const first = takenOf(await one.phone.send(page, to, attempt()));
  recorded.set(first.vendorId, page.key);
  fake.misbehave('POST /Calls.json', { type: 'broken' });
  assert.match(summaryOf(await another.phone.send(other, to, attempt())), /^no_answer: Twilio: /);
  another.pass(3);
  fake.misbehave('POST /Calls.json', { type: 'answer_lost' });
  const second = takenOf(await another.phone.send(other, to, attempt()));
  assert.equal(fake.calls.length, 2);
  assert.equal(second.vendorId, fake.calls[0]?.sid);
  assert.notEqual(second.vendorId, first.vendorId);
  // Its own is recorded once that is reported, before its answer is.
  const third = channelsOf({ fake, recorded: new Map([[second.vendorId, other.key]]) });
  const unknownSince = noon.subtract({ seconds: 1 });
  const again = await third.phone.send(other, to, { ...attempt(), unknownSince });
  assert.equal(takenOf(again).vendorId, second.vendorId);
});

test('what a server that died may have had made is looked up before it is made again', async () => {
  await using fake = await startFake();
  fake.setHabit(to, { type: 'receives' });
  const unknownSince = noon.subtract({ seconds: 1 });
  for (const channel of ['phone', 'sms'] as const) {
    const made = takenOf(await channelsOf({ fake })[channel].send(page, to, attempt()));
    const after = { ...attempt(), unknownSince };
    const again = takenOf(await channelsOf({ fake })[channel].send(page, to, after));
    assert.equal(again.vendorId, made.vendorId);
  }
  assert.deepEqual([fake.calls.length, fake.messages.length], [1, 1]);
});

test('a call that a server that died had made is queried at once if it is over', async () => {
  await using fake = await startFake();
  const made = takenOf(await channelsOf({ fake }).phone.send(page, to, attempt()));
  const after = { ...attempt(), unknownSince: noon.subtract({ seconds: 1 }) };
  const waitOf = async () => {
    const answer = await channelsOf({ fake }).phone.send(page, to, after);
    return answer.outcome === 'handed_over' && answer.receiptWithinSeconds;
  };
  assert.equal(await waitOf(), sendingLimits.callReceipt);
  await fake.busy(made.vendorId);
  assert.equal(await waitOf(), 0);
  assert.equal(fake.calls.length, 1);
});

test('of several accounts, each is queried for what it may have taken before', async () => {
  await using fake = await startFake();
  const { sid: account_sid } = fake.otherAccount;
  const first = twilioConnection(fake);
  const second = twilioConnection(fake, { account_sid }, { id: 'c2' });
  const unknownSince = noon.subtract({ seconds: 1 });
  const isList = ({ operation }: { readonly operation: string }) => operation.startsWith('GET');
  for (const channel of ['phone', 'sms'] as const) {
    const made = takenOf(await channelsOf({ fake })[channel].send(page, to, attempt()));
    // Meanwhile the other account comes first.
    const connections = [second, first];
    const after = { ...attempt(), unknownSince };
    const killed = channelsOf({ fake, connections })[channel];
    assert.deepEqual(takenOf(await killed.send(page, to, after)), made);
    const since = { ...after, unknownSince: noon.add({ minutes: 1 }) };
    const { length } = fake.requests.filter(isList);
    const back = channelsOf({ fake, connections });
    const early = await back[channel].send(page, to, since);
    assert.equal(early.outcome, 'withheld', 'it may not be listed yet');
    back.pass(3);
    const sent = takenOf(await back[channel].send(page, to, since));
    assert.equal(sent.connectionId, 'c2', 'neither has made it');
    assert.equal(fake.requests.filter(isList).length, length + 4);
  }
  assert.deepEqual([fake.calls.length, fake.messages.length], [2, 2]);
});

test('a request without an answer is looked for at its account, whichever is next', async () => {
  await using fake = await startFake();
  const { sid: account_sid } = fake.otherAccount;
  const connections = [
    twilioConnection(fake),
    twilioConnection(fake, { account_sid }, { id: 'c2' }),
  ];
  const { phone } = channelsOf({ fake, connections });
  fake.misbehave('POST /Calls.json', { type: 'answer_lost' });
  fake.misbehave('GET /Calls.json', { type: 'broken' });
  assert.match(summaryOf(await phone.send(page, to, attempt())), /^no_answer: Twilio: /);
  // As one that has failed too often.
  connections.reverse();
  const known = takenOf(await phone.send(page, to, attempt()));
  assert.deepEqual([known.connectionId, known.vendorId], ['c1', fake.calls[0]?.sid]);
  const again = await phone.send(page, to, attempt({ ...known, receipt: busy }));
  assert.equal(takenOf(again).connectionId, 'c1', 'the same calls once more');
  assert.equal(fake.calls.length, 2, 'what was found is not looked for again');
});

const busy: Receipt = { state: 'unanswered', reason: 'busy', blame: 'later' };

test('an SMS of a trial account whose answer is lost is recognised, too', async () => {
  await using fake = await startFake();
  fake.makeTrial();
  fake.setHabit(to, { type: 'receives' });
  fake.misbehave('POST /Messages.json', { type: 'answer_lost' });
  const { vendorId } = takenOf(await channelsOf({ fake }).sms.send(page, to, attempt()));
  assert.deepEqual(
    fake.messages.map(({ sid }) => sid),
    [vendorId],
  );
  assert.match(fake.messages[0]?.body ?? '', /^Sent from your Twilio trial account - INC/);
});

test('what was never done is done by the next try', async () => {
  await using fake = await startFake();
  const { sms, answers, pass } = channelsOf({ fake, totalTimeoutMs: 500 });
  fake.misbehave('POST /Messages.json', { type: 'hang' });
  const first = await sms.send(page, to, attempt());
  assert.equal(summaryOf(first), 'no_answer: Twilio: timed out waiting for the answer');
  assert.deepEqual(answers, ['outage']);
  assert.equal(fake.messages.length, 0);
  pass(3);
  // The same words to the same number from before are not what was sent.
  takenOf(await sms.send(page, to, attempt()));
  takenOf(await sms.send(page, to, attempt()));
  assert.equal(fake.messages.length, 2);
});

test('a call whose answer is lost is not made again while the list of the vendor lags', async () => {
  for (const type of ['answer_lost', 'done_but_broken', 'done_but_hangs'] as const)
    for (const channel of ['phone', 'sms'] as const) {
      let now = noon;
      await using fake = await startFakeTwilio(() => now);
      fake.lagLists(3);
      const connections = [twilioConnection(fake), twilioConnection(fake, {}, { id: 'c2' })];
      const world = channelsOf({ fake, connections, totalTimeoutMs: 500 });
      const operation = channel === 'phone' ? 'POST /Calls.json' : 'POST /Messages.json';
      fake.misbehave(operation, { type });
      const first = await world[channel].send(page, to, attempt());
      assert.ok(first.outcome === 'no_answer', JSON.stringify(first));
      assert.equal(first.retryAfterSeconds, 3, 'when the list is believed');
      world.pass(0.2);
      now = world.now();
      const early = await world[channel].send(page, to, attempt());
      assert.ok(early.outcome === 'withheld', JSON.stringify(early));
      assert.equal(early.forSeconds, 3);
      world.pass(2.8);
      now = world.now();
      const { connectionId } = takenOf(await world[channel].send(page, to, attempt()));
      assert.equal(connectionId, 'c1');
      assert.equal(fake.calls.length + fake.messages.length, 1, `${type} ${channel}`);
    }
});

test('what a killed server has requested may be missing in the list for a while', async () => {
  let now = noon;
  await using fake = await startFakeTwilio(() => now);
  fake.lagLists(3);
  const made = takenOf(await channelsOf({ fake }).phone.send(page, to, attempt()));
  const back = channelsOf({ fake });
  const after = { ...attempt(), unknownSince: noon };
  assert.equal((await back.phone.send(page, to, after)).outcome, 'withheld');
  back.pass(3);
  now = back.now();
  assert.equal(takenOf(await back.phone.send(page, to, after)).vendorId, made.vendorId);
  assert.equal(fake.calls.length, 1);
});

test('an account that fails or hangs leads to the next one', async () => {
  await using fake = await startFake();
  const connections = [twilioConnection(fake), twilioConnection(fake, {}, { id: 'c2' })];
  const { sms, phone, answers, pass } = channelsOf({ fake, connections, totalTimeoutMs: 500 });
  for (const type of ['broken', 'hang'] as const) {
    fake.misbehave('POST /Messages.json', { type });
    const notice = sampleNotice({ key: type, handles });
    assert.equal((await sms.send(notice, to, attempt())).outcome, 'no_answer');
    pass(3);
    const byNext = await sms.send(notice, to, attempt());
    assert.equal(takenOf(byNext).connectionId, 'c2', 'the account lists that nothing was made');
  }
  assert.deepEqual(answers, ['outage', 'ok', 'outage', 'ok']);
  fake.misbehave('POST /Calls.json', { type: 'hang' });
  fake.misbehave('GET /Calls.json', { type: 'hang' });
  const unknown = await phone.send(page, to, attempt());
  assert.match(summaryOf(unknown), /^no_answer: Twilio: timed out/, 'it may have called');
  fake.misbehave('GET /Calls.json', { type: 'hang' });
  assert.equal(takenOf(await phone.send(page, to, attempt())).connectionId, 'c2');
  assert.deepEqual(answers.slice(4), ['outage', 'outage', 'ok']);
  assert.deepEqual([fake.messages.length, fake.calls.length], [2, 1]);
});

test('an account that hangs altogether costs less than ten seconds before the next one sends', async () => {
  const hangingSid = `AC${'d'.repeat(32)}`;
  const http = createVendorHttp();
  for (const channel of ['phone', 'sms'] as const) {
    await using fake = await startFake();
    fake.goDown('hang', hangingSid);
    const connections = [
      twilioConnection(fake, { account_sid: hangingSid }),
      twilioConnection(fake, {}, { id: 'c2' }),
    ];
    const waits: (readonly [what: string, seconds: number])[] = [];
    /** The same requests, with a fortieth of their time. */
    const hurried: VendorHttp = {
      async request({ withinMs = sendingLimits.vendorCallTime, ...request }) {
        const answer = await http.request({ ...request, withinMs: withinMs / 40 });
        if (!answer.answered) waits.push([request.method, withinMs / 1_000]);
        return answer;
      },
    };
    const channels = channelsOf({ fake, connections, http: hurried });
    const first = await channels[channel].send(page, to, attempt());
    assert.match(summaryOf(first), /^no_answer: Twilio: timed out/);
    assert.deepEqual(waits.splice(0), [
      ['POST', 4],
      ['GET', 2],
    ]);
    assert.equal(takenOf(await channels[channel].send(page, to, attempt())).connectionId, 'c2');
    assert.deepEqual(waits, [['GET', 2]], 'the first is asked once more, and sends nothing');
    assert.ok(4 + 2 + backoffSeconds(1, () => 1) + 2 < 10);
  }
});

test('receipts may come early, twice, late, in any order and from others', async () => {
  await using fake = await startFake();
  await using customer = await startTwilioCustomer(twilioConnection(fake));
  const { sms } = channelsOf({ fake, callbackUrl: customer.url });
  fake.setHabit(to, { type: 'out_of_reach', code: 30003 });
  fake.callBackFirst();
  fake.setReceipts('twice');
  const taken = sms
    .send(page, to, attempt())
    .then((delivery) => [delivery, customer.inbound.length]);
  const [, before] = await taken;
  assert.equal(before, 4);
  assert.deepEqual(receiptsIn(customer.inbound), ['sent', 'sent', 'undelivered', 'undelivered']);
  fake.setReceipts('held');
  await sms.send(page, to, attempt());
  for (const send of fake.held.toReversed()) await send();
  assert.deepEqual(receiptsIn(customer.inbound).slice(4), ['undelivered', 'sent']);
  const url = `${customer.url}/callbacks/sms/c1/h-1.x`;
  const forged = { MessageSid: 'SM1', MessageStatus: 'delivered', AccountSid: fake.account.sid };
  assert.equal((await fake.forge(url, forged)).status, 401);
  assert.match(customer.refusals.join(), /signature does not match the account/);
});

for (const [status, code] of [
  [400, 21999],
  [400, 99999],
  [404, 45000],
  [409, 20409],
  [418, 0],
] as const)
  for (const channel of ['phone', 'sms'] as const)
    test(`by ${channel}, after ${status} with ${code}, which is not known, the next connection sends; without one it fails`, async () => {
      await using fake = await startFake();
      fake.setHabit(to, { type: 'refused', status, code });
      const connections = [twilioConnection(fake)];
      const channels = channelsOf({ fake, connections });
      const end = await channels[channel].send(page, to, attempt());
      assert.match(summaryOf(end), /^failed: Twilio: the request was rejected \(/);
      const second = twilioConnection(fake, {}, { id: 'c2' });
      connections.push(second);
      const both = await channels[channel].send(page, to, attempt());
      assert.match(summaryOf(both), /^failed: .*rejected.*; .*rejected/);
      const operation = channel === 'phone' ? 'POST /Calls.json' : 'POST /Messages.json';
      fake.setHabit(to, { type: 'receives' });
      fake.misbehave(operation, { type: 'refuse', status, code, message: 'A reason of its own' });
      const { connectionId } = takenOf(await channels[channel].send(page, to, attempt()));
      assert.equal(connectionId, 'c2');
      const unexplained = ['unexplained', 'unexplained', 'unexplained', 'unexplained'];
      assert.deepEqual(channels.answers, [...unexplained, 'ok']);
      assert.deepEqual(channels.losses, []);
    });
