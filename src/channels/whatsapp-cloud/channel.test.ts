import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type FakeWhatsAppCloud,
  type Misbehaviour,
  pageTemplate,
  startFakeWhatsAppCloud,
} from '../../../test/vendors/whatsapp-cloud.ts';
import type { Attempt, HandedOver } from '../../engine/sending/channel.ts';
import { sampleNotice } from '../../notices/kinds/incident.ts';
import { createNumberChannel, type NumberConnection } from '../by-number.ts';
import { type LanePort, noLanes } from '../lanes.ts';
import { createVendorHttp } from '../vendor-http.ts';
import { whatsAppCloudNumbers } from './channel.ts';

const to = '+4915112345678';
const handles = { acknowledge: 'a'.repeat(60), resolve: 'r'.repeat(60), escalate: 'e'.repeat(60) };
const page = sampleNotice({ handles });
const resolved = sampleNotice({ kind: 'all_clear' }, { status: 'resolved', resolved_by: 'Ada' });

const connectionTo = (
  fake: FakeWhatsAppCloud,
  id: string,
  settings: Readonly<Record<string, unknown>> = {},
): NumberConnection => ({
  organization_id: 'o1',
  id,
  name: `number ${id}`,
  vendor: 'whatsapp-cloud',
  settings: {
    phone_number_id: fake.account.phone_number_id,
    business_account_id: fake.account.business_account_id,
    template: 'pager_page',
    notice_template: 'pager_notice',
    language: 'en',
    allowed_prefixes: ['+49'],
    ...settings,
  },
  secrets: { access_token: fake.account.access_token, app_secret: '', verify_token: '' },
});

type Options = {
  readonly isOpen?: boolean;
  readonly lanes?: LanePort;
  readonly timeoutMs?: number;
};

async function start(stack: AsyncDisposableStack, options: Options = {}) {
  const { isOpen = true, lanes = noLanes, timeoutMs = 10_000 } = options;
  const fake = stack.use(await startFakeWhatsAppCloud());
  const connections = [connectionTo(fake, 'first')];
  const answers: string[] = [];
  const losses: string[] = [];
  const numbers = createNumberChannel({
    channel: 'whatsapp',
    vendors: new Map([
      [
        'whatsapp-cloud',
        whatsAppCloudNumbers({
          baseUrl: fake.url,
          http: createVendorHttp({ totalTimeoutMs: timeoutMs }),
          lanes,
          hasOpenWindow: async () => isOpen,
        }),
      ],
    ]),
    connectionsOf: async () => connections,
    inTurn: async (all) => all,
    answered: async ({ id }, { kind }) => void answers.push(`${id} ${kind}`),
    lost: async ({ address }, { state }) => void losses.push(`${address} ${state}`),
  });
  return { fake, numbers, connections, answers, losses };
}

const attempt = (more: Partial<Attempt> = {}): Attempt => ({
  handle: 'h1.proof',
  earlier: [],
  thread: null,
  until: Temporal.Now.instant().add({ seconds: 60 }),
  isWanted: async () => true,
  ...more,
});

test('while the person has just written, a page is a message with three buttons', async () => {
  await using stack = new AsyncDisposableStack();
  const { fake, numbers, answers } = await start(stack);
  const delivery = await numbers.send(page, to, attempt());
  assert.ok(delivery.outcome === 'handed_over', JSON.stringify(delivery));
  assert.equal(delivery.vendorId, 'wamid.OUT1');
  assert.deepEqual(delivery.counted, { connectionId: 'first', country: '+49' });
  const [message] = fake.messages;
  assert.deepEqual([message?.type, message?.data, message?.to], ['interactive', 'h1.proof', to]);
  assert.deepEqual(
    message?.buttons.map(({ payload }) => payload),
    [handles.acknowledge, handles.resolve, handles.escalate],
  );
  assert.deepEqual([answers, fake.complaints], [['first ok'], []]);
});

test('otherwise a page is the template, with its number, service, title and two buttons', async () => {
  await using stack = new AsyncDisposableStack();
  const { fake, numbers } = await start(stack, { isOpen: false });
  assert.equal((await numbers.send(page, to, attempt())).outcome, 'handed_over');
  const [message] = fake.messages;
  assert.equal(message?.type, 'template');
  assert.match(
    message?.text ?? '',
    /Incident INC-42 P1 needs you\. Service: Payments\. Problem: Disk full/,
  );
  assert.deepEqual(
    message?.buttons.map(({ payload }) => payload),
    [handles.acknowledge, handles.resolve],
  );
});

test('what is no page goes by the other template, and fails without one', async () => {
  await using stack = new AsyncDisposableStack();
  const { fake, numbers, connections, answers } = await start(stack, { isOpen: false });
  assert.equal((await numbers.send(resolved, to, attempt())).outcome, 'handed_over');
  assert.match(fake.messages[0]?.text ?? '', /^Pager: Resolved by Ada\. INC-42 Disk full/);
  connections[0] = connectionTo(fake, 'first', { notice_template: undefined });
  const delivery = await numbers.send(resolved, to, attempt());
  assert.ok(delivery.outcome === 'failed', JSON.stringify(delivery));
  assert.match(delivery.reason, /no notice_template/);
  assert.deepEqual(answers, ['first ok'], 'nothing is wrong with the connection');
});

test('a page to a viewer goes by the next number that has the template for it', async () => {
  await using stack = new AsyncDisposableStack();
  const { fake, numbers, connections, answers } = await start(stack, { isOpen: false });
  connections[0] = connectionTo(fake, 'first', { notice_template: undefined });
  connections.push(connectionTo(fake, 'second'));
  const delivery = await numbers.send(sampleNotice({ readOnlyRole: 'viewer' }), to, attempt());
  assert.ok(delivery.outcome === 'handed_over', JSON.stringify(delivery));
  assert.equal(delivery.connectionId, 'second');
  assert.match(fake.messages[0]?.text ?? '', /^Pager: /);
  assert.deepEqual(answers, ['second ok'], 'nothing is wrong with the first');
});

for (const code of [131047, 131009, 131051])
  test(`a message that is refused with ${code} is sent as the template at once`, async () => {
    await using stack = new AsyncDisposableStack();
    const { fake, numbers } = await start(stack);
    fake.misbehave({ type: 'refuse', status: 400, code });
    assert.equal((await numbers.send(page, to, attempt())).outcome, 'handed_over');
    assert.deepEqual(
      fake.messages.map(({ type }) => type),
      ['template'],
    );
  });

test('a message that did not arrive is sent as the template', async () => {
  await using stack = new AsyncDisposableStack();
  const { fake, numbers } = await start(stack);
  const earlier: HandedOver = {
    connectionId: 'first',
    vendorId: 'wamid.OUT0',
    receipt: { state: 'undelivered', reason: 'outside the window', blame: 'later' },
  };
  assert.equal(
    (await numbers.send(page, to, attempt({ earlier: [earlier] }))).outcome,
    'handed_over',
  );
  assert.deepEqual(
    fake.messages.map(({ type }) => type),
    ['template'],
  );
});

const troubles: readonly [Misbehaviour, maybeTaken: true | undefined, noted: readonly string[]][] =
  [
    [{ type: 'broken' }, true, ['first outage']],
    [{ type: 'hang' }, true, ['first outage']],
    [{ type: 'reset' }, true, ['first outage']],
    [{ type: 'answer_lost' }, true, ['first outage']],
    [{ type: 'refuse', status: 500, code: 131000 }, true, ['first outage']],
    [{ type: 'refuse', status: 429, code: 130429 }, undefined, []],
    [{ type: 'refuse_with_200', code: 131016 }, undefined, []],
  ];
for (const [trouble, maybeTaken, noted] of troubles)
  test(`it is tried again after ${Object.values(trouble).join(' ')}`, async () => {
    await using stack = new AsyncDisposableStack();
    const { fake, numbers, answers, losses } = await start(
      stack,
      trouble.type === 'hang' ? { timeoutMs: 200 } : {},
    );
    fake.misbehave(trouble);
    const delivery = await numbers.send(page, to, attempt());
    assert.ok(delivery.outcome === 'no_answer', JSON.stringify(delivery));
    assert.equal(delivery.maybeTaken, maybeTaken);
    assert.deepEqual([answers, losses], [noted, []]);
  });

test('what Meta may have taken is not sent again while it does not answer', async () => {
  await using stack = new AsyncDisposableStack();
  const { fake, numbers } = await start(stack);
  const again = attempt({ maybeTaken: true });
  await fake[Symbol.asyncDispose]();
  const delivery = await numbers.send(page, to, again);
  assert.ok(delivery.outcome === 'no_answer', JSON.stringify(delivery));
  assert.equal(delivery.maybeTaken, undefined);
});

test('a paused template and a revoked token lead to the next number', async () => {
  await using stack = new AsyncDisposableStack();
  const { fake, numbers, connections, answers } = await start(stack, { isOpen: false });
  connections.push(connectionTo(fake, 'second', { template: 'other_page' }));
  fake.templates.push({ ...pageTemplate(), name: 'other_page' });
  for (const one of fake.templates) if (one.name === 'pager_page') one.status = 'PAUSED';
  const delivery = await numbers.send(page, to, attempt());
  assert.ok(delivery.outcome === 'handed_over' && delivery.connectionId === 'second');
  assert.deepEqual(answers, ['first refusal', 'second ok']);
  fake.revokeToken();
  const refused = await numbers.send(page, to, attempt());
  assert.ok(
    refused.outcome === 'failed' && refused.blame === 'connection',
    JSON.stringify(refused),
  );
});

test('a number takes one message after the other to a person, and waits when it was too much', async () => {
  await using stack = new AsyncDisposableStack();
  const held: string[] = [];
  const paced: string[] = [];
  const lanes: LanePort = {
    async turn(_connection, all) {
      paced.push(...all.map(({ name, perSecond }) => `${name} ${perSecond}`));
      return { isFree: true, isFirst: false, hasWaited: false };
    },
    hold: async (_connection, lane, seconds) => void held.push(`${lane} ${seconds}`),
  };
  const { fake, numbers, answers } = await start(stack, { lanes, isOpen: false });
  for (const code of [131056, 130429]) {
    fake.misbehave({ type: 'refuse', status: 400, code });
    const delivery = await numbers.send(page, to, attempt());
    assert.ok(delivery.outcome === 'no_answer' && delivery.retryAfterSeconds === 6);
  }
  assert.deepEqual(paced.slice(0, 2), ['whatsapp 80', `whatsapp ${to} 1`]);
  assert.deepEqual(held, [`whatsapp ${to} 6`, 'whatsapp 6']);
  assert.deepEqual(answers, []);
});

test('a number outside the allowed prefixes gets nothing', async () => {
  await using stack = new AsyncDisposableStack();
  const { fake, numbers } = await start(stack);
  assert.equal((await numbers.send(page, '+33612345678', attempt())).outcome, 'failed');
  assert.deepEqual(fake.messages, []);
});
