import assert from 'node:assert/strict';
import { test } from 'node:test';
import { qrPath } from './qr-code.ts';
import { acceptedInterval, base32, intervalAt, totpAddress, totpCode } from './totp.ts';

const secret = Buffer.from('12345678901234567890');
const at = (seconds: number) => Temporal.Instant.fromEpochMilliseconds(seconds * 1_000);

test('codes are those of RFC 6238', () => {
  const cases = [
    [59, '287082'],
    [1111111109, '081804'],
    [1234567890, '005924'],
    [20000000000, '353130'],
  ] as const;
  for (const [seconds, code] of cases)
    assert.equal(totpCode(secret, intervalAt(at(seconds))), code);
  assert.equal(base32(secret), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
});

test('a code is accepted for an interval before and after its own, and only once', () => {
  const interval = intervalAt(at(1234567890));
  const code = totpCode(secret, interval);
  const tried = (now: number, last = 0) =>
    acceptedInterval(code, { secret, now: at(now * 30), last });
  assert.deepEqual(
    [-2, -1, 0, 1, 2].map((around) => tried(interval + around)),
    [...[null, interval, interval, interval, null]],
  );
  assert.equal(tried(interval, interval), null);
  assert.equal(acceptedInterval('', { secret, now: at(interval * 30), last: 0 }), null);
});

test('an app reads who the code is for', () => {
  assert.equal(
    totpAddress(secret, { issuer: 'Pager: Acme & Sons', account: 'ada@example.com' }),
    'otpauth://totp/Pager%3A%20Acme%20%26%20Sons:ada%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Pager%3A%20Acme%20%26%20Sons',
  );
});

test('an address fits into a QR code, whatever the names', () => {
  const names = ['Центр мониторинга сети', '🔥'.repeat(100), `Pager${'a'.repeat(54)}🔥`, '\ud83d'];
  const own = secret.subarray(0, 20);
  for (const issuer of names)
    for (const account of [...names, `${'a'.repeat(240)}@example.com`]) {
      const address = totpAddress(own, { issuer: `Pager ${issuer}`, account });
      assert.ok(qrPath(address).size > 30, address);
      assert.match(decodeURIComponent(address), /^otpauth:\/\/totp\/Pager /);
    }
});
