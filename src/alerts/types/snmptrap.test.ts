import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alertOf } from '../../../test/tool-message.ts';

const UPTIME = '.1.3.6.1.2.1.1.3.0 0:0:49:08.77';
const TRAP = '.1.3.6.1.6.3.1.1.4.1.0';

/** The lines that snmptrapd gives to a traphandle. */
const read = (varbinds: readonly string[], { host = 'sw1', from = '192.0.2.9' } = {}) =>
  alertOf('snmptrap', [host, `UDP: [${from}]:55409->[192.0.2.1]:162`, ...varbinds].join('\n'), {
    contentType: 'text/plain',
  });

test('a link that is down and up again is one incident, by number and by name', () => {
  const numbers = (trap: string) =>
    read([
      UPTIME,
      `${TRAP} .1.3.6.1.6.3.1.1.5.${trap}`,
      '.1.3.6.1.2.1.2.2.1.1.3 3',
      '.1.3.6.1.2.1.2.2.1.2.3 "Gi0/3"',
    ]);
  assert.equal(numbers('3').title, 'linkDown Gi0/3 from sw1');
  assert.equal(numbers('3').dedup_key, '192.0.2.9 | .1.3.6.1.2.1.2.2.1.1.3=3');
  assert.deepEqual([numbers('3').action, numbers('4').action], ['trigger', 'resolve']);
  assert.equal(numbers('4').dedup_key, numbers('3').dedup_key);
  const names = (trap: string) =>
    read([
      'DISMAN-EVENT-MIB::sysUpTimeInstance 0:0:49:08.77',
      `SNMPv2-MIB::snmpTrapOID.0 IF-MIB::${trap}`,
      'IF-MIB::ifIndex.3 3',
      'IF-MIB::ifDescr.3 Gi0/3',
    ]);
  assert.equal(names('linkDown').title, 'linkDown Gi0/3 from sw1');
  assert.deepEqual([names('linkDown').action, names('linkUp').action], ['trigger', 'resolve']);
  assert.equal(names('linkUp').dedup_key, names('linkDown').dedup_key);
});

test('the first number of an object may be shown by its name, as without any MIBs', () => {
  const iso = (trap: string) =>
    read([
      'iso.3.6.1.2.1.1.3.0 0:0:49:08.77',
      `iso.3.6.1.6.3.1.1.4.1.0 iso.3.6.1.6.3.1.1.5.${trap}`,
      'iso.3.6.1.2.1.2.2.1.1.3 3',
      'iso.3.6.1.2.1.2.2.1.2.3 "Gi0/3"',
      'iso.3.6.1.6.3.18.1.4.0 "s3cret"',
    ]);
  assert.equal(iso('3').title, 'linkDown Gi0/3 from sw1');
  assert.equal(iso('3').dedup_key, '192.0.2.9 | .1.3.6.1.2.1.2.2.1.1.3=3');
  assert.deepEqual([iso('3').action, iso('4').action], ['trigger', 'resolve']);
  assert.doesNotMatch(JSON.stringify(iso('3')), /s3cret/);
});

test('traps of an enterprise are kept apart by agent, trap and object', () => {
  const trap = (number: number, object: string, from?: string) =>
    read(
      [
        UPTIME,
        `${TRAP} .1.3.6.1.4.1.674.0.${number}`,
        `.1.3.6.1.4.1.674.1.${object} "now ${number}"`,
      ],
      from === undefined ? {} : { from },
    );
  const disk = trap(7, '4.1');
  assert.equal(disk.action, 'trigger');
  assert.equal(disk.title, '.1.3.6.1.4.1.674.0.7 from sw1');
  for (const other of [trap(8, '4.1'), trap(7, '4.2'), trap(7, '4.1', '192.0.2.10')])
    assert.notEqual(other.dedup_key, disk.dedup_key);
});

test('a name that says the opposite resolves', () => {
  const named = (name: string) =>
    read([`SNMPv2-MIB::snmpTrapOID.0 ACME-MIB::${name}`, 'ACME-MIB::acmePsuState.2 3']);
  for (const [begin, end] of [
    ['acmePsuFailed', 'acmePsuRestored'],
    ['acmeAlarmRaised', 'acmeAlarmCleared'],
    ['acmeTunnelDownNotification', 'acmeTunnelUpNotification'],
  ] as const) {
    assert.deepEqual([named(begin).action, named(end).action], ['trigger', 'resolve'], begin);
    assert.equal(named(end).dedup_key, named(begin).dedup_key, begin);
  }
  assert.equal(named('acmeFanRemoved').action, 'trigger');
});

test('the agent behind a proxy counts, and a community string is not kept', () => {
  const alert = read(
    [
      `${TRAP} .1.3.6.1.6.3.1.1.5.1`,
      '.1.3.6.1.6.3.18.1.3.0 198.51.100.4',
      '.1.3.6.1.6.3.18.1.4.0 "secret"',
    ],
    { host: '<UNKNOWN>' },
  );
  assert.equal(alert.title, 'coldStart from 198.51.100.4');
  assert.ok(alert.dedup_key.startsWith('198.51.100.4 | start'));
  assert.ok(!JSON.stringify(alert).includes('secret'));
});

test('a trap of which little is left still has a title and a key', () => {
  const transport = 'UDP: [192.0.2.9]:1->[192.0.2.1]:162';
  const bare = alertOf('snmptrap', { transport, varbinds: [] });
  assert.equal(bare.title, 'SNMP trap from 192.0.2.9');
  assert.equal(bare.dedup_key, '192.0.2.9');
  const wrapped = alertOf('snmptrap', { data: { Transport: transport, Varbinds: [] } });
  assert.equal(wrapped.dedup_key, '192.0.2.9');
  const empty = alertOf('snmptrap', { transport: 'unknown', varbinds: [''] });
  assert.equal(empty.title, 'SNMP trap from Any');
  assert.equal(empty.dedup_key, 'SNMP trap from Any');
});
