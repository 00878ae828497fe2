import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSlackEvent } from './read-event.ts';

const authorizations = [{ team_id: 'T1', user_id: 'U0BOT', is_bot: true }];
const inThread = {
  type: 'message',
  user: 'U1',
  text: 'ack',
  channel: 'C1',
  channel_type: 'channel',
  ts: '1795230799.000200',
  thread_ts: '1795230741.000100',
};
const read = (event: object) =>
  readSlackEvent({ event: { ...inThread, ...event }, authorizations });

test('a reply in a thread is read', () => {
  assert.deepEqual(read({}), {
    type: 'message',
    userId: 'U1',
    text: 'ack',
    channel: 'C1',
    ts: '1795230799.000200',
    thread: '1795230741.000100',
    isDirect: false,
    isAddressed: false,
    act: 'message C1 1795230799.000200',
  });
});

for (const [what, event] of [
  ['a reply that is shown in the channel too', { subtype: 'thread_broadcast' }],
  ['a reply with a file', { subtype: 'file_share' }],
] as const)
  test(`${what} is read`, () => assert.equal(read(event).type, 'message'));

for (const [what, event] of [
  ['a mention', { type: 'app_mention', text: '<@U0BOT> ack', channel_type: undefined }],
  ['a direct message', { channel: 'D1', channel_type: 'im', thread_ts: undefined }],
] as const)
  test(`${what} is addressed to Pager`, () => {
    const message = read(event);
    assert.ok(message.type === 'message');
    assert.deepEqual([message.isAddressed, message.text], [true, 'ack']);
  });

for (const [written, text] of [
  ['see <https://wiki.test/db>', 'see https://wiki.test/db'],
  ['see <https://wiki.test/db|wiki.test/db>', 'see wiki.test/db'],
  ['see <https://wiki.test/db|the runbook>', 'see the runbook (https://wiki.test/db)'],
  ['<mailto:a@b.test|a@b.test>', 'a@b.test'],
  ['<!subteam^S1|@dba>: <@U2> in <#C2|general>', '@dba: @U2 in general'],
  ['5 &lt; 6 &amp;amp;', '5 < 6 &amp;'],
  ['a < b', 'a < b'],
  ['x'.repeat(5_000), 'x'.repeat(4_000)],
] as const)
  test(`a message is read as its author saw it: ${written.slice(0, 40)}`, () => {
    const message = read({ text: written });
    assert.equal(message.type === 'message' ? message.text : '', text);
  });

test('a message made of openings is read in time', () => {
  assert.equal(read({ text: `${'<'.repeat(1_000_000)}a|b>` }).type, 'message');
});

for (const [what, event] of [
  ['another event', { type: 'reaction_added' }],
  ['what is in no thread', { thread_ts: undefined }],
  ['the post that a thread begins with', { thread_ts: '1795230799.000200' }],
  ['a mention that is delivered as a message too', { text: 'hi <@U0BOT>' }],
  ['an edit', { subtype: 'message_changed' }],
  ['a deletion', { subtype: 'message_deleted' }],
  ['somebody who joins', { subtype: 'channel_join' }],
  ['a bot', { bot_id: 'B1' }],
  ['what the app posted', { user: 'U0BOT' }],
  ['Slackbot', { user: 'USLACKBOT' }],
  ['what is hidden', { hidden: true }],
  ['a message of nobody', { user: undefined }],
  ['a message without text', { text: '' }],
  ['a message without an id', { ts: 7 }],
] as const)
  test(`${what} is ignored`, () => assert.equal(read(event).type, 'ignored'));

test('what is no event is ignored', () => {
  for (const payload of [null, [], { event: null }, { event: [], authorizations: {} }])
    assert.equal(readSlackEvent(payload).type, 'ignored');
});
