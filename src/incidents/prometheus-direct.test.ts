import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { buildConfiguration } from '../../test/configuration.ts';
import { buildAlert, buildIntegration, later, received } from '../../test/incident-life.ts';
import type { AlertEvent } from '../alerts/alert.ts';
import { readPrometheus } from '../alerts/types/prometheus.ts';
import type { Rule } from '../rules/match-rule.ts';
import type { Configuration } from './configuration.ts';
import { type Incident, isOpen } from './incident.ts';
import type { KeyEnd } from './key-end.ts';
import { advance } from './lifecycle.ts';

const integration = buildIntegration({ slug: 'prometheus' });
const configuration = buildConfiguration({ integrations: [integration] });

/** What Pager makes of sends of one alert; times are minutes after noon by our clock. */
class Prometheus {
  incidents: Incident[] = [];
  end: KeyEnd | null = null;
  readonly findings: string[] = [];
  readonly configuration: Configuration;

  constructor(rules: readonly Rule[] = []) {
    this.configuration = buildConfiguration({ integrations: [integration], rules });
  }

  /** As a server whose clock is `ahead` sends it, whose alerts hold for `length`. */
  send(at: number, endsAt: number | null, sender = 'prom-1', startsAt?: number): string {
    const alert = {
      labels: { alertname: 'disk' },
      ...(endsAt !== null && { endsAt: later(endsAt).toString() }),
      ...(startsAt !== undefined && { startsAt: later(startsAt).toString() }),
      generatorURL: `http://${sender}:9090/graph?g0.expr=x`,
    };
    const body = new TextEncoder().encode(JSON.stringify([alert]));
    const request = { contentType: 'application/json', body };
    const about = { receivedAt: later(at), integrationName: 'Prometheus' };
    const reading = readPrometheus(request, about);
    assert.ok('alerts' in reading && reading.alerts[0]);
    return this.receive(reading.alerts[0], at);
  }

  receive(alert: AlertEvent, at: number): string {
    const open = this.incidents.filter(isOpen);
    const known = { open, end: this.end };
    const result = received({
      integration,
      configuration: this.configuration,
      alert,
      known,
      now: later(at),
    });
    if (result.end) this.end = result.end;
    this.findings.push(
      ...(result.findings ?? []).map(({ subject, text }) => text ?? `${subject} is right`),
    );
    for (const { incident } of result.outcomes) {
      const id = result.opened ? `${this.incidents.length}` : incident.id;
      this.#put({ ...incident, id });
    }
    return result.outcome;
  }

  runTimers(at: number): void {
    for (const incident of this.incidents) {
      const now = later(at);
      const outcome = advance(incident, { type: 'timer' }, { configuration, now });
      assert.ok(!('refused' in outcome));
      this.#put(outcome.incident);
    }
  }

  #put(incident: Incident): void {
    const others = this.incidents.filter(({ id }) => id !== incident.id);
    this.incidents = [...others, incident].sort((a, b) => Number(a.id) - Number(b.id));
  }

  get status() {
    return this.incidents.map(({ status }) => status);
  }
}

describe('of a Prometheus that sends by itself', () => {
  test('a firing with a slow clock opens at its second send, and its end resolves', () => {
    for (const behind of [-5, -30, -600]) {
      const prometheus = new Prometheus();
      const sent = [0, 1, 2, 3].map((at) => prometheus.send(at, at + behind + 4));
      assert.deepEqual(sent, ['ignored', 'opened', 'suppressed', 'suppressed'], `${behind}`);
      // Resolved by its clock a moment ago, and sent again and again.
      assert.equal(prometheus.send(4, 4 + behind - 0.1), 'resolved');
      assert.equal(prometheus.send(5, 4 + behind - 0.1), 'ignored');
      assert.deepEqual(prometheus.status, ['resolved']);
      assert.equal(prometheus.send(10, 10 + behind + 4), 'opened');
    }
  });

  test('the end of one with a fast clock resolves, though it lies ahead of ours', () => {
    const prometheus = new Prometheus();
    for (const at of [0, 1, 2]) prometheus.send(at, at + 10 + 4);
    assert.equal(prometheus.send(3, 3 + 10 - 0.1), 'resolved');
  });

  test('with a right clock all is as before', () => {
    const prometheus = new Prometheus();
    assert.deepEqual(
      [
        prometheus.send(0, 4),
        prometheus.send(1, 5),
        prometheus.send(2, 1.9),
        prometheus.send(3, 1.9),
      ],
      ['opened', 'suppressed', 'resolved', 'ignored'],
    );
  });

  test('a copy changes nothing, and what overtakes by a moment goes on', () => {
    const prometheus = new Prometheus();
    prometheus.send(0, 20);
    assert.equal(prometheus.send(0.5, 20), 'ignored');
    assert.equal(prometheus.incidents[0]?.suppressed_count, 0);
    assert.equal(prometheus.send(1, 19.9), 'suppressed');
    assert.deepEqual(prometheus.status, ['triggered']);
  });

  test('each sender has a clock of its own', () => {
    const prometheus = new Prometheus();
    prometheus.send(0, 4, 'a');
    prometheus.send(0.1, 24, 'b');
    prometheus.send(1, 5, 'a');
    assert.equal(prometheus.send(2, 1.9, 'a'), 'ignored');
    assert.equal(prometheus.send(2.1, 21.9, 'b'), 'resolved');
  });

  test('what is not sent again expires four minutes after it came, whatever its clock', () => {
    const prometheus = new Prometheus();
    for (const at of [0, 1, 2]) prometheus.send(at, at - 30 + 4);
    const [incident] = prometheus.incidents;
    assert.ok(incident);
    for (const [at, status] of [
      [5.9, 'triggered'],
      [6, 'resolved'],
    ] as const) {
      const outcome = advance(incident, { type: 'timer' }, { configuration, now: later(at) });
      assert.ok(!('refused' in outcome));
      assert.equal(outcome.incident.status, status);
    }
  });

  test('what a rule ignores is known as its last firing', () => {
    const condition = { type: 'incidentSuppressedWithin', count: 1, minutes: 60 } as const;
    const prometheus = new Prometheus([
      {
        id: 'rule',
        name: 'Once an hour',
        actions: [{ type: 'ignoreIncident' }],
        condition_groups: [{ conditions: [condition] }],
      },
    ]);
    for (let at = 0; at < 20; at += 1) prometheus.send(at, at + 4);
    assert.equal(prometheus.send(20, 19.9), 'resolved');
  });
});

describe('of two Prometheus that send the same alerts', () => {
  test('an outage opens though the clocks of both are slow', () => {
    const pair = new Prometheus();
    const sent = [0, 1, 2].flatMap((at) =>
      ['a', 'b'].map((sender) => pair.send(at, at - 1, sender)),
    );
    assert.deepEqual(sent.slice(2), ['opened', 'suppressed', 'suppressed', 'suppressed']);
  });

  test('an old end of one does not end what the other fires anew', () => {
    const pair = new Prometheus();
    for (const sender of ['a', 'b']) pair.send(0, 4, sender);
    assert.deepEqual(
      ['a', 'b', 'a', 'b'].map((sender, index) => pair.send(1 + index * 0.1, 0.9, sender)),
      ['ignored', 'resolved', 'ignored', 'ignored'],
    );
    assert.deepEqual(
      [pair.send(5, 9, 'b'), pair.send(5.1, 0.9, 'a'), pair.send(6, 10, 'b')],
      ['opened', 'ignored', 'suppressed'],
    );
  });

  test('an old end that Pager never had is older than the incident', () => {
    const pair = new Prometheus();
    pair.send(5, 9, 'b');
    assert.equal(pair.send(20, 0.9, 'a'), 'ignored');
    assert.deepEqual(pair.status, ['triggered']);
  });

  test('the first end of a sender ends what nobody reported with an instant', () => {
    const byHand = new Prometheus();
    assert.equal(byHand.send(5, null), 'opened');
    assert.equal(byHand.send(5.01, 4.9), 'resolved');
  });

  test('the end of one leaves open what the other still reports', () => {
    const pair = new Prometheus();
    for (const at of [0, 1, 2]) for (const sender of ['a', 'b']) pair.send(at, at + 4, sender);
    assert.deepEqual(
      [pair.send(3, 2.9, 'a'), pair.send(3.1, 7.1, 'b'), pair.send(4, 2.9, 'a')],
      ['ignored', 'suppressed', 'ignored'],
    );
    assert.equal(pair.send(4.1, 4, 'b'), 'resolved');
    assert.deepEqual(pair.status, ['resolved']);
  });

  test('one that is gone holds nothing open', () => {
    const pair = new Prometheus();
    for (const sender of ['a', 'b']) pair.send(0, 4, sender);
    for (let at = 1; at < 10; at += 1) pair.send(at, at + 4, 'a');
    assert.equal(pair.send(10, 9.9, 'a'), 'resolved');
  });

  test('after time in which nobody listened, the end of one ends nothing of the other', () => {
    const pair = new Prometheus();
    for (const sender of ['a', 'b']) pair.send(0, 4, sender);
    assert.equal(pair.send(8, 3.9, 'a'), 'ignored');
    assert.equal(pair.send(8.5, 12.5, 'b'), 'suppressed');
  });

  test('the end of a group is remembered beside theirs', () => {
    const pair = new Prometheus();
    const at = later(0);
    pair.receive(
      buildAlert({
        action: 'resolve',
        sourceTime: { by: 'group', at, isSure: true, mayBeLate: true },
      }),
      0,
    );
    const direct = { sender: 'a', endsAt: later(0.5) };
    pair.receive(buildAlert({ action: 'resolve', direct }), 1);
    assert.deepEqual(
      [pair.end?.by, pair.end?.endedAt, pair.end?.senders?.length],
      ['group', at, 1],
    );
  });

  const minutes = fc.integer({ min: 0, max: 30 }).map((tenths) => tenths / 10);
  const aheads = fc.constantFrom(-600, -30, -5, -2, 0, 2, 10, 60);
  const outage = fc.record({
    gap: fc.integer({ min: 5, max: 40 }),
    length: fc.integer({ min: 10, max: 30 }),
    /** Who fires: how much later than the first, and how much before the last end. */
    servers: fc.tuple(fc.option(fc.tuple(minutes, minutes)), fc.option(fc.tuple(minutes, minutes))),
  });

  /** As two servers send, in tenths of minutes: each minute, and their ends for 15 minutes. */
  test('whatever their clocks, each outage is one incident, open until both have ended', () => {
    fc.assert(
      fc.property(
        fc.tuple(aheads, aheads),
        fc.tuple(minutes, minutes),
        fc.array(outage, { minLength: 1, maxLength: 4 }),
        (ahead, phases, outages) => {
          const pair = new Prometheus();
          let start = 0;
          const planned = outages
            .filter(({ servers }) => servers.some((one) => one !== null))
            .map(({ gap, length, servers }) => {
              const from = start + gap;
              start = from + length;
              return servers.map(
                (one) => one && { from: from + one[0], to: from + length - one[1] },
              );
            });
          let opened = 0;
          for (let tenth = 0; tenth <= (start + 20) * 10; tenth += 1) {
            const at = tenth / 10;
            if (tenth % 5 === 0) pair.runTimers(at);
            for (const server of [0, 1] as const) {
              if ((tenth + phases[server] * 10) % 10 !== 0) continue;
              const own = planned.flatMap((spans) => spans[server] ?? []);
              const last = own.findLast(({ from }) => from <= at);
              if (last === undefined || at > last.to + 15) continue;
              const endsAt = (at < last.to ? at + 4 : last.to) + ahead[server];
              if (pair.send(at, endsAt, `${server}`) === 'opened') opened += 1;
            }
            const isFiring = planned.some((spans) =>
              spans.some((span) => span && at >= span.from + 2 && at < span.to),
            );
            const spans = planned.flat().flatMap((span) => span ?? []);
            const isOver = spans.every(({ from, to }) => at < from || at > to + 1.1);
            const open = pair.incidents.filter(isOpen).length;
            assert.ok(!isFiring || open === 1, `${open} are open at ${at}`);
            assert.ok(!isOver || open === 0, `${open} are open at ${at} after all ends`);
          }
          assert.equal(opened, planned.length);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('the clock of a Prometheus', () => {
  /** Sends from noon on as one whose clock is so far ahead, for a problem that began just then. */
  const seen = (ahead: number, interval = 1) => {
    const prometheus = new Prometheus();
    for (let at = 0; at <= 6; at += interval)
      prometheus.send(at, at + ahead + 4 * Math.max(1, interval), 'prom-1', ahead);
    return prometheus.findings;
  };

  test('is named if it is more than a minute off', () => {
    for (const [ahead, shown] of [
      ...([
        [10, '10 minutes ahead'],
        [2, '2 minutes ahead'],
        [600, '600 minutes ahead'],
      ] as const),
      ...([
        [-2, '2 minutes behind'],
        [-3, '3 minutes behind'],
        [-10, '10 minutes behind'],
      ] as const),
    ]) {
      const [first] = seen(ahead);
      assert.match(
        first ?? '',
        new RegExp(`^The clock of the server prom-1:9090 is about ${shown}`),
      );
    }
  });

  test('is not named if it is right, however long alerts hold', () => {
    for (const ahead of [0, 0.9, -0.9, 0.02])
      for (const interval of [0.25, 0.5, 1, 2])
        assert.deepEqual(
          seen(ahead, interval).filter((text) => text !== 'prom-1:9090 is right'),
          [],
          `${ahead} ${interval}`,
        );
  });

  test('is no longer named once it is right', () => {
    const prometheus = new Prometheus();
    prometheus.send(0, 14, 'prom-1', 10);
    prometheus.send(20, 9, 'prom-1', 10);
    prometheus.send(40, 44, 'prom-1', 40);
    assert.equal(prometheus.findings.at(-1), 'prom-1:9090 is right');
  });

  test('is not judged by a problem that began before Pager heard of it', () => {
    const prometheus = new Prometheus();
    prometheus.send(30, 34, 'prom-1', 0);
    prometheus.send(31, 35, 'prom-1', 0);
    assert.deepEqual(prometheus.findings, []);
  });
});
