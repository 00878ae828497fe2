import assert from 'node:assert/strict';
import { test } from 'node:test';
import { whyNot } from './passkeys.ts';

const origin = 'https://pager.example.com';
const usable = { data: [], usable: true, origin };

test('a passkey is added where server, address and browser take it, and else it is said why not', () => {
  assert.equal(whyNot(usable, { origin, isKnown: true }), null);
  assert.match(whyNot(usable, { origin, isKnown: false }) ?? '', /^This browser/);
  const elsewhere = { origin: 'https://10.0.0.7', isKnown: true };
  assert.match(whyNot(usable, elsewhere) ?? '', /work only at https:\/\/pager\.example\.com/);
  const reason = 'Passkeys do not work over http.';
  assert.equal(whyNot({ data: [], usable: false, reason }, { origin, isKnown: true }), reason);
});
