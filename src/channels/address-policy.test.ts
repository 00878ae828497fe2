import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAddressPolicy } from './address-policy.ts';

const refusalOf = createAddressPolicy([]);

for (const [kind, addresses] of Object.entries({
  unspecified: ['0.0.0.0', '0.1.2.3', '::'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fdff::1'],
  'shared by carriers': ['100.64.0.1', '100.127.255.255', '100.100.100.200'],
  'link-local or cloud metadata': ['169.254.0.1', '169.254.169.254'],
  'link-local': ['fe80::1', 'febf::1'],
  'cloud metadata': ['168.63.129.16'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  benchmarking: ['198.18.0.1', '198.19.255.255'],
  reserved: ['192.0.0.192', '192.88.99.1', '2001:2::1', '2001:20::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
  'reserved or broadcast': ['240.0.0.1', '255.255.255.255'],
  'IPv4-mapped': ['::ffff:10.0.0.1', '::ffff:8.8.8.8', '::ffff:7f00:1'],
  NAT64: ['64:ff9b::a00:1', '64:ff9b:1::1'],
  Teredo: ['2001::1', '2001:0:ffff::1'],
  '6to4': ['2002:7f00:1::', '2002:a00:1::1'],
})) {
  test(`${kind} addresses are refused`, () => {
    for (const address of addresses) {
      assert.equal(refusalOf(address), `${address} is a ${kind} address`);
    }
  });
}

test('what is outside of the public IPv6 space is refused, as are zones and nonsense', () => {
  for (const address of ['::7f00:1', '4000::1', 'fec0::1', '100::1', '5f00::1']) {
    assert.equal(refusalOf(address), `${address} is not a public address`);
  }
  for (const address of ['fe80::1%eth0', '2600::1%eth0', 'example.com', '', '127.1']) {
    assert.equal(refusalOf(address), `${address} is not a plain address`);
  }
});

test('public addresses may be called', () => {
  for (const address of ['1.1.1.1', '9.255.255.255', '172.32.0.1', '100.128.0.1', '2606:4700::1']) {
    assert.equal(refusalOf(address), undefined);
  }
});

test('an allowed network opens itself and nothing beside it', () => {
  const withAllowed = createAddressPolicy(['10.1.0.0/16', 'fd00:1::/32']);
  assert.equal(withAllowed('10.1.2.3'), undefined);
  assert.equal(withAllowed('fd00:1::9'), undefined);
  for (const address of ['10.2.0.1', '127.0.0.1', 'fd00:2::9', '::ffff:10.1.2.3']) {
    assert.ok(withAllowed(address));
  }
});

test('a network that is not one is refused with what it should look like', () => {
  for (const cidr of ['10.0.0.0', '10.0.0.0/33', '10.0.0/8', 'fd00::/129', 'localhost/8', '']) {
    assert.throws(() => createAddressPolicy([cidr]), {
      message: `"${cidr}" must be a network such as 10.0.0.0/8 or fd00::/8`,
    });
  }
});
