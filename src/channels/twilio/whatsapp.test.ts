import assert from 'node:assert/strict';
import { test } from 'node:test';
import twilio from 'twilio';
import { noon } from '../../../test/incident-life.ts';
import { startFakeTwilio } from '../../../test/vendors/twilio.ts';
import { twilioConnection } from '../../../test/vendors/twilio-customer.ts';
import { NOTICE_CONTENT, PAGE_CONTENT } from '../../../test/vendors/twilio-whatsapp.ts';
import type { Attempt, HandedOver, ReportedDelivery } from '../../engine/sending/channel.ts';
import { sampleNotice } from '../../notices/kinds/incident.ts';
import { createNumberChannel } from '../by-number.ts';
import type { noLanes } from '../lanes.ts';
import { createVendorHttp } from '../vendor-http.ts';
import { twilioWhatsApp } from './channel.ts';
import { checkTwilio } from './check.ts';

const http = createVendorHttp();
const to = '+4915112345678';
const handles = { acknowledge: 'a', resolve: 'r', escalate: 'e' };
const page = sampleNotice({ handles, stepMinutes: 5 });
const allClear = sampleNotice({ kind: 'all_clear' }, { status: 'resolved' });

type World = { readonly isOpen?: boolean; readonly settings?: object };

async function start(stack: AsyncDisposableStack, { isOpen = false, settings = {} }: World = {}) {
  const fake = stack.use(await startFakeTwilio(() => noon));
  const connection = twilioConnection(fake, {
    from_whatsapp: fake.number,
    content_sid: PAGE_CONTENT,
    notice_content_sid: NOTICE_CONTENT,
    ...settings,
  });
  const answers: string[] = [];
  const turns: string[] = [];
  const holds: string[] = [];
  const options = {
    baseUrl: fake.url,
    http,
    clock: { now: () => noon },
    callbackUrl: 'https://pager.example.com',
    hasOpenWindow: async () => isOpen,
    turn: async () => true,
    hold: async () => undefined,
    takenByOthers: async () => new Set<string>(),
    lanes: {
      turn: async (...[, lanes]: Parameters<typeof noLanes.turn>) => {
        turns.push(...lanes.map(({ name }) => name));
        return { isFree: true, isFirst: false, hasWaited: false } as const;
      },
      hold: async (...[, lane]: Parameters<typeof noLanes.hold>) => void holds.push(lane),
    },
  };
  const channel = createNumberChannel({
    channel: 'whatsapp',
    vendors: new Map([['twilio', twilioWhatsApp(options)]]),
    connectionsOf: async () => [connection],
    inTurn: async (all) => all,
    answered: async (_, { kind }) => void answers.push(kind),
    lost: async () => undefined,
  });
  return { fake, connection, channel, answers, turns, holds };
}

const attempt = (...earlier: readonly HandedOver[]): Attempt => ({
  handle: 'h-1.x',
  earlier,
  thread: null,
  until: noon.add({ seconds: 60 }),
  isWanted: async () => true,
});

const summaryOf = (delivery: ReportedDelivery) =>
  'reason' in delivery ? `${delivery.outcome}: ${delivery.reason}` : delivery.outcome;

test('a page is the template with its variables, in the turn of its person', async () => {
  await using stack = new AsyncDisposableStack();
  const { fake, channel, turns } = await start(stack);
  const delivery = await channel.send(page, to, attempt());
  assert.ok(delivery.outcome === 'handed_over');
  assert.deepEqual(delivery.counted, { connectionId: 'c1', country: '+49' });
  const [message] = fake.messages;
  assert.deepEqual(message?.fields, {
    To: `whatsapp:${to}`,
    From: `whatsapp:${fake.number}`,
    ContentSid: PAGE_CONTENT,
    ContentVariables: '{"1":"INC-42 P1","2":"Payments","3":"Disk full on <db-1>"}',
    ValidityPeriod: '300',
    StatusCallback: 'https://pager.example.com/callbacks/whatsapp/c1/h-1.x',
  });
  assert.deepEqual(turns, ['whatsapp', `whatsapp ${to}`]);
  await fake.report(message.sid, 'read');
  const taken = { connectionId: 'c1', vendorId: message.sid, receipt: null };
  assert.equal((await channel.send(page, to, attempt(taken))).outcome, 'delivered');
});

test('who has just written gets a text, and the template after a text that did not arrive', async () => {
  await using stack = new AsyncDisposableStack();
  const { fake, channel } = await start(stack, { isOpen: true });
  const delivery = await channel.send(page, to, attempt());
  assert.ok(delivery.outcome === 'handed_over');
  const [text] = fake.messages;
  assert.match(text?.body ?? '', /\n4 42 = Acknowledge\n6 42 = Resolve\n9 42 = Escalate$/);
  assert.match(String(text?.fields['StatusCallback']), /\/h-1\.x\?sent=text$/);
  // The window is not open at WhatsApp.
  await fake.settled();
  assert.deepEqual([text?.status, text?.errorCode], ['undelivered', 63016]);
  const receipt = { state: 'undelivered', reason: '', blame: 'later' } as const;
  const earlier = { connectionId: 'c1', vendorId: delivery.vendorId, receipt };
  assert.equal((await channel.send(page, to, attempt(earlier))).outcome, 'handed_over');
  assert.equal(fake.messages[0]?.content?.name, 'pager_page');
});

for (const [code, status] of [
  [63016, 400],
  [29999, 400],
] as const)
  test(`a text that Twilio refuses (${code}) is sent as a template at once`, async () => {
    await using stack = new AsyncDisposableStack();
    const { fake, channel } = await start(stack, { isOpen: true });
    fake.misbehave('POST /Messages.json', { type: 'refuse', status, code, message: 'No' });
    assert.equal((await channel.send(page, to, attempt())).outcome, 'handed_over');
    assert.deepEqual(
      fake.messages.map(({ content }) => content?.name),
      ['pager_page'],
    );
  });

test('a notice without a page needs its own template, or the window', async () => {
  await using stack = new AsyncDisposableStack();
  const { fake, channel } = await start(stack);
  await channel.send(allClear, to, attempt());
  assert.equal(fake.messages[0]?.content?.name, 'pager_notice');
  const settings = { notice_content_sid: undefined };
  const without = await start(stack, { settings });
  assert.match(
    summaryOf(await without.channel.send(allClear, to, attempt())),
    /^failed: Twilio: the person last wrote more than 24 hours ago, .* no notice_content_sid$/,
  );
  assert.deepEqual(without.answers, [], 'the account was asked nothing');
  const open = await start(stack, { settings, isOpen: true });
  assert.equal((await open.channel.send(allClear, to, attempt())).outcome, 'handed_over');
});

for (const [code, outcome, answer] of [
  [63018, 'no_answer', undefined],
  [63041, 'failed', 'refusal'],
  [63007, 'failed', 'refusal'],
  [63024, 'failed', 'ok'],
] as const)
  test(`${code} ends the try as ${outcome}`, async () => {
    await using stack = new AsyncDisposableStack();
    const { fake, channel, answers, holds } = await start(stack);
    const refusal = { type: 'refuse', status: 400, code, message: 'No' } as const;
    fake.misbehave('POST /Messages.json', refusal);
    assert.equal((await channel.send(page, to, attempt())).outcome, outcome);
    assert.equal(answers[0], answer);
    assert.deepEqual(holds, code === 63018 ? [`whatsapp ${to}`] : []);
  });

test('a template whose answer was lost is found by its variables, and not sent twice', async () => {
  await using stack = new AsyncDisposableStack();
  const { fake, channel } = await start(stack);
  fake.misbehave('POST /Messages.json', { type: 'answer_lost' });
  assert.equal((await channel.send(page, to, attempt())).outcome, 'handed_over');
  assert.equal(fake.messages.length, 1);
});

test('requests for templates are those of the vendor’s library', async () => {
  await using stack = new AsyncDisposableStack();
  const { fake, channel } = await start(stack);
  class ToFake extends twilio.RequestClient {
    override request<Data>(
      options: Parameters<typeof twilio.RequestClient.prototype.request<Data>>[0],
    ) {
      const uri = options.uri.replace(/https:\/\/(?:api|content)\.twilio\.com/, fake.url);
      return super.request<Data>({ ...options, uri });
    }
  }
  const sdk = twilio(fake.account.sid, fake.authToken, { httpClient: new ToFake() });
  await channel.send(page, to, attempt());
  await sdk.messages.create({
    to: `whatsapp:${to}`,
    from: `whatsapp:${fake.number}`,
    contentSid: PAGE_CONTENT,
    contentVariables: '{"1":"INC-42 P1","2":"Payments","3":"Disk full on <db-1>"}',
    validityPeriod: 300,
    statusCallback: 'https://pager.example.com/callbacks/whatsapp/c1/h-1.x',
  });
  const [theirs, ours] = fake.messages;
  assert.deepEqual(theirs?.fields, ours?.fields);
  const content = await sdk.content.v1.contents(PAGE_CONTENT).fetch();
  assert.deepEqual(Object.keys(content.types as object), ['twilio/quick-reply']);
  const approval = await sdk.content.v1.contents(PAGE_CONTENT).approvalFetch().fetch();
  assert.equal(`${(approval.whatsapp as Readonly<Record<string, unknown>>)['status']}`, 'approved');
});

const checksOf = async (
  { fake, connection }: Awaited<ReturnType<typeof start>>,
  isTested = false,
) => {
  const to_ = isTested ? { channel: 'whatsapp', address: to } : null;
  const { checks, account } = await checkTwilio({ baseUrl: fake.url, http }, connection, to_);
  return {
    account,
    wrong: checks.find(({ ok }) => !ok)?.message,
    names: checks.map(({ name }) => name),
  };
};

test('templates are checked, and a test sends the one for pages', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { names, wrong, account } = await checksOf(world, true);
  assert.deepEqual(names, ['credentials', 'content_sid', 'notice_content_sid', 'message']);
  assert.deepEqual([wrong, account], [undefined, 'Acme']);
  assert.match(world.fake.messages[0]?.body ?? '', /^Incident TEST needs you\./);
  const [content] = world.fake.contents;
  assert.ok(content);
  for (const [change, expected] of [
    [{ status: 'rejected' }, /its status is rejected \(INVALID_FORMAT\)/],
    [{ status: 'paused' }, /its status is paused/],
    [
      { status: 'approved', buttons: [] },
      /needs 3 variables in its body, and the quick-reply buttons/,
    ],
  ] as const) {
    Object.assign(content, change);
    const checked = await checksOf(world);
    assert.match(checked.wrong ?? '', expected);
    assert.equal(checked.account, null);
  }
});
