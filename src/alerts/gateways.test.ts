import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gatewayPrefixes } from '../../test/gateway-prefixes.ts';
import { withoutGateways } from './gateways.ts';

test('what mail programs and gateways write in front is taken away, in any order', () => {
  for (const one of gatewayPrefixes) {
    assert.equal(withoutGateways(`${one} Disk full`), 'Disk full', one);
    for (const other of ['RE:', '[EXTERNAL]', '***SPAM***'])
      for (const both of [`${one} ${other}`, `${other} ${one}`])
        assert.equal(withoutGateways(`${both} Disk full`), 'Disk full', both);
  }
});

test('what may tell problems apart stays', () => {
  for (const line of [
    '[shop] Disk full',
    '[internal] Disk full',
    'db-1: Disk full',
    'Report: Disk full',
    'Externally visible: yes',
    'External DNS is down',
    'Spam filter is down',
    '(rack 4) fan failed',
    'Virus found on db-1',
    'Reboot of web-1',
    'Ext4 error on sda1',
  ])
    assert.equal(withoutGateways(line), line);
});

test('a line of nothing else is left as it is', () => {
  for (const line of ['RE:', '[EXTERNAL]', '***SPAM***', ''])
    assert.equal(withoutGateways(line), line);
});
