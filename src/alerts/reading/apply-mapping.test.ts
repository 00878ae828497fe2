// What code reads stays as it is read, but for what a mapping says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { posted } from '../../../test/http-event.ts';
import { aboutSamples, jsonIn, samples } from '../../../test/tool-samples.ts';
import type { AlertEvent, HttpRequest, Reading } from '../alert.ts';
import { tools, typeOf } from '../index.ts';
import { readPrometheus } from '../types/prometheus.ts';
import type { Form } from './notation.ts';

const severityOnly: readonly Form[] = [{ severity: { at: ['nowhere'], else: 'sev2' } }];

function read(slug: string, request: HttpRequest, forms: readonly Form[] = []): Reading {
  const type = typeOf(slug);
  assert.ok(type);
  return type.read(request, aboutSamples, { revision: 1, forms });
}

type Sent = { readonly body?: unknown; readonly path?: string; readonly query?: string };

const requestOf = ({ body, path = '/push-events', query = '' }: Sent): HttpRequest => ({
  ...posted,
  path,
  query,
  contentType: 'application/json',
  body: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body ?? {})),
});

const alertsOf = (reading: Reading): readonly AlertEvent[] =>
  'alerts' in reading ? reading.alerts : [];

/** All of it but the severity, and the hint at a mapping. */
const restOf = (reading: Reading) =>
  'unreadable' in reading ? reading : reading.alerts.map(({ severity: _, ...rest }) => rest);

const isOfAddress = ({ path }: HttpRequest) => /\/v2\/alerts\/[^/]/.test(path);

function checkSame(slug: string, request: HttpRequest, about: string) {
  const severity = isOfAddress(request) ? undefined : 'sev2';
  const [by, without] = [read(slug, request, severityOnly), read(slug, request)];
  assert.deepEqual(restOf(by), restOf(without), about);
  assert.ok(
    alertsOf(by).every((one) => one.severity === severity),
    about,
  );
}

const coded = tools.filter(
  ({ read, forms }) => read !== undefined || forms.some((form) => 'read' in form),
);
const groups = ['alertmanager', 'prometheus'];

test('of what code reads in samples, a mapping of the severity changes nothing else', () => {
  const checked = new Set<string>();
  for (const { slug, read } of coded) {
    const isOfGroups = read === readPrometheus;
    const own = samples.filter(
      ({ type }) => type.slug === slug || (isOfGroups && groups.includes(type.slug)),
    );
    for (const { file, request } of own) {
      checkSame(slug, request, `${slug} ${file}`);
      const list = new TextEncoder().encode(JSON.stringify([jsonIn(request), jsonIn(request)]));
      if (
        request.method === 'POST' &&
        request.contentType.includes('json') &&
        !isOfAddress(request)
      )
        checkSame(slug, { ...request, body: list }, `${slug} ${file} twice`);
      checked.add(slug);
    }
  }
  const unchecked = coded.map(({ slug }) => slug).filter((slug) => !checked.has(slug));
  assert.deepEqual(unchecked, ['email']);
});

const past = '2026-11-21T02:50:00Z';
const deployment = { routing_key: 'k', payload: { summary: 'Deployed', source: 'ci' } };
const cases: readonly (readonly [string, Sent])[] = [
  ['webhook', { body: { title: 'Disk full', severity: 'critical', dedup_key: 'd' } }],
  ['webhook', { body: { cpu: 97, host: 'db-1', status: 'firing' } }],
  ['webhook', { body: { cpu: 97, host: 'db-1', status: 'resolved' } }],
  ['webhook', { body: { title: 'Disk full', body: { of: 'db-1' }, status: 'resolved' } }],
  ['webhook', { body: [{ title: 'a' }, 'b', { c: 1 }] }],
  ['webhook', { body: [{ title: 'a' }, 3] }],
  ['webhook', { body: 'Disk of db-1\nis full' }],
  ['webhook', { body: '<alert><title>Disk</title></alert>' }],
  ['webhook', { body: {} }],
  ['email', { body: { cpu: 97, host: 'db-1', status: 'resolved' } }],
  ['prometheus', { body: [{ labels: { alertname: 'A' }, endsAt: past }] }],
  ['prometheus', { body: [{ labels: { alertname: 'A' }, endsAt: '2026-11-21T03:04:00Z' }] }],
  ['prometheus', { body: [{ annotations: { summary: 'A' }, startsAt: past }] }],
  [
    'prometheus',
    { body: { status: 'firing', alerts: [{ labels: { a: 1 } }, { labels: { b: 1 } }] } },
  ],
  ['prometheus', { body: { data: { alerts: [{ status: 'resolved', labels: { a: 1 } }] } } }],
  ['prometheus', { body: { alerts: [] } }],
  ['prometheus', { body: { alerts: [3] } }],
  ['prometheus', { body: { labels: { alertname: 'A' } } }],
  [
    'opsgenie-alert-api',
    { path: '/v2/alerts', body: { message: 'Disk', alias: 'd', priority: 'P3' } },
  ],
  ['opsgenie-alert-api', { path: '/v2/alerts/d/close', query: 'identifierType=alias', body: {} }],
  ['opsgenie-alert-api', { path: '/v2/alerts/d/close', query: 'identifierType=alias', body: '' }],
  [
    'opsgenie-alert-api',
    { path: '/v2/alerts/d/notes', query: 'identifierType=alias', body: { note: 'seen' } },
  ],
  ['pagerduty-events-v2', { path: '/v2/change/enqueue', body: deployment }],
  [
    'pagerduty-events-v2',
    { path: '/v2/enqueue', body: { ...deployment, event_action: 'trigger' } },
  ],
  [
    'pagerduty-events-v2',
    { path: '/v2/enqueue', body: { ...deployment, event_action: 'resolve' } },
  ],
  [
    'pagerduty-events-v2',
    { path: '/v2/enqueue', body: { routing_key: 'k', event_action: 'resolve' } },
  ],
  [
    'pagerduty-events-v2',
    { path: '/v2/enqueue', body: { ...deployment, event_action: 'triger', dedup_key: 'd' } },
  ],
  [
    'pagerduty-events-v2',
    { path: '/v2/enqueue', body: { data: { ...deployment, event_action: 'resolve' } } },
  ],
  ['snmptrap', { body: {} }],
];

for (const [slug, sent] of cases)
  test(`a mapping of the severity changes nothing else of ${slug} ${JSON.stringify(sent)}`, () =>
    checkSame(slug, requestOf(sent), slug));

test('what a mapping says of an action that stands in the address of Opsgenie is not asked', () => {
  const by: readonly Form[] = [
    { title: ['user'], key: [['user']], state: [{ at: ['user'], else: 'trigger' }] },
  ];
  const path = { path: '/v2/alerts/d/close', query: 'identifierType=alias' };
  const [closed] = alertsOf(
    read('opsgenie-alert-api', requestOf({ ...path, body: { user: 'ada' } }), by),
  );
  assert.deepEqual([closed?.action, closed?.dedup_key], ['resolve', 'd']);
});

test('what comes by the address of changes is a change, whatever it holds and a mapping says', () => {
  const by: readonly Form[] = [
    {
      title: ['payload.summary'],
      key: [['payload.source']],
      state: [{ at: 'x', else: 'trigger' }],
    },
  ];
  const bodies = [
    deployment,
    { ...deployment, event_action: 'trigger', dedup_key: 'd' },
    { ...deployment, event_action: 'deploy' },
    { service_key: 'k', event_type: 'trigger', incident_key: 'd' },
    { payload: { event_action: 'trigger', summary: 'Deployed' } },
    [deployment, { ...deployment, event_action: 'trigger' }],
  ];
  for (const body of bodies)
    for (const forms of [[], by])
      assert.deepEqual(
        read('pagerduty-events-v2', requestOf({ path: '/v2/change/enqueue', body }), forms),
        { alerts: [], note: 'a change' },
        JSON.stringify(body),
      );
});

const ofPagerduty = (body: object) => requestOf({ path: '/v2/enqueue', body });

test('what a mapping says of an alert that code reads is laid over it', () => {
  const body = { ...deployment, event_action: 'trigger', client_url: 'https://ci.example.com' };
  const by: readonly Form[] = [
    {
      title: ['{payload.source}: {payload.summary}'],
      key: [['payload.source']],
      priority: { at: ['payload.source'], p2: 'ci' },
      omit: ['routing_key'],
    },
  ];
  const [alert] = alertsOf(read('pagerduty-events-v2', ofPagerduty(body), by));
  assert.deepEqual(
    [alert?.action, alert?.title, alert?.dedup_key, alert?.priority, alert?.links],
    ['trigger', 'ci: Deployed', 'ci', 'p2', [{ href: 'https://ci.example.com', text: 'Client' }]],
  );
  const ended: readonly Form[] = [{ state: [{ at: ['payload.source'], resolve: 'ci' }] }];
  const [resolve] = alertsOf(read('pagerduty-events-v2', ofPagerduty(body), ended));
  assert.equal(resolve?.action, 'resolve');
  const ignored: readonly Form[] = [{ state: [{ at: ['payload.source'], nothing: 'ci' }] }];
  assert.deepEqual(read('pagerduty-events-v2', ofPagerduty(body), ignored), {
    alerts: [],
    note: '"ci" reports no problem',
  });
});

test('of a group, each alert has what the mapping finds in it', () => {
  const alerts = [
    { labels: { alertname: 'A', tier: 'gold' }, status: 'firing' },
    { labels: { alertname: 'B', tier: 'tin' }, status: 'resolved' },
    { labels: { alertname: 'C' } },
  ];
  const by: readonly Form[] = [
    {
      each: 'alerts',
      key: [['labels.tier']],
      severity: { at: ['labels.tier'], sev1: 'gold', sev3: 'tin' },
    },
  ];
  const reading = read('prometheus', requestOf({ body: { status: 'firing', alerts } }), by);
  const [, , third] = alertsOf(read('prometheus', requestOf({ body: { alerts } })));
  assert.deepEqual(
    alertsOf(reading).map((one) => [one.action, one.dedup_key, one.severity]),
    [
      ['trigger', 'gold', 'sev1'],
      ['resolve', 'tin', 'sev3'],
      ['trigger', third?.dedup_key, undefined],
    ],
  );
  assert.match('note' in reading ? String(reading.note) : '', /some of the alerts have no key/);
});

test('a time that is over resolves, where a mapping says until when, and where a type does', () => {
  const by: readonly Form[] = [{ until: ['end'], title: ['title'] }];
  const of = (end: string) =>
    alertsOf(read('webhook', requestOf({ body: { title: 'Disk', end } }), by));
  assert.deepEqual(
    of(past).map(({ action, expires_at }) => [action, expires_at]),
    [['resolve', undefined]],
  );
  const later = '2026-11-21T03:10:00Z';
  assert.deepEqual(
    of(later).map(({ action, expires_at }) => [action, String(expires_at)]),
    [['trigger', later]],
  );
});

test('a title that a mapping says is the key of a body that has none for the type', () => {
  const by: readonly Form[] = [{ title: ['probe'], state: [{ at: ['now'], resolve: 'fine' }] }];
  const keys = ['bad', 'fine'].flatMap((now) =>
    alertsOf(read('webhook', requestOf({ body: { probe: 'Pump 7', now } }), by)).map(
      ({ action, dedup_key }) => [action, dedup_key],
    ),
  );
  assert.deepEqual(keys, [
    ['trigger', 'Pump 7'],
    ['resolve', 'Pump 7'],
  ]);
});

test('what a type cannot read is read by a mapping that says title, key and state, or a list', () => {
  const body = { text: 'Disk full', id: 7, now: 'bad', items: [{ text: 'a', id: 1 }] };
  const whole: Form = { title: ['text'], key: [['id']], state: [{ at: ['now'], trigger: 'bad' }] };
  const keysOf = (form: Form) =>
    alertsOf(read('prometheus', requestOf({ body }), [form])).map(({ dedup_key }) => dedup_key);
  assert.deepEqual(keysOf(whole), ['7']);
  assert.deepEqual(keysOf({ each: 'items', title: ['text'], key: [['id']] }), ['1']);
  const { state: _, ...part } = whole;
  assert.deepEqual(keysOf(part), []);
});
