import assert from 'node:assert/strict';
import type { PlaybookAction } from '../../src/resources/action.ts';
import { type Pager, story } from './story.ts';

const note = (text: string): PlaybookAction => ({ type: 'note', text });
const run = (playbook_id: string) => ({ type: 'playbook', playbook_id }) as const;
const performAction = (playbook_id: string) => ({ type: 'perform', action: run(playbook_id) });

/** What the timeline of the first incident says about playbooks and in their names. */
async function playbookTexts(pager: Pager): Promise<string[]> {
  const rows = await pager.sql<{ text: string; actor: { type: string } | null; type: string }[]>`
    select text, actor, type from timeline where incident_id = ${await pager.idOf(1)} order by sequence`;
  return rows
    .filter(({ actor, type }) => actor?.type === 'playbook' || type === 'playbook_run')
    .map(({ text }) => text);
}

story('a rule runs a playbook before anybody is paged', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  const managers = await pager.integration({ steps: [pager.step('boss')] });
  const outage = await pager.playbook({
    name: 'Outage',
    actions: [
      note('All of {{title}}.'),
      { type: 'escalationPolicy', escalation_policy_id: managers.policyId },
    ],
  });
  await pager.rule({ name: 'Shop', actions: [{ type: 'playbook', playbook_id: outage }] });
  await pager.trigger(on, { title: 'shop down' });
  await pager.work();
  assert.deepEqual(pager.heard(), ['09:00 boss: page shop down']);
  assert.deepEqual(await playbookTexts(pager), [
    'The rule Shop ran the playbook Outage',
    'All of shop down.',
    'The playbook Outage changed the policy to Ops',
  ]);
});

story('an edit of a playbook, its archive and its return count from then on', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  const playbook = await pager.playbook({
    name: 'Label',
    actions: [{ type: 'priority', priority: 'p3' }],
  });
  await pager.rule({ name: 'All', actions: [run(playbook)] });
  const priorities: (string | null)[] = [];
  for (const [index, edit] of [
    pager.sql`set enabled = true`,
    pager.sql`set actions = ${pager.sql.json([{ type: 'priority', priority: 'p1' }])}`,
    pager.sql`set enabled = false`,
    pager.sql`set enabled = true, archived_at = ${pager.clock.now()}`,
    pager.sql`set archived_at = null`,
  ].entries()) {
    await pager.sql`update playbooks ${edit} where id = ${playbook}`;
    await pager.trigger(on, { title: `alert ${index}` });
    const [row] = await pager.sql`select priority from incidents where number = ${index + 1}`;
    priorities.push(row?.['priority']);
  }
  assert.deepEqual(priorities, ['p3', 'p1', null, null, 'p1']);
});

story('a playbook runs by itself when what it waits for becomes so', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  const condition_groups: Parameters<Pager['playbook']>[0]['condition_groups'] = [
    { conditions: [{ type: 'incidentMessage', comparator: 'contains', text: 'shop' }] },
  ];
  await pager.playbook({
    name: 'Help',
    actions: [{ type: 'addResponder', user_id: pager.users['lin'] ?? '' }],
    run_automatically: ['acknowledged'],
    condition_groups,
  });
  await pager.playbook({
    name: 'Elsewhere',
    actions: [note('never')],
    run_automatically: ['acknowledged'],
    condition_groups: [
      { conditions: [{ type: 'incidentMessage', comparator: 'contains', text: 'cpu' }] },
    ],
  });
  await pager.trigger(on, { title: 'shop down' });
  await pager.work();
  assert.deepEqual(pager.heard(), ['09:00 ada: page shop down']);
  await pager.does(1, { type: 'acknowledge' });
  await pager.work();
  assert.deepEqual(pager.heard(), ['09:00 lin: responder_added shop down']);
  assert.deepEqual(await playbookTexts(pager), [
    'The playbook Help ran automatically',
    'The playbook Help added lin Example as responder',
  ]);
});

story('a team’s own playbooks run on what others route to it', async (pager) => {
  const core = pager.placeOf('core');
  const on = await pager.integration({ steps: [pager.step('ada')] });
  const theirs = await pager.integration({ steps: [pager.step('lin')] }, core);
  const route = { type: 'routeToTeam', team_id: core.teamId, integration_id: theirs.id } as const;
  await pager.rule({ name: 'Databases', actions: [route] });
  const supportIntegration = await pager.integration({ steps: [pager.step('boss')] }, core);
  await pager.playbook(
    {
      name: 'Desk first',
      actions: [{ type: 'escalationPolicy', escalation_policy_id: supportIntegration.policyId }],
      run_automatically: ['triggered'],
    },
    core,
  );
  await pager.playbook({
    name: 'Ours',
    actions: [note('This is ours')],
    run_automatically: ['triggered'],
  });
  await pager.trigger(on, { title: 'shop down' });
  await pager.work();
  assert.deepEqual(pager.heard(), ['09:00 boss: page shop down']);
});

story('a person runs a playbook, and what it cannot do is told', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  const inner = await pager.playbook({
    name: 'Inner',
    actions: [{ type: 'pagePerson', user_id: pager.users['lin'] ?? '', via: 'email' }],
  });
  const outbound_webhook_id = await pager.webhook('https://status.test/');
  await pager.sql`update outbound_webhooks set archived_at = ${pager.clock.now()}`;
  const outer = await pager.playbook({
    name: 'Outer',
    actions: [
      { type: 'outboundWebhook', outbound_webhook_id },
      run(inner),
      { type: 'acknowledgeIncident' },
    ],
  });
  await pager.trigger(on, { title: 'shop down' });
  await pager.does(1, performAction(outer));
  assert.deepEqual(await pager.incidents(), ['1 acknowledged']);
  assert.deepEqual(await playbookTexts(pager), [
    'Eve ran the playbook Outer',
    'The playbook Outer could not call a webhook: the webhook Status page is archived',
    'The playbook Outer ran the playbook Inner',
    'The playbook Inner pages lin Example by e-mail',
    'The playbook Outer acknowledged, so nobody else is paged',
  ]);
});

story('what a playbook does for a person makes others run by themselves', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  const end = await pager.playbook({ name: 'End', actions: [{ type: 'resolveIncident' }] });
  await pager.playbook({
    name: 'After',
    actions: [note('over'), { type: 'priority', priority: 'p5' }],
    run_automatically: ['resolved'],
  });
  await pager.trigger(on, { title: 'shop down' });
  await pager.does(1, performAction(end));
  assert.deepEqual((await playbookTexts(pager)).slice(1), [
    'The playbook End resolved',
    'The playbook After ran automatically',
    'over',
    'The playbook After could not set the priority: it is resolved',
  ]);
});

story('an archived or disabled playbook is refused to a person', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  const disabled = await pager.playbook({ name: 'Off', actions: [note('x')], enabled: false });
  const archived = await pager.playbook({ name: 'Old', actions: [note('x')] });
  await pager.sql`update playbooks set archived_at = ${pager.clock.now()} where id = ${archived}`;
  await pager.trigger(on, { title: 'shop down' });
  for (const [id, reason] of [
    [disabled, 'Off is disabled'],
    [archived, 'Old is archived'],
    ['a'.repeat(24), 'the playbook does not exist'],
  ] as const)
    assert.deepEqual(await pager.does(1, performAction(id)), { result: 'refused', reason });
  assert.deepEqual(await playbookTexts(pager), []);
});

story('a playbook runs when an incident escalates, and its webhook is told so', async (pager) => {
  const url = 'https://status.test/incidents';
  pager.answers.set(url, { outcome: 'delivered', status: 200 });
  const steps = [pager.step('ada', 5), pager.step('stranger', 5), pager.step('lin')];
  const on = await pager.integration({ steps, repeats: true });
  await pager.playbook({
    name: 'Status page',
    actions: [{ type: 'outboundWebhook', outbound_webhook_id: await pager.webhook(url) }],
    run_automatically: ['triggered', 'escalated'],
  });
  const called = async () => {
    const rows = await pager.sql<{ at: Temporal.Instant; body: string }[]>`
      select created_at as at, content->>'body' as body from outbox
      where kind = 'webhook' and state = 'sent' order by sequence`;
    return rows.map(({ at, body }) => `${`${at}`.slice(11, 16)} ${JSON.parse(body).event_type}`);
  };
  await pager.trigger(on, { title: 'shop down' });
  await pager.at('09:30');
  assert.deepEqual(pager.heard(), [
    '09:00 ada: page shop down',
    '09:05 lin: page shop down',
    '09:15 ada: page shop down',
    '09:20 lin: page shop down',
    '09:30 ada: page shop down',
  ]);
  assert.deepEqual(await called(), [
    '09:00 incident_triggered',
    '09:05 incident_escalated',
    '09:20 incident_escalated',
  ]);
  await pager.does(1, { type: 'acknowledge' });
  await pager.does(1, { type: 'escalate' });
  await pager.work();
  assert.equal((await called()).at(-1), '09:30 incident_escalated');
});

story(
  'another policy answers an escalation instead of the step that was reached',
  async (pager) => {
    const on = await pager.integration({ steps: [pager.step('ada', 5), pager.step('lin')] });
    const managers = await pager.integration({ steps: [pager.step('boss')] });
    await pager.playbook({
      name: 'Managers',
      actions: [{ type: 'escalationPolicy', escalation_policy_id: managers.policyId }],
      run_automatically: ['escalated'],
    });
    await pager.trigger(on, { title: 'shop down' });
    await pager.at('10:00');
    assert.deepEqual(pager.heard(), ['09:00 ada: page shop down', '09:05 boss: page shop down']);
  },
);
