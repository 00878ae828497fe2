import assert from 'node:assert/strict';
import { test } from 'node:test';
import { integrationHooks } from './integration.ts';

const now = Temporal.Instant.from('2026-03-02T09:00:00Z');

/** The hook asks nothing of its effects. */
const warningsOf = (fields: Readonly<Record<string, unknown>>) =>
  integrationHooks.warn?.({} as never, { organizationId: 'org', id: 'id', fields, now });

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
