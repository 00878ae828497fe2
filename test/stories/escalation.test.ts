import assert from 'node:assert/strict';
import { type Pager, story } from './story.ts';

const disk = { title: 'disk full' };
const resolved = { title: 'disk full', status: 'resolve' };

story('nobody acknowledges, so the second step is paged', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada', 5), pager.step('lin')] });
  await pager.trigger(on, disk);
  await pager.at('09:04');
  assert.deepEqual(pager.heard(), ['09:00 ada: page disk full']);
  await pager.at('12:00');
  assert.deepEqual(pager.heard(), ['09:05 lin: page disk full']);
});

story(
  'an acknowledgement keeps the others asleep, and the all-clear goes to who was paged',
  async (pager) => {
    const on = await pager.integration({ steps: [pager.step('ada', 5), pager.step('lin')] });
    await pager.trigger(on, disk);
    await pager.at('09:03');
    await pager.does(1, { type: 'acknowledge' });
    await pager.at('10:00');
    await pager.trigger(on, resolved);
    await pager.at('10:01');
    assert.deepEqual(pager.heard(), [
      '09:00 ada: page disk full',
      '10:00 ada: all_clear disk full',
    ]);
    assert.deepEqual(await pager.incidents(), ['1 resolved']);
  },
);

story('an acknowledgement that is not followed up pages again from step 1', async (pager) => {
  const steps = [pager.step('ada', 5), pager.step('lin')];
  const on = await pager.integration({ steps, ackTimeoutMinutes: 30 });
  await pager.trigger(on, disk);
  await pager.at('09:01');
  await pager.does(1, { type: 'acknowledge' });
  pager.heard();
  await pager.at('10:00');
  assert.deepEqual(pager.heard(), ['09:31 ada: page disk full', '09:36 lin: page disk full']);
});

story('a policy repeats five times and then rests', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')], repeats: true });
  await pager.trigger(on, disk);
  await pager.at('12:00');
  const hours = ['09:00', '09:10', '09:20', '09:30', '09:40', '09:50'];
  assert.deepEqual(
    pager.heard(),
    hours.map((hour) => `${hour} ada: page disk full`),
  );
});

story('an engine that was away for 30 minutes does not page everybody at once', async (pager) => {
  const steps = [pager.step('ada', 5), pager.step('lin', 5), pager.step('eve')];
  const on = await pager.integration({ steps });
  for (let index = 0; index < 50; index += 1) await pager.trigger(on, { title: `alert ${index}` });
  await pager.work();
  assert.equal(pager.heard().length, 50);
  await pager.does(1, { type: 'acknowledge' });
  await pager.does(2, { type: 'resolve' });
  await pager.work();
  pager.heard();
  pager.awayUntil('09:35');
  await pager.work();
  const back = pager.heard();
  assert.equal(back.length, 48);
  assert.ok(back.every((one) => one.startsWith('09:35 lin')));
  await pager.at('09:39');
  assert.deepEqual(pager.heard(), []);
  await pager.at('09:40');
  assert.equal(pager.heard().length, 48);
});

story('a muted incident waits at 09:02 and goes on from there after the mute', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada', 5), pager.step('lin')] });
  await pager.trigger(on, disk);
  await pager.at('09:02');
  const until = Temporal.Instant.from('2026-03-02T11:00:00Z');
  await pager.does(1, { type: 'mute', until });
  pager.heard();
  // A restart in between changes nothing: all of it is in the database.
  pager.servers.splice(0);
  pager.serve();
  await pager.trigger(on, disk);
  await pager.at('12:00');
  assert.deepEqual(pager.heard(), ['11:03 lin: page disk full']);
});

story(
  'a page held by a mute is sent when the mute ends, also one without an end',
  async (pager) => {
    pager.answers.set('ada', { outcome: 'no_answer', reason: 'full' });
    const on = await pager.integration({ steps: [pager.step('ada', 5), pager.step('lin')] });
    await pager.trigger(on, disk);
    await pager.work();
    await pager.does(1, { type: 'mute', until: null });
    pager.answers.delete('ada');
    await pager.at('09:20');
    assert.deepEqual(pager.heard(), []);
    await pager.does(1, { type: 'unmute' });
    await pager.at('09:30');
    assert.deepEqual(pager.heard(), ['09:20 ada: page disk full', '09:25 lin: page disk full']);
  },
);

for (const [title, answer] of [
  ['was never tried', null],
  ['waits for its next try', { outcome: 'no_answer', reason: 'full' }],
] as const)
  story(`a page that ${title} is sent at the very end of a mute`, async (pager) => {
    const on = await pager.integration({ steps: [pager.step('ada')] });
    await pager.trigger(on, disk);
    if (answer) pager.answers.set('ada', answer);
    if (answer) await pager.work();
    await pager.does(1, { type: 'mute', until: null });
    pager.answers.delete('ada');
    await pager.at('09:20');
    assert.deepEqual(pager.heard(), []);
    await pager.does(1, { type: 'unmute' });
    await pager.work();
    assert.deepEqual(pager.heard(), ['09:20 ada: page disk full']);
  });

story('a page that is being sent is not sent again at the end of a mute', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  pager.answers.set('ada', 'never');
  await pager.trigger(on, disk);
  await pager.work();
  await pager.does(1, { type: 'mute', until: null });
  await pager.does(1, { type: 'unmute' });
  pager.answers.delete('ada');
  pager.servers.splice(0);
  pager.serve();
  await pager.work();
  assert.deepEqual(pager.heard(), []);
  await pager.at('09:02');
  assert.deepEqual(pager.heard(), ['09:01 ada: page disk full']);
});

story('a step whose schedule is empty is skipped at once, with the reason', async (pager) => {
  const schedule = await pager.schedule([null]);
  const empty = { targets: [{ via: 'email' as const, oncall_schedule_id: schedule }] };
  const steps = [{ ...empty, escalate_after_minutes: 30 }, pager.step('lin')];
  await pager.trigger(await pager.integration({ steps }), disk);
  await pager.at('09:01');
  assert.deepEqual(pager.heard(), ['09:00 lin: page disk full']);
  const entries = await pager.timeline(1);
  assert.deepEqual(entries, ['opened', 'step_skipped', 'step_ran', 'notice_sent']);
});

story('who stands in is paged, from the very instant on', async (pager) => {
  const schedule = await pager.schedule([pager.users['ada'] ?? '']);
  await pager.standIn(schedule, 'lin', { from: '09:05', to: '09:10' });
  const rota = { targets: [{ via: 'email' as const, oncall_schedule_id: schedule }] };
  const steps = [5, 5, 5].map((minutes) => ({ ...rota, escalate_after_minutes: minutes }));
  await pager.trigger(await pager.integration({ steps }), disk);
  await pager.at('09:30');
  assert.deepEqual(pager.heard(), [
    '09:00 ada: page disk full',
    '09:05 lin: page disk full',
    '09:10 ada: page disk full',
  ]);
  const [notice] = await pager.sql`
    select notice ->> 'recipient' as recipient, notice ->> 'route' as route from outbox
    where step = 1`;
  const route = 'on call of Rota, by an override';
  assert.deepEqual({ ...notice }, { recipient: 'lin Example', route });
});

story('someone who leaves while on call is skipped, and the escalation goes on', async (pager) => {
  const schedule = await pager.schedule([pager.users['ada'] ?? '']);
  const onCall = { targets: [{ via: 'email' as const, oncall_schedule_id: schedule }] };
  const steps = [pager.step('eve', 5), { ...onCall, escalate_after_minutes: 5 }, pager.step('lin')];
  await pager.trigger(await pager.integration({ steps }), disk);
  await pager.at('09:01');
  await pager.sql`update users set active = false where id = ${pager.users['ada'] ?? ''}`;
  await pager.at('09:30');
  assert.deepEqual(pager.heard(), ['09:00 eve: page disk full', '09:05 lin: page disk full']);
});

story('a policy that can page nobody pages the admins of the team', async (pager) => {
  const sms = { targets: [{ via: 'sms' as const, user_id: pager.users['ada'] ?? '' }] };
  await pager.trigger(await pager.integration({ steps: [sms] }), disk);
  await pager.at('09:01');
  assert.deepEqual(pager.heard(), ['09:00 boss: nobody_paged disk full']);
});

const gone = { outcome: 'failed', reason: 'no such mailbox' } as const;
const full = { outcome: 'no_answer', reason: 'full' } as const;

story('a policy of which no page arrives pages the admins of the team', async (pager) => {
  for (const name of ['ada', 'lin']) pager.answers.set(name, gone);
  await pager.trigger(
    await pager.integration({ steps: [pager.step('ada', 5), pager.step('lin')] }),
    disk,
  );
  await pager.at('09:06');
  assert.deepEqual(pager.heard(), ['09:00 boss: nobody_paged disk full']);
  const entries = (await pager.timeline(1)).filter((type) => type === 'nobody_paged');
  assert.equal(entries.length, 1);
});

story('when no page of a step arrives, the next one runs at once and says why', async (pager) => {
  pager.answers.set('ada', gone);
  const steps = [pager.step('ada', 5), pager.step('lin', 5), pager.step('eve')];
  await pager.trigger(await pager.integration({ steps }), disk);
  await pager.at('09:06');
  assert.deepEqual(pager.heard(), ['09:00 lin: page disk full', '09:05 eve: page disk full']);
  const entries = (await pager.timeline(1)).slice(0, 5);
  assert.deepEqual(entries, ['opened', 'step_ran', 'notice_failed', 'step_failed', 'step_ran']);
});

story('but not before a minute, while a page of it may still be sent', async (pager) => {
  pager.answers.set('ada', gone);
  pager.answers.set('lin', full);
  const [both, next] = [[pager.step('ada', 5), pager.step('lin', 5)], pager.step('eve')];
  const targets = both.flatMap((step) => step.targets);
  const steps = [{ targets, escalate_after_minutes: 5 }, next];
  const on = await pager.integration({ steps });
  await pager.trigger(on, disk);
  await pager.at('09:01');
  assert.deepEqual(pager.heard(), ['09:01 eve: page disk full']);
  assert.ok((await pager.timeline(1)).includes('step_failed'));
  await pager.trigger(on, { title: 'cpu' });
  await pager.work();
  pager.answers.set('lin', gone);
  await pager.at('09:02');
  assert.deepEqual(pager.heard(), ['09:01 eve: page cpu']);
});

story('a vendor that is down for an hour keeps nobody else asleep', async (pager) => {
  for (const name of ['ada', 'lin']) pager.answers.set(name, full);
  const steps = [pager.step('ada', 30), pager.step('lin', 30)];
  await pager.trigger(await pager.integration({ steps }), disk);
  await pager.at('10:00');
  assert.deepEqual(pager.heard(), ['09:02 boss: nobody_paged disk full']);
  assert.deepEqual(await textsOf(pager, 'step_failed', 'nobody_paged'), [
    'No page of step 1 of 2 could be sent within 60 seconds of its first attempt: step 2 runs now',
    'Nobody could be paged: notified boss Example',
  ]);
  for (const name of ['ada', 'lin']) pager.answers.delete(name);
  await pager.at('10:02');
  assert.deepEqual(pager.heard(), ['10:00 ada: page disk full']);
  await pager.at('10:31');
  assert.deepEqual(pager.heard(), ['10:30 lin: page disk full']);
});

story('an uplink that is away for five minutes calls one step on its return', async (pager) => {
  const all = ['ada', 'lin', 'eve', 'boss'];
  for (const name of all) pager.answers.set(name, full);
  const steps = [pager.step('ada', 2), pager.step('lin', 2), pager.step('eve')];
  await pager.trigger(await pager.integration({ steps }), disk);
  await pager.at('09:05');
  assert.deepEqual(pager.heard(), []);
  for (const name of all) pager.answers.delete(name);
  await pager.at('09:06');
  assert.deepEqual(pager.heard(), ['09:05 ada: page disk full']);
  assert.deepEqual(await textsOf(pager, 'step_taken', 'notice_cancelled'), [
    'A page of step 1 of 3 was sent after all: steps 2 to 3 are withdrawn and will run again when they are due',
    'The page to lin Example by e-mail was not sent: a page of step 1 was sent in the meantime',
    'The page to eve Example by e-mail was not sent: a page of step 1 was sent in the meantime',
    'The page to an admin to boss Example by e-mail was not sent: a page of step 1 was sent in the meantime',
  ]);
  await pager.at('09:10');
  assert.deepEqual(pager.heard(), ['09:07 lin: page disk full', '09:09 eve: page disk full']);
});

for (const [title, drop] of [
  ['stored without a time for its pages', `escalation::jsonb - 'takenBy'`],
  ['whose timer it has forgotten', `escalation::jsonb`],
])
  story(`an incident of the previous release, ${title}, is not silent`, async (pager) => {
    pager.answers.set('ada', full);
    await pager.trigger(await pager.integration({ steps: [pager.step('ada')] }), disk);
    await pager.at('09:00:40');
    await pager.sql`
      update incidents set escalation = (${pager.sql.unsafe(drop ?? '')})::json, wake_at = null`;
    await pager.at('09:03');
    const [heard, ...others] = pager.heard();
    assert.match(heard ?? '', /^09:0[12] boss: nobody_paged disk full$/);
    assert.deepEqual(others, []);
  });

story('an acknowledgement by the previous release ends it as well', async (pager) => {
  pager.answers.set('ada', full);
  const steps = [pager.step('ada', 5), pager.step('lin')];
  await pager.trigger(await pager.integration({ steps }), disk);
  await pager.work();
  await pager.does(1, { type: 'acknowledge' });
  // It leaves the time behind.
  await pager.sql`
    update incidents set escalation = jsonb_set(escalation::jsonb, '{takenBy}',
      '"2026-03-02T09:01:00Z"')`;
  await pager.does(1, { type: 'note', text: 'I look into it' });
  await pager.at('09:30');
  assert.deepEqual(pager.heard(), []);
  assert.deepEqual(await textsOf(pager, 'step_failed', 'step_ran'), [
    'Step 1 of 2 pages ada Example by e-mail',
  ]);
});

story('a second call does not put off the next step', async (pager) => {
  const call = { outcome: 'handed_over', receiptWithinSeconds: 60, vendorId: 'CA1' } as const;
  pager.vendorAnswers.set('ada', { ...call, connectionId: 'c'.repeat(24) });
  pager.answers.set('lin', full);
  const steps = [pager.step('ada', 1), pager.step('lin', 1), pager.step('eve')];
  await pager.trigger(await pager.integration({ steps }), disk);
  await pager.at('09:03');
  assert.deepEqual(pager.heard(), ['09:02 eve: page disk full']);
  assert.deepEqual(await textsOf(pager, 'step_taken'), []);
});

async function textsOf(pager: Pager, ...types: string[]): Promise<readonly string[]> {
  const rows = await pager.sql<{ text: string }[]>`
    select text from timeline where type = any(${types}) order by sequence`;
  return rows.map(({ text }) => text);
}

story('nor once somebody has acknowledged', async (pager) => {
  pager.answers.set('ada', full);
  const steps = [pager.step('ada', 5), pager.step('lin')];
  await pager.trigger(await pager.integration({ steps }), disk);
  await pager.work();
  await pager.does(1, { type: 'acknowledge' });
  pager.answers.set('ada', gone);
  await pager.at('09:30');
  assert.deepEqual(pager.heard(), []);
});

story('nor is anybody left in silence when the last step can page nobody', async (pager) => {
  pager.answers.set('ada', gone);
  const sms = { targets: [{ via: 'sms' as const, user_id: pager.users['lin'] ?? '' }] };
  await pager.trigger(await pager.integration({ steps: [pager.step('ada', 5), sms] }), disk);
  await pager.at('09:06');
  assert.deepEqual(pager.heard(), ['09:00 boss: nobody_paged disk full']);
});

story('one page that arrives is enough', async (pager) => {
  const steps = [pager.step('ada', 5), pager.step('lin')];
  pager.answers.set('lin', gone);
  await pager.trigger(await pager.integration({ steps }), disk);
  await pager.at('09:06');
  assert.deepEqual(pager.heard(), ['09:00 ada: page disk full']);
  pager.answers.set('ada', { ...full, retryAfterSeconds: 3_600 });
  await pager.trigger(await pager.integration({ steps }), { title: 'cpu' });
  await pager.at('09:20');
  assert.deepEqual(pager.heard(), ['09:07 boss: nobody_paged cpu']);
});

story('of pages that fail on two servers at once the admins hear, once', async (pager) => {
  pager.inFlightMax = 1;
  const servers = [pager.serve(), pager.serve()];
  for (const name of ['ada', 'lin']) pager.answers.set(name, gone);
  const targets = ['ada', 'lin'].flatMap((name) => pager.step(name).targets);
  for (let times = 0; times < 10; times += 1) {
    const on = await pager.integration({ steps: [{ targets }] });
    await pager.trigger(on, disk);
    for (let round = 0; round < 3; round += 1)
      await Promise.all(servers.map((server) => pager.workOn(server)));
    assert.deepEqual(pager.heard(), ['09:00 boss: nobody_paged disk full']);
  }
});

story('a fault in deciding one incident neither stops the others nor ends it', async (pager) => {
  const schedule = await pager.schedule([pager.users['ada'] ?? '']);
  const rota = { targets: [{ via: 'email' as const, oncall_schedule_id: schedule }] };
  const broken = await pager.integration({ steps: [pager.step('eve', 5), rota] });
  const sound = await pager.integration({ steps: [pager.step('eve', 5), pager.step('lin')] });
  await pager.trigger(broken, { title: 'broken' });
  await pager.trigger(sound, { title: 'sound' });
  await pager.at('09:01');
  pager.heard();
  await pager.sql`update schedule_revisions set timezone = 'Mars/Base'`;
  await pager.at('09:06');
  assert.deepEqual(pager.heard(), ['09:05 boss: nobody_paged broken', '09:05 lin: page sound']);
  assert.ok(pager.failed.includes('incident'));
  const entries = await pager.timeline(1);
  assert.ok(entries.includes('undecided') && entries.includes('nobody_paged'));
  await pager.sql`update schedule_revisions set timezone = 'Etc/UTC'`;
  await pager.at('09:08');
  assert.deepEqual(pager.heard(), ['09:07 ada: page broken']);
});

story('a fault in deciding one alert neither stops the others nor loses it', async (pager) => {
  const schedule = await pager.schedule([pager.users['ada'] ?? '']);
  const rota = { targets: [{ via: 'email' as const, oncall_schedule_id: schedule }] };
  const broken = await pager.integration({ steps: [rota] });
  const sound = await pager.integration({ steps: [pager.step('lin')] });
  await pager.sql`update schedule_revisions set timezone = 'Mars/Base'`;
  const answers = await Promise.all([
    pager.trigger(broken, { title: 'broken' }),
    pager.trigger(sound, { title: 'sound' }),
  ]);
  const outcomes = answers.map((one) => 'alerts' in one && one.alerts[0]?.outcome);
  assert.deepEqual(outcomes, ['opened', 'opened']);
  await pager.work();
  assert.deepEqual(pager.heard(), ['09:00 boss: nobody_paged broken', '09:00 lin: page sound']);
  await pager.sql`update schedule_revisions set timezone = 'Etc/UTC'`;
  await pager.at('09:02');
  assert.deepEqual(pager.heard(), ['09:01 ada: page broken']);
});

story('an address that looks like something sealed is an address', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada', 5), pager.step('lin')] });
  await pager.sql`
    update users set email = 'v1:' || email where id = ${pager.users['ada'] ?? ''}`;
  await pager.trigger(on, disk);
  await pager.at('09:05');
  assert.deepEqual(pager.heard(), ['09:00 v1:ada: page disk full', '09:05 lin: page disk full']);
});
