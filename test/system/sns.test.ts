// Amazon CloudWatch by way of Amazon SNS, on a whole server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../src/alerts/alert.ts';
import { anyDatabase } from '../database.ts';
import { confirmation, notification, signed, startSns } from '../vendors/sns.ts';
import { request } from './api-client.ts';
import { startInProcess } from './in-process.ts';

const alarm = (state: 'ALARM' | 'OK') => ({
  ...notification,
  Subject: `${state}: "disk" in EU (Ireland)`,
  Message: JSON.stringify({
    AlarmName: 'disk',
    AlarmArn: 'arn:aws:cloudwatch:eu-west-1:123456789012:alarm:disk',
    NewStateValue: state,
  }),
  UnsubscribeURL: 'https://sns.eu-west-1.amazonaws.com/?Action=Unsubscribe',
});

test('a topic subscribes an integration, its alarm pages, and its OK resolves', async () => {
  await using sns = await startSns();
  await using pager = await startInProcess(await anyDatabase(), {
    PAGER_VENDOR_URLS: `sns=${sns.url}`,
  });
  const { api, url } = pager;
  const [first] = await api.list('integrations');
  const { id, webhook_url } = await api.create('integrations', {
    slug: 'aws-cloudwatch',
    service_id: first.service_id,
    escalation_policy_id: first.escalation_policy_id,
  });
  const send = async (message: JsonObject) => {
    const headers = { 'content-type': 'text/plain; charset=UTF-8' };
    const body = JSON.stringify(message);
    const to = `${url}${new URL(webhook_url).pathname}`;
    return (await request(to, { method: 'POST', headers, body })).status;
  };
  assert.equal(await send(signed(confirmation)), 202);
  assert.deepEqual(sns.confirmed, ['23']);
  assert.equal(await send(signed(alarm('ALARM'))), 202);
  assert.equal(await send({ ...signed(alarm('ALARM')), Message: alarm('OK').Message }), 403);
  const state = async () =>
    (await api.list('incidents')).map(({ title, status }) => [title, status]);
  assert.deepEqual(await state(), [['disk', 'triggered']]);
  assert.equal(await send(signed(alarm('OK'), '2')), 202);
  assert.deepEqual(await state(), [['disk', 'resolved']]);
  const { body: log } = await api.send(`GET /integrations/${id}/events`);
  const events = log.data.map(
    ({ outcome, headers }: { outcome: string; headers: Record<string, string> }) => [
      outcome,
      headers['pager-signature'],
    ],
  );
  assert.deepEqual(events, [
    ['resolved', 'good'],
    // Its signature was of another message.
    ['refused', undefined],
    ['opened', 'good'],
    ['ignored', 'good'],
  ]);
  assert.ok(!JSON.stringify(log).includes('Action='));
  assert.equal(sns.received.length, 2, 'the certificate was fetched once');
});
