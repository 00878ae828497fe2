// Notices of shifts from the outbox to a webhook's own server, as the running program sends them.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { createOutbound } from '../../src/channels/outbound.ts';
import { createOutboundWebhook } from '../../src/channels/outbound-webhook.ts';
import { systemClock } from '../../src/engine/clock.ts';
import { silentLog } from '../../src/engine/log.ts';
import { Dispatcher } from '../../src/engine/sending/dispatch.ts';
import { contentOf } from '../../src/engine/sending/webhook-call.ts';
import { compose } from '../../src/notices/queued.ts';
import { rowContext } from '../../src/storage/sealed/sealed-columns.ts';
import { secretPlace } from '../../src/storage/webhooks/secrets.ts';
import { databases } from '../database.ts';
import { later, noon } from '../incident-life.ts';
import { noFaults as faults } from '../no-faults.ts';
import { type Delivery, startShiftDelivery } from '../shift-delivery.ts';
import { buildShiftIntent } from '../shift-intent.ts';
import { startWebhookServer, type WebhookServer } from '../webhook-server.ts';

const secretOf = (byte: number) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`;

/** Sends at an instant until nothing is due then. */
async function sendAll({ ledger }: Delivery, now = noon): Promise<void> {
  const outbound = createOutbound({ log: silentLog, allowNetworks: ['127.0.0.0/8'] });
  const webhooks = createOutboundWebhook({ outbound, clock: systemClock, log: silentLog });
  const dispatcher = new Dispatcher({
    ledger,
    log: silentLog,
    clock: { now: () => now },
    random: () => 1,
    faults,
    committed() {},
    attempted() {},
    channels: new Map(),
    handleOf: () => '',
    compose: (claimed) =>
      compose(claimed, { publicUrl: 'https://pager.test', linkFor: () => '', handleFor: () => '' }),
    webhooks,
    contentOf: (call) => contentOf(call, 'https://pager.test'),
  });
  const isDue = async () => ((await ledger.nextNotice()) ?? later(1e9)).since(now).sign <= 0;
  while (await isDue()) {
    await dispatcher.claim();
    await dispatcher.idle();
  }
}

const handoffTo = (address: string) =>
  (['shift_end', 'shift_start'] as const).map((kind) =>
    buildShiftIntent(kind, {
      channel: 'webhook',
      address,
      key: `shift/x/${kind}/webhook/${address}`,
    }),
  );
const eventsAt = ({ received }: WebhookServer) =>
  received.map(({ body }) => JSON.parse(body).event_type as string);
const outcomes = ({ sql }: Delivery) =>
  sql<{ kind: string; state: string; reason: string | null; attempts: number }[]>`
    select kind, state, reason, attempts from outbox order by sequence`;

type Case = (delivery: Delivery) => Promise<void>;
const suite: Readonly<Record<string, Case>> = {
  async '6.2.1 a handoff is two requests, the end before the start'(delivery) {
    await using webhookServer = await startWebhookServer((_, response) => response.end('ok'));
    const id = await delivery.webhook({ url: webhookServer.url, secrets: [secretOf(1)] });
    await delivery.insert(handoffTo(id));
    await sendAll(delivery);
    assert.deepEqual(eventsAt(webhookServer), ['oncall_shift_end', 'oncall_shift_start']);
    for (const { method, headers, body } of webhookServer.received) {
      assert.equal(method, 'POST');
      assert.equal(headers['content-type'], 'application/json');
      const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
      new Webhook(secretOf(1)).verify(body, Object.fromEntries(texts));
    }
  },

  async '6.2.4 the webhook’s own headers stay at home'(delivery) {
    await using webhookServer = await startWebhookServer((_, response) => response.end());
    await delivery.insert(handoffTo(await delivery.webhook({ url: webhookServer.url })));
    await sendAll(delivery);
    assert.equal(webhookServer.received.length, 2);
    assert.ok(webhookServer.received.every(({ headers }) => headers['x-never'] === undefined));
  },

  async 'a receiver that fails gets the end again under the same id, after the start'(delivery) {
    let failures = 1;
    await using webhookServer = await startWebhookServer((_, response) => {
      response.writeHead(failures-- > 0 ? 500 : 200).end('x'.repeat(5_000));
    });
    await delivery.insert(handoffTo(await delivery.webhook({ url: webhookServer.url })));
    await sendAll(delivery);
    await sendAll(delivery, later(1));
    const [end, start] = ['oncall_shift_end', 'oncall_shift_start'];
    assert.deepEqual(eventsAt(webhookServer), [end, start, end]);
    const [first, between, again] = webhookServer.received.map(
      ({ headers }) => headers['webhook-id'],
    );
    assert.equal(first, again);
    assert.notEqual(first, between);
    const rows = await delivery.sql<{ outcome: string; answer: string }[]>`
      select outcome, answer from attempts order by key, number`;
    assert.deepEqual(
      rows.map(({ outcome, answer }) => `${outcome} ${answer.length}`),
      ['retry 2048', 'delivered 2048', 'delivered 2048'],
    );
  },

  async 'a refusal fails for good and does not hold the start up'(delivery) {
    await using webhookServer = await startWebhookServer((_, response) =>
      response.writeHead(410).end(),
    );
    await delivery.insert(handoffTo(await delivery.webhook({ url: webhookServer.url })));
    await sendAll(delivery);
    const failed = { state: 'failed', reason: 'answered 410', attempts: 1 };
    assert.deepEqual(
      [...(await outcomes(delivery))],
      [
        { kind: 'shift_end', ...failed },
        { kind: 'shift_start', ...failed },
      ],
    );
  },

  async 'the webhook is called as it is now: its address, its method, its secrets'(delivery) {
    await using webhookServer = await startWebhookServer((_, response) => response.end());
    const id = await delivery.webhook({ url: 'http://127.0.0.1:1/', secrets: [secretOf(1)] });
    await delivery.insert(handoffTo(id));
    const { sql, secrets, world } = delivery;
    const [signing] = await sql<{ id: string }[]>`select id from webhook_secrets`;
    const at = rowContext('outbound_webhooks.url', world.organizationId, id);
    const url = secrets.seal(`${webhookServer.url}/new?a=1`, at);
    const context = secretPlace(world.organizationId, signing?.id ?? '');
    await sql`update outbound_webhooks set url = ${url}, method = 'GET'`;
    await sql`update webhook_secrets set secret_encrypted = ${secrets.seal(secretOf(2), context)}`;
    await sendAll(delivery);
    const [received] = webhookServer.received;
    assert.equal(received?.method, 'GET');
    assert.match(received.path, /^\/new\?a=1&event_type=oncall_shift_end&/);
    const texts = Object.entries(received.headers).map(([name, value]) => [name, String(value)]);
    new Webhook(secretOf(2)).verify('', Object.fromEntries(texts), { jsonParse: false });
  },

  async 'a webhook that was archived meanwhile is not called'(delivery) {
    await using webhookServer = await startWebhookServer((_, response) => response.end());
    await delivery.insert(handoffTo(await delivery.webhook({ url: webhookServer.url })));
    await delivery.sql`update outbound_webhooks set archived_at = ${noon}`;
    await sendAll(delivery);
    assert.equal(webhookServer.received.length, 0);
    const cancelled = { state: 'cancelled', reason: 'the webhook is archived', attempts: 0 };
    assert.deepEqual(
      [...(await outcomes(delivery))],
      [
        { kind: 'shift_end', ...cancelled },
        { kind: 'shift_start', ...cancelled },
      ],
    );
  },

  async 'the start of a shift that is over is not sent'(delivery) {
    await using webhookServer = await startWebhookServer((_, response) => response.end());
    await delivery.insert(handoffTo(await delivery.webhook({ url: webhookServer.url })));
    await sendAll(delivery, later(60));
    assert.deepEqual(eventsAt(webhookServer), ['oncall_shift_end']);
    const [, start] = await outcomes(delivery);
    assert.equal(start?.reason, 'the shift is over');
  },
};

for (const server of await databases())
  describe(server.name, () => {
    for (const [title, claims] of Object.entries(suite))
      test(title, async () => {
        await using delivery = await startShiftDelivery(server);
        await claims(delivery);
      });
  });
