import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { testPublished } from '../../../test/published.ts';
import { commandTextOf, isPagerCommand, pagerCommand } from './command.ts';
import { readInteraction } from './read.ts';

const app = '845027738276462632';
const interaction = {
  version: 1,
  id: '846462639134605312',
  application_id: app,
  token: 'interaction_token',
  member: { user: { id: '53908232506183680', username: 'alice', global_name: 'Alice' } },
  message: { id: '846531166412210206', channel_id: '845027738276462633', flags: 0 },
};
const press = { ...interaction, type: 3, data: { component_type: 2, custom_id: 'a1' } };
const at = { id: interaction.id, applicationId: app, token: 'interaction_token' };
const source = { at, userId: '53908232506183680', userName: 'Alice' };

test('a press names its message and who did it', () => {
  const message = { channelId: '845027738276462633', id: '846531166412210206' };
  assert.deepEqual(readInteraction(press, app), {
    type: 'press',
    ...source,
    handle: 'a1',
    message,
  });
});

test('a choice of what was shown to somebody alone has no message', () => {
  const data = { component_type: 3, custom_id: 'choose 1', values: ['w1'] };
  const shown = { ...press, data, message: { ...interaction.message, flags: 64 } };
  assert.deepEqual(readInteraction(shown, app), {
    type: 'press',
    ...source,
    handle: 'w1',
    message: null,
  });
});

for (const [what, value] of [
  ['what is for another app', { ...press, application_id: '1' }],
  ['a press by nobody', { ...press, member: undefined }],
  ['a press without a token', { ...press, token: '' }],
  ['a press that carries nothing', { ...press, data: {} }],
  ['a handle that is too long', { ...press, data: { custom_id: 'x'.repeat(101) } }],
  ['the command of another app', { ...interaction, type: 2, data: { name: 'other' } }],
  ['a form', { ...interaction, type: 5 }],
  ['what is no object', 'interaction'],
] as const)
  test(`${what} is ignored`, () => {
    assert.equal(readInteraction(value, app).type, 'ignored');
  });

const entered = (name: string, ...options: readonly (readonly [string, string])[]) => ({
  name: 'pager',
  options: [{ type: 1, name, options: options.map(([field, value]) => ({ name: field, value })) }],
});

for (const [data, text] of [
  [entered('help'), 'help'],
  [entered('who', ['schedule', 'First line']), 'who First line'],
  [entered('ack', ['incident', 'INC-42']), 'ack INC-42'],
  [entered('page', ['problem', 'EU is down'], ['service', 'Shop']), 'page Shop: EU is down'],
  [entered('playbook', ['name', 'Restart'], ['incident', '42']), 'playbook 42 Restart'],
  [entered('destroy', ['incident', '42']), null],
  [{ name: 'pager' }, null],
] as const)
  test(`${JSON.stringify(data).slice(0, 60)} is ${text ?? 'no command'}`, () => {
    assert.equal(commandTextOf(data), text);
  });

test('the command is known by all that Pager sets, whatever Discord adds', () => {
  const known = { id: '1', version: '2', nsfw: false, ...pagerCommand };
  assert.equal(isPagerCommand(known), true);
  assert.equal(isPagerCommand({ ...known, description: 'Something else' }), false);
  assert.equal(isPagerCommand({ ...known, options: known.options.slice(1) }), false);
  assert.equal(isPagerCommand({ ...known, name: 'other' }), false);
});

testPublished(
  'payloads/_vendor-callbacks/discord/other-1.json',
  'a press of Discord’s own is read',
  (file) => {
    const value = JSON.parse(readFileSync(file, 'utf8'));
    const read = readInteraction(value, value.application_id);
    assert.ok(read.type === 'press');
    assert.deepEqual([read.handle, read.userName], ['ack:inc_1', 'alice']);
  },
);
