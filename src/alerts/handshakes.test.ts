import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { testPublished } from '../../test/published.ts';
import { samples } from '../../test/tool-samples.ts';
import type { Json } from './alert.ts';
import {
  answerCloudEvents,
  answerEventGrid,
  answerGitHub,
  answerPagerDuty,
  answerSlack,
} from './handshakes.ts';
import type { IntegrationType } from './integration-type.ts';

type Handshake = NonNullable<IntegrationType['handshake']>;

const posted = (json: Json, headers: Record<string, string> = {}) => ({
  method: 'POST',
  headers,
  body: new TextEncoder().encode(JSON.stringify(json)),
});
const options = (headers: Record<string, string>) => ({
  method: 'OPTIONS',
  headers,
  body: new Uint8Array(),
});

const validation = {
  id: '2d1781af',
  topic: '/subscriptions/1',
  eventType: 'Microsoft.EventGrid.SubscriptionValidationEvent',
  data: { validationCode: '512d38b6-c7b8', validationUrl: 'https://rp.example/validate' },
};
const pagey = { event: { event_type: 'pagey.ping', resource_type: 'pagey' } };
const verification = { token: 'x', challenge: '3eZb', type: 'url_verification' };
const origin = { 'webhook-request-origin': 'eventgrid.azure.net' };
const allowed = {
  headers: {
    'webhook-allowed-origin': 'eventgrid.azure.net',
    'webhook-allowed-rate': '*',
    allow: 'POST, PUT',
  },
  json: { ok: true },
};

test('each service gets the answer that it waits for', () => {
  assert.deepEqual(answerCloudEvents(options(origin)), allowed);
  assert.deepEqual(answerEventGrid(options(origin)), allowed);
  assert.deepEqual(answerEventGrid(posted([validation])), {
    json: { validationResponse: '512d38b6-c7b8' },
  });
  assert.deepEqual(answerSlack(posted(verification)), { json: { challenge: '3eZb' } });
  const ping = posted({ zen: 'Keep it logically awesome.' }, { 'x-github-event': 'ping' });
  assert.deepEqual(answerGitHub(ping), { json: { ok: true } });
  assert.deepEqual(answerPagerDuty(posted(pagey)), { json: { ok: true } });
});

test('an event is not taken for one, however near it comes', () => {
  const events: [Handshake, Parameters<Handshake>[0]][] = [
    [answerCloudEvents, options({})],
    [answerCloudEvents, posted({}, origin)],
    [answerEventGrid, posted(validation)],
    [answerEventGrid, posted([validation, validation])],
    [answerEventGrid, posted([{ ...validation, eventType: 'Microsoft.Storage.BlobCreated' }])],
    [answerEventGrid, posted([{ ...validation, data: { validationCode: 7 } }])],
    [answerEventGrid, posted([{ ...validation, data: null, text: 'validationCode' }])],
    [answerEventGrid, posted([{ ...validation, text: 'x'.repeat(16 * 1024) }])],
    [answerSlack, posted({ ...verification, type: 'event_callback', text: 'url_verification' })],
    [answerSlack, posted({ type: 'url_verification' })],
    [answerSlack, posted([verification])],
    [answerSlack, { ...posted({}), body: new TextEncoder().encode('{"url_verification') }],
    [answerGitHub, posted({ action: 'ping' }, { 'x-github-event': 'check_run' })],
    [answerGitHub, { ...posted({}, { 'x-github-event': 'ping' }), method: 'OPTIONS' }],
    [answerPagerDuty, posted({ event: { event_type: 'incident.triggered', at: 'pagey.ping' } })],
    [answerPagerDuty, posted({ event: 'pagey.ping' })],
  ];
  for (const [handshake, request] of events)
    assert.equal(handshake(request), undefined, new TextDecoder().decode(request.body));
});

const all = [answerEventGrid, answerSlack, answerGitHub, answerPagerDuty];

test('no sample of what a tool sends is a handshake', () => {
  for (const { file, request } of samples)
    assert.ok(
      all.every((handshake) => handshake(request) === undefined),
      file,
    );
});

type Entry = { file: string; request?: { method?: string; headers?: Record<string, string> } };

testPublished(
  'payloads/manifest.json',
  'of what real programs send only Slack’s challenge is one',
  (manifest) => {
    const { entries } = JSON.parse(readFileSync(manifest, 'utf8')) as { entries: Entry[] };
    const answered = entries.filter(({ file, request }) => {
      const { method = 'POST', headers = {} } = request ?? {};
      const body = readFileSync(new URL(file, manifest));
      return all.some((handshake) => handshake({ method, headers, body }) !== undefined);
    });
    assert.deepEqual(
      answered.map(({ file }) => file),
      ['_vendor-callbacks/slack/other-3.json'],
    );
  },
);
