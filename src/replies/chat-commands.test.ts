import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChatCommand, readChatCommand, splitAfterName } from './chat-commands.ts';

const act = (
  action: 'acknowledge' | 'resolve' | 'escalate',
  number: number,
  note = '',
): ChatCommand => ({ type: 'act', action, number, note });
const run = (what: 'playbook' | 'webhook', number: number, name: string): ChatCommand => ({
  type: 'run',
  what,
  number,
  name,
});

const table: readonly [string, ChatCommand][] = [
  ['', { type: 'help' }],
  ['help', { type: 'help' }],
  ['dance', { type: 'reply', verb: null }],
  ['link', { type: 'link' }],
  ['LINK ', { type: 'link' }],
  ['who', { type: 'who', schedule: null }],
  ['who Payments on-call', { type: 'who', schedule: 'Payments on-call' }],
  ['who "Payments"', { type: 'who', schedule: 'Payments' }],
  ['ack 42', act('acknowledge', 42)],
  ['42 ack', act('acknowledge', 42)],
  ['Resolve INC-42', act('resolve', 42)],
  ['escalate #42', act('escalate', 42)],
  ['ack 42 on my way', act('acknowledge', 42, 'on my way')],
  ['ack', { type: 'reply', verb: 'acknowledge' }],
  ['ack 42 43', { type: 'reply', verb: null }],
  ['page', { type: 'unclear', usage: 'page <service> <what is wrong>' }],
  ['page Shop  checkout fails', { type: 'page', text: 'Shop  checkout fails' }],
  ['playbook 42 Restart all', run('playbook', 42, 'Restart all')],
  ['webhook INC-42 "Restart all"', run('webhook', 42, 'Restart all')],
  ['webhook Restart', { type: 'unclear', usage: 'webhook <number> <name>' }],
  ['playbook 42', { type: 'unclear', usage: 'playbook <number> <name>' }],
];
for (const [text, command] of table)
  test(`/pager ${text} is read`, () => assert.deepEqual(readChatCommand(text), command));

const called = (...names: readonly string[]) => names.map((name, id) => ({ id, name }));
const all = called('Shop', 'Shop payments', 'shopping', 'Payments', 'payments', 'Twice', 'Twice');
for (const [text, ids, rest] of [
  ['Shop checkout fails', [0], 'checkout fails'],
  ['shop payments: none arrive', [1], 'none arrive'],
  ['"Shop payments" none arrive', [1], 'none arrive'],
  ['shopping fails', [2], 'fails'],
  ['Shop', [0], ''],
  ['Payments DB down', [3], 'DB down'],
  ['payments DB down', [4], 'DB down'],
  ['PAYMENTS DB down', [3, 4], 'DB down'],
  ['twice is down', [5, 6], 'is down'],
  ['Shops fail', undefined, undefined],
  ['database fails', undefined, undefined],
] as const)
  test(`${text} begins with the name of ${ids ?? 'none'}`, () => {
    const split = splitAfterName(text, all);
    assert.deepEqual([split?.named.map(({ id }) => id), split?.rest], [ids, rest]);
  });
