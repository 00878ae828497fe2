import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { sha256, shortHash } from './hash.ts';

test('the published vectors come out', () => {
  const of = (text: string) => sha256(new TextEncoder().encode(text));
  assert.equal(of(''), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  assert.equal(of('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  assert.equal(shortHash('abc'), 'ba7816bf8f01cfea414140de5dae2223');
});

test('any bytes hash as the runtime hashes them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      assert.equal(sha256(bytes), createHash('sha256').update(bytes).digest('hex'));
    }),
    { numRuns: 500 },
  );
});

test('every length around a block boundary is padded right', () => {
  for (let length = 0; length <= 130; length += 1) {
    const bytes = new Uint8Array(length).fill(length);
    assert.equal(sha256(bytes), createHash('sha256').update(bytes).digest('hex'));
  }
});
