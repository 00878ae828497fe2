import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, beforeEach, test } from 'node:test';
import { startFakeNtfy } from '../../../test/vendors/ntfy.ts';
import { systemClock } from '../../engine/clock.ts';
import { silentLog } from '../../engine/log.ts';
import type { VendorAnswer } from '../../engine/sending/connection-health.ts';
import { sampleCodeNotice } from '../../notices/kinds/code.ts';
import { sampleNotice } from '../../notices/kinds/incident.ts';
import { ntfyUrl } from '../../resources/connections/ntfy.ts';
import { noLanes } from '../lanes.ts';
import { createOutbound } from '../outbound.ts';
import { createPush } from '../push/push.ts';
import { checkNtfy, publishToNtfy } from './publish.ts';

const ntfy = await startFakeNtfy();
after(() => ntfy[Symbol.asyncDispose]());
const topic = 'pager-0123456789abcdef';
const token = 'tk_0123456789abcdefghijklmnopqrs';
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
beforeEach(() => {
  ntfy.answer = null;
  ntfy.token = null;
  ntfy.reserved.clear();
});

/** A person with one topic, in an organisation with one connection. */
function subscriber({
  server = ntfyUrl,
  base_url = ntfyUrl,
  secrets = {},
  allowNetworks = ['127.0.0.0/8'],
}: {
  readonly server?: string;
  readonly base_url?: string;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly allowNetworks?: readonly string[];
} = {}) {
  const answers: VendorAnswer['kind'][] = [];
  const lost: string[] = [];
  const connection = { organization_id: 'ours', id: 'ntfy', settings: { base_url }, secrets };
  const outbound = createOutbound({ allowNetworks, log: silentLog });
  const subscription = { server, topic };
  const device = { organizationId: 'ours', id: '0', name: 'ntfy', subscription };
  const options: Parameters<typeof publishToNtfy>[0] = {
    outbound,
    baseUrl: ntfy.url,
    publicUrl: 'https://pager.example.com',
    lanes: noLanes,
    connectionsOf: async () => [connection],
    answered: async (_connection, { kind }) => void answers.push(kind),
  };
  const push = createPush({
    outbound,
    devices: {
      of: async () => [device],
      inUse: async () => [device],
      gone: async ({ id }) => void lost.push(id),
    },
    vapid: { privateKey, subject: 'mailto:pager@example.com' },
    clock: systemClock,
    log: silentLog,
    publish: (publishing) => publishToNtfy(options, publishing),
    answered: async () => assert.fail('ntfy is a connection'),
  });
  const send = () => push.send(sampleNotice(), 'ada');
  const check = () => checkNtfy({ outbound, baseUrl: ntfy.url }, connection);
  return { push, send, check, answers, lost };
}

const last = () => ntfy.published.at(-1) ?? assert.fail('nothing was published');

test('a page rings, leads to its incident, and has buttons that send its links', async () => {
  const { send, answers } = subscriber();
  const delivery = await send();
  const tag = `inc-${sampleNotice().incident.id}`;
  const posted = [{ connectionId: null, place: '0', messageId: tag }];
  assert.deepEqual(delivery, { outcome: 'delivered', answer: 'ntfy: answered 200', posted });
  const button = (label: string, action: string) => ({
    action: 'http',
    label,
    method: 'POST',
    clear: true,
    url: `https://pager.example.com/a/k1?do=${action}`,
    headers: { Accept: 'application/json' },
  });
  assert.deepEqual(last(), {
    topic,
    title: 'INC-42 Disk full on <db-1>',
    priority: 5,
    sequence_id: tag,
    message: 'Incident triggered\nPayments\nP1',
    click: 'https://pager.example.com/incidents/42',
    actions: [button('Acknowledge', 'acknowledge'), button('Resolve', 'resolve')],
  });
  assert.deepEqual([ntfy.complaints, answers], [[], ['ok']]);
});

test('what changes takes its place without a sound', async () => {
  const { push, send } = subscriber();
  const delivery = await send();
  assert.ok(delivery.outcome === 'delivered');
  const [posted = assert.fail()] = delivery.posted ?? [];
  const at = Temporal.Instant.from('2026-11-21T03:12:00Z');
  const taken = { action: 'Acknowledged', by: 'Bo', at };
  const changed = sampleNotice({ taken }, { status: 'acknowledged' });
  assert.equal((await push.show(changed, posted, 'words')).outcome, 'delivered');
  const [shown = assert.fail(), ...others] = ntfy.shown(topic);
  assert.deepEqual([shown.priority, others], [2, []]);
  assert.match(shown.message, /^Acknowledged by Bo, 03:12 UTC\n/);
  assert.deepEqual(
    shown.actions.map(({ label }) => label),
    ['Resolve'],
  );
});

test('the code of a topic stands in its message, for its owner to type', async () => {
  const { push } = subscriber();
  assert.equal((await push.send(sampleCodeNotice(), 'ada')).outcome, 'delivered');
  assert.deepEqual(
    [last().message, last().priority, last().actions],
    [`Your code: ${sampleCodeNotice().proof.code}`, 3, []],
  );
});

test('what an alert says becomes no button and no link', async () => {
  const { push } = subscriber();
  const title = '"}],"actions":[{"action":"view","label":"x","url":"https://evil.example"}]';
  await push.send(sampleNotice({}, { title }), 'ada');
  assert.equal(last().title, `INC-42 ${title}`);
  assert.deepEqual(
    last().actions.map(({ url }) => new URL(url).host),
    ['pager.example.com', 'pager.example.com'],
  );
});

const refusals: readonly (readonly [
  status: number,
  code: number,
  outcome: 'failed' | 'no_answer',
  reason: RegExp,
  noted: readonly VendorAnswer['kind'][],
])[] = [
  [400, 40_010, 'failed', /accepts no messages for this topic \(400\)/, ['ok']],
  [400, 40_018, 'failed', /the message was refused \(400\)/, ['ok']],
  [401, 40_101, 'failed', /set another token \(401\)/, ['refusal']],
  [403, 40_301, 'failed', /this connection is not allowed to publish to the topic \(403\)/, ['ok']],
  [404, 40_401, 'failed', /set base_url \(404\)/, ['refusal']],
  [410, 0, 'failed', /the request was rejected \(410\)/, ['unexplained']],
  [418, 0, 'failed', /the request was rejected \(418\)/, ['unexplained']],
  [413, 41_303, 'failed', /too large \(413\)/, ['ok']],
  [429, 42_901, 'no_answer', /answered 429/, []],
  [507, 50_701, 'no_answer', /answered 507/, ['outage']],
];
for (const [status, code, outcome, reason, noted] of refusals)
  test(`${status} (${code}) is ${outcome}, and takes nobody’s topic off`, async () => {
    const { send, answers, lost } = subscriber();
    ntfy.answer = { status, code, headers: { 'retry-after': '7' } };
    const delivery = await send();
    assert.ok(delivery.outcome !== 'delivered');
    assert.equal(delivery.outcome, outcome);
    assert.match(delivery.reason, reason);
    if (delivery.outcome === 'no_answer') assert.equal(delivery.retryAfterSeconds, 7);
    assert.deepEqual([answers, lost], [noted, []]);
  });

test('the token is sent, and one that is wrong is told from a topic that is somebody’s', async () => {
  ntfy.token = token;
  assert.equal((await subscriber({ secrets: { token } }).send()).outcome, 'delivered');
  const wrong = await subscriber({ secrets: { token: `${token}x` } }).send();
  assert.match(JSON.stringify(wrong), /another token \(401\)/);
  ntfy.reserved.add(topic);
  const reserved = await subscriber({ secrets: { token } }).send();
  assert.match(JSON.stringify(reserved), /is not allowed to publish to the topic/);
});

test('a topic is published to at its own server alone, and never in a private network', async () => {
  const elsewhere = await subscriber({ server: 'https://ntfy.example.com' }).send();
  assert.match(JSON.stringify(elsewhere), /no ntfy connection uses its server anymore/);
  const refused = await subscriber({ allowNetworks: [] }).send();
  assert.match(JSON.stringify(refused), /"failed".*ntfy: its server cannot be called/);
  assert.doesNotMatch(JSON.stringify([elsewhere, refused]), /ntfy\.example\.com|127\.0/);
});

test('a check says whether a server of ntfy answers, and takes the token', async () => {
  const named = async (options: Parameters<typeof subscriber>[0] = {}) => {
    const { checks, account } = await subscriber(options).check();
    return [account, ...checks.map(({ name, ok }) => `${name} ${ok}`)];
  };
  assert.deepEqual(await named(), [ntfyUrl, 'server true']);
  ntfy.token = token;
  assert.deepEqual(await named({ secrets: { token } }), [
    ntfyUrl,
    'server true',
    'credentials true',
  ]);
  const wrong = await named({ secrets: { token: `${token}x` } });
  assert.deepEqual(wrong, [ntfyUrl, 'server true', 'credentials false']);
  ntfy.answer = { status: 200 };
  assert.deepEqual(await named(), [null, 'server false']);
});
