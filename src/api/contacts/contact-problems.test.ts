import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionProblems } from './contact-problems.ts';

const twilio = {
  vendor: 'twilio',
  enabled: true,
  channels: ['phone', 'sms'],
  settings: { allowed_prefixes: ['+49'] },
};
const ntfy = { vendor: 'ntfy', enabled: true, channels: ['push-notification'], settings: {} };
const [safe, unsafe] = ['https://pager.example.com', 'http://pager.example.com'];

test('a connection serves some contacts of its channel, and not others', () => {
  const noPrefix = 'The number begins with no prefix that an admin has allowed.';
  const noTopics = 'No channel connection to ntfy is set up.';
  const ofNumbers = connectionProblems([twilio], safe);
  assert.equal(ofNumbers({ channel: 'sms', address: '+4930123456' }), null);
  assert.equal(ofNumbers({ channel: 'sms', address: '+33123456789' }), noPrefix);
  assert.equal(ofNumbers({ channel: 'email', address: 'ada@example.com' }), null);
  const topic = { channel: 'push-notification', address: 'ntfy · …1f3a5b7c' };
  const browser = { ...topic, address: 'Firefox on Linux · …1f3a5b7c' };
  assert.equal(ofNumbers(topic), noTopics);
  assert.equal(connectionProblems([{ ...ntfy, enabled: false }], safe)(topic), noTopics);
  assert.equal(connectionProblems([ntfy], unsafe)(topic), null);
  assert.equal(ofNumbers(browser), null);
  assert.match(connectionProblems([ntfy], unsafe)(browser) ?? '', /only over https/);
});
