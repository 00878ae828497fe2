import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOnCallApi, weekly } from '../../../test/on-call-api.ts';

test('a schedule tells what uses it, and counts what the caller may not see', async () => {
  await using at = await startOnCallApi();
  const id = await at.schedule([{ users: [at.ada], rotation: weekly }]);
  const read = async (caller = at.key) =>
    (await at.send(`GET /on-calls/${id}/uses`, undefined, caller)).body;
  assert.deepEqual(await read(), { data: [], count: 0 });
  const steps = [{ targets: [{ via: 'email', oncall_schedule_id: id }] }];
  const policy = (await at.send('POST /escalation-policies', { name: 'Nights', steps })).body;
  const own = { kind: 'escalation_policy', id: policy.id, name: 'Nights' };
  assert.deepEqual(await read(), { data: [own], count: 1 });
  await at.send('POST /escalation-policies', { name: 'Web', steps, team_id: at.web });
  assert.equal((await read(at.world.caller({ teamIds: [at.ops] }))).count, 2);
  assert.deepEqual((await read(at.world.caller({ teamIds: [at.ops] }))).data, [own]);
});
