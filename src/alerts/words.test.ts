import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plain } from './plain.ts';
import { actionOf, knownAction, linksOf, priorityOf, severityOf } from './words.ts';

test('words for states are known in the languages that tools show', () => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    trigger: [
      ...['firing', 'FIRED', 'Alerting', 'PROBLEM', 'down', 'Offline', 'CRITICAL', 'failed'],
      ...['störung', 'Störung', 'STÖRUNG', 'ausgefallen', 'Problème', 'panne', 'CAÍDO', 'caida'],
      ...['fallo', 'falha', 'guasto', 'storing', '障害', 'ダウン', '异常', '宕机'],
    ],
    resolve: [
      ...['resolved', 'OK', 'Recovered', 'up', 'Online', 'PASSED', 'closed', 'on_line'],
      ...['behoben', 'Gelöst', 'GELÖST', 'erreichbar', 'Résolu', 'RÉTABLI', 'resuelto'],
      ...['normalizado', 'risolto', 'opgelost', '復旧', '正常', '已恢复', '已解决'],
    ],
    acknowledge: ['ack', 'Acknowledged', 'ACKNOWLEDGE'],
  };
  for (const [action, words] of Object.entries(cases))
    for (const word of words) assert.equal(knownAction(word), action, word);
});

test('words are compared without case, spaces, signs and the way that letters are written', () => {
  const same = [
    ['Störung', 'sto\u0308rung', 'STÖRUNG', 'Storung', ' störung '],
    ['No data', 'no_data', 'NO-DATA', 'nodata', 'No\u00a0Data'],
    ['ダウン', 'ﾀﾞｳﾝ', 'タ\u3099ウン'],
    ['ＯＫ', 'ok'],
    [7, '7'],
  ];
  for (const [first, ...others] of same)
    for (const other of others) assert.equal(plain(other), plain(first), `${other}`);
  assert.notEqual(plain('ダウン'), plain('タウ'));
  assert.notEqual(plain('復旧'), plain('復活'));
});

test('what is no word stands for nothing, and an unknown word triggers', () => {
  const none = [undefined, null, true, {}, ['ok'], '', 'o'.repeat(101), 'is ok if', '復旧しない'];
  for (const value of none) assert.equal(knownAction(value), undefined, JSON.stringify(value));
  assert.equal(actionOf('odd'), 'trigger');
  for (const name of ['constructor', '__proto__', 'toString']) {
    assert.equal(knownAction(name), undefined);
    assert.equal(severityOf(name), undefined);
  }
});

test('words for severities and priorities are known, and no others', () => {
  const severities = {
    sev1: 'P1 Critical DISASTER 1',
    sev2: 'error P2 High 2',
    sev3: 'info P5 low',
  };
  for (const [severity, words] of Object.entries(severities))
    for (const word of words.split(' ')) assert.equal(severityOf(word), severity, word);
  const priorities = { p1: 'P1 critical 1', p2: 'high', p3: 'warning', p4: 'low', p5: 'info 5' };
  for (const [priority, words] of Object.entries(priorities))
    for (const word of words.split(' ')) assert.equal(priorityOf(word), priority, word);
  for (const word of ['odd', '0', '', null]) {
    assert.equal(severityOf(word), undefined);
    assert.equal(priorityOf(word), undefined);
  }
  assert.equal(severityOf(1), 'sev1');
});

test('links lead only where a browser should go', () => {
  const listed = ['https://a.test', 'javascript:alert(1)', { url: 'http://b.test', title: 'B' }, 7];
  assert.deepEqual(linksOf(listed), [
    { href: 'https://a.test' },
    { href: 'http://b.test', text: 'B' },
  ]);
});
