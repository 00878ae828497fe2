// The samples of real tools are read as their manifest says, where somebody has them: a second check.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { posted } from '../../test/http-event.ts';
import { published, testPublished } from '../../test/published.ts';
import { readMessage } from '../api/mail/message.ts';
import type { AlertEvent, AlertRequest, Reading } from './alert.ts';
import { integrationTypes } from './index.ts';

const MANIFEST = 'payloads/manifest.json';

type Expected = {
  status?: string;
  title?: string | null;
  dedupKey?: string | null;
  severityRaw?: string | number | null;
  alerts?: { dedupKey: string; status: string; title: string; severity: string }[];
};
type Sample = {
  file: string;
  contentType: string;
  request?: { method?: string; path?: string; headers?: Record<string, string> };
  expect: Expected;
};

type Read = Sample & { readonly raw: Buffer };

const all = readSamples(published(MANIFEST));

function readSamples(at: URL | null): readonly Read[] {
  if (at === null) return [];
  // The manifest is ours; its shape is what this test checks against.
  const { entries } = JSON.parse(readFileSync(at, 'utf8')) as { entries: Sample[] };
  return entries.map((entry) => ({ ...entry, raw: readFileSync(new URL(entry.file, at)) }));
}

function samples(tool: RegExp): readonly Read[] {
  const matching = all.filter((entry) => tool.test(entry.file));
  assert.ok(matching.length > 0);
  return matching;
}

async function requestOf(sample: Read): Promise<AlertRequest> {
  const { raw } = sample;
  if (sample.file.endsWith('.eml')) {
    const mail = await readMessage(raw);
    assert.ok(mail, sample.file);
    return { source: 'mail', ...mail };
  }
  const { headers = {}, path = '/x', method = 'POST' } = sample.request ?? {};
  const [address = '', query = ''] = path.split('?');
  const request = { ...posted, method, path: address, query, headers };
  return { ...request, contentType: sample.contentType, body: raw };
}

const slugOf = ({ file }: Sample): string => file.split('/', 1)[0] ?? '';

async function readingOf(sample: Read): Promise<Reading> {
  const type = integrationTypes.find(({ slug }) => slug === slugOf(sample));
  assert.ok(type, `there is no type ${slugOf(sample)}`);
  return type.read(await requestOf(sample), {
    receivedAt: Temporal.Instant.from('2026-11-21T02:59:20Z'),
    integrationName: 'Samples',
  });
}

async function read(sample: Read): Promise<readonly AlertEvent[]> {
  const reading = await readingOf(sample);
  assert.ok('alerts' in reading, `${sample.file} ${JSON.stringify(reading)}`);
  return reading.alerts;
}

const actions: Readonly<Record<string, string>> = {
  firing: 'trigger',
  resolved: 'resolve',
  acknowledged: 'acknowledge',
  acknowledgement: 'acknowledge',
};

testPublished(
  MANIFEST,
  'every sample of Alertmanager and Prometheus is read as its manifest says',
  async () => {
    for (const sample of samples(/^(alertmanager|prometheus)\//)) {
      const { file, expect } = sample;
      const alerts = await read(sample);
      for (const [index, expected] of (expect.alerts ?? []).entries()) {
        const alert = alerts[index];
        assert.equal(alert?.dedup_key, expected.dedupKey, file);
        assert.equal(alert?.title, expected.title, file);
        assert.ok(alert, file);
        assertGraded(sample, expected.severity, alert);
        assert.equal(alert?.action, actions[expected.status], file);
      }
      if (expect.alerts !== undefined) assert.equal(alerts.length, expect.alerts.length, file);
      else assert.equal(alerts[0]?.title, expect.title, file);
      if (expect.status === 'firing')
        assert.ok(
          alerts.every((a) => a.action === 'trigger'),
          file,
        );
    }
  },
);

/** Of these the manifest describes the key, because what is sent has none. */
const describedKeys = /hash of|all labels|labels minus/;

/** Titles that the manifest composes of what no place holds. */
const composedTitles: readonly string[] = [
  'checkmk/firing-1.json',
  'checkmk/resolved-1.json',
  'github/firing-4.json',
  'github/resolved-2.json',
  'github/resolved-3.json',
];

/** The manifest names a field that is not enough. */
const otherKeys: Readonly<Record<string, string>> = {
  // A server that goes offline is not the same problem as its use of CPU.
  'hetrixtools/firing-2.json': 'ThisWillBeTheMonitorID32CharLong | cpu',
  // Its `id` is another once an alert has got worse.
  'librenms/firing-1.json': '26',
  'librenms/resolved-1.json': '26',
};

for (const { slug } of integrationTypes) {
  const isListed = !['alertmanager', 'prometheus', 'email'].includes(slug);
  if (!isListed || !all.some((entry) => slugOf(entry) === slug)) continue;
  test(`every sample of ${slug} is read as its manifest says`, async () => {
    for (const sample of samples(new RegExp(`^${slug}/`))) await assertRead(sample);
  });
}

async function assertRead(sample: Read): Promise<void> {
  const { file, expect } = sample;
  const alerts = await read(sample);
  const { status = '', title, dedupKey, severityRaw } = expect;
  const action = actions[status];
  if (action === undefined) {
    // Several states at once, or none of a problem.
    if (!status.startsWith('mixed'))
      assert.ok(
        alerts.every((alert) => alert.action === 'acknowledge'),
        `${file} is ${status}, and reads as ${JSON.stringify(alerts)}`,
      );
    return;
  }
  const [alert] = alerts;
  assert.ok(alert, `${file} holds no alert`);
  assert.equal(alert.action, action, file);
  const key = otherKeys[file] ?? dedupKey;
  // The manifest has the keys of the release 0.1.0.
  const made = alert.former_key ?? alert.dedup_key;
  if (key && !describedKeys.test(key)) assert.equal(made, key, file);
  if (title && !composedTitles.includes(file))
    assert.ok(isTitled(alert.title, title.replace(/\s+/g, ' ').trim().slice(0, 200)), file);
  if (severityRaw) assertGraded(sample, severityRaw, alert);
}

/** The manifest has the tool's own title; ours says where it is in front, and on which branch behind. */
const isTitled = (title: string, expected: string): boolean =>
  title === expected ||
  title.endsWith(`: ${expected}`) ||
  new RegExp(`^(?:.+: )?${RegExp.escape(expected)} on \\S+$`).test(title) ||
  title.startsWith(`${expected} from `) ||
  title === expected.replace(/ <no value>$/, '');

/** What tools call severe, by how bad it is. */
const grades: readonly (readonly [words: RegExp, grade: string | undefined])[] = [
  [/^(critical|disaster|down|alert_failure|p1)$/i, 'sev1'],
  [/^(error|high|p2)$/i, 'sev2'],
  [/^(warn|warning|alert_criticality_level_warning|sev3|info|unknown|none)$/i, 'sev3'],
  [/^(ok|okay|clear|cleared|up)$/i, undefined],
];

/** What a word or number means in one tool; no severity: an area, the priority of an event. */
const ownGrades: ReadonlyMap<string, string | undefined> = new Map([
  ['appdynamics ERROR', 'sev1'],
  ['graylog 3', 'sev2'],
  // Of a host.
  ['icinga2 1', 'sev1'],
  ['icinga2 2', 'sev1'],
  ['jira Minor', 'p4'],
  ['opensearch 1', 'sev1'],
  ['opsgenie-webhook 3', 'p3'],
  ['pagerduty-webhook-v3 high', 'sev1'],
  ['rollbar 40', 'sev2'],
  ['zabbix 4', 'sev2'],
  ['datadog normal', undefined],
  ['dynatrace INFRASTRUCTURE', undefined],
]);

function gradeOf(sample: Sample, raw: string | number): string | undefined {
  const own = `${slugOf(sample)} ${raw}`;
  if (ownGrades.has(own)) return ownGrades.get(own);
  const known = grades.find(([words]) => words.test(`${raw}`));
  assert.ok(known, `${sample.file}: nothing says how bad ${raw} is`);
  return known[1];
}

const assertGraded = (sample: Sample, raw: string | number, alert: AlertEvent): void =>
  assert.equal(alert.severity ?? alert.priority, gradeOf(sample, raw), sample.file);

testPublished(
  MANIFEST,
  'every sample of a tool that mails is read as its manifest says',
  async () => {
    for (const sample of samples(/^email\//)) {
      const [alert, ...rest] = await read(sample);
      assert.deepEqual(rest, []);
      const { status, title } = sample.expect;
      if (status === 'other') assert.notEqual(alert?.action, 'trigger', sample.file);
      else assert.equal(alert?.action, actions[status ?? ''], sample.file);
      if (status !== 'other') assert.equal(alert?.title, title?.replace(/\s+/g, ' '), sample.file);
    }
  },
);

testPublished(MANIFEST, 'a mailed recovery has the key of its problem', async () => {
  const pairs = [
    ['nagios/firing-2', 'nagios/resolved-2'],
    ['icinga2/firing-1', 'icinga2/resolved-1'],
    ['icinga2/firing-1', 'icinga2/other-1'],
    ['icinga2/firing-3', 'icinga2/resolved-2'],
    ['netdata/firing-1', 'netdata/resolved-1'],
    ['netdata/firing-2', 'netdata/resolved-1'],
    ['monit/firing-2', 'monit/resolved-1'],
    ['monit/firing-3', 'monit/resolved-3'],
  ] as const;
  const keyOf = async (name: string) => {
    const [sample] = samples(new RegExp(`^email/${name}\\.eml$`));
    assert.ok(sample);
    return (await read(sample))[0]?.dedup_key;
  };
  for (const [problem, recovery] of pairs)
    assert.equal(await keyOf(recovery), await keyOf(problem), recovery);
});
