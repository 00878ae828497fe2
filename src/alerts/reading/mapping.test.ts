import assert from 'node:assert/strict';
import { test } from 'node:test';
import { posted } from '../../../test/http-event.ts';
import type { AlertEvent, Mail, Reading } from '../alert.ts';
import { typeOf } from '../index.ts';
import type { Form } from './notation.ts';
import { mappingProblems } from './problems.ts';
import { suggestedForm } from './suggest.ts';

const about = {
  receivedAt: Temporal.Instant.from('2026-11-21T03:00:00Z'),
  integrationName: 'Home-made',
};

function readAs(slug: string, body: unknown, forms: readonly Form[]): Reading {
  const type = typeOf(slug);
  assert.ok(type);
  return type.read(requestOf(body), about, { revision: 1, forms });
}

function requestOf(body: unknown) {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  return { ...posted, path: '/push-events', contentType: 'application/json', body: bytes };
}

function only(reading: Reading): AlertEvent {
  assert.ok('alerts' in reading, JSON.stringify(reading));
  const [alert, ...rest] = reading.alerts;
  assert.ok(alert && rest.length === 0, JSON.stringify(reading));
  return alert;
}

const noteOf = (reading: Reading) => ('alerts' in reading ? reading.note : undefined);

const unknown = { probe: { id: 7, label: 'Pump 7' }, condition: 'BROKEN', cause: 'no pressure' };
const forms: readonly Form[] = [
  {
    when: ['probe.id'],
    name: 'probe.label',
    message: 'cause',
    key: [['probe.id']],
    state: [{ at: 'condition', trigger: 'broken', resolve: 'working' }],
    severity: { at: 'condition', sev1: 'broken' },
  },
];

test('a mapping says where an unknown tool has its title, key, state and severity', () => {
  const broken = only(readAs('webhook', unknown, forms));
  assert.equal(broken.title, 'Pump 7: no pressure');
  assert.equal(broken.dedup_key, '7');
  assert.equal(broken.severity, 'sev1');
  const ended = only(readAs('webhook', { ...unknown, condition: 'WORKING', cause: '' }, forms));
  assert.deepEqual([ended.action, ended.dedup_key], ['resolve', '7']);
});

test('a mapping without forms changes nothing', () => {
  const own = { title: 'Disk full', severity: 'critical', dedup_key: 'disk' };
  assert.deepEqual(readAs('webhook', own, []), typeOf('webhook')?.read(requestOf(own), about));
  assert.equal(only(readAs('webhook', own, [])).dedup_key, 'disk');
});

test('what a mapping does not say is read as the type says', () => {
  const group = {
    status: 'firing',
    alerts: [
      {
        status: 'resolved',
        labels: { alertname: 'DiskFull', host: 'db-1' },
        annotations: { summary: 'Disk of db-1 is full' },
        fingerprint: 'aa11',
      },
    ],
  };
  const alert = only(readAs('grafana', group, [{ key: [['labels.host', 'labels.alertname']] }]));
  assert.equal(alert.title, 'Disk of db-1 is full');
  assert.equal(alert.dedup_key, 'db-1 | DiskFull');
  assert.equal(alert.action, 'resolve');
});

test('a mapping that finds no key is not used: alerts never share one key by mistake', () => {
  const own = { title: 'Disk full', dedup_key: 'disk' };
  const reading = readAs('webhook', own, [{ key: [['nowhere.id']] }]);
  assert.equal(only(reading).dedup_key, 'disk');
  assert.match(noteOf(reading) ?? '', /the mapping found no key/);
});

test('a body that no form of a mapping fits is read by the type', () => {
  const reading = readAs('webhook', { title: 'Other' }, forms);
  assert.equal(only(reading).title, 'Other');
  assert.match(noteOf(reading) ?? '', /no form of the mapping matches/);
});

test('of a list that a mapping fits in part, no alert is lost', () => {
  const reading = readAs('webhook', [unknown, { title: 'Other', dedup_key: 'other' }], forms);
  assert.ok('alerts' in reading);
  assert.equal(reading.alerts.length, 2);
  assert.equal(reading.alerts[1]?.dedup_key, 'other');
  assert.match(noteOf(reading) ?? '', /no form of the mapping matches/);
});

test('what of a list cannot be read is noted, before any hint', () => {
  const reading = readAs('grafana', [{ title: 'Disk full' }, {}], []);
  assert.equal(only(reading).title, 'Disk full');
  assert.match(noteOf(reading) ?? '', /^1 of 2 in the list cannot be read: \[1\]: is empty; /);
  const mapped = readAs('webhook', [unknown, null], forms);
  assert.equal(only(mapped).dedup_key, only(readAs('webhook', unknown, forms)).dedup_key);
  assert.match(noteOf(mapped) ?? '', /^1 of 2 in the list cannot be read: \[1\]: /);
  const odd = readAs('datadog', [{ title: 'Disk full' }, 5, true, [], 'Disk of db-1 is full'], []);
  assert.equal(keysOf(odd).length, 2);
  assert.match(noteOf(odd) ?? '', /^3 of 5 in the list cannot be read: \[1\]: is empty; /);
});

test('what stands between the alerts of a list is none, with a mapping and without', () => {
  const alert = (id: string) => ({ labels: { alertname: 'Disk', id }, status: 'firing' });
  const body = { alerts: [alert('a'), null, alert('b')] };
  const byId: Form = { key: [['labels.id']] };
  for (const slug of ['grafana', 'prometheus']) {
    for (const mapping of [[], [byId]]) {
      const reading = readAs(slug, body, mapping);
      assert.equal(keysOf(reading).length, 2, slug);
      assert.match(noteOf(reading) ?? '', /^1 of 3 in the list cannot be read: alerts\[1\]: /);
    }
    assert.deepEqual(keysOf(readAs(slug, body, [byId])), ['a', 'b'], slug);
  }
});

test('a mapping reads mail: subject, from and text are its places', () => {
  const type = typeOf('email');
  const mail: Mail = {
    subject: 'Job 4711 nightly failed',
    from: 'jobs@example.com',
    text: 'host: db-1\nexit: 3',
    headers: {},
  };
  const by: Form = {
    key: [['subject > take /Job \\d+ (\\w+)/']],
    state: [{ at: 'subject', trigger: '/failed$/', resolve: '/done$/' }],
  };
  const read = (subject: string) =>
    only(
      type?.read({ source: 'mail', ...mail, subject }, about, { revision: 1, forms: [by] }) ?? {
        unreadable: '',
      },
    );
  const [failed, done] = [read('Job 4711 nightly failed'), read('Job 4712 nightly done')];
  assert.deepEqual([failed.action, failed.dedup_key], ['trigger', 'nightly']);
  assert.deepEqual([done.action, done.dedup_key], ['resolve', 'nightly']);
  assert.equal(failed.title, 'Job 4711 nightly failed');
});

const byId: readonly Form[] = [
  {
    title: ['summary'],
    key: [['id']],
    state: [{ at: ['state'], trigger: 'bad', resolve: 'good' }],
  },
];

test('the end of a problem need not repeat its title', () => {
  const ended = readAs('webhook', { id: 7, state: 'good' }, byId);
  assert.deepEqual([only(ended).action, only(ended).dedup_key], ['resolve', '7']);
  assert.equal(noteOf(ended), undefined);
});

const alertsOf = (reading: Reading) => ('alerts' in reading ? reading.alerts : []);
const keysOf = (reading: Reading) => alertsOf(reading).map(({ dedup_key }) => dedup_key);

test('of a list, what the mapping does not fit is read by the type, and the rest by the mapping', () => {
  const list = [
    { probe: { id: 7, label: 'Pump 7' }, condition: 'BROKEN', cause: 'a' },
    { title: 'Disk full', dedup_key: 'disk' },
    { probe: { id: 8, label: 'Pump 8' }, condition: 'WORKING', cause: 'b' },
  ];
  for (const slug of ['webhook', 'zabbix']) {
    const reading = readAs(slug, list, forms);
    const [first, second, third] = alertsOf(reading);
    assert.deepEqual([first?.dedup_key, third?.dedup_key], ['7', '8'], slug);
    assert.equal(second?.title, 'Disk full');
    assert.match(noteOf(reading) ?? '', /no form of the mapping matches/);
  }
});

test('of several alerts, one without a key has its own, and the others those of the mapping', () => {
  const each: readonly Form[] = [{ each: 'items', title: ['text'], key: [['id']] }];
  const items = [{ id: 1, text: 'a' }, { text: 'b' }, { text: 'c' }, { id: 4, text: 'd' }];
  const reading = readAs('webhook', { items }, each);
  assert.deepEqual(keysOf(reading), ['1', 'b', 'c', '4']);
  assert.match(noteOf(reading) ?? '', /some of the alerts have no key/);
});

test('a list that is not where the mapping says loses no alert', () => {
  const reading = readAs('webhook', { title: 'Disk full', dedup_key: 'disk' }, [
    { each: 'items', title: ['text'] },
  ]);
  assert.deepEqual(keysOf(reading), ['disk']);
  assert.match(noteOf(reading) ?? '', /found no list/);
  const empty = readAs('webhook', { items: [] }, [{ each: 'items', title: ['text'] }]);
  assert.deepEqual([keysOf(empty), noteOf(empty)], [[], 'items is empty']);
});

test('a name and a message make the title, also where the type has one of its own', () => {
  const body = { title: 'Own', host: 'db-1', text: 'is slow', dedup_key: 'k' };
  const alert = only(readAs('webhook', body, [{ name: ['host'], message: ['text'] }]));
  assert.equal(alert.title, 'db-1: is slow');
});

test('words without a place are no key: all alerts would share it', () => {
  for (const key of ['{host', 'host}{', '{}', '{a} and {b'])
    assert.deepEqual(
      mappingProblems([{ key: [[key]] }]).map(({ path }) => path),
      ['forms[0].key[0][0]'],
      key,
    );
  assert.deepEqual(mappingProblems([{ key: [['subject > take /\\d{3}/', '{a} {b}']] }]), []);
  const body = { title: 't', subject: 'Job 471 x' };
  const taken = readAs('webhook', body, [{ key: [['subject > take /\\d{3}/']] }]);
  assert.deepEqual(keysOf(taken), ['471']);
});

test('a mapping that this version cannot compile leaves events and mails to the type', () => {
  const broken = [
    [{ key: [['a > sideways']] }],
    [{ title: ['/(/'], state: [{ at: ['a'], trigger: '/(/' }] }],
    [null],
    [{ key: 'id', state: { at: 7 } }],
  ] as unknown as readonly (readonly Form[])[];
  const mail = { subject: 'Disk full', from: 'a@example.com', text: 'x', headers: {} };
  for (const by of broken) {
    const reading = readAs('webhook', { title: 'Disk full', dedup_key: 'disk' }, by);
    assert.deepEqual(keysOf(reading), ['disk'], JSON.stringify(by));
    assert.match(noteOf(reading) ?? '', /the mapping was not used/);
    const mapping = { revision: 1, forms: by };
    const read = typeOf('email')?.read({ source: 'mail', ...mail }, about, mapping);
    assert.equal(read && only(read).title, 'Disk full');
  }
});

test('a mapping that takes too much work on an event leaves it to the type', () => {
  const slow = '/(a?){90}a{90}b/';
  const items = Array.from({ length: 200 }, (_, id) => ({ id, text: 'a'.repeat(5_000) }));
  const by: readonly Form[] = [{ each: 'items', key: [['id']], title: [`text > take ${slow}`] }];
  const reading = readAs('webhook', { title: 'Many', dedup_key: 'many', items }, by);
  assert.deepEqual(keysOf(reading), ['many']);
  assert.match(noteOf(reading) ?? '', /it takes too much work/);
  const few = readAs('webhook', { items: items.slice(0, 2) }, [
    { each: 'items', key: [['id']], title: ['text'] },
  ]);
  assert.deepEqual(keysOf(few), ['0', '1']);
});

test('a large body is read by an ordinary mapping', () => {
  const items = Array.from({ length: 5_000 }, (_, id) => ({
    id,
    host: `host-${id}`,
    text: `Disk ${id} of host-${id} is full`,
    state: 'FIRING',
  }));
  const by: readonly Form[] = [
    {
      each: 'items',
      title: ['text'],
      key: [['host', 'text > take /^Disk (\\d+)/']],
      state: [{ at: ['state'], trigger: '/^(?:FIRING|BAD)$/', resolve: '/^(?:OK|GOOD)$/' }],
    },
  ];
  const reading = readAs('webhook', { items }, by);
  assert.equal(new Set(keysOf(reading)).size, 5_000);
  assert.equal(noteOf(reading), undefined);
});

test('what a mapping omits is in no details, however its name is written and wherever it stands', () => {
  const body = {
    title: 't',
    API_Key: 's1',
    note: 'kept',
    hosts: [
      { secret: 's2', name: 'a' },
      { secret: 's3', name: 'b' },
    ],
    auth: { token: 's4', user: 'u' },
  };
  const by: readonly Form[] = [
    { title: ['title'], omit: ['api_key', 'hosts[0].secret', 'auth.token > line'] },
  ];
  const { details } = only(readAs('webhook', body, by));
  assert.doesNotMatch(JSON.stringify(details), /s[1-4]/);
  assert.match(JSON.stringify(details), /kept.*"name":"b".*"user":"u"/);
});

test('what thousands of alerts look for beside them is found in a body of thousands of names', () => {
  const names = Object.fromEntries(Array.from({ length: 40_000 }, (_, n) => [`k_${n}`, 1]));
  const alerts = Array.from({ length: 5_000 }, (_, id) => ({ fingerprint: `f${id}` }));
  const reading = typeOf('grafana')?.read(requestOf({ ...names, Title: 'Own', alerts }), about);
  assert.ok(reading);
  assert.equal(keysOf(reading).length, 5_000);
  assert.equal(alertsOf(reading)[4_999]?.title, 'Own');
});

test('what is suggested can be saved, whatever names a body has', () => {
  const names = ['a{b', '}id', 'x'.repeat(300), 'a | id', 'b > id', 'q"id', '[0]', '^id', '', ' '];
  const body = (status: string) => ({
    ...Object.fromEntries(names.map((name, n) => [name, n])),
    status,
    'a{title}': 't',
    nested: { ['y'.repeat(190)]: { ['z'.repeat(190)]: { id: 1 } } },
  });
  for (const name of names) {
    const form = suggestedForm(
      { ...body('down'), [`${name}_id`]: 9 },
      { ...body('up'), [`${name}_id`]: 9 },
    );
    assert.deepEqual(mappingProblems([form]), [], name);
    assert.deepEqual(form.state?.[0]?.at, ['status']);
  }
});
