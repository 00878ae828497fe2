import assert from 'node:assert/strict';
import { type Pager, story } from '../../../test/stories/story.ts';
import { createIds } from '../../engine/ids.ts';
import { queryLimits } from '../../limits/queries.ts';
import { escalationPolicy, type Step } from '../../resources/escalation-policy.ts';
import { createRecords } from './records.ts';

const edit = async (pager: Pager, policyId: string, fields: object) => {
  const { sql, secrets, clock, scope } = pager;
  const records = createRecords({ sql, secrets, ids: createIds(clock) });
  const { organizationId } = scope;
  const actor = { kind: 'session', id: pager.users['ada'] ?? '', name: 'Ada' };
  const act = { organizationId, teamIds: null, actor, requestId: null, now: clock.now() };
  const change = { key: policyId, act, expectedVersion: null };
  const saved = await records.update(escalationPolicy, change, async (_, before) => ({
    ...before.fields,
    ...fields,
  }));
  assert.equal(typeof saved, 'object', String(saved));
};

const edits = async ({ sql }: Pager) => {
  const rows = await sql<{ number: number; text: string; actor: unknown }[]>`
    select i.number, t.text, t.actor from timeline t
    join incidents i on i.organization_id = t.organization_id and i.id = t.incident_id
    where t.type = 'policy_edited' order by i.number, t.sequence`;
  return [...rows];
};

story(
  'an edit of steps is noted on the open incidents of the policy, which keep theirs',
  async (pager) => {
    const on = await pager.integration({ steps: [pager.step('ada', 5), pager.step('lin')] });
    const other = await pager.integration({ steps: [pager.step('lin')] });
    await pager.trigger(on, { title: 'open' });
    await pager.trigger(on, { title: 'over' });
    await pager.trigger(other, { title: 'of another policy' });
    await pager.work();
    await pager.does(2, { type: 'resolve' });
    pager.heard();

    const steps: readonly Step[] = [pager.step('ada', 5), pager.step('eve')];
    await edit(pager, on.policyId, { steps });
    const [{ name }] = await pager.sql<[{ name: string }]>`
    select name from escalation_policies where id = ${on.policyId}`;
    const noted = await edits(pager);
    assert.deepEqual(noted, [
      {
        number: 1,
        text: `Ada changed the escalation policy ${name}: step 2 pages eve Example instead of lin Example. This incident keeps its steps. The change applies to incidents opened from now on`,
        actor: { type: 'user', id: pager.users['ada'], name: 'Ada', via: 'dashboard' },
      },
    ]);

    await pager.at('09:05');
    await pager.work();
    assert.deepEqual(
      pager.heard().filter((one) => one.includes('page open')),
      ['09:05 lin: page open'],
    );
    await pager.trigger(on, { title: 'new' });
    await pager.at('09:10');
    await pager.work();
    assert.ok(pager.heard().includes('09:10 eve: page new'));
  },
);

story('what changes nothing about the steps is not noted', async (pager) => {
  const webhook_url = 'https://chat.example.com/services/secret';
  const steps = [pager.step('ada', 5), { targets: [{ via: 'slack' as const, webhook_url }] }];
  const on = await pager.integration({ steps: [pager.step('ada')] });
  await pager.trigger(on, { title: 'open' });
  await pager.work();
  await edit(pager, on.policyId, { steps });
  assert.match((await edits(pager))[0]?.text ?? '', /: step 2 is new and pages a chat of slack\. /);
  await edit(pager, on.policyId, { steps, name: 'Renamed', delay_minutes: 3 });
  await edit(pager, on.policyId, { description: 'Steps with an address, which is stored anew' });
  assert.equal((await edits(pager)).length, 1);
});

story('of more open incidents than are noted, the newest are', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  await pager.trigger(on, { title: 'open' });
  await pager.sql`
    insert into incidents
    select (jsonb_populate_record(i, jsonb_build_object('number', n + 1, 'wake_at', null,
      'id', lpad(to_hex(n), 24, '0'), 'dedup_key', 'key ' || n))).*
    from incidents i, generate_series(1, ${queryLimits.editsNoted}::integer) n`;
  await edit(pager, on.policyId, { steps: [pager.step('lin')] });
  const noted = await edits(pager);
  assert.equal(noted.length, queryLimits.editsNoted);
  assert.equal(noted[0]?.number, 2);
  // They have no history, which the audit would miss.
  for (const table of ['timeline', 'timeline_heads'])
    await pager.sql`
      delete from ${pager.sql(table)} where incident_id in (
        select id from incidents where number > 1)`;
  await pager.sql`delete from incidents where number > 1`;
});
