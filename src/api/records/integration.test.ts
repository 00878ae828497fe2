import assert from 'node:assert/strict';
import { test } from 'node:test';
import { integration } from '../../resources/integration.ts';
import { readBody } from './body.ts';
import { integrationHooks } from './integration.ts';

const now = Temporal.Instant.from('2026-03-02T09:00:00Z');

/** Nothing is known of its last alerts. */
const effects = { groupingWarnings: async () => [] } as never;
const warningsOf = (fields: Readonly<Record<string, unknown>>) =>
  integrationHooks.warn?.(effects, { organizationId: 'org', id: 'id', fields, now });

test('a save warns if incidents would resolve between two repeats of the tool', async () => {
  const quiet = (after: number, unit: string) => ({ resolve_when_quiet: { after, unit } });
  for (const [slug, fields, expected] of [
    ['alertmanager', quiet(4, 'hours'), /only every 240 minutes \(repeat_interval\)/],
    ['nagios', quiet(60, 'minutes'), /notification_interval/],
    ['elastalert', quiet(1, 'minutes'), /realert/],
  ] as const) {
    const [warning = ''] = (await warningsOf({ slug, ...fields })) ?? [];
    assert.match(warning, expected);
  }
  for (const fields of [
    { slug: 'alertmanager', ...quiet(5, 'hours') },
    { slug: 'alertmanager', resolve_when_quiet: null },
    { slug: 'alertmanager' },
    { slug: 'webhook', ...quiet(1, 'minutes') },
  ])
    assert.deepEqual(await warningsOf(fields), []);
});

const completed = (fields: Readonly<Record<string, unknown>>) =>
  integrationHooks.complete?.(fields)['grouping'];

test('grouping is by the groups of the tool where it sends any, and else off', () => {
  assert.deepEqual(completed({ slug: 'alertmanager' }), { by: ['group'] });
  assert.deepEqual(completed({ slug: 'grafana', grouping: { by: [] } }), { by: [] });
  for (const fields of [
    { slug: 'webhook' },
    { slug: 'alertmanager', disable_incident_suppression: true },
  ])
    assert.deepEqual(completed(fields), { by: [] });
});

test('a write by Terraform that has no grouping leaves it as it is', () => {
  const before = { fields: { slug: 'grafana', grouping: { by: ['title'] } } } as never;
  const retained = (fields: Readonly<Record<string, unknown>>) =>
    integrationHooks.keep?.(fields, before)['grouping'];
  assert.deepEqual(retained({ slug: 'grafana' }), { by: ['title'] });
  assert.deepEqual(retained({ slug: 'grafana', grouping: { by: [] } }), { by: [] });
  const disabled = { slug: 'grafana', disable_incident_suppression: true };
  assert.deepEqual(retained(disabled), { by: ['title'] }, 'it has no effect then');
});

test('grouping is refused at its path: groups of a tool that has none, and without suppression', () => {
  const problems = (fields: Readonly<Record<string, unknown>>) => {
    const proposal = { written: { fields } } as never;
    const capabilities = { slugs: new Set(['webhook', 'grafana']) } as never;
    return integrationHooks.check?.(proposal, null as never, capabilities);
  };
  assert.deepEqual(problems({ slug: 'grafana', grouping: { by: ['group'] } }), []);
  assert.partialDeepStrictEqual(
    problems({ slug: 'webhook', grouping: { by: ['title', 'group'] } }),
    [{ path: 'grouping.by[1]' }],
  );
  const ids = { service_id: 'a'.repeat(24), escalation_policy_id: 'b'.repeat(24) };
  const paths = (fields: object) =>
    readBody(integration, { slug: 'grafana', ...ids, ...fields }).problems.map(({ path }) => path);
  assert.deepEqual(paths({ grouping: { by: ['details.labels.cluster', 'service'] } }), []);
  assert.deepEqual(paths({ grouping: { by: ['group'] }, disable_incident_suppression: true }), [
    'grouping.by',
  ]);
  assert.deepEqual(paths({ grouping: { by: ['cluster'] } }), ['grouping.by[0]']);
  assert.deepEqual(paths({ grouping: { by: ['title'], window: { after: 1_000, unit: 'days' } } }), [
    'grouping.window.after',
  ]);
});
