import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  createSealer,
  createSecrets,
  derivedKeys,
  opening,
  randomKeys,
  sealing,
} from './secrets.ts';

const sealer = createSealer('k'.repeat(64));
const here = ['table.column', 'organisation', 'row'];

test('what is sealed opens to the same text, and never looks the same twice', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const sealed = sealer.seal(text, here);
      assert.match(sealed, /^v2:/);
      assert.notEqual(sealed, sealer.seal(text, here));
      assert.equal(sealer.open(sealed, here), text);
    }),
  );
});

test('a changed secret or another key is refused, never misread', () => {
  const sealed = sealer.seal('https://chat.test/secret', here);
  const bytes = Buffer.from(sealed.slice('v2:'.length), 'base64');
  for (const [at, byte] of bytes.entries()) {
    const changed = `v2:${bytes.with(at, byte ^ 1).toBase64()}`;
    assert.throws(() => sealer.open(changed, here), `byte ${at}`);
  }
  assert.throws(() => createSealer('x'.repeat(64)).open(sealed, here));
  assert.throws(() => sealer.open('plain', here), /unknown form/);
});

test('what is sealed in one place opens in no other', () => {
  const parts = fc.array(fc.string(), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(parts, parts, (one, other) => {
      const sealed = sealer.seal('secret', one);
      if (JSON.stringify(one) === JSON.stringify(other)) return;
      assert.throws(() => sealer.open(sealed, other));
    }),
  );
});

test('whether a value is sealed is stored, and never read from its first letters', () => {
  for (const text of ['v1:plain', 'v2:plain', sealer.seal('secret', here)]) {
    assert.equal(opening(sealer, here)(text), text);
    assert.equal(opening(sealer, here)(sealing(sealer, here)(text)), text);
  }
});

test('digests are of the lasting keys, fingerprints of the secret key', () => {
  const other = createSealer('x'.repeat(64));
  const keys = randomKeys();
  const [mine, theirs] = [createSecrets(sealer, keys), createSecrets(other, keys)];
  assert.deepEqual(mine.digest('token'), theirs.digest('token'));
  assert.equal(mine.mac('entry'), theirs.mac('entry'));
  assert.notEqual(mine.fingerprint, theirs.fingerprint);
  const derived = createSecrets(sealer, derivedKeys('k'.repeat(64)));
  assert.notDeepEqual(derived.digest('token'), mine.digest('token'));
  assert.throws(() => createSealer('short'), /at least 32/);
});
