import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detailsOf } from './details.ts';

const rowsOf = (details: unknown) =>
  detailsOf(details).rows.map(({ name, value }) => `${name}=${value}`);

test('details are names and values, whatever they are made of', () => {
  const cases: readonly [unknown, readonly string[]][] = [
    [
      { host: 'db-1', labels: { tier: 'database', a: { b: 1 } } },
      ['tier=database', 'a.b=1', 'host=db-1'],
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

test('of very many it reads little more than what it shows', () => {
  let reads = 0;
  const counted = <T extends object>(of: T): T =>
    new Proxy(of, {
      get(target, key) {
        reads += 1;
        return Reflect.get(target, key);
      },
    });
  const keys = Array.from({ length: 20_000 }, (_, index) => `key ${index}`);
  const cases: readonly [object, rows: number, left: number | 'many'][] = [
    [counted(Object.fromEntries(keys.map((key) => [key, key]))), 40, 'many'],
    [counted(keys.map((key) => ({ key }))), 40, 'many'],
    [counted(Object.fromEntries(keys.map((key) => [key, {}]))), 0, 'many'],
    [{ keys: counted(keys) }, 1, 0],
  ];
  for (const [details, rows, left] of cases) {
    reads = 0;
    const read = detailsOf(details);
    assert.deepEqual([read.rows.length, read.left], [rows, left]);
    assert.ok(reads < 5_000, `${reads} reads`);
  }
});

test('a long text is cut, and says so', () => {
  const long = 'x'.repeat(1_000_000);
  const [row] = detailsOf({ [long]: long }).rows;
  assert.deepEqual([row?.name.length, row?.value.length], [200, 1_000]);
  assert.equal(detailsOf({ blank: `a${' '.repeat(10_000)}b` }).rows[0]?.value, 'a…');
  assert.ok(detailsOf(long).text.endsWith('x…'));
});
