import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unmeasured, withoutLastInstant } from './measured.ts';

test('instants and measured values are no part of what lasts', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['2026-11-28 03:00:01 Disk full', 'Disk full'],
    ['2026-11-28T03:00:01.123Z Disk full', 'Disk full'],
    ['Disk full, Sat, 28 Nov 2026 03:00:01 +0100', 'Disk full,'],
    ['Sat Nov 28 03:00:01 UTC 2026 Disk full', 'Disk full'],
    ['Nov 28 03:00:01 Disk full', 'Disk full'],
    ['Disk full on November 28, 2026 at 5:51 AM', 'Disk full on'],
    ['Disk full 28/Nov/2026:05:51:33 +0000', 'Disk full'],
    ['Disk full 28-Nov-2026', 'Disk full'],
    ['cpu on web at 11/28/2026 5:51:33 AM', 'cpu on web at'],
    ['cpu on web at 28.11.2026 05:51', 'cpu on web at'],
    ['cpu on web 28/11/2026, 05:51:33', 'cpu on web'],
    ['web down since 10:00', 'web down since'],
    ['web down as of 10:00', 'web down as of'],
    ['web aus um 10:00', 'web aus um'],
    ['web en panne à 9:05', 'web en panne à'],
    ['web @10:00', 'web @'],
    ['web is down [10:00]', 'web is down []'],
    ['web is down (10:00)', 'web is down ()'],
    ['10:00:05 web is down', 'web is down'],
    ['web is down 3:15 PM', 'web is down'],
    ['Load is 4.125 at 03:00', 'Load is at'],
    ['CPU 93% on web', 'CPU on web'],
    ['CPU at 93.5 % on web', 'CPU at on web'],
    ['web down for 5m', 'web down for'],
    ['web down for 1h30m', 'web down for'],
    ['Resolved in 7m 30s', 'Resolved in'],
    ['expires in 7 days', 'expires in'],
    ['latency 120 ms', 'latency'],
    ['only 2 GB free', 'only free'],
    ['used=12.5GiB', 'used='],
    ['memory usage is 3 GB of 16 GB', 'memory usage is of 16 GB'],
    ['Temperature 71 °C', 'Temperature'],
  ];
  for (const [text, lasting] of cases) assert.equal(unmeasured(text), lasting, text);
});

test('numbers that name something stay', () => {
  const texts = [
    ...['Port 1:24 link down', 'Stack port 2:05 down', 'Job 02:00 failed', 'VLAN 20:30 down'],
    ...['Camera 3 h offline', 'Room 3 s alarm', 'Tower 10 m', 'Slot 12 d failed'],
    ...['Disk 2 TB failed', 'Memory 16 GB failed', 'Volume 500 MB', 'Sensor 1.2345 down'],
    ...['OID 1.3.6.1 x', '::1 down', 'fe80::1 down', 'web:8443 down', '10.0.0.1 DOWN'],
    ...['sw-1 ge-0/0/1 down', 'Version 4.125 is out', '00:1a:2b:3c:4d:5e down', 'Port (1:24)'],
    ...[
      '2001:db8::10:00 down',
      'Unit 25:61',
      'Room May 5',
      'Rack Mar 10',
      'March 4 failed',
      'Interface Te1/1/1:2 down',
    ],
    // A rule is known by what it compares with.
    ...['CPU > 80% on web', 'CPU above 95 % on web', 'latency over 500 ms', 'used exceeds 2 GB'],
    ...['more than 5 minutes', 'threshold of 90%'],
  ];
  for (const text of texts) assert.equal(unmeasured(text), text);
});

test('the instant that a line ends in is cut, with the word before it', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['cpu on web ( vm ) at 11/28/2026 5:51:33 AM', 'cpu on web ( vm )'],
    ['Disk full - 2026-11-28 03:00:01', 'Disk full'],
    ['Disk full (2026-11-28T03:00:01Z)', 'Disk full'],
    ['Disk full [03:00:01].', 'Disk full'],
    ['web is DOWN since 10:00', 'web is DOWN'],
    ['web ausgefallen am 28.11.2026, 05:51', 'web ausgefallen'],
    ['Disk full, Sat, 28 Nov 2026 03:00:01 +0100', 'Disk full'],
    ['2026-11-28 03:00:01 Disk full', '2026-11-28 03:00:01 Disk full'],
    ['Disk full (Sat Nov 28 03:00:01 CET 2026)', 'Disk full'],
    ['Disk full at 10:00 EST', 'Disk full'],
    ['Job 02:00', 'Job 02:00'],
    ['2026-11-28', '2026-11-28'],
    ['Flat 11/28', 'Flat 11/28'],
    ['Format 10.0.0.1', 'Format 10.0.0.1'],
  ];
  for (const [line, rest] of cases) assert.equal(withoutLastInstant(line), rest, line);
});

test('a long text is read in one pass', () => {
  for (const text of ['1:', '12 ', '1.', '1h', 'at ', '(', '1/1/', ' is: ']) {
    const long = text.repeat(20_000);
    const begun = performance.now();
    unmeasured(long);
    withoutLastInstant(long);
    assert.ok(performance.now() - begun < 5_000, text);
  }
});
