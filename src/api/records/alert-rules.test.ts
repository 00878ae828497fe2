import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startRecordsApi } from '../../../test/records-api.ts';

test('a rule that groups alerts is refused while a server of the release before may be connected', async () => {
  await using at = await startRecordsApi();
  const send = (request: string, body: object) => at.api.send(at.key, request, { body });
  const condition_groups = [{ conditions: [{ type: 'allIncidents' }] }];
  const priority = { type: 'priority', priority: 'p1' };
  const grouping = { type: 'groupIncident', by: ['title'], across: 'team' };
  const rule = { name: 'One incident', condition_groups, actions: [priority, grouping] };
  const [inForce] = await at.sql<{ in_force_from: Temporal.Instant }[]>`
    select in_force_from from schedule_rules`;
  await at.sql`update schedule_rules set in_force_from = null`;
  const other = await send('POST /alert-rules', { ...rule, actions: [priority] });
  assert.equal(other.status, 201, JSON.stringify(other.body));
  for (const refused of [
    await send('POST /alert-rules', rule),
    await send(`PATCH /alert-rules/${other.body.id}`, { actions: rule.actions }),
  ]) {
    assert.equal(refused.status, 422);
    const [issue, ...others] = refused.body.issues;
    assert.deepEqual([issue.path, others], ['actions[1].type', []]);
    assert.match(issue.message, /the upgrade of Pager has not finished/);
  }
  await at.sql`update schedule_rules set in_force_from = ${inForce?.in_force_from ?? null}`;
  const saved = await send('POST /alert-rules', rule);
  assert.equal(saved.status, 201, JSON.stringify(saved.body));
});
