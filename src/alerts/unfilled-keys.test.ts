// A key that a template did not fill in is that of every problem: it is none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alertOf } from '../../test/alert-reading.ts';

const leftovers = [
  ...['disk-<no value>', 'disk-{{ host }}', 'Uptime Kuma/undefined', 'disk/null', 'db|None'],
  ...['disk-$HOSTNAME$', 'disk-{EVENT.NAME}', `disk-\${host}`, 'disk-##HOST##', 'disk_undefined'],
  ...['[object Object]', 'disk-[object Object]', '%!s(<nil>)-disk', 'disk-%!d(MISSING)', 'NaN'],
  ...['{% host %}', 'disk-{#FSNAME}', '$host.name$/disk', 'undefined', 'disk-*UNKNOWN*'],
];

test('a key that a template did not fill in is none, and is kept to end what came with it', () => {
  for (const key of leftovers) {
    const first = alertOf('webhook', { title: 'Disk of a is full', dedup_key: key });
    const second = alertOf('webhook', { title: 'Disk of b is full', dedup_key: key });
    assert.notEqual(first.dedup_key, second.dedup_key, key);
    assert.deepEqual([first.raw_key, second.raw_key], [key, key]);
    const end = alertOf('webhook', { dedup_key: key, status: 'resolved' });
    assert.deepEqual([end.action, end.raw_key], ['resolve', key]);
    // What names its problem ends that alone.
    const named = { title: 'Disk of a is full', dedup_key: key, status: 'resolved' };
    assert.equal(alertOf('webhook', named).raw_key, undefined);
    assert.equal(alertOf('webhook', named).dedup_key, first.dedup_key);
  }
});

const moreLeftovers = [
  ...[
    '<%= host %>/disk',
    '{{{host}}}/disk',
    '{host}/disk',
    '{0}/disk',
    'disk-{host}',
    '$host/disk',
  ],
  ...['$!host/disk', '%s/disk', '%device/disk', 'disk_%{host}', '%{host}/disk', '#{host}/disk'],
  ...['%{[host][name]}/disk', '<MISSING VALUE>', '<MISSING VALUE>/disk', '@Model.Host/disk'],
  ...['<host>/disk', '<HOST>', '<ctx.host>', '__HOST__/disk', 'disk-__HOST__', '[[host]]/disk'],
  ...['(null)/disk', '(null)', '(none)', 'NULL/disk', 'null/disk', 'none/disk', 'N/A/disk', 'n/a'],
  ...[
    'disk-n/a',
    'disk:NULL',
    'System.Object[]/disk',
    'System.Collections.Hashtable',
    '<error>/disk',
  ],
  ...[
    'AnsibleUndefined',
    'web/AnsibleUndefined',
    'VARIABLE IS NOT DEFINED!',
    '-',
    '//',
    '|',
    ' - ',
  ],
];
/** What Mustache, Jinja and shells leave: nothing. */
const gaps = [
  ...['disk-', '-disk', '/disk', 'disk/', ':disk', 'disk:', 'host=,disk=', 'host=;name=disk'],
  ...['disk|', '|disk', '//disk', 'a||disk', 'disk_', 'shop//disk', 'host= name=disk'],
];

test('whichever tool made the template, a key that it left unfilled is none', () => {
  const pagerduty = (dedup_key: string, host: string) => ({
    routing_key: 'r',
    event_action: 'trigger',
    dedup_key,
    payload: { summary: `Disk full on ${host}`, source: host, severity: 'critical' },
  });
  for (const key of [...moreLeftovers, ...gaps]) {
    const [a, b] = ['a', 'b'].map((host) =>
      alertOf('webhook', { title: `Disk full on ${host}`, dedup_key: key }),
    );
    assert.notEqual(a?.dedup_key, b?.dedup_key, key);
    assert.deepEqual([a?.raw_key, b?.raw_key], [key.trim(), key.trim()], key);
    const [c, d] = ['a', 'b'].map((host) => alertOf('pagerduty-events-v2', pagerduty(key, host)));
    assert.notEqual(c?.dedup_key, d?.dedup_key, key);
    assert.equal(c?.raw_key, key.trim(), key);
    // An end without a title, of which nothing tells what was made of the key when it began.
    const end = { routing_key: 'r', event_action: 'resolve', dedup_key: key };
    assert.equal(alertOf('pagerduty-events-v2', end).raw_key, key.trim(), key);
    assert.equal(alertOf('webhook', { dedup_key: key, status: 'ok' }).raw_key, key.trim(), key);
  }
});

test('a key that only looks as if a part were missing is one', () => {
  const keys: readonly (readonly [string, string])[] = [
    ['/var', 'Filesystem /var on db-1 is full'],
    ['C:', 'Disk C: of db-1 is full'],
    ['https://shop.example/', 'The shop is down'],
    ['fe80::', 'Gateway is down'],
    ['arn:aws:s3:::bucket', 'Bucket is public'],
    ['disk-', 'Disk'],
    ['nTsHqXv2Lm0aZb8uKcYdPw==', 'Disk full on db-1'],
    ['/9jAAQSkZJRgABAQEAYABgAAD', 'Disk full on db-1'],
    ['null-pointer-exception', 'NPE in shop'],
    ['System.OutOfMemoryException', 'Shop fails'],
    ['{3F2504E0-4F89-11D3-9A0C-0305E82C3301}', 'Disk full'],
    ['disk%2Fdb-1', 'Disk full'],
    ['US$rate', 'Rate is old'],
    ['<20261128.1@mx.example>', 'Mail'],
    ['mode=none-of-them', 'Mode'],
  ];
  for (const [dedup_key, title] of keys) {
    const alert = alertOf('webhook', { title, dedup_key });
    assert.deepEqual([alert.dedup_key, alert.raw_key], [dedup_key, undefined], dedup_key);
  }
});

test('a key in which somebody wrote such a word is one', () => {
  const keys = [
    ...['null-pointer-exception', 'undefined-method', 'none-of-the-disks', 'Nancy/disk'],
    ...['db-1/disk', 'nil-checks', 'a{b}', '100%', 'cost-$5', 'None of them', 'unknown-host'],
  ];
  for (const dedup_key of keys) {
    const alert = alertOf('webhook', { title: 'x', dedup_key });
    assert.deepEqual([alert.dedup_key, alert.raw_key], [dedup_key, undefined]);
  }
});
