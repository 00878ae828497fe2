import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detailsOf } from './details.ts';

const rowsOf = (details: unknown) =>
  detailsOf(details).rows.map(({ name, value }) => `${name}=${value}`);

test('details are names and values, whatever they are made of', () => {
  const cases: readonly [unknown, readonly string[]][] = [
    [
      { host: 'db-1', labels: { tier: 'database', a: { b: 1 } } },
      ['host=db-1', 'labels.tier=database', 'labels.a.b=1'],
    ],
    [
      { tags: ['a', 1, true], none: null, empty: '', hosts: [{ name: 'x' }, { name: 'y' }] },
      ['tags=a, 1, true', 'hosts.0.name=x', 'hosts.1.name=y'],
    ],
    [{ 'two\nlines': 'one\u202e\ntwo' }, ['two lines=one\ntwo']],
    [['a', 'b'], ['=a, b']],
    ['only text', []],
    [null, []],
  ];
  for (const [details, rows] of cases) assert.deepEqual(rowsOf(details), rows);
  assert.equal(detailsOf(' only\ntext ').text, 'only\ntext');
});

test('of many it has the first, and says how many are left out', () => {
  const many = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [`key ${index}`, index]),
  );
  assert.equal(detailsOf(many).rows.length, 40);
  assert.equal(detailsOf(many).left, 10);
});
