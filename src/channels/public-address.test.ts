import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callbackUrlOf, isPublicAddress } from './public-address.ts';

for (const [url, isPublic] of [
  ['https://pager.example.com', true],
  ['https://pager.example.com:8443/base', true],
  ['https://8.8.8.8', true],
  ['https://[2606:4700::1111]', true],
  ['http://pager.example.com', false],
  ['https://localhost', false],
  ['https://pager', false],
  ['https://pager.local', false],
  ['https://pager.internal.', false],
  ['https://10.0.0.1', false],
  ['https://127.1', false],
  ['https://[::1]', false],
  ['https://[fd00::1]', false],
  ['pager.example.com', false],
] as const)
  test(`${url} is ${isPublic ? 'public' : 'private'}`, () =>
    assert.equal(isPublicAddress(url), isPublic));

test('a vendor at an address of the operator’s calls any network, but not localhost', () => {
  const called = (url: string) => callbackUrlOf(url, true) === url;
  assert.equal(called('http://10.0.0.1:8080'), true);
  assert.equal(called('http://localhost:8080'), false);
  assert.equal(callbackUrlOf('http://10.0.0.1:8080', false), null);
});
