import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberProblem } from './numbers.ts';

const serving = (allowed_prefixes: readonly string[], channels = ['sms'], enabled = true) => ({
  enabled,
  channels,
  settings: { allowed_prefixes },
});
type Connections = Parameters<typeof numberProblem>[0];

const cases: readonly (readonly [
  title: string,
  connections: Connections,
  number: string,
  problem: RegExp | null,
])[] = [
  ['no connection', [], '+4915112345678', /^channel: is not served by any/],
  ['one that calls only', [serving(['+49'], ['phone'])], '+4915112345678', /^channel: /],
  ['one that is off', [serving(['+49'], ['sms'], false)], '+4915112345678', /^channel: /],
  ['one that allows it', [serving(['+49'])], '+4915112345678', null],
  ['a second that allows it', [serving(['+1']), serving(['+49'])], '+4915112345678', null],
  ['others only', [serving(['+1']), serving(['+33'])], '+4915112345678', /^address: begins with/],
  ['the reason that says more', [serving(['+33']), serving(['+1'])], '+18765550123', /\+1876/],
  ['settings without prefixes', [{ ...serving([]), settings: {} }], '+4915112345678', /^address: /],
];
for (const [title, connections, number, expected] of cases)
  test(`a number with ${title}: ${expected ?? 'may be texted'}`, () => {
    const problem = numberProblem(connections, 'sms', number);
    if (expected === null) assert.equal(problem, null);
    else assert.match(`${problem?.path}: ${problem?.message}`, expected);
  });
