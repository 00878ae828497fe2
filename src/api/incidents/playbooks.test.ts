import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerOf, seedIncidents } from '../../../test/incident-api.ts';
import { withPager } from '../../../test/stories/story.ts';
import type { Caller } from '../route.ts';

test('responders run a playbook on one incident, and viewers do not', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager);
    const playbook_id = await pager.playbook({
      name: 'Take',
      actions: [{ type: 'acknowledgeIncident' }],
    });
    const run = (caller: Caller) =>
      api.send(caller, 'POST /incidents/1/run-playbook', { body: { playbook_id } });
    const viewer = callerOf(pager, { role: 'viewer', id: 'd'.repeat(24) });
    assert.equal((await run(viewer)).status, 403);
    const { status, body } = await run(callerOf(pager));
    assert.deepEqual([status, body.status], [200, 'acknowledged']);
  }));

test('a playbook is run on many incidents, each by itself', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager);
    const playbook_id = await pager.playbook({
      name: 'End',
      actions: [{ type: 'resolveIncident' }],
    });
    const ids = [await pager.idOf(1), 'f'.repeat(24), await pager.idOf(2)];
    const body = { ids, playbook_id };
    const answer = await api.send(callerOf(pager), 'POST /incidents/run-playbook', { body });
    assert.deepEqual(
      answer.body.results.map(({ result }: { result: string }) => result),
      ['done', 'not_found', 'done'],
    );
    assert.deepEqual(await pager.incidents(), ['1 resolved', '2 resolved']);
  }));

test('another team’s playbook, and one that is not there, are refused', () =>
  withPager(async (pager) => {
    await using api = await seedIncidents(pager);
    const playbook_id = await pager.playbook({
      name: 'Theirs',
      actions: [{ type: 'resolveIncident' }],
    });
    const team = { ...pager.scope, id: 'e'.repeat(24) };
    await pager.sql`
      insert into teams (organization_id, id, name, is_default, version, created_at, updated_at)
      values (${team.organizationId}, ${team.id}, 'web', false, 1, ${team.now}, ${team.now})`;
    await pager.sql`update playbooks set team_id = ${team.id} where id = ${playbook_id}`;
    for (const id of [playbook_id, 'a'.repeat(24)]) {
      const body = { playbook_id: id };
      const answer = await api.send(callerOf(pager), 'POST /incidents/1/run-playbook', { body });
      assert.deepEqual(
        [answer.status, answer.body.message],
        [409, 'The action was refused: the playbook does not exist.'],
      );
    }
  }));
