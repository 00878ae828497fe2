import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Mark, markOf, type Place } from './meaning.ts';

type Wanted = Mark | undefined;
const places: readonly Place[] = ['bracket', 'front', 'behind', 'field'];

function assertMarks(cases: readonly (readonly [text: string, ...wanted: Wanted[]])[]) {
  for (const [text, ...wanted] of cases)
    assert.deepEqual(
      places.map((place) => markOf(text, place)),
      wanted,
      text,
    );
}

test('what words say depends on where they stand', () => {
  assertMarks([
    ['Resolved', 'end', 'end', 'end', 'end'],
    ['online', 'maybe end', 'maybe end', 'end', 'end'],
    ['is running', undefined, 'end', 'end', undefined],
    ['running', undefined, undefined, 'end', undefined],
    ['DOWN', 'trouble', 'trouble', 'trouble', 'trouble'],
    ['started', 'trouble', 'trouble', undefined, undefined],
    ['Alert', 'yielding', 'yielding', 'trouble', undefined],
    ['critical', 'yielding', 'yielding', 'trouble', undefined],
    ['P1', 'yielding', 'yielding', undefined, undefined],
    ['Database error', undefined, 'yielding', undefined, undefined],
    ['ack', 'acknowledge', 'acknowledge', undefined, 'acknowledge'],
    ['Shop', undefined, undefined, undefined, undefined],
  ]);
});

test('words that stand together decide together', () => {
  assertMarks([
    ['Alert resolved', 'end', 'end', 'end', 'end'],
    ['RESOLVED - Critical', 'end', 'end', 'end', 'end'],
    ['Not resolved', 'trouble', 'trouble', 'trouble', undefined],
    ['Still down', 'trouble', 'trouble', 'trouble', undefined],
    ['Recovery failed', undefined, undefined, undefined, undefined],
    ['Recovery started', undefined, undefined, undefined, undefined],
    ['was OK', undefined, undefined, undefined, undefined],
    ['was resolved', 'end', 'end', 'end', 'end'],
    ['Outage ended', 'end', 'end', 'end', 'end'],
    ['Alert stopped', 'maybe end', 'maybe end', 'trouble', undefined],
    ['Backup stopped', 'trouble', 'trouble', undefined, undefined],
    ['OK check', undefined, 'maybe end', undefined, 'end'],
    ['Database recovery', undefined, 'maybe end', undefined, 'end'],
    ['Host recovery', 'end', 'end', undefined, 'end'],
    ['High up', undefined, 'maybe end', 'end', 'end'],
    ['Disaster recovery', undefined, undefined, undefined, undefined],
    ['No severity', undefined, undefined, undefined, undefined],
    ['ALERT - No severity', 'yielding', 'yielding', 'trouble', undefined],
  ]);
});

test('of a change only what came of it counts', () => {
  for (const text of ['OK -> CRITICAL', 'OK → WARNING', 'UP=>DOWN', 'was OK, now CRITICAL'])
    assert.match(markOf(text, 'bracket') ?? '', /trouble|yielding/, text);
  for (const text of ['CRITICAL -> OK', 'DOWN to UP', 'from Red to OK'])
    assert.equal(markOf(text, 'bracket'), 'end', text);
  // Of a change of something else nothing does.
  assert.equal(markOf('web -> DOWN', 'bracket'), undefined);
  assert.equal(markOf('back to normal', 'bracket'), 'end');
});

test('a list is as bad as the worst that it counts', () => {
  const trouble = ['FIRING:1, RESOLVED:2', 'OK:1, CRIT:1', 'ok:1;critical:2', 'OK 3 WARNING 1'];
  const partial = ['3 OK, 1 CRITICAL', 'OK/CRITICAL', 'OK, Warning', 'RESOLVED 2/3', '2 of 3 ok'];
  for (const text of [...trouble, ...partial])
    assert.equal(markOf(text, 'bracket'), 'trouble', text);
  for (const text of ['FIRING:0, RESOLVED:2', '0 firing, 1 resolved', 'RESOLVED 3/3', 'OK 2'])
    assert.equal(markOf(text, 'bracket'), 'end', text);
  assert.equal(markOf('FIRING:0, RESOLVED:0', 'bracket'), undefined);
});

test('words without spaces between them are read one by one', () => {
  for (const text of ['障害復旧', 'アラート解消', '告警恢复', '장애복구', 'P1恢复', '恢复通知'])
    assert.equal(markOf(text, 'bracket'), 'end', text);
  for (const text of ['障害発生', '告警触发', '장애발생', '异常告警'])
    assert.match(markOf(text, 'bracket') ?? '', /trouble|yielding/, text);
  for (const text of ['復旧しない', '数据库', '数据库恢复'])
    assert.equal(markOf(text, 'bracket'), undefined, text);
});
