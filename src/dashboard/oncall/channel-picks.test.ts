import assert from 'node:assert/strict';
import { test } from 'node:test';
import { picksOf } from './channel-picks.ts';

const alerts = {
  channel_id: 'C0000ALERTS',
  name: '#alerts',
  is_private: false,
  connection_id: '1',
  connection: 'Acme',
};
const secret = { ...alerts, channel_id: 'C0000SECRET', name: '#secret', is_private: true };

test('what was chosen before stays to be picked, by its name', () => {
  const chosen = { channel_id: 'C0000CHOSEN', channel_name: '#chosen' };
  assert.deepEqual(picksOf({ via: 'slack', chosen, channels: [alerts], typed: 'al' }), [
    { value: 'C0000ALERTS', label: '#alerts', hint: '' },
    { value: 'C0000CHOSEN', label: '#chosen' },
  ]);
  const [only, ...others] = picksOf({
    via: 'slack',
    chosen: { channel_id: alerts.channel_id },
    channels: [alerts],
    typed: '',
  });
  assert.deepEqual([only?.label, others], ['#alerts', []]);
});

test('an id that is pasted can be picked, known or not', () => {
  const chosen = { channel_id: '' };
  const typed = 'https://acme.slack.com/archives/C0000ALERTS';
  assert.deepEqual(
    picksOf({ via: 'slack', chosen, channels: [], typed }).map(({ value, label }) => [
      value,
      label,
    ]),
    [['C0000ALERTS', 'C0000ALERTS']],
  );
  assert.equal(picksOf({ via: 'slack', chosen, channels: [alerts], typed }).length, 1);
});

test('of private channels and of several workspaces that is said', () => {
  const other = { ...alerts, channel_id: 'C0000OTHERS', connection_id: '2', connection: 'Other' };
  const hints = picksOf({ via: 'slack', chosen: {}, channels: [alerts, secret, other], typed: '' });
  assert.deepEqual(
    hints.map(({ hint }) => hint),
    ['Acme', 'private, Acme', 'Other'],
  );
});
