import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { story } from './story.ts';

const disk = { title: 'disk full' };
const resolved = { title: 'disk full', status: 'resolve' };

story('the same alert to two servers at once is one incident and one page', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  const other = pager.serve();
  const answers = await Promise.all([pager.trigger(on, disk), pager.trigger(on, disk, other)]);
  const outcomes = answers.map((one) => 'alerts' in one && one.alerts[0]?.outcome);
  assert.deepEqual(outcomes.sort(), ['opened', 'suppressed']);
  await pager.at('09:01');
  assert.deepEqual(pager.heard(), ['09:00 ada: page disk full']);
  assert.deepEqual(await pager.incidents(), ['1 triggered']);
});

story(
  'a resolve that races with its trigger leaves one incident and no stale page',
  async (pager) => {
    const on = await pager.integration({ steps: [pager.step('ada')] });
    const other = pager.serve();
    await pager.trigger(on, disk);
    await Promise.all([pager.trigger(on, disk), pager.trigger(on, resolved, other)]);
    await pager.trigger(on, resolved);
    await pager.at('09:01');
    assert.ok((await pager.incidents()).every((one) => one.endsWith(' resolved')));
    assert.deepEqual(pager.heard(), []);
  },
);

story('two servers share the work and nobody is paged twice', async (pager) => {
  const steps = [pager.step('ada', 5), pager.step('lin')];
  const on = await pager.integration({ steps });
  const [one] = pager.servers;
  assert.ok(one);
  const two = pager.serve();
  const titles = Array.from({ length: 60 }, (_, index) => `alert ${index}`);
  await Promise.all(
    titles.map((title, index) => pager.trigger(on, { title }, index % 2 === 0 ? one : two)),
  );
  for (const hour of ['09:00', '09:05']) {
    pager.awayUntil(hour);
    for (let round = 0; round < 30; round += 1)
      await Promise.all([pager.workOn(one), pager.workOn(two)]);
  }
  const heard = pager.heard();
  assert.equal(heard.length, 120);
  assert.equal(new Set(heard).size, 120);
});

story('1,300 people of one step are all paged, once each', async (pager) => {
  const { organizationId, now } = pager.scope;
  const rows = Array.from({ length: 1_300 }, (_, index) => ({
    organization_id: organizationId,
    id: randomBytes(12).toString('hex'),
    first_name: `p${index}`,
    last_name: '',
    email: `p${index}@many.test`,
    role: 'responder',
    active: true,
    version: 1,
    created_at: now,
    updated_at: now,
  }));
  await pager.sql`insert into users ${pager.sql(rows)}`;
  const targets = rows.map(({ id }) => ({ via: 'email' as const, user_id: id }));
  await pager.trigger(await pager.integration({ steps: [{ targets }] }), disk);
  await pager.work();
  const heard = pager.heard();
  assert.equal(heard.length, 1_300);
  assert.equal(new Set(heard).size, 1_300);
});

story('a page whose server died while sending is sent by another a minute later', async (pager) => {
  await pager.trigger(await pager.integration({ steps: [pager.step('ada')] }), disk);
  pager.answers.set('ada', 'never');
  await pager.work();
  pager.servers.splice(0);
  pager.answers.clear();
  pager.serve();
  await pager.at('09:02');
  assert.deepEqual(pager.heard(), ['09:01 ada: page disk full']);
});

story('a receiver that is back after ten minutes gets its page within a minute', async (pager) => {
  await pager.trigger(await pager.integration({ steps: [pager.step('ada')] }), disk);
  pager.answers.set('ada', { outcome: 'no_answer', reason: 'connection refused' });
  await pager.at('09:10');
  pager.answers.clear();
  await pager.at('09:11');
  const [admin, ada, ...others] = pager.heard();
  assert.equal(admin, '09:01 boss: nobody_paged disk full', 'while nobody else hears of it');
  assert.match(ada ?? '', /^09:1\d ada: page disk full$/);
  assert.deepEqual(others, []);
});

story('a page that waits for its receiver is cancelled by the acknowledgement', async (pager) => {
  await pager.trigger(await pager.integration({ steps: [pager.step('ada')] }), disk);
  pager.answers.set('ada', { outcome: 'no_answer', reason: 'connection refused' });
  await pager.at('09:03');
  await pager.does(1, { type: 'acknowledge' });
  pager.answers.clear();
  await pager.at('10:00');
  assert.deepEqual(pager.heard(), ['09:01 boss: nobody_paged disk full']);
  assert.equal((await pager.timeline(1)).at(-1), 'notice_cancelled');
});
