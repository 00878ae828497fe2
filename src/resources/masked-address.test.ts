import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskedAddress, withMaskedAddresses } from './masked-address.ts';

for (const [address, shown] of [
  ['+4915112345678', '…5678'],
  ['123454711', '…4711'],
  ['ada@example.test', 'a…@example.test'],
] as const)
  test(`${address} is shown as ${shown}`, () => assert.equal(maskedAddress(address), shown));

test('an address is masked wherever a text from outside has it', () => {
  const text = '550 <ada@example.test>: no such user, says ada@example.test';
  assert.equal(
    withMaskedAddresses(text, ['ada@example.test', '']),
    '550 <a…@example.test>: no such user, says a…@example.test',
  );
});
