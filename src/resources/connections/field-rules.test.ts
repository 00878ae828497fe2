import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ruleProblems } from './field-rules.ts';
import type { FieldRule } from './vendor.ts';

type Case = readonly [
  set: FieldRule['set'],
  of: readonly string[],
  present: string,
  problems: readonly string[],
];

const cases: readonly Case[] = [
  ['all_or_none', ['a', 'b', 'c'], '', []],
  ['all_or_none', ['a', 'b', 'c'], 'abc', []],
  ['all_or_none', ['a', 'b', 'c'], 'ac', ['b is required with a and c']],
  ['all_or_none', ['a', 'b', 'c'], 'b', ['a is required with b', 'c is required with b']],
  ['one_at_most', ['a', 'b'], '', []],
  ['one_at_most', ['a', 'b'], 'b', []],
  ['one_at_most', ['a', 'b'], 'ab', ['b cannot be combined with a']],
  ['one_at_least', ['a', 'b', 'c'], 'c', []],
  ['one_at_least', ['a', 'b', 'c'], '', ['a is required, or b or c']],
];

for (const [set, of, present, expected] of cases)
  test(`${set} of ${of}, with ${present || 'none'}: ${expected.length || 'no'} problems`, () => {
    const problems = ruleProblems([{ set, of }], (path) => present.includes(path));
    assert.deepEqual(
      problems.map(({ path, message }) => `${path} ${message}`),
      expected,
    );
  });
