import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addressesFor,
  type Event,
  incidentsOf,
  isTest,
  latestOf,
  outcomeText,
  shownBody,
  withoutToken,
} from './integration.ts';
import { integrationSearch } from './search.ts';

const token = '0123456789abcdef0123456789abcdef01234567';
const integration = {
  id: 'f'.repeat(24),
  counter: 3,
  team_id: 'e'.repeat(24),
  slug: 'grafana',
  enabled: true,
  service_id: 'a'.repeat(24),
  escalation_policy_id: 'b'.repeat(24),
  token,
  webhook_url: `https://pager.example.com/hooks/${token}/push-events`,
  email_address: `${token}@in.example.com`,
};
const event = (id: string, more: Partial<Event> = {}): Event => ({
  id,
  received_at: '2026-11-21T03:00:00Z',
  source: 'http',
  path: '/push-events',
  body: '{}',
  body_encoding: 'utf-8',
  outcome: 'opened',
  ...more,
});

test('addresses are for those who may see them, and the token is hidden wherever it stands', () => {
  const { url, email } = addressesFor(integration, true);
  assert.equal(url, integration.webhook_url);
  assert.ok(!withoutToken(`${url} ${email}`, token).includes(token));
  assert.deepEqual(addressesFor(integration, false), {
    url: '<public url>/hooks/<token>/push-events',
    email: '<token>@<email domain>',
  });
  assert.equal(withoutToken('as it is', ''), 'as it is');
});

test('a test is no event of the tool', () => {
  const events = [event('2', { path: '/test-event' }), event('1'), event('0')];
  const { tool, test: tested } = latestOf(events);
  assert.deepEqual([tool?.id, tested?.id], ['1', '2']);
  assert.ok(tested && isTest(tested));
  assert.deepEqual(latestOf([]), { tool: undefined, test: undefined });
});

test('an event leads to each of its incidents once', () => {
  const of = (incident_id: string | null) => ({
    dedup_key: 'k',
    outcome: 'opened',
    reason: null,
    incident_id,
  });
  const alerts = [of('a'), of(null), of('b'), of('a')];
  const ids = incidentsOf(event('1', { alerts })).map(({ id }) => id);
  assert.deepEqual(ids, ['a', 'b']);
  assert.deepEqual(incidentsOf(event('1')), []);
});

test('multiple results are counted, each with what came of it', () => {
  const alert = (outcome: string) => ({
    dedup_key: outcome,
    outcome,
    incident_id: null,
    reason: null,
  });
  const alerts = [alert('opened'), alert('grouped'), alert('grouped')];
  assert.equal(
    outcomeText(event('1', { outcome: 'mixed', alerts })),
    'multiple results: 1 opened an incident, 2 grouped into an open incident',
  );
  assert.equal(outcomeText(event('1', { outcome: 'grouped' })), 'grouped into an open incident');
  assert.equal(outcomeText(event('1', { outcome: 'new one' })), 'new one');
});

test('of a long body the beginning is shown, and nothing of what is no text', () => {
  assert.deepEqual(shownBody(event('1')), { text: '{}', isCut: false });
  const long = shownBody(event('1', { body: 'x'.repeat(70_000) }));
  assert.deepEqual([long?.text.length, long?.isCut], [65_536, true]);
  assert.equal(shownBody(event('1', { body_encoding: 'base64' })), null);
});

test('a tab that there is not is the setup', () => {
  assert.deepEqual(integrationSearch({ tab: 'events' }), { tab: 'events' });
  for (const tab of ['setup', 'nothing', 1, undefined])
    assert.deepEqual(integrationSearch({ tab }), {});
});
