import assert from 'node:assert/strict';
import type { Rule } from '../../src/rules/match-rule.ts';
import { story } from './story.ts';

const disk = { title: 'disk full' };
const cpu = { title: 'cpu hot' };
const about = (text: string): Rule['condition_groups'] => [
  { conditions: [{ type: 'incidentMessage', comparator: 'contains', text }] },
];

story('a rule changes what it matches before anybody is paged', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  const night = await pager.integration({ steps: [pager.step('lin')] });
  await pager.rule({
    name: 'Disks',
    condition_groups: about('DISK'),
    actions: [
      { type: 'escalationPolicy', escalation_policy_id: night.policyId },
      { type: 'priority', priority: 'p2' },
    ],
  });
  for (const body of [disk, cpu]) await pager.trigger(on, body);
  await pager.work();
  assert.deepEqual(pager.heard(), ['09:00 ada: page cpu hot', '09:00 lin: page disk full']);
  const rows =
    await pager.sql`select priority, escalation_policy_id from incidents order by number`;
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [
      { priority: 'p2', escalation_policy_id: night.policyId },
      { priority: null, escalation_policy_id: on.policyId },
    ],
  );
});

story('an edit of a rule, its end and its return count from the next event on', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  const rule = await pager.rule({ actions: [{ type: 'severity', severity: 'sev3' }] });
  const severities: (string | null)[] = [];
  const edits = [
    pager.sql``,
    pager.sql`set actions = ${pager.sql.json([{ type: 'severity', severity: 'sev1' }])}`,
    pager.sql`set enabled = false`,
    pager.sql`set enabled = true, archived_at = ${pager.clock.now()}`,
    pager.sql`set archived_at = null`,
  ];
  for (const [index, edit] of edits.entries()) {
    if (index > 0) await pager.sql`update alert_routing_rules ${edit} where id = ${rule}`;
    await pager.trigger(on, { title: `alert ${index}` });
    const [row] = await pager.sql`select severity from incidents where number = ${index + 1}`;
    severities.push(row?.['severity']);
  }
  assert.deepEqual(severities, ['sev3', 'sev1', null, null, 'sev1']);
});

story('what a rule ignores is in the event log with its name, and nowhere else', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  const condition_groups = about('disk');
  await pager.rule({ name: 'Noise', condition_groups, actions: [{ type: 'ignoreIncident' }] });
  await pager.trigger(on, disk);
  const [event] = await pager.sql`select outcome, reason from events`;
  assert.deepEqual({ ...event }, { outcome: 'ignored', reason: 'the rule Noise ignores it' });
  assert.deepEqual(await pager.incidents(), []);
});

story('rules run by position, then in the order in which they were made', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  const named = (name: string, position: number | null) =>
    pager
      .rule({ name, actions: [{ type: 'title', template: `{{title}} ${name}` }] })
      .then(
        (id) => pager.sql`update alert_routing_rules set position = ${position} where id = ${id}`,
      );
  for (const [name, position] of [
    ['c', null],
    ['b', 2],
    ['d', null],
    ['a', 1],
  ] as const)
    await named(name, position);
  await pager.trigger(on, { title: 'x' });
  const [row] = await pager.sql`select title from incidents`;
  assert.equal(row?.['title'], 'x a b c d');
});

story('a rule covers the integrations and services that it names', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  const other = await pager.integration({ steps: [pager.step('ada')] });
  await pager.rule({ integration_ids: [on.id], actions: [{ type: 'priority', priority: 'p1' }] });
  await pager.rule({
    integration_ids: [on.id, other.id],
    service_ids: [other.serviceId],
    actions: [{ type: 'severity', severity: 'sev1' }],
  });
  await pager.trigger(on, disk);
  await pager.trigger(other, disk);
  const rows = await pager.sql`select priority, severity from incidents order by number`;
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [
      { priority: 'p1', severity: null },
      { priority: null, severity: 'sev1' },
    ],
  );
});

story('an alert that is acknowledged by a rule pages when its timeout is over', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')], ackTimeoutMinutes: 10 });
  await pager.rule({ actions: [{ type: 'acknowledgeIncident' }] });
  await pager.trigger(on, disk);
  await pager.at('09:09');
  assert.deepEqual(pager.heard(), []);
  await pager.at('09:10');
  assert.deepEqual(pager.heard(), ['09:10 ada: page disk full']);
});

story('a rule tried on repetitions moves an open incident to who pages now', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  const other = await pager.integration({ steps: [pager.step('lin')] });
  await pager.rule({
    condition_groups: [{ conditions: [{ type: 'incidentSuppressed', count: 2 }] }],
    actions: [{ type: 'integration', integration_id: other.id }],
  });
  for (let times = 0; times < 4; times += 1) await pager.trigger(on, disk);
  await pager.work();
  assert.deepEqual(pager.heard(), ['09:00 lin: page disk full']);
  const [row] = await pager.sql`
    select integration_id, service_id, source_integration_id, suppressed_count from incidents`;
  assert.deepEqual(
    { ...row },
    {
      integration_id: other.id,
      service_id: other.serviceId,
      source_integration_id: on.id,
      suppressed_count: 3,
    },
  );
  assert.deepEqual(await pager.incidents(), ['1 triggered']);
});

story('what opens right after a rule resolved its incident pages as any other', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  await pager.rule({
    condition_groups: [{ conditions: [{ type: 'incidentSuppressed', count: 1 }] }],
    actions: [{ type: 'resolveIncident' }],
  });
  await pager.trigger(on, disk);
  await pager.work();
  assert.deepEqual(pager.heard(), ['09:00 ada: page disk full']);
  // Decided together: the first resolves the incident, the second opens another.
  await Promise.all([pager.trigger(on, disk), pager.trigger(on, disk)]);
  assert.deepEqual(await pager.incidents(), ['1 resolved', '2 triggered']);
  await pager.work();
  assert.deepEqual(pager.heard(), ['09:00 ada: all_clear disk full', '09:00 ada: page disk full']);
});
