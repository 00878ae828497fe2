import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { skipped } from '../../../test/skipped.ts';
import { readSlackPayload } from './read.ts';

const folder = new URL('../../../../shared/payloads/_vendor-callbacks/slack/', import.meta.url);
const skip = existsSync(folder) ? false : skipped('payloads of Slack', 'put ../shared beside');
const read = (file: string) => readFileSync(new URL(file, folder), 'utf8');

const press = {
  type: 'press',
  userId: 'U123',
  userName: 'alice',
  handle: 'inc_1',
  channel: 'C123',
  ts: '1795230741.000100',
  responseUrl: 'https://hooks.slack.com/actions/T123/1/abc',
  act: 'press 1795230741.000100 1795230799.123456 U123',
};

test('a press is read', { skip }, () => {
  assert.deepEqual(readSlackPayload('interactive', JSON.parse(read('other-2.json'))), press);
});

test('a choice of a menu or a list is read as a press', { skip }, () => {
  const payload = JSON.parse(read('other-2.json'));
  const [{ value, ...action }] = payload.actions;
  for (const type of ['overflow', 'static_select']) {
    const actions = [{ ...action, type, selected_option: { value } }];
    assert.deepEqual(readSlackPayload('interactive', { ...payload, actions }), press);
  }
});

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
