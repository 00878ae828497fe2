import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type ApiKey, keysOf, madeBy, mayChange, providerBlock, validityOf } from './keys.ts';

const key = (name: string, more: Partial<ApiKey> = {}): ApiKey => ({
  id: name,
  name,
  role: 'manager',
  prefix: `pgr_${name}`,
  created_at: '2026-11-01T00:00:00Z',
  created_by: 'Ada',
  ...more,
});
const made = (name: string, by: string, ends = true) =>
  key(name, { made_by_key_id: by, ends_with_maker: ends });

const now = Date.parse('2026-11-30T12:00:00Z');
for (const [expires_at, validity] of [
  [undefined, 'endless'],
  ['2026-11-30T12:00:00Z', 'expired'],
  ['2026-11-30T12:00:01Z', 'soon'],
  ['2026-12-14T11:59:59Z', 'soon'],
  ['2026-12-14T12:00:00Z', 'valid'],
] as const)
  test(`a key that expires ${expires_at ?? 'never'} is ${validity}`, () =>
    assert.equal(validityOf(expires_at === undefined ? {} : { expires_at }, now), validity));

test('a list is by name, and is searched by name, first characters and who made the key', () => {
  const all = [key('web', { created_by: 'Grace' }), key('ci')];
  const named = (text?: string) => keysOf(all, text).map(({ name }) => name);
  assert.deepEqual(named(), ['ci', 'web']);
  assert.deepEqual(named(' GRACE '), ['web']);
  assert.deepEqual(named('pgr_c'), ['ci']);
  assert.deepEqual(named('nothing'), []);
});

test('with a key ends what it made, at any remove, but for keys of an earlier release', () => {
  const all = [
    key('first'),
    made('child', 'first'),
    made('grandchild', 'child'),
    made('old', 'first', false),
    made('of old', 'old'),
    key('other'),
  ];
  const { ending, staying } = madeBy(all, 'first');
  assert.deepEqual(
    ending.map(({ id }) => id),
    ['child', 'grandchild'],
  );
  assert.deepEqual(
    staying.map(({ id }) => id),
    ['old', 'of old'],
  );
  assert.deepEqual(madeBy(all, 'other'), { ending: [], staying: [] });
});

test('admins change no key of the role owner', () => {
  assert.equal(mayChange({ role: 'admin' }, { role: 'owner' }), false);
  assert.equal(mayChange({ role: 'admin' }, { role: 'admin' }), true);
  assert.equal(mayChange({ role: 'owner' }, { role: 'owner' }), true);
});

test('the block beside a new key is that of docs/terraform', () => {
  const paper = readFileSync('docs/terraform/index.md', 'utf8');
  const [, example = ''] = /```terraform\n([\s\S]*?)\n```/.exec(paper) ?? [];
  const withoutComments = example.replaceAll(/^#.*\n/gm, '');
  assert.equal(providerBlock('http://localhost:8080'), withoutComments);
});
