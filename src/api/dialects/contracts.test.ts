// Answers are held to the contracts of the services that Pager takes the place of.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { key, openDialects, unknown } from '../../../test/dialect-server.ts';
import { withPager } from '../../../test/stories/story.ts';
import { answerProblem } from '../../../test/vendors/event-contracts.ts';

test('what PagerDuty answers is answered', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const send = async (to: string, body: object) =>
      (await server.send(`POST ${to}`, { body })).body;
    const event = { event_action: 'trigger', payload: { summary: 'Disk full' } };
    const success = await send('/v2/enqueue', { routing_key: key, ...event });
    assert.equal(answerProblem('PagerDuty v2 success', success), undefined);
    const change = await send('/v2/change/enqueue', { routing_key: key, payload: {} });
    assert.equal(answerProblem('PagerDuty v2 success', change), undefined);
    const error = await send('/v2/enqueue', { routing_key: unknown, ...event });
    assert.equal(answerProblem('PagerDuty v2 error', error), undefined);
    const first = { service_key: key, event_type: 'trigger', description: 'Disk full' };
    const old = await send('/generic/2010-04-15/create_event.json', first);
    assert.equal(answerProblem('PagerDuty v1 success', old), undefined);
  }));

test('what Opsgenie answers is answered', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const headers = { authorization: `GenieKey ${key}` };
    const body = { message: 'Disk full', alias: 'db-1' };
    const made = await server.send('POST /v2/alerts', { body, headers });
    assert.equal(answerProblem('Opsgenie success', made.body), undefined);
    const { requestId } = made.body;
    const request = await server.send(`GET /v2/alerts/requests/${requestId}`, { headers });
    assert.equal(answerProblem('Opsgenie request', request.body), undefined);
    const alert = await server.send('GET /v2/alerts/db-1?identifierType=alias', { headers });
    assert.equal(answerProblem('Opsgenie alert', alert.body), undefined);
    for (const line of ['POST /v2/alerts', 'GET /v2/heartbeats/cron/ping', 'GET /v2/alerts']) {
      const refused = await server.send(line, { ...(line.startsWith('POST') && { body }) });
      assert.equal(answerProblem('Opsgenie error', refused.body), undefined);
    }
  }));

test('what Alertmanager answers is answered', () =>
  withPager(async (pager) => {
    await using server = await openDialects(pager);
    const status = await server.send(`GET /${key}/api/v2/status`);
    assert.equal(answerProblem('Alertmanager status', status.body), undefined);
    const alerts = await server.send(`GET /${key}/api/v2/alerts`);
    assert.equal(answerProblem('Alertmanager alerts', alerts.body), undefined);
    const refused = await server.send(`POST /${key}/api/v2/alerts`, { text: 'no JSON' });
    assert.deepEqual(
      [refused.status, answerProblem('Alertmanager refusal', refused.body)],
      [400, undefined],
    );
    const taken = await server.send(`POST /${key}/api/v2/alerts`, { body: [{ labels: {} }] });
    assert.deepEqual([taken.status, taken.body], [200, '']);
  }));
