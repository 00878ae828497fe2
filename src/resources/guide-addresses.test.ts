import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withAddresses } from './guide-addresses.ts';

const addresses = {
  url: 'https://pager.example.com:8443/hooks/0123$&/push-events',
  email: '0123@in.example.com',
};

test('every place of an address is filled in, and nothing else is touched', () => {
  const text =
    '{url} {email} {origin}/v2/enqueue {token} {{url}} {origin_scheme}+{origin_host} {host} {URL}';
  assert.equal(
    withAddresses(text, addresses),
    'https://pager.example.com:8443/hooks/0123$&/push-events 0123@in.example.com ' +
      'https://pager.example.com:8443/v2/enqueue 0123$& ' +
      '{https://pager.example.com:8443/hooks/0123$&/push-events} https+pager.example.com:8443 {host} {URL}',
  );
});

test('an address is shown as its reader wants it, also where it is not known', () => {
  const unknown = { url: '<public url>/hooks/<token>/push-events', email: '' };
  assert.equal(
    withAddresses('{origin} and {token}', unknown, (value) => `"${value}"`),
    '"<public url>" and "<token>"',
  );
  assert.equal(withAddresses('{origin_scheme} {origin_host}', unknown), 'https pager.example.com');
});
