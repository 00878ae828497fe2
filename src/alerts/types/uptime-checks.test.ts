// What the samples of services that watch websites do not show.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { posted } from '../../../test/http-event.ts';
import { alertOf, alertsOf } from '../../../test/tool-message.ts';
import { integrationTypes } from '../index.ts';
import { healthchecksIo } from './healthchecks-io.ts';
import { uptimerobot } from './uptimerobot.ts';

test('the body for Healthchecks.io pairs down and up, and its test alerts nobody', () => {
  const [{ text }] = healthchecksIo.guide.snippets;
  const sent = (status: string, name = 'backup') =>
    text.replace('$CODE', '5398').replace('$NAME', name).replace('$STATUS', status);
  const down = alertOf('healthchecks-io', sent('down'));
  const up = alertOf('healthchecks-io', sent('up'));
  assert.equal(down.title, 'backup is down');
  assert.deepEqual([up.action, up.dedup_key], ['resolve', down.dedup_key]);
  assert.deepEqual(alertsOf('healthchecks-io', sent('down', 'TEST')), []);
});

const monitor = {
  monitorID: '7',
  monitorFriendlyName: 'Shop',
  monitorURL: 'https://a.example.test',
};

test('the POST value for UptimeRobot is read, and also its variables in a query', () => {
  const [{ text }] = uptimerobot.guide.snippets;
  const values = { ...monitor, alertType: '1', alertTypeFriendlyName: 'Down' };
  const filled = Object.entries(values).reduce<string>(
    (body, [name, value]) => body.replace(`*${name}*`, value),
    text,
  );
  const down = alertOf('uptimerobot', filled);
  assert.equal(down.title, 'Shop is Down');
  const query = new URLSearchParams({ ...values, alertType: '2', alertTypeFriendlyName: 'Up' });
  const up = alertOf('uptimerobot', query.toString(), { contentType: '' });
  assert.deepEqual([up.action, up.dedup_key], ['resolve', down.dedup_key]);
});

test('a certificate that expires is not resolved by its monitor being up', () => {
  const expiry = { ...monitor, alertType: '3', alertDetails: 'expires in 7 days' };
  const alert = alertOf('uptimerobot', expiry);
  assert.equal(alert.title, 'Shop: expires in 7 days');
  assert.equal(alert.severity, 'sev3');
  const domain = alertOf('uptimerobot', { ...expiry, alertType: '4' });
  assert.notEqual(domain.dedup_key, alert.dedup_key);
  assert.notEqual(
    alert.dedup_key,
    alertOf('uptimerobot', { ...monitor, alertType: '2' }).dedup_key,
  );
});

test('a transaction check of Pingdom is over when it succeeds', () => {
  const read = (state: string) =>
    alertsOf('pingdom', { check_id: 7, check_name: 'Login', current_state: state });
  assert.equal(read('FAILING')[0]?.action, 'trigger');
  assert.equal(read('SUCCESS')[0]?.action, 'resolve');
  assert.deepEqual(read('UNCONFIRMED_DOWN'), []);
});

test('the token of StatusCake is neither stored nor shown', () => {
  const token = '5d41402abc4b2a76b9719d911017c592';
  const text = `TestID=7&Token=${token}&Name=Shop&Status=Down&StatusCode=503`;
  const contentType = 'application/x-www-form-urlencoded';
  const alert = alertOf('statuscake', text, { contentType });
  assert.ok(!JSON.stringify(alert).includes(token));
  const type = integrationTypes.find(({ slug }) => slug === 'statuscake');
  const body = new TextEncoder().encode(text);
  assert.deepEqual(type?.secretsIn?.({ ...posted, path: '/x', contentType, body })?.texts, [token]);
});

test('monitors and contacts of Better Stack alert nobody, its errors do', () => {
  const monitored = {
    data: { id: '4', type: 'monitor', attributes: { url: 'https://a.example' } },
  };
  assert.deepEqual(alertsOf('betterstack', { event: 'paused', ...monitored }), []);
  const error = (event: string) =>
    alertOf('betterstack', {
      data: { id: 'a1', type: 'error', attributes: { event, error_type: 'E', error_message: 'm' } },
    });
  assert.equal(error('new_error').title, 'E: m');
  assert.equal(error('resolved').action, 'resolve');
});
