import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createSecrets } from './secrets.ts';

const secrets = createSecrets('k'.repeat(64));

test('what is sealed opens to the same text, and never looks the same twice', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const sealed = secrets.seal(text);
      assert.match(sealed, /^v1:/);
      assert.notEqual(sealed, secrets.seal(text));
      assert.equal(secrets.open(sealed), text);
    }),
  );
});

test('a changed secret or another key is refused, never misread', () => {
  const sealed = secrets.seal('https://chat.test/secret');
  const bytes = Buffer.from(sealed.slice('v1:'.length), 'base64');
  for (const [at, byte] of bytes.entries()) {
    const changed = `v1:${bytes.with(at, byte ^ 1).toBase64()}`;
    assert.throws(() => secrets.open(changed), `byte ${at}`);
  }
  assert.throws(() => createSecrets('x'.repeat(64)).open(sealed));
  assert.throws(() => secrets.open('plain'), /unknown form/);
});

test('digests and fingerprints are the same for a key and differ between keys', () => {
  const other = createSecrets('x'.repeat(64));
  assert.deepEqual(secrets.digest('token'), createSecrets('k'.repeat(64)).digest('token'));
  assert.notDeepEqual(secrets.digest('token'), other.digest('token'));
  assert.notEqual(secrets.fingerprint(), other.fingerprint());
  assert.throws(() => createSecrets('short'), /at least 32/);
});
