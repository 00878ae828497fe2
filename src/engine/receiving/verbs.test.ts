import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCommand } from './verbs.ts';

test('a verb and a number are read in any order, case and form', () => {
  const acknowledge42 = { action: 'acknowledge', number: 42 };
  for (const text of [
    '4 42',
    'ack 42',
    'ACK INC-42',
    '42 ack',
    ' a  42 ',
    '#42 4',
    '"4 42"',
    '/ack 42',
  ])
    assert.deepEqual(readCommand(text), acknowledge42, text);
  for (const text of ['6 42', 'resolve 42', 'close inc-42', '42 r', 'c 42'])
    assert.deepEqual(readCommand(text), { action: 'resolve', number: 42 }, text);
  for (const text of ['9 42', 'escalate 42', 'e 42'])
    assert.deepEqual(readCommand(text), { action: 'escalate', number: 42 }, text);
});

test('digits that are a verb and a number are read as they stand: the verb comes first', () => {
  assert.deepEqual(readCommand('4 6'), { action: 'acknowledge', number: 6 });
  assert.deepEqual(readCommand('6 4'), { action: 'resolve', number: 4 });
});

test('a verb alone names no incident', () => {
  assert.deepEqual(readCommand('ack'), { action: 'acknowledge', number: null });
  assert.deepEqual(readCommand('4'), { action: 'acknowledge', number: null });
});

test('everything else is no command', () => {
  for (const text of [
    '',
    'hello',
    '42',
    'ack ack',
    'ack 0',
    'ack -1',
    'please ack 42',
    'ack 42 43',
    '4 1e3',
    'constructor',
    'toString 4',
  ])
    assert.equal(readCommand(text), null, text);
});
