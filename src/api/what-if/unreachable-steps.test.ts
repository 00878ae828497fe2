import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOnCallApi, weekly } from '../../../test/on-call-api.ts';

const PATH = 'GET /escalation-policies/unreachable-steps';

test('steps that reach nobody now are listed with the reasons, until somebody is on call', async () => {
  await using at = await startOnCallApi();
  const restriction = {
    type: 'weekly',
    windows: [{ from_day: 'monday', from_time: '09:00', to_day: 'monday', to_time: '17:00' }],
  };
  const id = await at.schedule([{ users: [at.ada], rotation: weekly, restriction }]);
  const policy = async (name: string, targets: readonly (readonly object[])[], more = {}) => {
    const steps = targets.map((one, index) => ({
      targets: one,
      ...(index < targets.length - 1 && { escalate_after_minutes: 5 }),
    }));
    const made = await at.send('POST /escalation-policies', { name, steps, ...more });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.id;
  };
  const onCall = { via: 'email', oncall_schedule_id: id };
  const ada = { via: 'email', user_id: at.ada };
  const night = await policy('Night', [
    [ada],
    [onCall],
    [onCall, { via: 'phone', user_id: at.bob }],
  ]);
  await policy('Day', [[ada, onCall]]);
  const other = await policy('Other', [[onCall]], { team_id: at.web });
  const nobody = 'nobody is on call (on call of o)';
  const steps = async (query = '', caller = at.key) => {
    const { status, body } = await at.send(`${PATH}${query}`, undefined, caller);
    assert.deepEqual([status, body.complete], [200, true]);
    return body.data;
  };
  const phone = (reasons: readonly string[]) => reasons.find((one) => one !== nobody);
  const all = await steps();
  assert.deepEqual(
    all.map((one: { escalation_policy_id: string; step: number }) => [
      one.escalation_policy_id,
      one.step,
    ]),
    [
      [night, 2],
      [night, 3],
      [other, 1],
    ],
  );
  assert.deepEqual(all[0].reasons, [nobody]);
  assert.match(phone(all[1].reasons) ?? '', /phone/);
  const ofWeb = [{ escalation_policy_id: other, step: 1, reasons: [nobody] }];
  assert.deepEqual(await steps(`?team_id=${at.web}`), ofWeb);
  const confined = at.world.caller({ role: 'viewer', teamIds: [at.web], defaultTeamId: at.web });
  assert.deepEqual(await steps('', confined), ofWeb);
  at.pass({ hours: 10 });
  assert.deepEqual(await steps(), []);
  at.pass({ hours: 10 });
  assert.equal((await at.send(`DELETE /escalation-policies/${night}`)).status, 200);
  assert.deepEqual(await steps(), ofWeb);
});
