import assert from 'node:assert/strict';
import { type Why, whyPaged } from '../../src/incidents/why/why.ts';
import { findIncident } from '../../src/storage/incidents/incidents.ts';
import { readStory } from '../../src/storage/incidents/story.ts';
import { createRetention } from '../../src/storage/retention/retention.ts';
import { type Pager, story } from './story.ts';

/** Removes all that may go, so many days from now. */
async function removedAfter(pager: Pager, days: number, rows = 2): Promise<number> {
  const retention = createRetention({ ...pager, eventsDays: 90 }, rows);
  const now = pager.clock.now().add({ hours: 24 * days });
  let removed = 0;
  for (;;) {
    const done = await retention.run(now);
    removed += done.removed;
    if (done.isAll) return removed;
  }
}

async function storedTitles({ sql }: Pager): Promise<string[]> {
  const rows = await sql<{ body: string }[]>`select body from events order by id`;
  return rows.map(({ body }) => JSON.parse(body).title);
}

async function whyAda({ sql, scope: owner, users }: Pager): Promise<Why> {
  const scope = { organizationId: owner.organizationId, teamIds: null };
  const incident = await findIncident(sql, scope, { counter: 1 });
  assert.ok(incident);
  return whyPaged(await readStory(sql, incident, { id: users['ada'] ?? '', name: 'Ada' }));
}

story('old events go once their incidents are resolved, a few at a time', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  for (const title of ['a', 'b', 'a', 'c', 'a']) await pager.trigger(on, { title });
  await pager.trigger(on, { title: 'nothing is open', status: 'resolve' });
  await pager.does(1, { type: 'resolve' });
  assert.equal(await removedAfter(pager, 90), 0, 'not older than they are kept');
  assert.equal(await removedAfter(pager, 91), 4);
  assert.deepEqual(await storedTitles(pager), ['b', 'c']);
  await pager.does(2, { type: 'resolve' });
  await pager.does(3, { type: 'resolve' });
  assert.equal(await removedAfter(pager, 91), 2);
});

story('an event goes only when all incidents that it concerns are resolved', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  await pager.trigger(on, { title: 'a' });
  await pager.trigger(on, { title: 'b' });
  const open = await pager.idOf(2);
  await pager.sql`
    update events set alerts = json_build_array(alerts -> 0,
      json_build_object('incident_id', ${open}::text))
    where body like '%"a"%'`;
  await pager.does(1, { type: 'resolve' });
  assert.equal(await removedAfter(pager, 91), 0);
  await pager.does(2, { type: 'resolve' });
  assert.equal(await removedAfter(pager, 91), 2);
});

story('an event stays while what its incident was merged into goes on', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  for (const title of ['a', 'b', 'c']) await pager.trigger(on, { title });
  await pager.does(1, { type: 'merge', intoId: await pager.idOf(2) });
  await pager.does(2, { type: 'merge', intoId: await pager.idOf(3) });
  assert.equal(await removedAfter(pager, 91), 0);
  await pager.does(3, { type: 'resolve' });
  assert.equal(await removedAfter(pager, 91), 3);
});

story('an event that is not decided yet stays, however old', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  await pager.trigger(on, { title: 'a' });
  await pager.does(1, { type: 'resolve' });
  await pager.sql`update events set decided_at = null`;
  assert.equal(await removedAfter(pager, 91), 0);
});

story('organisations have their turn one after another', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  for (const title of ['a', 'b', 'c']) await pager.trigger(on, { title, status: 'resolve' });
  await pager.open();
  const other = await pager.integration({ steps: [pager.step('ada')] });
  for (const title of ['d', 'e']) await pager.trigger(other, { title, status: 'resolve' });
  assert.equal(await removedAfter(pager, 91), 5);
});

story('without its event, an incident goes on as before, and tells why', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  await pager.trigger(on, { title: 'a' });
  await pager.at('09:01');
  await pager.does(1, { type: 'resolve' });
  await pager.at('09:02');
  const before = await whyAda(pager);
  assert.equal(before.chain[0]?.text, 'An event arrived by HTTP');
  assert.equal(await removedAfter(pager, 91), 1);
  const after = await whyAda(pager);
  assert.equal(after.answer, before.answer);
  assert.deepEqual(after.chain.slice(1), before.chain.slice(1));
  assert.equal(after.chain[0]?.text, 'An event arrived. It is no longer stored');
  assert.equal((await pager.does(1, { type: 'reopen' })).result, 'done');
  await pager.trigger(on, { title: 'a' });
  assert.deepEqual(await pager.incidents(), ['1 triggered']);
});
