import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'yaml';
import { alertOf, guideFile } from '../../../test/alert-reading.ts';
import { posted } from '../../../test/http-event.ts';
import type { Json } from '../alert.ts';
import { typeOf } from '../index.ts';
import { isObject } from '../text.ts';

type Case = {
  readonly slug: string;
  readonly file: string;
  readonly contentType?: string;
  /** What the tool fills in, in any message, of a problem and of its end. */
  readonly always: Readonly<Record<string, string>>;
  readonly problem: Readonly<Record<string, string>>;
  readonly end: Readonly<Record<string, string>>;
  readonly title: string;
  readonly key: string;
};

const cases: readonly Case[] = [
  {
    slug: 'checkly',
    file: 'body.json',
    always: { '{{CHECK_NAME}}': 'Checkout', '{{CHECK_ID}}': 'c-1' },
    problem: { '{{ALERT_TYPE}}': 'ALERT_FAILURE', '{{ALERT_TITLE}}': 'Checkout has failed' },
    end: { '{{ALERT_TYPE}}': 'ALERT_RECOVERY', '{{ALERT_TITLE}}': 'Checkout has recovered' },
    title: 'Checkout',
    key: 'c-1',
  },
  {
    slug: 'dynatrace',
    file: 'payload.json',
    always: { '{PID}': '-7152_V2', '{ProblemID}': 'P-12', '{ProblemTitle}': 'Failure rate' },
    problem: { '{State}': 'OPEN', '{ProblemSeverity}': 'ERROR' },
    end: { '{State}': 'RESOLVED', '{ProblemSeverity}': 'ERROR' },
    title: 'Failure rate',
    key: '-7152_V2',
  },
  {
    slug: 'prtg',
    file: 'payload.txt',
    contentType: 'application/x-www-form-urlencoded',
    always: { '%sensorid': '2011', '%device': 'core-1', '%name': 'Ping' },
    problem: { '%status': 'Down', '%message': 'Timeout & no "answer", 100 % lost' },
    end: { '%status': 'Down ended (now: Up)', '%message': 'OK' },
    title: 'core-1 Ping: Timeout & no "answer", 100 % lost',
    key: '2011',
  },
  {
    slug: 'librenms',
    file: 'body.json',
    always: { '{{ $alert_id }}': '26', '{{ $hostname }}': 'sw-1', '{{ $name }}': 'Port down' },
    problem: { '{{ $title }}': 'Alert for sw-1 - Port down', '{{ $state }}': '1' },
    end: { '{{ $title }}': 'Device sw-1 recovered from Port down', '{{ $state }}': '0' },
    title: 'Alert for sw-1 - Port down',
    key: '26',
  },
  {
    slug: 'logicmonitor',
    file: 'alert.json',
    always: {
      '##ALERTID##': 'LMD5',
      '##HOST##': 'db-1',
      '##DATASOURCE##': 'WinVolumeUsage',
      '##DATAPOINT##': 'PercentUsed',
      '##VALUE##': '91',
      '##LEVEL##': 'critical',
    },
    problem: { '##ALERTSTATUS##': 'active' },
    end: { '##ALERTSTATUS##': 'clear' },
    title: 'db-1: WinVolumeUsage PercentUsed is 91',
    key: 'LMD5',
  },
];

for (const { slug, file, contentType, always, problem, end, title, key } of cases)
  test(`the template in the guide of ${slug}, filled in, opens an incident and ends it`, () => {
    const sent = { ...(contentType !== undefined && { contentType }) };
    const opened = alertOf(slug, guideFile(slug, file, { ...always, ...problem }), sent);
    const ended = alertOf(slug, guideFile(slug, file, { ...always, ...end }), sent);
    assert.deepEqual([opened.action, opened.title, opened.dedup_key], ['trigger', title, key]);
    assert.deepEqual([ended.action, ended.dedup_key], ['resolve', key]);
  });

test('the template of Argo CD is YAML, and its body is read', () => {
  const config: Json = parse(guideFile('argocd', 'argocd-notifications-cm.yaml', {}));
  assert.ok(isObject(config) && isObject(config['data'] ?? null));
  const data = config['data'] as Record<string, string>;
  const template = parse(data['template.pager'] ?? '') as { webhook: { pager: { body: string } } };
  const bodyOf = (health: string, phase: string) =>
    template.webhook.pager.body
      .replace('{{.app.metadata.name}}', 'shop')
      .replace('{{.app.spec.project}}', 'default')
      .replace('{{.app.status.health.status}}', health)
      .replace('{{.app.status.sync.status}}', 'Synced')
      .replace('{{dig "status" "operationState" "phase" "" .app | toJson}}', JSON.stringify(phase))
      .replace('{{dig "status" "operationState" "message" "" .app | toJson}}', '"a \\"b\\""');
  const read = (health: string, phase: string) => {
    const { action, dedup_key, title } = alertOf('argocd', bodyOf(health, phase));
    return [action, dedup_key, title];
  };
  assert.deepEqual(read('Degraded', ''), ['trigger', 'default | shop', 'shop is Degraded']);
  assert.deepEqual(read('Healthy', 'Failed'), ['trigger', 'default | shop', 'Sync of shop failed']);
  assert.deepEqual(read('Healthy', ''), ['resolve', 'default | shop', 'shop is Healthy']);
  const triggers = parse(data['trigger.pager'] ?? '') as { send: string[] }[];
  assert.deepEqual([...new Set(triggers.flatMap(({ send }) => send))], ['pager']);
});

test('the payload in the rule of ElastAlert is read, once per subject', () => {
  const rule = parse(guideFile('elastalert', 'rule.yaml', {})) as Record<string, Json>;
  const fixed = rule['http_post_static_payload'] ?? null;
  assert.ok(isObject(fixed));
  const alert = alertOf('elastalert', { ...fixed, subject: 'api-1' });
  assert.equal(alert.dedup_key, 'Errors of the API | api-1');
  assert.equal(alert.severity, 'sev1');
});

test('what the script for Monit posts is read', () => {
  const script = guideFile('monit', '/etc/monit/pager.sh', {});
  const names = [...script.matchAll(/--data-urlencode "(\w+)=\$/g)].map(([, name]) => name ?? '');
  const bodyOf = (event: string) =>
    new URLSearchParams(
      names.map((name) => [name, name === 'MONIT_EVENT' ? event : `${name} & more`]),
    ).toString();
  const sent = { contentType: 'application/x-www-form-urlencoded' };
  const opened = alertOf('monit', bodyOf('Connection failed'), sent);
  const ended = alertOf('monit', bodyOf('Connection succeeded'), sent);
  assert.deepEqual([opened.action, ended.action], ['trigger', 'resolve']);
  assert.equal(ended.dedup_key, opened.dedup_key);
  assert.equal(opened.title, 'MONIT_HOST & more: MONIT_SERVICE & more: MONIT_DESCRIPTION & more');
});

test('the password that Monit registers with is a secret, unless it may be any word', () => {
  const secretsOf = (password: string) => {
    const server = `<server><credentials><password>${password}</password></credentials></server>`;
    const body = `<?xml version="1.0"?><monit id="a">${server}</monit>`;
    const bytes = new TextEncoder().encode(body);
    const request = { ...posted, path: '/x', contentType: 'text/xml', body: bytes };
    return typeOf('monit')?.secretsIn?.(request).texts;
  };
  assert.deepEqual(secretsOf('correct horse'), ['correct horse']);
  assert.deepEqual(secretsOf('monit'), []);
});
