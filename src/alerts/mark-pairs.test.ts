// Every mark with every title, by every way in: what ends closes what it opened, and nothing else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readingOf } from '../../test/alert-reading.ts';
import { gatewayPrefixes } from '../../test/gateway-prefixes.ts';
import { details, marksBehind, marksInFront, names, titles } from '../../test/mark-pairs.ts';
import type { Reading } from './alert.ts';
import { settled } from './in-doubt.ts';
import { readMail } from './mail.ts';

const about = {
  receivedAt: Temporal.Instant.from('2026-11-21T03:00:00Z'),
  integrationName: 'Mailbox',
};

const ways: Readonly<Record<string, (line: string) => Reading>> = {
  mail: (line) => readMail({ subject: line, from: 'a@b.test', text: 'x', headers: {} }, about),
  slack: (line) => readingOf('slack-webhook', { text: line }),
  webhook: (line) => readingOf('webhook', { title: line }),
};

/** What is open after some lines, and what became of the last one. */
function after(lines: readonly string[], read: (line: string) => Reading) {
  const open = new Map<string, string>();
  let last = '';
  for (const line of lines) {
    const reading = read(line);
    assert.ok('alerts' in reading, line);
    for (const one of reading.alerts) {
      const { action, dedup_key: key } = settled(one, (of) => [open.get(of) ?? []].flat());
      last = action === 'resolve' ? (open.delete(key) ? 'ended' : 'ignored') : 'opened';
      if (action === 'trigger' && !open.has(key)) open.set(key, line);
    }
  }
  return { open: [...open.values()], last };
}

/** Each line is read once, since reading remembers nothing. */
const remembered = (read: (line: string) => Reading) => {
  const readings = new Map<string, Reading>();
  return (line: string): Reading => {
    const reading = readings.get(line) ?? read(line);
    readings.set(line, reading);
    return reading;
  };
};

const around = (mark: string, title: string): string => mark.replace(/T$/, () => title);

for (const [way, reader] of Object.entries(ways)) {
  const read = remembered(reader);
  test(`each mark in front ends exactly what it began, by ${way}`, () => {
    const wrong: string[] = [];
    for (const [begins, ends] of marksInFront) {
      const begun = titles.map((title) => around(begins, title));
      for (const title of titles) {
        const ended = around(ends, title);
        const others = begun.filter((line) => line !== around(begins, title));
        const { open } = after([...begun, ended], read);
        if (open.join('; ') !== others.join('; '))
          wrong.push(`${around(begins, title)} | ${ended}`);
      }
    }
    assert.deepEqual(wrong, []);
  });

  test(`each mark behind ends what it began, whatever reason or time follows, by ${way}`, () => {
    const wrong: string[] = [];
    for (const [begins, ends] of marksBehind)
      for (const name of names)
        for (const [why, then] of details) {
          const isSentence = /^ (?:is|went|has) /.test(begins);
          if (why !== '' && !isSentence) continue;
          for (const [bad, good] of [
            ['', ''],
            ['🔴 ', '✅ '],
          ] as const) {
            const lines = [`${bad}${name}${begins}${why}`, `${good}${name}${ends}${then}`];
            const { open, last } = after(lines, read);
            if (open.length > 0 || last !== 'ended') wrong.push(lines.join(' | '));
          }
        }
    assert.deepEqual(wrong, []);
  });

  test(`what goes on ends nothing, whatever stands beside it, by ${way}`, () => {
    for (const line of [...continuing, ...continuing.map((one) => `[ops] ${one}`)]) {
      assert.equal(after([line], read).last, 'opened', line);
      for (const begun of ['ALERT: x', 'x is DOWN', 'PROBLEM: Database', 'ALERT: db-1'])
        assert.equal(after([begun, line], read).last, 'opened', `${begun} | ${line}`);
    }
  });
}

/** Of `x` and of others. */
const continuing: readonly string[] = [
  // What came of a change.
  ...['[OK -> CRITICAL] x', '(OK -> CRITICAL) x', '[OK => WARNING] x', '[OK → UNKNOWN] x'],
  ...['[OK/CRITICAL] x', '[OK, CRITICAL] x', '[ok|critical] x', '[Recovered -> Warning] x'],
  ...['was OK, now CRITICAL: x', 'OK to CRITICAL: x', '[UP -> DOWN] x', '[OK-->CRITICAL] x'],
  // A part of it.
  ...['[RESOLVED:1, WARNING:1] x', '[OK:1, CRIT:1] x', '[ok:1;critical:2] x', '[OK 3 WARNING 1] x'],
  ...[
    '[Recovered 1, Warning 2] x',
    '[RESOLVED 2/3] x',
    'Resolved 2 of 3: x',
    '[3 OK, 1 CRITICAL] x',
  ],
  ...['[Success: 3, Warning: 1] x', 'OK: 3, CRITICAL: 2', 'Success: 10 Failed: 2 - x'],
  ...['UP: 3 DOWN: 1 on x', 'Resolved: 3, still firing: 2', '[1 firing, 2 resolved] x'],
  ...[
    '[RESOLVED:1][FIRING:1] x',
    '[OK] [CRITICAL] x',
    'RESOLVED: FIRING: x',
    '[Partially resolved] x',
  ],
  ...['x is UP (2 of 5 nodes)', 'x is UP: 0/5', 'UP: 2/3', 'x is OK - HTTP 503', 'x is OK: 500'],
  // A name.
  ...['[Disaster Recovery] Database is broken', 'Disaster recovery: Database broken'],
  ...[
    'Re: Disaster Recovery: Database broken',
    'Recovery started: db-1',
    'Error recovery: db-1 waits',
  ],
  ...[
    'Database recovery started: db-1',
    'High up: db-1 swims',
    'Major incident recovery: db-1 drill',
  ],
  ...['Recovery: broken on db-1', 'RESOLVED queue: 500 waiting', 'Closed port: 443 on x'],
  ...['Errors up', 'Errors are up', 'Update is available', 'Critical update is available'],
  // Denied, or past.
  ...['Success: false', 'Recovered: no', 'resolved: false', '[Recovered] no', 'x was OK'],
  ...['x had been UP', 'x is not OK', 'x is OK, database is gone', 'x is UP - high latency'],
  ...['[Reopened] RESOLVED: x', '[Not resolved] x', 'Still down: x', 'x is still DOWN'],
];

test('marks hold behind what gateways and lists write in front', () => {
  for (const prefix of [...gatewayPrefixes, '[ops-list]', 'Fwd: [ops-list]'])
    for (const [begins, ends] of marksInFront) {
      const lines = [begins, ends].map((mark) => `${prefix} ${around(mark, 'web is down')}`);
      assert.deepEqual(
        after(lines, (line) => ways['mail']?.(line) ?? { alerts: [] }).open,
        [],
        lines.join(' | '),
      );
    }
});
