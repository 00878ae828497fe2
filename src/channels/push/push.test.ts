import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, test } from 'node:test';
import { startPushService, type TestBrowser } from '../../../test/push-service.ts';
import { noNtfy } from '../../../test/vendors/ntfy.ts';
import { systemClock } from '../../engine/clock.ts';
import { silentLog } from '../../engine/log.ts';
import type { Delivery } from '../../engine/sending/channel.ts';
import { sampleNotice } from '../../notices/kinds/incident.ts';
import { pushAnswerOf } from '../host-answer.ts';
import { publishToNtfy } from '../ntfy/publish.ts';
import { createOutbound } from '../outbound.ts';
import { createPush, type PushDevice, pushDelivery } from './push.ts';
import { publicKeyText } from './vapid.ts';

const service = await startPushService();
after(() => service[Symbol.asyncDispose]());
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const key = publicKeyText(privateKey);

/** A person with these browsers. */
function personWith(
  browsers: readonly TestBrowser[],
  { allowNetworks = ['127.0.0.0/8'], totalTimeoutMs = 10_000 } = {},
) {
  const gone: string[] = [];
  const warnings: string[] = [];
  const answers: string[] = [];
  const devices = browsers.map(({ subscription }, index): PushDevice => {
    const names = { organizationId: 'ours', id: `${index}`, name: `Browser ${index}` };
    return { ...names, subscription };
  });
  const warn = (details: object, text: string) =>
    void warnings.push(`${text} ${Object.keys(details).join(' ')}`);
  const log = { ...silentLog, warn };
  const outbound = createOutbound({ allowNetworks, log: silentLog, totalTimeoutMs });
  const push = createPush({
    outbound,
    devices: {
      of: async (_organizationId, id) =>
        devices.filter((device) => id === 'ada' || device.id === id),
      inUse: async (_organizationId, id) => devices.filter((device) => device.id === id),
      gone: async ({ name }, reason) => void gone.push(`${name}: ${reason}`),
    },
    vapid: { privateKey, subject: 'mailto:pager@example.com' },
    clock: systemClock,
    log,
    publish: (publishing) => publishToNtfy({ ...noNtfy, outbound }, publishing),
    async answered({ organizationId, channel, service }, answer) {
      const reason = answer.kind === 'ok' ? '' : ` ${answer.reason}`;
      answers.push(`${organizationId} ${channel} ${service} ${answer.kind}${reason}`);
    },
  });
  return { push, gone, warnings, answers, send: () => push.send(sampleNotice(), 'ada') };
}

const tag = `inc-${sampleNotice().incident.id}`;

const answering = (status: number, headers: Record<string, string> = {}): TestBrowser => {
  const browser = service.browser(key);
  browser.answer = { status, headers };
  return browser;
};

const hanging = (): TestBrowser => {
  const browser = service.browser(key);
  browser.answer = null;
  return browser;
};

test('all devices of a person get a page, encrypted for each', async () => {
  const browsers = [service.browser(key), service.browser(key)];
  const { gone, send } = personWith(browsers);
  assert.deepEqual(await send(), {
    outcome: 'delivered',
    answer: 'Browser 0: answered 201; Browser 1: answered 201',
    posted: ['0', '1'].map((place) => ({ connectionId: null, place, messageId: tag })),
  });
  for (const { received } of browsers) {
    assert.equal(received.length, 1);
    assert.match(received[0]?.content.title ?? '', /^INC-/);
  }
  assert.deepEqual([service.complaints, gone], [[], []]);
});

test('what changes takes the place of the page on all devices, without a sound', async () => {
  const browsers = [service.browser(key), service.browser(key)];
  const { push, send } = personWith(browsers);
  const delivery = await send();
  assert.ok(delivery.outcome === 'delivered' && delivery.posted);
  const at = Temporal.Instant.from('2026-11-21T03:12:00Z');
  const taken = { action: 'Acknowledged', by: 'Bo', at };
  const changed = sampleNotice({ taken }, { status: 'acknowledged' });
  for (const posted of delivery.posted)
    assert.equal((await push.show(changed, posted, 'words')).outcome, 'delivered');
  for (const { received } of browsers) {
    const [page, edit] = received;
    assert.equal(edit?.content.tag, page?.content.tag);
    assert.equal(edit?.headers['topic'], page?.headers['topic']);
    assert.match(edit?.content.body ?? '', /^Acknowledged by Bo, 03:12 UTC\n/);
    assert.equal(edit?.content.silent, true);
  }
});

test('while an incident is triggered only news is sent, and no page that waits is replaced', async () => {
  const browser = service.browser(key);
  const { push, send } = personWith([browser]);
  const delivery = await send();
  const [posted = assert.fail()] = delivery.outcome === 'delivered' ? (delivery.posted ?? []) : [];
  assert.equal((await push.show(sampleNotice(), posted, 'cycle')).outcome, 'delivered');
  assert.equal(browser.received.length, 1);
  await push.show(sampleNotice({}, { priority: 'p0' }), posted, 'words');
  const [, edit] = browser.received;
  assert.match(edit?.content.body ?? '', /P0$/);
  assert.deepEqual([edit?.content.silent, edit?.headers['topic']], [true, undefined]);
});

test('a device that could not take the page gets it later, and the others not again', async () => {
  const [has, busy] = [service.browser(key), answering(429, { 'retry-after': '7' })];
  const { push, send } = personWith([has, busy, answering(413)]);
  const delivery = await send();
  assert.ok(delivery.outcome === 'delivered');
  const at = (place: string) => ({ connectionId: null, place, messageId: tag });
  assert.deepEqual(delivery.posted, [at('0'), { ...at('1'), retry: { afterSeconds: 7 } }]);
  const again = await push.show(sampleNotice(), at('1'), 'all');
  assert.deepEqual([again.outcome, busy.received.length], ['no_answer', 0]);
  busy.answer = { status: 202 };
  assert.equal((await push.show(sampleNotice(), at('1'), 'all')).outcome, 'delivered');
  assert.deepEqual([has.received.length, busy.received.length], [1, 1]);
  assert.equal(busy.received[0]?.content.silent, false, 'it rings');
  await push.show(sampleNotice({}, { status: 'acknowledged' }), at('1'), 'all');
  assert.equal(busy.received[1]?.content.silent, true, 'once somebody has it, it does not');
});

test('it is delivered where one device has it, and of those that are gone their owner learns', async () => {
  const { gone, send } = personWith([answering(410), answering(201), answering(404)]);
  const { outcome, answer } = await send();
  assert.equal(outcome, 'delivered');
  assert.equal(
    answer,
    'Browser 0: no longer accepts pushes (410); Browser 1: answered 201; ' +
      'Browser 2: no longer accepts pushes (404)',
  );
  assert.deepEqual(gone.toSorted(), [
    'Browser 0: Its push service answered 410.',
    'Browser 2: Its push service answered 404.',
  ]);
});

for (const status of [400, 401, 403])
  test(`a refusal of ours by ${status} is logged and tried again, and blames no device`, async () => {
    const { gone, warnings, send } = personWith([answering(status), answering(410)]);
    const delivery = await send();
    assert.deepEqual(delivery.outcome === 'refused' && delivery.blame, 'connection');
    assert.match(JSON.stringify(delivery), new RegExp(`refused Pager \\(${status}\\)`));
    const warning = 'a push service rejected a push notice host status';
    assert.deepEqual([gone.length, warnings], [1, [warning]], 'and never what it answered');
  });

test('the wait that a busy push service asks for is waited', async () => {
  const { gone, send } = personWith([answering(429, { 'retry-after': '7' })]);
  assert.deepEqual(await send(), {
    outcome: 'no_answer',
    reason: 'Browser 0: answered 429',
    retryAfterSeconds: 7,
  });
  assert.deepEqual(gone, []);
});

test('a push service that does not answer is tried again', async () => {
  const silent = service.browser(key);
  silent.answer = null;
  const delivery = await personWith([silent], { totalTimeoutMs: 500 }).send();
  assert.equal(delivery.outcome, 'no_answer');
  assert.match(JSON.stringify(delivery), /timed out waiting for the answer/);
});

test('nothing that is no device of the internet is called', async () => {
  const browser = service.browser(key);
  const delivery = await personWith([browser], { allowNetworks: [] }).send();
  assert.match(JSON.stringify(delivery), /failed.*its push service cannot be called/);
  assert.doesNotMatch(JSON.stringify(delivery), /loopback|127\.0/);
  assert.deepEqual(browser.received, []);
});

test('without a device there is nothing to try again', async () => {
  assert.deepEqual(await personWith([]).send(), {
    outcome: 'failed',
    blame: 'contact',
    reason: 'no device receives pushes',
  });
});

const failed = (status: number): Delivery => ({ outcome: 'failed', reason: 'answered', status });
const verdicts: readonly (readonly [answer: Delivery, outcome: Delivery['outcome']])[] = [
  [{ outcome: 'delivered', status: 201 }, 'delivered'],
  [{ outcome: 'delivered', status: 202 }, 'delivered'],
  [{ outcome: 'no_answer', reason: 'answered', status: 500 }, 'no_answer'],
  [{ outcome: 'no_answer', reason: 'the connection failed' }, 'no_answer'],
  [{ outcome: 'failed', reason: 'refused to connect' }, 'failed'],
  [failed(404), 'failed'],
  [failed(410), 'failed'],
  [failed(413), 'failed'],
  [failed(400), 'refused'],
  [failed(401), 'refused'],
  [failed(403), 'refused'],
  [failed(302), 'failed'],
  [failed(405), 'failed'],
  [failed(418), 'failed'],
];
for (const [answer, outcome] of verdicts)
  test(`${JSON.stringify(answer)} of a push service makes the push ${outcome}`, () =>
    assert.equal(pushDelivery(answer).outcome, outcome));

test('a push service works if it took one push; refusals of this server are its operator’s to mend', async () => {
  const { host } = new URL(service.origin);
  const answered = async (...statuses: readonly (number | null)[]) => {
    const browsers = statuses.map((status) => (status === null ? hanging() : answering(status)));
    const isSilent = statuses.includes(null);
    const { send, answers } = personWith(browsers, isSilent ? { totalTimeoutMs: 50 } : {});
    await send();
    return answers;
  };
  const of = `${sampleNotice().organization.id} push-notification ${host}`;
  for (const statuses of [[201], [404], [410], [413], [403, 201], [201, 500], [410, 403]])
    assert.deepEqual(await answered(...statuses), [`${of} ok`], `${statuses}`);
  const refusal = (status: number) =>
    `${of} refusal ${host} refuses pushes from this server (${status}): check that PAGER_MAIL_FROM is an address in a public domain and that the server’s clock is right`;
  for (const status of [400, 401, 403]) assert.deepEqual(await answered(status), [refusal(status)]);
  assert.deepEqual(await answered(418), [`${of} unexplained ${host} refused a push (418)`]);
  assert.deepEqual(await answered(503), [`${of} outage ${host}: answered 503`]);
  const [silence = ''] = await answered(null);
  assert.match(silence, / outage localhost:\d+: timed out/);
  assert.deepEqual(await answered(429), [], 'it gets too much at once');
  const { send, answers } = personWith([service.browser(key)], { allowNetworks: [] });
  await send();
  assert.deepEqual(answers, [], 'nothing was requested');
});

test('of what a push service answers only a word is shown', () => {
  const refused = (answer: string) => {
    const known = pushAnswerOf('push.example', {
      outcome: 'failed',
      reason: '',
      status: 403,
      answer,
    });
    return known?.kind === 'refusal' ? known.reason.replace(/:.*/, '') : known;
  };
  const reason = (what: string) => `push.example refuses pushes from this server (${what})`;
  assert.equal(refused('{"reason":"BadJwtToken"}'), reason('403 BadJwtToken'));
  for (const answer of ['', '{"reason":"of\n anybody"}', 'x'.repeat(4_000)])
    assert.equal(refused(answer), reason('403'));
});
