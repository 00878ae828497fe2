import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { readableLine } from './log.ts';

/** What the log says, as a terminal without colours has it. */
function linesOf(logTo: (log: pino.Logger) => void): string {
  let lines = '';
  const write = (line: string) => {
    lines += readableLine(line, false);
  };
  logTo(pino({ level: 'trace' }, { write }));
  return lines;
}

test('a line for eyes has the time, the level, the words and the facts', () => {
  const line = linesOf((log) =>
    log.warn({ port: 8080, file: 'a/b.eml', reason: 'not taken' }, 'no'),
  );
  assert.match(line, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d warn {2}no port=8080 file=a\/b\.eml /);
  assert.ok(line.endsWith(' reason="not taken"\n'), line);
});

test('a fault is told below its line, with where it came from', () => {
  const [line, fault = '', at = ''] = linesOf((log) =>
    log.error({ err: new Error('broken') }, 'a round failed'),
  ).split('\n');
  assert.match(line ?? '', / error a round failed$/);
  assert.equal(fault, '    Error: broken');
  assert.match(at, /^ +at .*log\.test\.ts/);
});

test('what others sent does not reach the terminal as more than letters', () => {
  const sent = 'a\u001b[2J\u001b]0;title\u0007b\rc\u009b1md\u202ee\nf';
  const line = linesOf((log) => log.warn({ sent, err: new Error(sent) }, `${sent}`));
  assert.doesNotMatch(line, /[^\P{C}\n]/u);
  const [first] = line.split('\n');
  assert.match(first ?? '', /warn {2}ab/);
});
