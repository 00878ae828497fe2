import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { testPublished } from '../../../test/published.ts';
import { slackContract } from '../../../test/vendors/slack-contract.ts';
import { readSlackPayload } from './read.ts';

const press = {
  type: 'press',
  userId: 'U0ADA',
  userName: 'ada',
  handle: 'a-handle',
  channel: 'C0ALERTS',
  ts: '1795230741.000100',
  responseUrl: 'https://hooks.slack.com/actions/T0ACME/1/abc',
  act: 'press 1795230741.000100 1795230799.123456 U0ADA',
};

const label = { type: 'plain_text', text: 'Acknowledge', emoji: false };
const action = { action_id: 'acknowledge', block_id: 'b1', action_ts: '1795230799.123456' };

/** Of what somebody did to a message, whose channel the payload names twice. */
const payloadOf = (of: object) => ({
  type: 'block_actions',
  user: { id: 'U0ADA', username: 'ada', name: 'ada', team_id: 'T0ACME' },
  api_app_id: 'A0PAGER',
  token: 'deprecated',
  container: {
    type: 'message',
    message_ts: '1795230741.000100',
    channel_id: 'C0ALERTS',
    is_ephemeral: false,
  },
  trigger_id: '123.456.abc',
  team: { id: 'T0ACME', domain: 'acme' },
  channel: { id: 'C0ALERTS', name: 'alerts' },
  message: {
    type: 'message',
    user: 'U0BOT',
    ts: '1795230741.000100',
    text: 'The disk of db-1 is full',
    blocks: [],
  },
  response_url: 'https://hooks.slack.com/actions/T0ACME/1/abc',
  actions: [{ ...action, ...of }],
});

for (const of of [
  { type: 'button', text: label, value: 'a-handle' },
  { type: 'overflow', selected_option: { text: label, value: 'a-handle' } },
  { type: 'static_select', selected_option: { text: label, value: 'a-handle' } },
])
  test(`a press is read: ${of.type}`, () => {
    const payload = payloadOf(of);
    const envelope = { envelope_id: 'e1', type: 'interactive', accepts_response_payload: false };
    assert.equal(slackContract.envelopeProblem({ ...envelope, payload }), undefined);
    assert.deepEqual(readSlackPayload('interactive', payload), press);
  });

testPublished(
  'payloads/_vendor-callbacks/slack/other-2.json',
  'a press in the sample of Slack is read',
  (sample) => {
    const read = readSlackPayload('interactive', JSON.parse(readFileSync(sample, 'utf8')));
    assert.deepEqual(read, {
      type: 'press',
      userId: 'U123',
      userName: 'alice',
      handle: 'inc_1',
      channel: 'C123',
      ts: '1795230741.000100',
      responseUrl: 'https://hooks.slack.com/actions/T123/1/abc',
      act: 'press 1795230741.000100 1795230799.123456 U123',
    });
  },
);

test('a command is read', () => {
  const payload = {
    command: '/pager',
    text: 'ack 42 ',
    user_id: 'U1',
    user_name: 'ada',
    trigger_id: '1.2.a',
    response_url: 'https://hooks.slack.com/commands/1/2/3',
  };
  assert.deepEqual(readSlackPayload('slash_commands', payload), {
    type: 'command',
    userId: 'U1',
    userName: 'ada',
    text: 'ack 42',
    responseUrl: 'https://hooks.slack.com/commands/1/2/3',
    act: 'command 1.2.a',
  });
});

for (const [text, written] of [
  ['page R&amp;D 5 &gt; 4 &lt; 6', 'page R&D 5 > 4 < 6'],
  ['page R&D fails', 'page R&D fails'],
  ['page R&amp;lt;D &quot;fails&quot;', 'page R&lt;D &quot;fails&quot;'],
  [`page ${'&amp;'.repeat(3_000)}`, `page ${'&'.repeat(1_995)}`],
] as const)
  test(`the text of a command is unescaped once: ${text.slice(0, 40)}`, () => {
    const payload = { text, user_id: 'U1', response_url: 'https://hooks.slack.com/commands/1' };
    const read = readSlackPayload('slash_commands', payload);
    assert.equal(read.type === 'command' ? read.text : '', written);
  });

for (const [what, type, payload] of [
  ['an event', 'events_api', {}],
  ['a dialog', 'interactive', { type: 'view_submission' }],
  ['a press of nobody', 'interactive', { type: 'block_actions' }],
  ['a command of nobody', 'slash_commands', { text: 'ack 42' }],
  ['no object', 'interactive', null],
] as const)
  test(`${what} is ignored`, () => {
    assert.equal(readSlackPayload(type, payload).type, 'ignored');
  });
