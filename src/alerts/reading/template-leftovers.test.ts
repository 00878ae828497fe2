import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMissing } from './template-leftovers.ts';
import { titleWithoutState } from './title-without-state.ts';

test('what templates leave where they had nothing to fill in is absent', () => {
  const leftovers = [
    ...['', '  ', '<no value>', '[no value]', '(null)', '<nil>', '<unknown>', 'undefined', 'None'],
    ...['NaN', 'null', '{{ .Labels.x }}', '{{alert.id}}', '{EVENT.NAME}', '{$MACRO}', '{#IF}'],
    ...[`\${host}`, '$EVENT_TITLE', '$HOSTNAME$', '%name%', '%host', '*UNKNOWN*', '*name*'],
    ...['##HOST##', ' {{ x }} '],
  ];
  for (const text of leftovers) assert.equal(isMissing(text), true, text);
});

test('what somebody wrote stays, with a leftover in it too', () => {
  const texts = [
    ...['None of the disks', 'null pointer', 'Nancy', 'unknown', 'no value', '0', '-', '{}', '[]'],
    ...['Disk {HOST.NAME} is full', '{{ host }} is down', `load of \${host}`, '{"a":1}', '{a}'],
    ...['$5 lost', '$', '100%', '% used', '*', '**', '*High CPU usage*', '*Disk full* on db-1'],
    ...['#7', '## Disk', '<b>', 'Störung', '復旧'],
  ];
  for (const text of texts) assert.equal(isMissing(text), false, text);
});

test('a title’s stem is the same when its problem ends', () => {
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['Disk full', ['[FIRING:2] Disk full', '[RESOLVED] Disk full', 'RESOLVED: Disk full']],
    ['db-1', ['db-1 is down', 'db-1 is back up', 'db-1 has recovered', '🔴 db-1', '✅ db-1 - OK']],
    ['CPU of web-1', ['Resolved in 7m 30s: CPU of web-1', 'Problem: CPU of web-1']],
  ];
  for (const [stem, titles] of cases)
    for (const title of titles) assert.equal(titleWithoutState(title), stem, title);
});
