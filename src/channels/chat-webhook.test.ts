import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startWebhookServer } from '../../test/webhook-server.ts';
import { silentLog } from '../engine/log.ts';
import type { Delivery } from '../engine/sending/channel.ts';
import type { VendorAnswer } from '../engine/sending/connection-health.ts';
import { discordMessageOf } from '../notices/discord.ts';
import { sampleNotice } from '../notices/kinds/incident.ts';
import { slackMessageOf } from '../notices/slack.ts';
import { teamsMessageOf } from '../notices/teams.ts';
import type { ChatChannel } from '../resources/channels.ts';
import { createChatWebhook } from './chat-webhook.ts';
import { createOutbound } from './outbound.ts';

const notice = sampleNotice();
const outbound = createOutbound({ log: silentLog, allowNetworks: ['127.0.0.0/8'] });

for (const { vendor, path, messageOf, answer } of [
  { vendor: 'slack', path: '/services/T/B/x', messageOf: slackMessageOf, answer: 'ok' },
  { vendor: 'msteams', path: '/workflows/1?sig=s', messageOf: teamsMessageOf, answer: '' },
  {
    vendor: 'discord',
    path: '/api/webhooks/1/t?wait=true',
    messageOf: discordMessageOf,
    answer: '{"id":"1"}',
  },
] as const) {
  test(`a ${vendor} webhook is posted its vendor's message`, async () => {
    await using webhookServer = await startWebhookServer((_, response) => response.end(answer));
    const address = `${webhookServer.url}${path.replace('?wait=true', '')}`;
    const delivery = await createChatWebhook(vendor, outbound).send(notice, address);
    assert.deepEqual(delivery, { outcome: 'delivered', answer });
    const [received] = webhookServer.received;
    assert.equal(received?.method, 'POST');
    assert.equal(received?.path, path);
    assert.equal(received?.headers['content-type'], 'application/json; charset=utf-8');
    assert.deepEqual(JSON.parse(received?.body ?? ''), messageOf(notice));
  });
}

type Case = {
  readonly vendor: ChatChannel;
  readonly status: number;
  readonly body: string;
  readonly headers?: Record<string, string>;
  readonly expected: Delivery;
};
const unknownWebhook = '{"message": "Unknown Webhook", "code": 10015}';
const limited = '{"message": "You are being rate limited.", "retry_after": 1.337, "global": false}';
const page = '<!DOCTYPE html><title>Sign in</title>';
const cases: readonly Case[] = [
  { vendor: 'slack', status: 200, body: 'ok', expected: { outcome: 'delivered', answer: 'ok' } },
  {
    vendor: 'slack',
    status: 200,
    body: '{"ok":true}',
    expected: { outcome: 'delivered', answer: '{"ok":true}' },
  },
  ...['', page, 'no_text', '{}'].map(
    (body): Case => ({
      vendor: 'slack',
      status: 200,
      body,
      expected: { outcome: 'failed', reason: 'Slack: answered 200, but not "ok"', answer: body },
    }),
  ),
  {
    vendor: 'slack',
    status: 204,
    body: '',
    expected: { outcome: 'failed', reason: 'Slack: answered 204, but not "ok"', answer: '' },
  },
  {
    vendor: 'msteams',
    status: 200,
    body: page,
    expected: {
      outcome: 'failed',
      answer: page,
      reason: 'Microsoft Teams: answered 200 with a web page',
    },
  },
  { vendor: 'discord', status: 204, body: '', expected: { outcome: 'delivered', answer: '' } },
  ...['', page, '{}'].map(
    (body): Case => ({
      vendor: 'discord',
      status: 200,
      body,
      expected: {
        outcome: 'failed',
        answer: body,
        reason: 'Discord: answered 200, but with no message',
      },
    }),
  ),
  {
    vendor: 'slack',
    status: 404,
    body: 'no_service',
    expected: {
      outcome: 'failed',
      reason: 'Slack: the webhook was removed or disabled (no_service)',
      answer: 'no_service',
    },
  },
  {
    vendor: 'slack',
    status: 400,
    body: 'invalid_blocks',
    expected: {
      outcome: 'failed',
      reason: 'Slack: answered 400: invalid_blocks',
      answer: 'invalid_blocks',
    },
  },
  {
    vendor: 'slack',
    status: 200,
    body: '{"ok":false,"error":"no_text"}',
    expected: {
      outcome: 'failed',
      reason: 'Slack: answered 200, but not "ok"',
      answer: '{"ok":false,"error":"no_text"}',
    },
  },
  {
    vendor: 'slack',
    status: 429,
    body: 'rate_limited',
    headers: { 'retry-after': '30' },
    expected: {
      outcome: 'no_answer',
      reason: 'Slack: answered 429',
      retryAfterSeconds: 30,
      answer: 'rate_limited',
    },
  },
  {
    vendor: 'msteams',
    status: 202,
    body: '',
    expected: { outcome: 'delivered', answer: '' },
  },
  {
    vendor: 'msteams',
    status: 429,
    body: '',
    headers: { 'retry-after': '10' },
    expected: {
      outcome: 'no_answer',
      reason: 'Microsoft Teams: answered 429',
      retryAfterSeconds: 10,
      answer: '',
    },
  },
  {
    vendor: 'discord',
    status: 200,
    body: '{"id":"123"}',
    expected: { outcome: 'delivered', answer: '{"id":"123"}' },
  },
  {
    vendor: 'discord',
    status: 404,
    body: unknownWebhook,
    expected: {
      outcome: 'failed',
      reason: 'Discord: answered 404: Unknown Webhook',
      answer: unknownWebhook,
    },
  },
  {
    vendor: 'discord',
    status: 429,
    body: limited,
    expected: {
      outcome: 'no_answer',
      reason: 'Discord: answered 429',
      retryAfterSeconds: 2,
      answer: limited,
    },
  },
  {
    vendor: 'discord',
    status: 502,
    body: 'null',
    expected: { outcome: 'no_answer', reason: 'Discord: answered 502', answer: 'null' },
  },
];

for (const { vendor, status, body, headers = {}, expected } of cases) {
  test(`${vendor} answering ${status} "${body}" is ${expected.outcome}`, async () => {
    await using webhookServer = await startWebhookServer((_, response) => {
      response.writeHead(status, headers).end(body);
    });
    assert.deepEqual(
      await createChatWebhook(vendor, outbound).send(notice, webhookServer.url),
      expected,
    );
  });
}

test('Discord answers with the message, whose id comes after embeds longer than what is kept', async () => {
  const description = 'x'.repeat(3_000);
  const message = JSON.stringify({ type: 0, embeds: [{ description }], id: '123' });
  await using server = await startWebhookServer((_, response) => response.end(message));
  const delivery = await createChatWebhook('discord', outbound).send(notice, server.url);
  assert.deepEqual(delivery, { outcome: 'delivered', answer: message.slice(0, 2_048) });
});

test('a retired Teams connector is refused with what to do instead', async () => {
  for (const address of [
    'https://acme.webhook.office.com/webhookb2/1@2/IncomingWebhook/3/4',
    'https://outlook.office.com/webhook/1',
  ]) {
    const delivery = await createChatWebhook('msteams', outbound).send(notice, address);
    assert.equal(delivery.outcome, 'failed');
    assert.match(JSON.stringify(delivery), /create a webhook with the Workflows app/);
  }
});

test('an address that is no URL fails without repeating it', async () => {
  const delivery = await createChatWebhook('slack', outbound).send(notice, 'secret');
  assert.deepEqual(delivery, {
    outcome: 'failed',
    reason: 'the Slack webhook is not a valid URL',
  });
});

test('a host that does not answer is known to fail; a webhook that it refuses says nothing against it', async () => {
  const answers: string[] = [];
  const slack = createChatWebhook('slack', outbound, async (of, answer) => {
    const reason = answer.kind === 'ok' ? '' : ` ${answer.reason}`;
    answers.push(`${of.organizationId} ${of.channel} ${of.service} ${answer.kind}${reason}`);
  });
  const statuses = [200, 404, 403, 503, 429];
  await using server = await startWebhookServer((_, response) => {
    response.statusCode = statuses.shift() ?? 0;
    response.end('ok');
  });
  const { host } = new URL(server.url);
  for (const _each of Array(5).keys()) await slack.send(notice, `${server.url}/services/T/B/x`);
  await slack.send(notice, 'http://10.0.0.7/services/T/B/x');
  const of = `${notice.organization.id} slack ${host}`;
  const ok = `${of} ok`;
  assert.deepEqual(answers, [ok, ok, ok, `${of} outage ${host}: answered 503`]);
});

test('a host that answers 200 without taking the message is known not to take it', async () => {
  const answers: VendorAnswer[] = [];
  const slack = createChatWebhook('slack', outbound, async (_of, answer) => {
    answers.push(answer);
  });
  await using server = await startWebhookServer((_, response) => response.end(page));
  await slack.send(notice, `${server.url}/services/T/B/x`);
  const { host } = new URL(server.url);
  const reason = `${host}: answered 200, but not "ok"`;
  assert.deepEqual(answers, [{ kind: 'unexplained', reason }]);
});
