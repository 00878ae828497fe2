import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { buildAlert, later, opened, received } from '../../test/incident-life.ts';
import { type Message, SimulatedIntegration } from '../../test/simulated-integration.ts';
import type { Json } from '../alerts/alert.ts';
import '../../test/seed.ts';

const full = (host: string, key = 'undefined') => ({
  json: { title: `Disk of ${host} is full`, dedup_key: key },
});
const end = (key = 'undefined') => ({ json: { dedup_key: key, status: 'resolved' } });

describe('an end that has only a key that tells no problems apart', () => {
  test('ends the one open incident that came with it', async () => {
    for (const key of ['undefined', 'disk-<no value>', 'Uptime Kuma/undefined', '{{ .Key }}']) {
      const integration = new SimulatedIntegration();
      await integration.receives(full('a', key));
      const { outcome, alerts } = await integration.receives(end(key));
      assert.equal(outcome, 'resolved', key);
      assert.deepEqual(integration.open, []);
      // The log shows what it ended.
      assert.equal(alerts[0]?.dedup_key, 'Disk of a is full');
    }
  });

  test('ends none while two are open, and none that was open next to another', async () => {
    const integration = new SimulatedIntegration();
    await integration.receives(full('a'));
    await integration.receives(full('b'));
    const { outcome, reason } = await integration.receives(end());
    assert.equal(outcome, 'ignored');
    assert.match(reason ?? '', /several open incidents came with the key "undefined"/);
    assert.deepEqual(integration.open, ['Disk of a is full', 'Disk of b is full']);
    // The first of these ends may still be that of b.
    await integration.does('Disk of a is full', 'resolve');
    assert.equal((await integration.receives(end())).outcome, 'ignored');
    await integration.does('Disk of b is full', 'resolve');
    await integration.receives(full('c'));
    assert.equal((await integration.receives(end())).outcome, 'resolved');
  });

  test('counts one that opened later and ended before as another', async () => {
    const integration = new SimulatedIntegration();
    await integration.receives(full('a'));
    await integration.receives(full('b'));
    await integration.does('Disk of b is full', 'resolve');
    assert.equal((await integration.receives(end())).outcome, 'ignored');
    assert.deepEqual(integration.open, ['Disk of a is full']);
  });

  test('ends nothing of another raw key, and nothing that came with a real one', async () => {
    const integration = new SimulatedIntegration();
    await integration.receives(full('a', 'null'));
    await integration.receives({ json: { title: 'CPU of a is hot', dedup_key: 'cpu-a' } });
    const { outcome, reason } = await integration.receives(end());
    assert.equal(outcome, 'ignored');
    assert.match(reason ?? '', /no open incident came with the key "undefined"/);
    assert.equal(integration.open.length, 2);
  });

  test('ends nothing of what was merged, whatever it was merged into', async () => {
    const integration = new SimulatedIntegration();
    await integration.receives(full('a'));
    await integration.receives({ json: { title: 'Storage is down', dedup_key: 'storage' } });
    await integration.merges('Disk of a is full', 'Storage is down');
    assert.equal((await integration.receives(end())).outcome, 'ignored');
    // Nor of another, while the first of them may be meant.
    await integration.receives(full('b'));
    assert.equal((await integration.receives(end())).outcome, 'ignored');
    assert.deepEqual(integration.open, ['Storage is down', 'Disk of b is full']);
  });

  test('is decided alike within one request', async () => {
    const cases: readonly (readonly [readonly Json[], readonly string[]])[] = [
      [[full('a').json, end().json], []],
      [
        [full('a').json, full('b').json, end().json],
        ['Disk of a is full', 'Disk of b is full'],
      ],
      [[end().json, full('a').json], ['Disk of a is full']],
    ];
    for (const [list, open] of cases) {
      const integration = new SimulatedIntegration();
      await integration.receives({ json: list });
      assert.deepEqual(integration.open, open);
    }
  });

  test('ends what came with it only after it had opened', async () => {
    const integration = new SimulatedIntegration();
    await integration.receives({ json: { title: 'Disk of a is full' } });
    await integration.receives(full('a'));
    assert.equal((await integration.receives(end())).outcome, 'resolved');
  });

  test('ends nothing that its source reported again since', async () => {
    const integration = new SimulatedIntegration({ slug: 'email' });
    const mail = (subject: string, minutes: number) => ({
      mail: {
        subject,
        from: 'monitor@example.test',
        text: `At ${minutes}`,
        headers: { date: new Date(later(minutes).epochMilliseconds).toUTCString() },
      },
    });
    await integration.at(30);
    await integration.receives(mail('Disk <no value> full', 29));
    assert.equal(integration.open.length, 1);
    const { outcome } = await integration.receives(mail('[RESOLVED] Disk <no value> full', 10));
    assert.equal(outcome, 'ignored');
    assert.equal(
      (await integration.receives(mail('OK: Disk <no value> full', 30))).outcome,
      'resolved',
    );
  });

  test('pages for each of two problems of a template, and for the same once', async () => {
    const integration = new SimulatedIntegration();
    for (const host of ['a', 'b', 'a']) await integration.receives(full(host));
    assert.deepEqual(integration.paged, [1, 2]);
  });

  test('comes in other services’ forms too', async () => {
    const forms: readonly (readonly [string, Message, Message])[] = [
      [
        'pagerduty-events-v2',
        {
          json: {
            event_action: 'trigger',
            dedup_key: 'Uptime Kuma/undefined',
            payload: { summary: 'Shop is down', source: 'kuma', severity: 'critical' },
          },
        },
        { json: { event_action: 'resolve', dedup_key: 'Uptime Kuma/undefined' } },
      ],
      [
        'opsgenie-alert-api',
        { json: { alias: 'disk-<no value>', message: 'Disk full' }, address: '/v2/alerts' },
        {
          json: {},
          address: `/v2/alerts/${encodeURIComponent('disk-<no value>')}/close?identifierType=alias`,
        },
      ],
      [
        'victorops',
        { json: { message_type: 'CRITICAL', entity_id: '{{ id }}', entity_display_name: 'Disk' } },
        { json: { message_type: 'RECOVERY', entity_id: '{{ id }}' } },
      ],
    ];
    for (const [slug, begins, ends] of forms) {
      const integration = new SimulatedIntegration({ slug });
      await integration.receives(begins);
      assert.equal((await integration.receives(ends)).outcome, 'resolved', slug);
    }
  });

  test('Prometheus: labels end their own alert, whatever the fingerprint is', async () => {
    const integration = new SimulatedIntegration({ slug: 'alertmanager' });
    const group = (status: string, host: string) => ({
      json: {
        alerts: [
          { status, fingerprint: '<no value>', labels: { alertname: 'DiskFull', instance: host } },
        ],
      },
    });
    await integration.receives(group('firing', 'a'));
    assert.equal((await integration.receives(group('resolved', 'b'))).outcome, 'ignored');
    assert.equal((await integration.receives(group('resolved', 'a'))).outcome, 'resolved');
  });
});

test('what ends nothing is in the log, and somebody should know', () => {
  const raw = buildAlert({ action: 'resolve', dedup_key: 'x', title: 'Up', raw_key: 'undefined' });
  const result = received({ alert: raw });
  assert.equal(result.outcome, 'ignored');
  assert.deepEqual(
    result.findings?.map(({ kind, subject }) => [kind, subject]),
    [['unmatched_end', 'x']],
  );
  // A mark in a text may have been misread, unless its problem is known.
  const marked = buildAlert({ action: 'resolve', title: 'OK: Disk', is_marked: true });
  assert.match(
    received({ alert: marked }).findings?.[0]?.text ?? '',
    /^"OK: Disk" was read as an end/,
  );
  assert.equal(received({ alert: marked, known: { repeatCount: 1 } }).findings, undefined);
  // A tool that says its state in a field ends what it never reported, as each green build does.
  assert.equal(received({ alert: buildAlert({ action: 'resolve' }) }).findings, undefined);
});

test('of the release before, what was opened by the raw key itself counts', () => {
  const key = { dedup_key: 'undefined' };
  const before = opened({ alert: buildAlert(key) }).incident;
  const alert = buildAlert({ action: 'resolve', dedup_key: 'x', raw_key: 'undefined' });
  const end = (open: readonly (typeof before)[]) =>
    received({
      alert,
      known: { open: [before] },
      now: later(5),
      rawKeyState: { open, lastResolvedAt: null },
    });
  assert.equal(end([]).outcome, 'resolved');
  assert.equal(end([]).endedKey, 'undefined');
  const another = { ...before, id: 'another', dedup_key: 'y', raw_key: 'undefined' };
  assert.equal(end([another]).outcome, 'ignored');
});

test('whatever came before, an end with a raw key ends one that can only be meant, or none', () => {
  const hosts = ['a', 'b', 'c'];
  const anyStep = fc.record({
    does: fc.constantFrom('opens', 'opens', 'is resolved', 'ends', 'ends'),
    host: fc.constantFrom(...hosts),
    key: fc.constantFrom('undefined', 'disk-<no value>'),
  });
  type Span = { host: string; key: string; from: number; to: number };
  return fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 14 }), async (steps) => {
      const integration = new SimulatedIntegration();
      const spans: Span[] = [];
      const openOf = (host: string) =>
        spans.find((one) => one.host === host && one.to === Infinity);
      for (const [now, { does, host, key }] of steps.entries()) {
        const open = openOf(host);
        if (does === 'opens') {
          await integration.receives(full(host, key));
          if (!open) spans.push({ host, key, from: now, to: Infinity });
        } else if (does === 'is resolved' && open) {
          await integration.does(`Disk of ${host} is full`, 'resolve');
          open.to = now;
        } else if (does === 'ends') {
          const [ended, ...others] = spans.filter((one) => one.key === key && one.to === Infinity);
          const isAlone =
            ended !== undefined &&
            others.length === 0 &&
            spans.every((one) => one === ended || one.key !== key || one.to < ended.from);
          const { outcome } = await integration.receives(end(key));
          assert.equal(outcome, isAlone ? 'resolved' : 'ignored');
          if (isAlone) ended.to = now;
        }
        const expected = spans.filter(({ to }) => to === Infinity).map((one) => one.host);
        assert.deepEqual(
          integration.open,
          expected.map((one) => `Disk of ${one} is full`),
        );
      }
    }),
    { numRuns: 200 },
  );
});
