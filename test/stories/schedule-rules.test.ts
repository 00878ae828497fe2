// Beside a server of the release before all servers go by its rules of who is on call.
import assert from 'node:assert/strict';
import { silentLog } from '../../src/engine/log.ts';
import { createScheduleRules } from '../../src/engine/schedule-rules.ts';
import { newScheduleRulesApply } from '../../src/storage/oncall/schedule-rules.ts';
import { story } from './story.ts';

story(
  'schedules follow new rules when two checks see no server of the release before',
  async (pager) => {
    await pager.sql`update schedule_rules set in_force_from = null`;
    const { ledger } = pager.serve();
    let wakes = 0;
    const rules = createScheduleRules(
      { ledger, clock: pager.clock, log: silentLog },
      ({ shifts }) => {
        if (shifts) wakes += 1;
      },
    );
    const checkAt = async (hour: string) => {
      pager.awayUntil(hour);
      await rules.work();
      return [await newScheduleRulesApply(pager.sql), (await rules.next()) === null, wakes];
    };
    const session = await pager.sql.reserve();
    const named = (name: string) => session`select set_config('application_name', ${name}, false)`;
    await named('pager secret key');
    assert.deepEqual(await checkAt('09:01'), [false, false, 0]);
    assert.deepEqual(await checkAt('09:05'), [false, false, 0]);
    await named('pager key lock');
    assert.deepEqual(await checkAt('09:06'), [false, false, 0]);
    assert.deepEqual(await checkAt('09:07'), [true, true, 1]);
    session.release();
  },
);

story('a start notes whom a server of the release before made inactive', async (pager) => {
  const { ledger } = pager.serve();
  const { ada = '' } = pager.users;
  await pager.schedule([ada]);
  await pager.sql`update users set active = false where id = ${ada}`;
  let wakes = 0;
  const rules = createScheduleRules(
    { ledger, clock: pager.clock, log: silentLog },
    ({ shifts }) => {
      if (shifts) wakes += 1;
    },
  );
  for (const hour of ['09:01', '09:02']) {
    pager.awayUntil(hour);
    await rules.work();
  }
  const noted = await pager.sql`select user_id from schedule_inactivity`;
  assert.deepEqual(
    noted.map(({ user_id }) => user_id),
    [ada],
  );
  assert.deepEqual([wakes, await rules.next()], [1, null]);
});

story('where the rules are in force already nothing is done', async (pager) => {
  const { ledger } = pager.serve();
  const rules = createScheduleRules({ ledger, clock: pager.clock, log: silentLog }, () =>
    assert.fail('nothing is due'),
  );
  for (const hour of ['09:01', '09:02']) {
    pager.awayUntil(hour);
    await rules.work();
  }
  assert.equal(await rules.next(), null);
});
