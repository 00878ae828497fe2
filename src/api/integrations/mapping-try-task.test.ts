import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pushed } from '../../../test/http-event.ts';
import { contentOf } from '../../alerts/body/content.ts';
import { workOf } from '../../alerts/effort.ts';
import { eventsLimits } from '../../limits/events.ts';
import { Refusal } from '../failures.ts';
import { runMappingTrial } from './mapping-try-task.ts';

const integration = {
  id: 'integration',
  team_id: 'team',
  slug: 'grafana',
  service_id: 'service',
  name: 'Checks',
  disable_incident_suppression: false,
  mapping: { revision: 1, forms: [{ title: ['name'], key: [['id']] }] },
};

const eventOf = (id: string, body: string) => ({
  ...pushed,
  id,
  organization_id: 'org',
  integration_id: 'integration',
  received_at: Temporal.Instant.from('2026-11-21T03:00:00Z'),
  body: Buffer.from(body),
});

const trialOn = (events: readonly ReturnType<typeof eventOf>[]) => ({
  events,
  one: integration,
  open: new Set<string>(),
  forms: [{ title: ['label'], key: [['id']] }],
});

test('an event is parsed once, however often it is read in a trial', (context) => {
  const events = ['1', '2', '3'].map((id) =>
    eventOf(id, JSON.stringify({ id, name: 'Pump', label: `Pump ${id}` })),
  );
  const parse = context.mock.method(JSON, 'parse');
  const { data } = runMappingTrial(trialOn(events));
  assert.equal(parse.mock.callCount(), 3);
  assert.deepEqual(
    data.map(({ now, proposed, places }) => [
      ...[now, proposed].map(({ alerts }) => alerts[0]?.title),
      places[0]?.value,
    ]),
    ['1', '2', '3'].map((id) => ['Pump', `Pump ${id}`, `Pump ${id}`]),
  );
});

test('broken JSON costs a trial what repairing it once costs, and a trial has a bound', () => {
  const broken = '{"title":"'.padEnd(64 * 1024, '\\x');
  const events = ['1', '2'].map((id) => eventOf(id, broken));
  const repaired = workOf(() => events.map(({ body }) => contentOf(body, 'application/json')));
  const tried = workOf(() => runMappingTrial(trialOn(events)));
  assert.ok(tried < 1.5 * repaired, `${tried / repaired}`);
  const many = Array.from({ length: 120 }, (_, n) => eventOf(`${n}`, broken));
  assert.throws(
    () => runMappingTrial(trialOn(many)),
    (error) => error instanceof Refusal && error.code === 'validation_failed',
  );
});

test('a mapping is tried on an event of as many alerts as one may have', () => {
  const items = Array.from({ length: eventsLimits.alerts }, (_, id) => ({
    id,
    host: `host-${id}`,
    text: `Disk ${id} of host-${id} is full`,
    state: 'FIRING',
  }));
  const form = {
    each: 'items',
    title: ['text'],
    key: [['host', 'text > take /^Disk (\\d+)/']],
    state: [{ at: ['state'], trigger: '/^(?:FIRING|BAD)$/', resolve: '/^(?:OK|GOOD)$/' }],
  };
  const { proposed } = runMappingTrial({
    ...trialOn([eventOf('1', JSON.stringify({ items }))]),
    one: { ...integration, slug: 'webhook', mapping: { revision: 1, forms: [form] } },
    forms: [form],
  });
  assert.equal(proposed.keys, eventsLimits.alerts);
});
