import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChatCommand, readChatCommand, splitAfterName } from './chat-commands.ts';

const act = (action: 'acknowledge' | 'resolve' | 'escalate', number: number): ChatCommand => ({
  ...{ type: 'act', action, number },
});
const run = (what: 'playbook' | 'webhook', number: number, name: string): ChatCommand => ({
  ...{ type: 'run', what, number, name },
});

const table: readonly [string, ChatCommand][] = [
  ['', { type: 'help' }],
  ['help', { type: 'help' }],
  ['dance', { type: 'help' }],
  ['link', { type: 'link' }],
  ['LINK ', { type: 'link' }],
  ['who', { type: 'who', schedule: null }],
  ['who Payments on-call', { type: 'who', schedule: 'Payments on-call' }],
  ['who "Payments"', { type: 'who', schedule: 'Payments' }],
  ['ack 42', act('acknowledge', 42)],
  ['42 ack', act('acknowledge', 42)],
  ['Resolve INC-42', act('resolve', 42)],
  ['escalate #42', act('escalate', 42)],
  ['ack', { type: 'unclear', usage: 'acknowledge <number>' }],
  ['ack 42 43', { type: 'help' }],
  ['page', { type: 'unclear', usage: 'page <service> <what is wrong>' }],
  ['page Shop  checkout fails', { type: 'page', text: 'Shop  checkout fails' }],
  ['playbook 42 Restart all', run('playbook', 42, 'Restart all')],
  ['webhook INC-42 "Restart all"', run('webhook', 42, 'Restart all')],
  ['webhook Restart', { type: 'unclear', usage: 'webhook <number> <name>' }],
  ['playbook 42', { type: 'unclear', usage: 'playbook <number> <name>' }],
];
for (const [text, command] of table)
  test(`/pager ${text} is read`, () => assert.deepEqual(readChatCommand(text), command));

const names = ['Shop', 'Shop payments', 'shopping'];
for (const [text, split] of [
  ['Shop checkout fails', { name: 'Shop', rest: 'checkout fails' }],
  ['shop payments: none arrive', { name: 'Shop payments', rest: 'none arrive' }],
  ['"Shop payments" none arrive', { name: 'Shop payments', rest: 'none arrive' }],
  ['shopping fails', { name: 'shopping', rest: 'fails' }],
  ['Shop', { name: 'Shop', rest: '' }],
  ['Shops fail', null],
  ['database fails', null],
] as const)
  test(`${text} begins with ${split?.name ?? 'no name'}`, () =>
    assert.deepEqual(splitAfterName(text, names), split));
