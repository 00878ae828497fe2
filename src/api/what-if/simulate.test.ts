import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trialApi } from '../../../test/trial-api.ts';

const request = 'POST /simulate';

type Trial = Awaited<ReturnType<typeof trialApi>>;

async function storyOf(at: Trial, body: object) {
  const answer = await at.send(request, { integration_id: at.integration, ...body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

test('the whole story of an event is told: why, whom, and until when', async () => {
  await using at = await trialApi();
  const steps = [
    { targets: [{ via: 'email', user_id: at.ada }], escalate_after_minutes: 5 },
    { targets: [{ via: 'sms', user_id: at.lin }], escalate_after_minutes: 5 },
    { targets: [{ via: 'slack', channel_name: '#ops', webhook_url: 'https://chat.test/1' }] },
  ];
  assert.equal((await at.send(`PATCH /escalation-policies/${at.policy}`, { steps })).status, 200);
  const conditions = [{ type: 'incidentMessage', comparator: 'contains', text: 'disk' }];
  const actions = [{ type: 'priority', priority: 'p1' }];
  const rule = { name: 'Disks', condition_groups: [{ conditions }], actions };
  const id = await at.make('alert-rules', rule);
  const story = await storyOf(at, { event: { title: 'Disk full' } });
  const [incident] = story.incidents;
  assert.deepEqual(story.alerts, [
    {
      action: 'trigger',
      dedup_key: 'Disk full',
      title: 'Disk full',
      outcome: 'opened',
      reason: null,
      incident_id: incident.id,
      rules: [
        {
          id,
          name: 'Disks',
          matched: true,
          applied: true,
          scope: { matched: true, text: 'The rule covers every integration of its team.' },
          groups: [
            {
              matched: true,
              conditions: [{ matched: true, text: 'The title "Disk full" contains "disk".' }],
            },
          ],
        },
      ],
    },
  ]);
  assert.deepEqual(incident, {
    id: incident.id,
    number: null,
    title: 'Disk full',
    status: 'triggered',
    priority: 'p1',
    severity: null,
    team_id: at.ops,
    service_id: at.service,
    integration_id: at.integration,
    escalation_policy: { id: at.policy, name: 'Night' },
  });
  const lines = story.entries.map(({ after_seconds, text }: Line) => `${after_seconds} s: ${text}`);
  assert.deepEqual(lines, [
    '0 s: Opened by an alert to Checks, on Shop',
    '0 s: The rule Disks set the priority to P1',
    '0 s: Step 1 of 3 pages ada Example by e-mail',
    '0 s: The page to ada Example by e-mail was sent',
    '300 s: Step 2 of 3 can page nobody; skipped lin Example by SMS: channel not set up',
    '300 s: Step 3 of 3 can page nobody; skipped #ops in Slack: channel not set up',
  ]);
  const common = { incident_id: incident.id, kind: 'page' };
  const [first, second, third, ...others] = story.notices;
  assert.deepEqual(first, {
    at: '2026-03-04T09:30:00.000Z',
    after_seconds: 0,
    ...common,
    step: 1,
    channel: 'email',
    person: 'ada Example',
    user_id: at.ada,
    deliverable: true,
    reason: null,
  });
  assert.deepEqual(second, {
    at: '2026-03-04T09:35:00.000Z',
    after_seconds: 300,
    ...common,
    step: 2,
    channel: 'sms',
    person: 'lin Example',
    user_id: at.lin,
    deliverable: false,
    reason: 'channel not set up',
  });
  assert.deepEqual([third.chat, third.person, third.deliverable], ['#ops', undefined, false]);
  assert.deepEqual(others, []);
  assert.deepEqual(story.warnings, []);
  assert.deepEqual(story.ended, {
    type: 'exhausted',
    at: '2026-03-04T09:35:00.000Z',
    after_seconds: 300,
    text: 'Nobody acknowledged, and nobody else will be paged.',
  });
});

test('the contacts are named that a page would try one after the other', async () => {
  await using at = await trialApi();
  await at.sql`
    insert into contacts (organization_id, id, user_id, channel, address, verified_at, created_at)
    select organization_id, ${'c'.repeat(24)}, id, 'email', 'ada@home.test', now(), now()
    from users where id = ${at.ada}`;
  const steps = [at.ada, at.lin].map((user_id) => ({
    targets: [{ via: 'email', user_id }],
    escalate_after_minutes: 5,
  }));
  assert.equal((await at.send(`PATCH /escalation-policies/${at.policy}`, { steps })).status, 200);
  const { notices } = await storyOf(at, { event: { title: 'Disk full' } });
  const [toAda, toLin] = notices.map(({ contacts }: { contacts?: string[] }) => contacts);
  assert.match(toAda.join(' '), /^a…@\S+ a…@home\.test$/);
  assert.equal(toLin, undefined);
});

type Line = { readonly after_seconds: number; readonly text: string };

test('whatever cannot be read is told at its path', async () => {
  await using at = await trialApi();
  const wrong = (body: object) => at.pathsOf(request, body);
  const integration_id = at.integration;
  const event = { title: 'Disk full' };
  assert.deepEqual(await wrong({}), ['event']);
  assert.deepEqual(await wrong({ event }), ['integration_id']);
  assert.deepEqual(await wrong({ integration_id, event: {} }), ['event.body']);
  assert.deepEqual(await wrong({ integration_id, event: { body: {} } }), ['event.body']);
  const two = { title: 'x', body: 'x', severity: 'sev1' };
  assert.deepEqual(await wrong({ integration_id, event: two }), ['event.title', 'event.severity']);
  assert.deepEqual(await wrong({ incident_id: '1', event, at: '2026-03-04T09:30:00Z' }), [
    'event',
    'at',
  ]);
  const course = { at: 'soon', acknowledge_after_minutes: -1, until: 'noon' };
  assert.deepEqual(await wrong({ integration_id, event, ...course }), [
    ...['at', 'acknowledge_after_minutes', 'until'],
  ]);
  assert.deepEqual(await wrong({ integration_id, event, at: '1066-10-14T09:00:00Z' }), ['at']);
});

test('what is proposed is held to what a save is held to, each mistake at its path', async () => {
  await using at = await trialApi();
  const wrong = (configuration: object) =>
    at.pathsOf(request, {
      integration_id: at.integration,
      event: { title: 'Disk full' },
      configuration,
    });
  const all = [{ conditions: [{ type: 'allIncidents' }] }];
  const rule = (fields: object) => ({
    name: 'Rule',
    condition_groups: all,
    actions: [],
    ...fields,
  });
  const acknowledges = { actions: [{ type: 'acknowledgeIncident' }] };
  const stranger = [{ type: 'reassignIncident', user_id: 'f'.repeat(24) }];
  const broken = [{ conditions: [{ type: 'incidentMessage', comparator: 'matches', text: 'a(' }] }];
  const rules = [
    rule(acknowledges),
    rule({ actions: stranger, condition_groups: broken }),
    rule({ ...acknowledges, team_id: at.web }),
    7,
  ];
  assert.deepEqual(await wrong({ rules }), [
    'configuration.rules[1].condition_groups[0].conditions[0].text',
    'configuration.rules[1].actions[0].user_id',
    'configuration.rules[2].team_id',
    'configuration.rules[3]',
  ]);
  const id = 'a'.repeat(24);
  const twice = [rule({ ...acknowledges, id }), rule({ ...acknowledges, id })];
  assert.deepEqual(await wrong({ rules: twice }), ['configuration.rules[1].id']);
  const target = { via: 'email', user_id: at.ada };
  const steps = [{ targets: [target] }, { targets: [{ ...target, via: 'pigeon' }] }];
  assert.deepEqual(await wrong({ escalation_policy: { name: 'Day', steps } }), [
    'configuration.escalation_policy.steps[1].targets[0].via',
    'configuration.escalation_policy.steps[0].escalate_after_minutes',
  ]);
  assert.deepEqual(await wrong({ schedules: [] }), ['configuration.schedules']);
});

test('what is saved may point to what is archived or deactivated, what is new may not', async () => {
  await using at = await trialApi();
  const { service, policy } = at;
  const related = { slug: 'webhook', service_id: service, escalation_policy_id: policy };
  const rule = await at.make('alert-rules', {
    name: 'Rule',
    integration_ids: [await at.make('integrations', related)],
    condition_groups: [{ conditions: [{ type: 'allIncidents' }] }],
    actions: [{ type: 'acknowledgeIncident' }],
  });
  const { body: saved } = await at.send(`GET /alert-rules/${rule}`);
  await at.send(`DELETE /integrations/${saved.integration_ids[0]}`);
  await at.sql`update users set active = false where id = ${at.ada}`;
  const { body: policyOfNow } = await at.send(`GET /escalation-policies/${policy}`);
  const requestWith = (configuration: object) => ({
    integration_id: at.integration,
    event: { title: 'Disk full' },
    configuration,
  });
  const asSaved = requestWith({ rules: [saved], escalation_policy: policyOfNow });
  assert.equal((await at.send(request, asSaved)).status, 200);
  const { id: _none, ...another } = saved;
  assert.deepEqual(await at.pathsOf(request, requestWith({ rules: [another] })), [
    'configuration.rules[0].integration_ids[0]',
  ]);
});

test('what is another organization’s, or another team’s, is not found', async () => {
  await using at = await trialApi();
  const event = { title: 'Disk full' };
  const statusOf = async (body: object, caller?: ReturnType<Trial['world']['caller']>) =>
    (await at.send(request, body, caller)).status;
  const web = at.world.caller({ teamIds: [at.web] });
  const stranger = at.world.caller({ organizationId: 'f'.repeat(24) });
  const mine = { integration_id: at.integration, event };
  assert.equal(await statusOf(mine), 200);
  assert.equal(await statusOf(mine, web), 404);
  assert.equal(await statusOf(mine, stranger), 404);
  assert.equal(await statusOf({ ...mine, integration_id: 'f'.repeat(24) }), 404);
  await at.trigger({ title: 'Memory full' });
  const number = await at.incident();
  assert.equal(await statusOf({ incident_id: number }), 200);
  assert.equal(await statusOf({ incident_id: number }, web), 404);
  assert.equal(await statusOf({ incident_id: number }, stranger), 404);
  assert.equal(await statusOf({ incident_id: '99' }), 404);
});

test('a key that is confined to teams learns nothing of others, wherever a rule leads', async () => {
  await using at = await trialApi();
  const steps = [{ targets: [{ via: 'email', user_id: at.lin }] }];
  const team = { team_id: at.web };
  const escalation_policy_id = await at.make('escalation-policies', { ...team, name: 'W', steps });
  const service_id = await at.make('services', { ...team, name: 'Site' });
  const related = { ...team, slug: 'webhook', service_id, escalation_policy_id };
  const integration_id = await at.make('integrations', related);
  const actions = [{ type: 'routeToTeam', team_id: at.web, integration_id }];
  const condition_groups = [{ conditions: [{ type: 'allIncidents' }] }];
  await at.make('alert-rules', { name: 'To web', condition_groups, actions });
  const body = { integration_id: at.integration, event: { title: 'Disk full' } };
  const own = at.world.caller({ teamIds: [at.ops] });
  const story = (await at.send(request, body, own)).body;
  assert.deepEqual([story.incidents, story.entries, story.notices], [[], [], []]);
  assert.deepEqual(story.warnings, [
    'An incident moves to a team that is not yours and is not shown.',
  ]);
  const all = (await at.send(request, body)).body;
  assert.deepEqual([all.incidents[0].team_id, all.notices[0].person], [at.web, 'lin Example']);
});

test('simulating is for managers; nothing is written and nothing is sent', async () => {
  await using at = await trialApi();
  await at.trigger({ title: 'Memory full' });
  const incident_id = await at.incident();
  const body = { integration_id: at.integration, event: { title: 'Disk full' } };
  const responder = at.world.caller({ role: 'responder' });
  assert.equal((await at.send(request, body, responder)).status, 403);
  const before = await at.rows();
  const story = await storyOf(at, body);
  assert.equal(story.notices.length, 1);
  assert.equal((await at.send(request, { incident_id })).status, 200);
  assert.deepEqual(await at.rows(), before);
});

test('how very many rules were judged is told of some only, rather of those that matched', async () => {
  await using at = await trialApi();
  const rules = Array.from({ length: 300 }, (_, number) => ({
    name: `Rule ${number}`,
    condition_groups: [
      {
        conditions: Array(number === 299 ? 3 : 4).fill({
          type: 'incidentMessage',
          comparator: 'contains',
          text: number === 299 ? 'disk' : 'memory',
        }),
      },
    ],
    actions: [{ type: 'acknowledgeIncident' }],
  }));
  const event = { title: 'Disk full' };
  const { alerts, warnings } = await storyOf(at, { event, configuration: { rules } });
  const [{ rules: explained }] = alerts;
  assert.deepEqual([explained.length, explained.at(-1).name], [250, 'Rule 299']);
  assert.deepEqual(warnings, ['The evaluations of 50 more rules are not shown.']);
});

test('an incident that a person opened is simulated from now on, without an integration', async () => {
  await using at = await trialApi();
  const opened = await at.send('POST /incidents', { title: 'Slow', service_id: at.service });
  const { body: story } = await at.send(request, { incident_id: opened.body.id });
  assert.deepEqual([story.incidents[0].title, story.incidents[0].integration_id], ['Slow', null]);
});

type Page = Readonly<Record<'after_seconds' | 'step' | 'channel' | 'user_id', unknown>>;

test('a policy alone is simulated on an incident of its own, without rules and playbooks', async () => {
  await using at = await trialApi();
  const conditions = [{ type: 'incidentMessage', comparator: 'contains', text: 'Nights' }];
  const actions = [{ type: 'ignoreIncident' }];
  await at.make('alert-rules', { name: 'All', condition_groups: [{ conditions }], actions });
  const steps = [
    { targets: [{ via: 'email', user_id: at.ada }], escalate_after_minutes: 5 },
    { targets: [{ via: 'sms', user_id: at.lin }] },
  ];
  const policy = { name: 'Nights', delay_minutes: 2, steps };
  const simulated = (escalation_policy: object, more: object = {}) =>
    at.send(request, { configuration: { escalation_policy }, ...more });
  const { status, body } = await simulated(policy, { at: '2026-03-08T02:00:00Z' });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(
    body.notices
      .filter(({ kind }: { kind: string }) => kind === 'page')
      .map(({ after_seconds, step, channel, user_id }: Page) => [
        after_seconds,
        step,
        channel,
        user_id,
      ]),
    [
      [120, 1, 'email', at.ada],
      [420, 2, 'sms', at.lin],
    ],
  );
  assert.deepEqual(body.alerts, []);
  assert.equal(body.incidents[0].service_id, null);
  assert.equal(body.ended.type, 'exhausted');

  const [first] = steps;
  const refused = await simulated({ ...policy, steps: [{ targets: first?.targets }, steps[1]] });
  assert.equal(refused.status, 422);
  assert.deepEqual(
    refused.body.issues.map(({ path }: { path: string }) => path),
    ['configuration.escalation_policy.steps[0].escalate_after_minutes'],
  );
  const other = await simulated({ ...policy, team_id: '64f1c0a2b3d4e5f601234599' });
  assert.equal(other.status, 404, 'a team that does not exist');
});
