import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gatewayPrefixes } from '../../test/gateway-prefixes.ts';
import { mailPairs } from '../../test/mail-pairs.ts';
import { settled } from './in-doubt.ts';
import { isEndOf, readLine } from './marks.ts';

const signOf = (line: string): string => {
  const { sign, isNothing } = readLine(line);
  if (isNothing) return 'nothing';
  return sign === undefined ? 'none' : `${sign.isWeaker ? 'weaker ' : ''}${sign.action}`;
};

/** Keys of what the line may end. */
const endsOf = (line: string): readonly string[] => {
  const { stem, ends } = readLine(line);
  return ends.length > 0 ? ends : [stem];
};

test('the end of a problem, as each tool mails it, has the key of its beginning', () => {
  for (const { begins, ends } of mailPairs) {
    const { stem } = readLine(begins);
    assert.match(signOf(begins), /trigger$|^none$/, begins);
    assert.match(signOf(ends), /resolve$/, ends);
    assert.ok(endsOf(ends).includes(stem), `${ends}: ${endsOf(ends)} instead of ${stem}`);
  }
});

test('pairs hold behind whatever gateways and lists write in front', () => {
  for (const prefix of [...gatewayPrefixes, '[ops-list]', '[ops-list] Re:', 'Fwd: [ops-list]'])
    for (const { begins, ends } of mailPairs) {
      const begun = readLine(`${prefix} ${begins}`);
      const ended = `${prefix} ${ends}`;
      assert.match(signOf(ended), /resolve$/, ended);
      assert.ok(endsOf(ended).includes(begun.stem), `${ended}: ${endsOf(ended)}, ${begun.stem}`);
      assert.doesNotMatch(signOf(`${prefix} ${begins}`), /resolve$/, `${prefix} ${begins}`);
    }
});

test('the end of one problem is not that of another', () => {
  const stems = mailPairs.map(({ begins }) => readLine(begins).stem);
  assert.deepEqual(
    stems.filter((stem, index) => stems.indexOf(stem) !== index),
    [],
  );
  for (const [index, { ends }] of mailPairs.entries()) {
    const others = stems.filter((_, other) => other !== index);
    assert.deepEqual(
      endsOf(ends).filter((end) => others.includes(end)),
      [],
      ends,
    );
  }
});

test('a mark in a fixed place is an end, whatever follows', () => {
  for (const line of [
    '[RESOLVED] Disk full',
    'RESOLVED: could not connect to db-1',
    'Resolved in 1d 2h 3m: Disk full',
    'OK: RAID is degraded',
    '[OK] web is DOWN',
    '✅ Resolved: Disk full',
    ':white_check_mark: RESOLVED: Disk full',
    '[CRITICAL] [RESOLVED] Disk full',
    'Critical alert resolved: Disk full',
    'Behoben: Drucker', // spelled as in German
    'Résolu : disque plein',
    'Resuelto: disco lleno',
    '【復旧】web01',
    '已恢复：数据库',
    '[Host UP] web',
    'Host UP: web',
    'Решено: диск',
  ])
    assert.equal(signOf(line), 'resolve', line);
});

test('a word behind or within a sentence is a weaker sign', () => {
  for (const line of [
    'web is OK',
    'web is UP',
    'web is back up again',
    'web: OK',
    'web - recovered',
    'web (OK)',
    'web [RESOLVED]',
    'OK web',
    'web has been resolved by Ada',
    'web is back online after 5 minutes',
    'web is OK (200)',
    'host web recovered',
    'Zabbix: Resolved: Disk full',
    'RAID is degraded, fan is OK',
    'Backup of db-1 completed successfully',
    'Drucker ist wieder erreichbar',
    'Alert: web is UP',
    // The name of a shop, or a rank.
    '[Online] Checkout errors',
    '[Normal] Disk full',
    'Fixed: IP conflict on eth0',
    'OK check: disk full on db-1',
    '✅ web',
  ])
    assert.equal(signOf(line), 'weaker resolve', line);
});

test('what denies an end, or is a part of a name, ends nothing', () => {
  for (const line of [
    'Recovery failed on db-1',
    'Recovery failed: db-1',
    'Recovery: failed on db-1',
    'Recovery of db-1 is not possible',
    'Not resolved: Disk full',
    'web has not been resolved',
    "web hasn't recovered",
    'db-1 could not be recovered',
    'web is not OK',
    '[NOT OK] web',
    'CPU is up 300%',
    'Disk is up to 99% on db1',
    'api is online but failing',
    'The backup was healthy, now failing',
    'Closed-loop pump failure',
    'Cleared cache failed',
    'Fixed IP conflict on eth0',
    '[FIRING:1, RESOLVED:1] DepotDown',
    'sign-up',
    'Scale-up',
    'Failed to clear the cache',
  ])
    assert.doesNotMatch(signOf(line), /resolve/, line);
});

const opening = (line: string, open: readonly string[]) => {
  const { bare, stem, sign, ends } = readLine(line);
  const [first = stem, ...keys] = ends;
  const alert = { action: sign?.action ?? ('trigger' as const), dedup_key: first, title: line };
  const doubt = { line: bare, keys, trigger_key: bare };
  const isDoubtful = sign?.action === 'resolve' && sign.isWeaker;
  return settled({ ...alert, ...(isDoubtful && { in_doubt: doubt }) }, (key) =>
    open.filter((title) => keyOpenedBy(title) === key),
  );
};

/** What says that it is over opens with all that it says as its key. */
function keyOpenedBy(title: string): string {
  const { bare, stem } = readLine(title);
  return signOf(title) === 'weaker resolve' ? bare : stem;
}

test('a weaker sign ends only what is open, and opens by itself otherwise', () => {
  const cases = [
    ['web is OK', ['web is DOWN'], 'resolve', 'web'],
    ['web is OK', [], 'trigger', 'web is OK'],
    ['web is OK', ['db is DOWN'], 'trigger', 'web is OK'],
    ['RAID is degraded, fan is OK', [], 'trigger', 'RAID is degraded, fan is OK'],
    // It opened by itself, and says the same once more.
    ['RAID is degraded, fan is OK', ['RAID is degraded, fan is OK'], 'trigger', undefined],
    ['UPS is UP on battery', ['UPS is DOWN'], 'trigger', undefined],
    ['web is UP, replica failed', ['web is DOWN'], 'trigger', undefined],
    ['web is UP, all nodes answer', ['web is DOWN'], 'resolve', 'web'],
    ['Failed logins check is OK', ['Failed logins check is CRITICAL'], 'resolve', undefined],
    ['Backup succeeded', ['Backup failed'], 'resolve', 'Backup failed'],
    ['Backup succeeded with errors', ['Backup failed with errors'], 'resolve', undefined],
    ['Depot UP', ['Depot DOWN'], 'resolve', 'Depot'],
    ['Depot up', ['Depot down'], 'resolve', 'Depot down'],
    ['Resolved issue count high', [], 'trigger', 'Resolved issue count high'],
  ] as const;
  for (const [line, open, action, key] of cases) {
    const alert = opening(line, open);
    assert.equal(alert.action, action, line);
    if (key !== undefined) assert.equal(alert.dedup_key, key, line);
    assert.equal(alert.in_doubt, undefined);
  }
});

test('a line of nothing but signs is an end only if it speaks of nothing', () => {
  for (const line of [
    'OK',
    'RESOLVED',
    'Recovery',
    'back to normal',
    'Alert resolved',
    'all clear',
  ])
    assert.equal(signOf(line), 'resolve', line);
  for (const line of ['Errors up', 'Errors are up', 'Update is available', 'up is UP'])
    assert.equal(signOf(line), 'weaker resolve', line);
});

test('an end in front may have other words of state behind than its problem has', () => {
  const cases = [
    ['ALERT: Interface eth0 down', 'OK: Interface eth0 up'],
    ['Alarm: web offline', 'Resolved: web online'],
    ['Alert: Backup of db-1 failed', 'Resolved: Backup of db-1 succeeded'],
    ['PROBLEM: web/HTTP CRITICAL', 'RECOVERY: web/HTTP OK'],
    ['[PROBLEM] web DOWN', '[RECOVERY] web UP'],
    ['ALERT: web WARNING', 'RESOLVED: web OK'],
    ['[DOWN] web - HTTP 503', '[UP] web - HTTP 200'],
    ['Monitor is DOWN: web (timeout)', 'Monitor is UP: web'],
  ] as const;
  for (const [begins, ends] of cases) {
    assert.equal(signOf(ends), 'resolve', ends);
    assert.ok(endsOf(ends).includes(readLine(begins).stem), `${begins} | ${ends}`);
  }
});

test('behind a verb and a state stands a reason, unless it may be the name', () => {
  const stems = [
    ['web is DOWN: connection refused', 'web'],
    ['web is down, error 500', 'web'],
    ['web is DOWN since 10:00', 'web'],
    ['db is DOWN for 1:00', 'db'],
    ['web-1 has failed at 3:00', 'web-1'],
    ['Link is down: port 7', 'Link is down: port 7'],
    ['Application is down: shop', 'Application is down: shop'],
    ['Service is DOWN: shop', 'Service: shop'],
    ['Port 1:24 link down', 'Port 1:24 link down'],
  ] as const;
  for (const [line, stem] of stems) assert.equal(readLine(line).stem, stem, line);
});

test('words of trouble count outside the names of what is open', () => {
  assert.ok(isEndOf('Error budget check is OK', ['Error budget check']));
  assert.ok(!isEndOf('Budget check is OK, error log grows', ['Budget check']));
  assert.ok(isEndOf('Alert: web is UP', ['web']));
});

test('a problem never ends anything, whatever stands around it', () => {
  const problems = ['DOWN', 'CRITICAL', 'FIRING', 'failed', 'offline', 'WARNING', 'Alerting'];
  const names = [
    'web-1',
    'Backup of db',
    'Disk / on db-1',
    'ok-service',
    'Recovery job',
    'OK check',
  ];
  for (const prefix of ['', ...gatewayPrefixes, '[ops-list]'])
    for (const state of problems)
      for (const name of names)
        for (const line of [
          `[${state}] ${name}`,
          `${state}: ${name}`,
          `${name} is ${state}`,
          `${name}: ${state}`,
          `${name} - ${state}`,
          `${name} (${state})`,
        ])
          assert.doesNotMatch(signOf(`${prefix} ${line}`), /resolve/, `${prefix} ${line}`);
});

test('names that differ have keys that differ', () => {
  const names = ['sign-up', 'sign', 'nightly-error', 'nightly', 'api-new', 'Scale-down', 'Scale'];
  const more = [
    '[shop] db',
    '[bank] db',
    'Host down: web',
    'Service down: web',
    'rack 4',
    'rack 5',
  ];
  const lines = [...names, ...more, 'Temperature is high', 'Temperature is low', 'Redis: timeout'];
  const stems = [...lines, 'Redis: lost'].map((line) => readLine(line).stem);
  assert.equal(new Set(stems).size, stems.length, stems.join('; '));
});

test('a stem has no marks: it is its own stem', () => {
  // A name of Nagios has words that are marks elsewhere.
  const others = mailPairs.filter(({ begins }) => !begins.startsWith('**'));
  for (const { begins, ends } of others)
    for (const line of [begins, ends].map((one) => readLine(one).stem))
      assert.equal(readLine(line).stem, line);
});

test('a line of nothing but a state has no stem', () => {
  for (const line of ['[FIRING:1]', '[RESOLVED]', '🔴 [DOWN]', '[OK] [P1]'])
    assert.equal(readLine(line).stem, '', line);
});
