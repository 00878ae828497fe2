// What the samples of services that watch sites, jobs and status pages do not show.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alertOf, alertsOf, readingOf } from '../../../test/tool-message.ts';

/** Messages that ask for nothing. */
const silent: readonly (readonly [slug: string, message: object])[] = [
  ['cronitor', { id: 'a', monitor: 'Backup', type: 'Test', description: 'A test' }],
  [
    'dead-mans-snitch',
    { type: 'snitch.paused', data: { snitch: { token: 'c2', name: 'Backup' } } },
  ],
  ['hetrixtools', { monitor_id: 'm', monitor_name: 'Shop', monitor_status: 'maintenance' }],
  ['honeybadger', { event: 'deployed', message: '[Shop] deployed', project: { id: 1 } }],
  ['honeybadger', { event: 'assigned', message: 'x', fault: { id: 7, klass: 'Oops' } }],
  ['pulsetic', { alert_type: 'monitor_paused', monitor: { id: 1, url: 'https://shop.example' } }],
  ['statuspage', incident({ status: 'scheduled', impact: 'maintenance' })],
  ['statuspage', incident({ status: 'completed', impact: 'minor' })],
  ['statuspage', component('under_maintenance')],
  ['uptime-com', { event: 'test_alert', data: { service: { id: 1, name: 'Shop' } } }],
];

function incident(more: object) {
  return { page: { id: 'p' }, incident: { id: 'i', name: 'Databases are slow', ...more } };
}

function component(status: string) {
  return {
    page: { id: 'p' },
    meta: { unsubscribe: 'https://status.example/?unsubscribe=secret' },
    component_update: { component_id: 'c', new_status: status, old_status: 'operational' },
    component: { id: 'c', name: 'API', status },
  };
}

test('tests, pauses, maintenance and comments open no incident', () => {
  for (const [slug, message] of silent) {
    const reading = readingOf(slug, message);
    assert.ok('alerts' in reading, slug);
    assert.deepEqual(reading.alerts, [], `${slug} ${JSON.stringify(message)}`);
    assert.match(reading.note ?? '', /reports no problem/, slug);
  }
});

test('each environment of a Cronitor monitor has its own incident', () => {
  const read = (environment: string, type: string) =>
    alertOf('cronitor', {
      id: 'ksQC7a',
      monitor: 'Backup',
      type,
      environment,
      rule: 'not_on_schedule',
      issue_url: 'https://cronitor.io/app/issues/1',
    });
  const alert = read('production', 'ALERT');
  const recovery = read('production', 'RECOVERY');
  assert.deepEqual([alert.action, recovery.action], ['trigger', 'resolve']);
  assert.equal(recovery.dedup_key, alert.dedup_key);
  assert.notEqual(read('staging', 'ALERT').dedup_key, alert.dedup_key);
  assert.deepEqual(alert.links, [{ href: 'https://cronitor.io/app/issues/1', text: 'Issue' }]);
});

test('an address leaves the blacklists of HetrixTools by itself', () => {
  const read = (count: string) =>
    alertOf('hetrixtools', [
      {
        monitor: '192.0.2.7',
        label: 'mail',
        blacklisted_before: '1',
        blacklisted_now: count,
        links: { report_link: 'https://hetrixtools.com/report/1' },
      },
    ]);
  assert.equal(read('6').title, '192.0.2.7 is on 6 blacklists');
  assert.deepEqual([read('6').action, read('0').action], ['trigger', 'resolve']);
  assert.equal(read('0').dedup_key, read('6').dedup_key);
});

test('alarms and certificates of Honeybadger have their own keys, and its token is left out', () => {
  const alarm = (event: string) =>
    alertOf('honeybadger', {
      event,
      message: '[Shop] Checkout errors',
      project: { id: 1, name: 'Shop', token: 'secret-key' },
      alarm: { id: 'a1', name: 'Checkout errors', details_url: 'https://app.honeybadger.io/a1' },
    });
  assert.deepEqual([alarm('alarm_alert').action, alarm('alarm_ok').action], ['trigger', 'resolve']);
  assert.equal(alarm('alarm_ok').dedup_key, alarm('alarm_alert').dedup_key);
  assert.ok(!JSON.stringify(alarm('alarm_alert')).includes('secret-key'));
  const site = (event: string) =>
    alertOf('honeybadger', {
      event,
      message: `Mocky ${event}`,
      site: { id: 's1', name: 'Mocky', details_url: 'https://app.honeybadger.io/s1' },
    });
  assert.equal(site('cert_will_expire').action, 'trigger');
  assert.notEqual(site('cert_will_expire').dedup_key, site('down').dedup_key);
});

test('monitors of Hyperping are paired by their id, where it is sent', () => {
  const read = (event: string) =>
    alertOf('hyperping', {
      event,
      check: { monitorUuid: 'mon_1', url: 'https://api.acme.example/', down: event !== 'check.up' },
    });
  assert.equal(read('check.down').dedup_key, 'mon_1');
  assert.equal(read('check.up').dedup_key, 'mon_1');
  assert.equal(read('check.up').action, 'resolve');
});

test('a component of a status page opens and resolves by itself', () => {
  const outage = alertOf('statuspage', component('partial_outage'));
  const end = alertOf('statuspage', component('operational'));
  assert.equal(outage.title, 'API: partial_outage');
  assert.equal(outage.severity, 'sev2');
  assert.deepEqual([outage.action, end.action], ['trigger', 'resolve']);
  assert.equal(end.dedup_key, outage.dedup_key);
  assert.ok(!JSON.stringify(outage).includes('secret'));
  assert.equal(alertOf('statuspage', incident({ status: 'postmortem' })).action, 'resolve');
});

test('an event of Uptime.com that is new is judged by whether the check is up', () => {
  const read = (isUp: boolean) =>
    alertOf('uptime-com', {
      event: 'alert_repeated',
      data: {
        service: { id: 1, name: 'Shop' },
        alert: { is_up: isUp, short_output: 'timeout' },
        integration: { headers: 'authorization: secret' },
      },
    });
  assert.deepEqual([read(false).action, read(true).action], ['trigger', 'resolve']);
  assert.ok(!JSON.stringify(read(false)).includes('secret'));
});

test('a Snitch that reported an error opens an incident too', () => {
  const [errored] = alertsOf('dead-mans-snitch', {
    type: 'snitch.errored',
    data: { snitch: { token: 'c2', name: 'Backup', status: 'errored' } },
  });
  assert.equal(errored?.action, 'trigger');
  assert.equal(errored?.title, 'Backup');
});

test('StatusGator is read in its older version, and its early warnings have their own key', () => {
  const old = (status: string) =>
    alertOf('statusgator', {
      service_name: 'Heroku',
      slug: 'heroku',
      current_status: status,
      last_status: 'up',
      occurred_at: '2022-01-20T10:52:30-04:00',
    });
  assert.equal(old('warn').title, 'Heroku warning');
  assert.deepEqual([old('down').action, old('up').action], ['trigger', 'resolve']);
  assert.equal(old('up').dedup_key, 'heroku');
  const early = alertOf('statusgator', {
    type: 'EarlyWarningSignal',
    summary: 'Service outage',
    recorded_at: '2025-01-29T20:54:48Z',
    monitor: { id: 'uZoM2YK1rn', display_name: 'Resideo' },
    yes_vote_url: 'https://statusgator.com/signal_alerts/secret/confirm',
  });
  assert.equal(early.title, 'Resideo: Service outage');
  assert.equal(early.dedup_key, 'uZoM2YK1rn | EarlyWarningSignal');
  assert.ok(!JSON.stringify(early).includes('secret'));
});

test('the legacy payload of Uptime.com goes down and up', () => {
  const read = (state: string) =>
    alertOf('uptime-com', {
      check_id: 6257,
      check_name: 'Shop',
      check_type: 'HTTP(S)',
      state,
      output: 'Zero bytes received',
    });
  assert.equal(read('DOWN').title, 'Shop: Zero bytes received');
  assert.deepEqual([read('DOWN').action, read('UP').action], ['trigger', 'resolve']);
  assert.equal(read('UP').dedup_key, '6257');
});
