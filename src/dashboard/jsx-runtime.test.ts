import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fragment, jsx, jsxs } from './jsx-runtime.ts';

const name = 'a\u202eb';
const shown = 'a[U+202E]b';
const childrenOf = (element: unknown) =>
  (element as { props: { children: unknown } }).props.children;

test('hidden characters of every text are shown, wherever it stands among others', () => {
  assert.equal(childrenOf(jsx('bdi', { children: name })), shown);
  const inner = jsx('b', { children: 'x' });
  assert.deepEqual(childrenOf(jsxs(Fragment, { children: [name, inner, [name, 1, null]] })), [
    ...[shown, inner, [shown, 1, null]],
  ]);
});

test('the value of a field stays as it is, so that saving it changes nothing', () => {
  const field = jsx('input', { value: name }) as { props: { value: string } };
  assert.equal(field.props.value, name);
});
