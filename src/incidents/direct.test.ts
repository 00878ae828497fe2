import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildConfiguration } from '../../test/configuration.ts';
import { buildIntegration, later, received } from '../../test/incident-life.ts';
import { readPrometheus } from '../alerts/types/prometheus.ts';
import { type Incident, isOpen } from './incident.ts';
import type { KeyEnd } from './key-end.ts';
import { advance } from './lifecycle.ts';

const integration = buildIntegration({ slug: 'prometheus' });
const configuration = buildConfiguration({ integrations: [integration] });

/** What Pager makes of sends of one alert; times are minutes after noon by our clock. */
class Prometheus {
  incidents: Incident[] = [];
  end: KeyEnd | null = null;
  readonly outcomes: string[] = [];
  readonly findings: string[] = [];

  /** As a server whose clock is `ahead` sends it, whose alerts hold for `length`. */
  send(at: number, endsAt: number, sender = 'prom-1', startsAt?: number): string {
    const alert = {
      ...{ labels: { alertname: 'disk' }, endsAt: later(endsAt).toString() },
      ...(startsAt !== undefined && { startsAt: later(startsAt).toString() }),
      generatorURL: `http://${sender}:9090/graph?g0.expr=x`,
    };
    const body = new TextEncoder().encode(JSON.stringify([alert]));
    const request = { contentType: 'application/json', body };
    const about = { receivedAt: later(at), integrationName: 'Prometheus' };
    const reading = readPrometheus(request, about);
    assert.ok('alerts' in reading && reading.alerts[0]);
    const open = this.incidents.filter(isOpen);
    const known = { open, end: this.end };
    const result = received({
      ...{ integration, configuration, alert: reading.alerts[0], known, now: later(at) },
    });
    if (result.end) this.end = result.end;
    this.findings.push(
      ...(result.findings ?? []).map(({ subject, text }) => text ?? `${subject} is right`),
    );
    for (const { incident } of result.outcomes) {
      const id = result.opened ? `${this.incidents.length}` : incident.id;
      this.incidents = [...this.incidents.filter((one) => one.id !== id), { ...incident, id }];
    }
    this.outcomes.push(result.outcome);
    return result.outcome;
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
    assert.equal(prometheus.send(2, 1.9, 'a'), 'resolved');
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
