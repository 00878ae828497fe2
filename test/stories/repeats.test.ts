import assert from 'node:assert/strict';
import type { StoredEvent } from '../../src/engine/ports/events.ts';
import { findIncident } from '../../src/storage/incidents/incidents.ts';
import { readStory } from '../../src/storage/incidents/story.ts';
import { listTimeline } from '../../src/storage/incidents/timeline.ts';
import { type Pager, story } from './story.ts';

/** Its timeline as the API shows it, in pages of that many. */
async function readEntries(pager: Pager, number: number, limit: number): Promise<string[]> {
  const { organizationId } = pager.scope;
  const on = { organizationId, incidentId: await pager.idOf(number) };
  const entries: string[] = [];
  for (let after: number | null = null; ; ) {
    const rows = await listTimeline(pager.sql, on, { limit, after });
    entries.push(
      ...rows.map(({ type, text }) => `${type}${/ again, (\d+ times)/.exec(text)?.[1] ?? ''}`),
    );
    const last = rows.at(-1);
    if (!last) return entries;
    after = last.cursor;
  }
}

story('repeats are told between what happened, from the event log', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  await pager.trigger(on, { title: 'disk' });
  await pager.at('09:01');
  await pager.trigger(on, { title: 'disk' });
  await pager.at('09:02');
  await pager.does(1, { type: 'acknowledge' });
  await pager.at('09:03');
  for (let times = 0; times < 3; times += 1) await pager.trigger(on, { title: 'disk' });
  await pager.at('09:04');
  const { organizationId } = pager.scope;
  const before = await pager.sql`select count(*)::int as n from timeline`;
  await pager.trigger(on, { title: 'disk' });
  assert.deepEqual(await pager.sql`select count(*)::int as n from timeline`, before);

  const story = ['opened', 'step_ran', 'notice_sent', 'suppressed', 'acknowledged'];
  const whole = [...story, 'suppressed4 times'];
  for (const limit of [1, 2, 3, 4, 5, 6, 50])
    assert.deepEqual(await readEntries(pager, 1, limit), whole, `${limit} a page`);
  const scope = { organizationId, teamIds: null };
  const incident = await findIncident(pager.sql, scope, { counter: 1 });
  assert.equal(incident?.suppressed_count, 5);
  await pager.at('09:05');
  await pager.does(1, { type: 'resolve' });
  assert.deepEqual((await readEntries(pager, 1, 50)).slice(-2), ['suppressed4 times', 'resolved']);
});

story('of a request with several alerts, each repeat is an entry', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  await pager.trigger(on, [{ title: 'disk' }, { title: 'memory' }]);
  await pager.trigger(on, [{ title: 'disk' }, { title: 'memory' }]);
  for (const number of [1, 2])
    assert.deepEqual(await pager.timeline(number), ['opened', 'step_ran', 'suppressed']);
});

story('a storm is counted in the repeats that it is told among', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  for (let times = 0; times < 50; times += 1) await pager.trigger(on, { title: 'disk' });
  const events = await pager.sql`select from events`;
  assert.equal(events.length, 20);
  const entries = (await readEntries(pager, 1, 50)).filter((one) => one.startsWith('suppressed'));
  const times = entries.map((one) => Number(/\d+/.exec(one)?.[0] ?? 1));
  assert.equal(
    times.reduce((sum, one) => sum + one, 0),
    49,
  );
});

story('why somebody was not paged names the first repeat', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  await pager.trigger(on, { title: 'disk' });
  await pager.at('09:01');
  await pager.trigger(on, { title: 'disk' });
  await pager.at('09:02');
  await pager.does(1, { type: 'acknowledge' });
  const { organizationId } = pager.scope;
  const scope = { organizationId, teamIds: null };
  const incident = await findIncident(pager.sql, scope, { counter: 1 });
  assert.ok(incident);
  const { entries } = await readStory(pager.sql, incident, { id: '', name: '' });
  const types = entries.map(({ type }) => type);
  assert.deepEqual(types, ['opened', 'step_ran', 'suppressed', 'acknowledged']);
});

story('repeats of a stored backlog are told too', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  await pager.trigger(on, { title: 'disk' });
  await pager.work();
  const [server = pager.serve()] = pager.servers;
  const event: StoredEvent = {
    organization_id: pager.scope.organizationId,
    id: '9'.repeat(24),
    integration_id: on.id,
    received_at: pager.clock.now(),
    path: '/push-events',
    method: 'POST',
    query: null,
    headers: null,
    mapping_revision: null,
    mail: null,
    source: 'http',
    content_type: 'application/json',
    body: Buffer.from('{"title":"disk"}'),
  };
  await server.ledger.transact((tx) => tx.insertEvents([{ event, decision: null }]));
  await pager.workOn(server);
  assert.ok((await readEntries(pager, 1, 50)).includes('suppressed'));
});
