import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { later } from '../../test/incident-life.ts';
import { SimulatedIntegration } from '../../test/simulated-integration.ts';
import type { Json } from '../alerts/alert.ts';
import { typeOf } from '../alerts/index.ts';

const alertmanager = (externalURL: string | null, status: string, at: number, end = at) => ({
  json: {
    version: '4',
    groupKey: '{}:{alertname="Disk"}',
    status,
    externalURL,
    alerts: [
      {
        status,
        fingerprint: 'aa11',
        labels: { alertname: 'Disk' },
        startsAt: later(at).toString(),
        endsAt: status === 'resolved' ? later(end).toString() : '0001-01-01T00:00:00Z',
      },
    ],
  } satisfies Json,
});

const [a, b] = ['http://am-a:9093', 'http://am-b:9093'];

/** Each sends what it says at its minute; what somebody should know afterwards. */
async function disagreements(
  ...sent: readonly (readonly [number, string, string, number, number?])[]
) {
  const integration = new SimulatedIntegration({ slug: 'alertmanager' });
  const outcomes: string[] = [];
  for (const [minute, url, status, at, end] of sent) {
    await integration.at(minute);
    outcomes.push((await integration.receives(alertmanager(url, status, at, end))).outcome);
  }
  const shown = integration.findings
    .filter(({ kind }) => kind === 'two_senders')
    .map(({ text }) => text);
  return { outcomes, shown, paged: integration.paged };
}

describe('two Alertmanagers that send one fingerprint', () => {
  test('are two clusters where one goes on to report what the other has ended', async () => {
    const { shown } = await disagreements(
      ...([
        [20, a, 'firing', 10],
        [21, b, 'firing', 12],
      ] as const),
      ...([
        [30, a, 'resolved', 10, 29],
        [35, b, 'firing', 12],
      ] as const),
    );
    assert.match(
      shown[0] ?? '',
      /^http:\/\/am-b:9093 still reports "Disk" after http:\/\/am-a:9093/,
    );
    assert.match(shown[0] ?? '', /add a second integration/);
    assert.equal(shown.length, 1);
  });

  test('are a pair where both report the same end, in either order', async () => {
    for (const [first, second] of [
      [a, b],
      [b, a],
    ] as const) {
      const { shown, outcomes } = await disagreements(
        ...([
          [20, a, 'firing', 10],
          [21, b, 'firing', 10],
        ] as const),
        ...([
          [30, first, 'resolved', 10, 29],
          [31, second, 'resolved', 10, 29],
        ] as const),
      );
      assert.deepEqual(shown, []);
      assert.deepEqual(outcomes, ['opened', 'suppressed', 'resolved', 'ignored']);
    }
  });

  test('are a pair where the end follows a firing that came late', async () => {
    const { shown, paged } = await disagreements(
      ...([
        [20, a, 'firing', 10],
        [21, b, 'firing', 10],
        [30, a, 'resolved', 10, 29],
      ] as const),
      ...([
        [30.2, b, 'firing', 10],
        [34, b, 'resolved', 10, 29],
      ] as const),
    );
    assert.deepEqual(shown, []);
    assert.deepEqual([...new Set(paged)], [1]);
  });

  test('are not judged by the first firing of one that comes late', async () => {
    const { shown } = await disagreements(
      ...([
        [20, a, 'firing', 10],
        [30, a, 'resolved', 10, 29],
        [30.2, b, 'firing', 10],
      ] as const),
    );
    assert.deepEqual(shown, []);
  });

  test('are not judged by a problem that began after the end', async () => {
    const { shown } = await disagreements(
      ...([
        [20, a, 'firing', 10],
        [21, b, 'firing', 10],
        [30, a, 'resolved', 10, 29],
      ] as const),
      ...([[40, b, 'firing', 39]] as const),
    );
    assert.deepEqual(shown, []);
  });

  test('are not judged by one that reported an earlier problem alone', async () => {
    const { shown } = await disagreements(
      ...([
        [20, b, 'firing', 10],
        [21, a, 'firing', 10],
        [30, a, 'resolved', 10, 29],
      ] as const),
      ...([
        [40, a, 'firing', 39],
        [50, a, 'resolved', 39, 49],
        [51, b, 'firing', 48],
      ] as const),
    );
    assert.deepEqual(shown, []);
  });

  test('never change what is paged', async () => {
    const course = [
      ...([
        [20, a, 'firing', 10],
        [21, b, 'firing', 12],
        [30, a, 'resolved', 10, 29],
      ] as const),
      ...([
        [35, b, 'firing', 12],
        [42, b, 'firing', 12],
        [60, b, 'resolved', 12, 59],
      ] as const),
    ];
    const two = await disagreements(...course);
    const one = await disagreements(...course.map(([at, , ...rest]) => [at, a, ...rest] as const));
    assert.deepEqual([two.outcomes, two.paged], [one.outcomes, one.paged]);
    assert.equal(one.shown.length, 0);
  });

  test('are known by externalURL, which is never part of a key', () => {
    const type = typeOf('alertmanager');
    const alerts = [a, b, null].map((url) => {
      const body = new TextEncoder().encode(JSON.stringify(alertmanager(url, 'firing', 10).json));
      const request = { source: 'http', method: 'POST', path: '/push-events', query: '' } as const;
      const sent = { ...request, headers: {}, contentType: 'application/json', body };
      const reading = type?.read(sent, { receivedAt: later(20), integrationName: 'x' });
      return reading && 'alerts' in reading ? reading.alerts[0] : undefined;
    });
    assert.deepEqual(
      alerts.map((alert) => [alert?.dedup_key, alert?.reporter]),
      [
        ['aa11', a],
        ['aa11', b],
        ['aa11', undefined],
      ],
    );
  });
});
