import assert from 'node:assert/strict';
import { test } from 'node:test';
import { vendors } from '../../resources/connections/vendors.ts';
import { callbackWarningOf } from './inbound-mode.ts';

const warningOf = (
  vendor: string,
  publicUrl: string,
  options: { isPublic?: boolean; url?: string } = {},
) =>
  callbackWarningOf(vendor, {
    publicUrl,
    isPublic: options.isPublic ?? false,
    callbackUrlOf: () => options.url ?? null,
  });

test('a vendor that cannot call this server is known before it is connected, with what is missing', () => {
  const local = 'http://localhost:8080';
  const twilio = warningOf('twilio', local) ?? '';
  assert.match(
    twilio,
    /^Twilio cannot call Pager, because http:\/\/localhost:8080 is not a public/,
  );
  assert.match(twilio, /Calls are only read out.*Set PAGER_PUBLIC_URL/);
  assert.equal(warningOf('twilio', 'https://pager.example.com', { isPublic: true }), null);
  assert.match(
    warningOf('twilio', 'http://10.0.0.1', { url: 'http://10.0.0.1' }) ?? '',
    /^Twilio can call Pager only from the network of this server/,
    'the operator’s own address of the vendor',
  );
  const warned = vendors
    .map(({ vendor }) => vendor)
    .filter((one) => warningOf(one, local) !== null);
  assert.deepEqual(warned, ['msteams', 'twilio', 'whatsapp-cloud']);
});

test('a vendor from which nothing arrives without callbacks says what is missing', () => {
  for (const { vendor, receive, withoutCallbacks, lostWithoutCallbacks } of vendors)
    if (receive === 'callbacks' && withoutCallbacks === undefined)
      assert.ok(lostWithoutCallbacks, vendor);
});
