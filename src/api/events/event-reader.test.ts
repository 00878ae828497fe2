import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventReader } from '../../../test/event-reader.ts';
import { hostileBodies } from '../../../test/hostile-bodies.ts';
import { workOf } from '../../alerts/effort.ts';
import type { Arrival } from '../../engine/intake/arrival.ts';
import { eventOf } from '../../engine/intake/arrival.ts';
import { silentLog } from '../../engine/log.ts';
import { eventsLimits } from '../../limits/events.ts';
import { MIB } from '../../limits/limit.ts';
import { Pool } from '../../workers/pool.ts';
import { createEventReader, type ReadingTasks } from './event-reader.ts';
import { readingWithin } from './read-event.ts';
import { typeOf } from './stored-events.ts';

const came = { id: 'f'.repeat(24), received_at: Temporal.Instant.from('2026-11-21T03:00:00Z') };

function arrivalOf(text: string, contentType = 'application/json', slug = 'webhook'): Arrival {
  return {
    organizationId: 'org',
    integrationId: 'integration',
    integrationName: 'Checks',
    slug,
    source: 'http',
    path: '/push-events',
    contentType,
    sent: { method: 'POST', query: '', headers: { 'user-agent': 'curl' } },
    body: new TextEncoder().encode(text),
  };
}

const typeNamed = (slug: string) => {
  const type = typeOf(slug);
  assert.ok(type);
  return type;
};

/** As bad as a mapping may be. */
const slow = {
  revision: 1,
  forms: [
    { key: [['id']], title: ['text > take /(a?){90}a{90}b/', 'text > take /(a?){80}a{99}b/'] },
  ],
};

test('the engine takes on no event that takes more work than it may, whatever the body and the mapping', () => {
  const text = JSON.stringify({ id: 7, text: 'a'.repeat(5_000) });
  const arrivals = [
    { ...arrivalOf(text), mapping: slow },
    ...['webhook', 'grafana', 'opsgenie-alert-api', 'zabbix'].flatMap((slug) =>
      Object.values(hostileBodies(64 * 1024)).map(({ text: body, contentType }) =>
        arrivalOf(body, contentType, slug),
      ),
    ),
  ];
  let apart = 0;
  for (const arrival of arrivals) {
    const type = typeNamed(arrival.slug);
    let read: unknown;
    const work = workOf(() => {
      read = eventReader.arriving(arrival, came, type);
    });
    if (read === null) apart += 1;
    else assert.ok(work <= eventsLimits.readingAtOnce, `${arrival.slug}: ${work}`);
  }
  assert.ok(apart > arrivals.length / 2, `${apart} of ${arrivals.length}`);
  const [mapped] = arrivals;
  assert.equal(mapped && eventReader.arriving(mapped, came, typeNamed('webhook')), null);
});

test('an ordinary event is read by the engine at once', () => {
  const alerts = Array.from({ length: 100 }, (_, n) => ({
    status: 'firing',
    startsAt: '2026-11-21T03:00:00Z',
    fingerprint: `${n}`,
    labels: { alertname: 'DiskFull', instance: `db-${n}:9100`, severity: 'critical' },
    annotations: { summary: `The disk of db-${n} is full` },
  }));
  const group = { version: '4', status: 'firing', groupLabels: {}, alerts };
  const arrival = arrivalOf(JSON.stringify(group), 'application/json', 'alertmanager');
  const read = eventReader.arriving(arrival, came, typeNamed('alertmanager'));
  assert.ok(read !== null && 'alerts' in read.reading && read.reading.alerts.length === 100);
});

test('beyond the bound of the threads an event is read by its type, and then as text', () => {
  const type = typeNamed('webhook');
  const most = 100_000;
  const integration = { name: 'Checks', mapping: slow };
  const read = (text: string, contentType = 'application/json') =>
    readingWithin(most, eventOf(arrivalOf(text, contentType), came, type), { type, integration });
  const mapped = read(JSON.stringify({ id: 7, title: 'Disk full', text: 'a'.repeat(5_000) }));
  assert.ok('alerts' in mapped);
  assert.equal(mapped.alerts[0]?.title, 'Disk full');
  assert.match(mapped.note ?? '', /^the mapping was not used because it takes too much work/);
  const keys = new Set<string>();
  for (const [name, { text, contentType }] of Object.entries(hostileBodies(most))) {
    const reading = read(text, contentType);
    assert.ok('alerts' in reading, name);
    const [alert, ...others] = reading.alerts;
    assert.deepEqual([alert?.action, others], ['trigger', []], name);
    assert.match(reading.note ?? '', /^the event is one alert with its text/, name);
    keys.add(alert?.dedup_key ?? '');
  }
  assert.equal(keys.size, Object.keys(hostileBodies(most)).length, 'none joins another');
});

test('a thread reads what the engine does not, and leaves its secrets out', async () => {
  await using pool = new Pool<ReadingTasks>({
    name: 'events',
    file: new URL('./thread-tasks.ts', import.meta.url),
    threads: 1,
    runningPerOrganizationMax: 1,
    cpuMsMax: 300_000,
    taskMsMax: 300_000,
    heapMegabytesMax: 512,
    waitingMax: 10,
    perCallerMax: 10,
    waitMsMax: 300_000,
    log: silentLog,
    finished: () => {},
  });
  const reader = createEventReader({ pool, log: silentLog });
  const type = typeNamed('honeybadger');
  const lines = Array(150_000).fill(1);
  const sent = { event: 'occurred', message: 'Shop is slow', project: { token: 'of-the-pump' } };
  const text = JSON.stringify({ ...sent, fault: { id: 7, klass: 'Slow' }, lines });
  const arrival = arrivalOf(text, 'application/json', 'honeybadger');
  assert.ok(text.length < MIB);
  assert.equal(reader.arriving(arrival, came, type), null);
  const { event, reading } = await reader.arrivingApart(arrival, came, type);
  const [inThread, here] = [
    reading,
    (await eventReader.arrivingApart(arrival, came, type)).reading,
  ];
  assert.deepEqual(inThread, here);
  assert.ok('alerts' in inThread && inThread.alerts[0]?.title.includes('Slow'));
  const body = new TextDecoder().decode(event.body);
  assert.ok(!body.includes('of-the-pump'));
  assert.equal(body.length, text.length);
  assert.deepEqual(event.headers, { 'user-agent': 'curl' });
  const integration = { slug: 'honeybadger', name: 'Checks', mapping: null };
  const stored = await reader.storedApart(event, integration);
  assert.ok('alerts' in stored && 'alerts' in inThread);
  assert.equal(stored.alerts[0]?.dedup_key, inThread.alerts[0]?.dedup_key);
});
