import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trialApi } from '../../../test/trial-api.ts';

const request = 'POST /alert-rules/replay';

type Trial = Awaited<ReturnType<typeof trialApi>>;

async function replayed(at: Trial, rules: readonly object[], fields: object = {}) {
  const answer = await at.send(request, { rules, days: 1, ...fields });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

/** A rule about titles that contain a text. */
const about = (text: string, name: string, ...actions: readonly object[]) => ({
  name,
  actions,
  condition_groups: [{ conditions: [{ type: 'incidentMessage', comparator: 'contains', text }] }],
});
const ignore = { type: 'ignoreIncident' };

test('what other rules would have added, removed and changed is told with the rules', async () => {
  await using at = await trialApi();
  const steps = [{ targets: [{ via: 'email', user_id: at.lin }] }];
  const other = await at.make('escalation-policies', { name: 'Day', steps });
  const disk = await at.logged('2026-03-04T06:00:00Z', { title: 'Disk full' });
  const memory = await at.logged('2026-03-04T07:00:00Z', { title: 'Memory low' });
  const load = await at.logged('2026-03-04T08:00:00Z', { title: 'Load high' });
  await at.logged('2026-03-04T08:00:01Z', { title: 'Load high' });
  await at.logged('2026-03-04T08:30:00Z', { title: 'Door open' });
  await at.logged('2026-03-04T08:40:00Z', {});
  await at.logged('2026-03-03T08:30:00Z', { title: 'Too long ago' });
  await at.make('alert-rules', about('disk', 'Quiet disks', ignore));
  const unchanged = about('door', 'Doors', { type: 'priority', priority: 'p5' });
  await at.make('alert-rules', unchanged);
  const moves = { type: 'escalationPolicy', escalation_policy_id: other };
  const urgent = about('load', 'Urgent load', { type: 'priority', priority: 'p1' }, moves);
  const answer = await replayed(at, [unchanged, urgent, about('memory', 'Quiet memory', ignore)]);
  assert.deepEqual(answer.events, { read: 6, unreadable: 1 });
  const fate = {
    status: 'triggered',
    priority: null,
    severity: null,
    team_id: at.ops,
    integration_id: at.integration,
    escalation_policy: { id: at.policy, name: 'Night' },
  };
  const { incidents, pages } = answer;
  assert.deepEqual([incidents.saved, incidents.proposed], [3, 3]);
  assert.deepEqual(incidents.added, {
    count: 1,
    examples: [
      {
        event_id: disk,
        at: '2026-03-04T06:00:00.000Z',
        title: 'Disk full',
        rules: ['Quiet disks'],
        saved: null,
        proposed: { ...fate, title: 'Disk full' },
      },
    ],
  });
  assert.deepEqual(incidents.removed, {
    count: 1,
    examples: [
      {
        event_id: memory,
        at: '2026-03-04T07:00:00.000Z',
        title: 'Memory low',
        rules: ['Quiet memory'],
        saved: { ...fate, title: 'Memory low' },
        proposed: null,
      },
    ],
  });
  const loaded = { ...fate, title: 'Load high' };
  const becomes = { priority: 'p1', escalation_policy: { id: other, name: 'Day' } };
  const changed = { event_id: load, at: '2026-03-04T08:00:00.000Z', title: 'Load high' };
  assert.deepEqual(incidents.changed, {
    count: 1,
    examples: [
      {
        ...changed,
        rules: ['Urgent load'],
        saved: loaded,
        proposed: { ...loaded, ...becomes },
      },
    ],
  });
  const toAda = { channel: 'email', to: 'ada Example', user_id: at.ada };
  const toLin = { channel: 'email', to: 'lin Example', user_id: at.lin };
  assert.deepEqual([pages.saved, pages.proposed], [3, 3]);
  assert.deepEqual(
    pages.added.examples.map((one: IncidentResult) => [one.title, one.proposed]),
    [
      ['Disk full', { ...toAda, at: '2026-03-04T06:00:00.000Z' }],
      ['Load high', { ...toLin, at: '2026-03-04T08:00:00.000Z' }],
    ],
  );
  assert.deepEqual(
    pages.removed.examples.map((one: IncidentResult) => [one.title, one.saved]),
    [
      ['Memory low', { ...toAda, at: '2026-03-04T07:00:00.000Z' }],
      ['Load high', { ...toAda, at: '2026-03-04T08:00:00.000Z' }],
    ],
  );
  assert.deepEqual(pages.changed, { count: 0, examples: [] });
});

test('events come in portions, and all of them are judged', async () => {
  await using at = await trialApi();
  const text = 'x'.repeat(600_000);
  for (const minute of ['00', '01', '02', '03', '04'])
    await at.logged(`2026-03-04T06:${minute}:00Z`, { title: `Disk ${minute}`, body: { text } });
  const { events, incidents } = await replayed(at, [about('03', 'Quiet', ignore)]);
  assert.deepEqual([events.read, incidents.saved, incidents.proposed], [5, 5, 4]);
});

type IncidentResult = {
  readonly title: string;
  readonly saved: unknown;
  readonly proposed: unknown;
};

test('what is acknowledged at once, or paged at another time, is a change', async () => {
  await using at = await trialApi();
  const targets = [{ via: 'email', user_id: at.ada }];
  const later = { name: 'Later', steps: [{ targets }], delay_minutes: 10 };
  const escalation_policy_id = await at.make('escalation-policies', later);
  await at.logged('2026-03-04T06:00:00Z', { title: 'Disk full' });
  await at.logged('2026-03-04T07:00:00Z', { title: 'Door open' });
  const delays = { type: 'escalationPolicy', escalation_policy_id };
  const { incidents, pages } = await replayed(at, [
    about('disk', 'Known disks', { type: 'acknowledgeIncident' }),
    about('door', 'Slow doors', delays),
  ]);
  const [first, second] = incidents.changed.examples;
  assert.deepEqual([first.saved.status, first.proposed.status], ['triggered', 'acknowledged']);
  assert.deepEqual(second.proposed.escalation_policy.name, 'Later');
  assert.deepEqual(
    pages.removed.examples.map((one: IncidentResult) => one.title),
    ['Disk full'],
  );
  const [paged] = pages.changed.examples;
  assert.deepEqual(
    [paged.saved.at, paged.proposed.at, paged.rules],
    ['2026-03-04T07:00:00.000Z', '2026-03-04T07:10:00.000Z', ['Slow doors']],
  );
});

test('whoever was on call then is paged, by the saved rules as it really was', async () => {
  await using at = await trialApi();
  const users = [at.ada, at.lin];
  const layers = [{ users, rotation: { length: 1, unit: 'days', handoff: '08:00' } }];
  const schedule = { name: 'Rota', timezone: 'Etc/UTC', layers };
  const oncall_schedule_id = await at.make('on-calls', schedule);
  const steps = [{ targets: [{ via: 'email', oncall_schedule_id }] }];
  await at.send(`PATCH /escalation-policies/${at.policy}`, { steps });
  const rules = [
    about('disk', 'Quiet disks', ignore),
    about('door', 'Doors', { type: 'priority', priority: 'p5' }),
  ];
  for (const rule of rules) await at.make('alert-rules', rule);
  for (const title of ['Disk full', 'Door open', 'Load high', 'Door open', 'Load low'])
    await at.trigger({ title });
  await at.trigger({ title: 'Load high', status: 'resolve' });
  const really = (await at.send('GET /incidents')).body.data;
  assert.deepEqual(
    really.map(({ title }: IncidentResult) => title),
    ['Load low', 'Load high', 'Door open'],
  );
  const same = await replayed(at, (await at.send('GET /alert-rules')).body.data);
  const { saved, proposed, ...differing } = same.incidents;
  assert.deepEqual([saved, proposed], [3, 3]);
  const none = { count: 0, examples: [] };
  assert.deepEqual(differing, { added: none, removed: none, changed: none });
  const without = await replayed(at, []);
  assert.deepEqual(without.incidents.added.examples[0].title, 'Disk full');
  assert.match(without.pages.added.examples[0].proposed.to, /^ada Example .*Rota/);
});

test('a replay is for managers of the team, and each mistake is told at its path', async () => {
  await using at = await trialApi();
  const wrong = (body: object) => at.pathsOf(request, body);
  assert.deepEqual(await wrong({}), ['rules', 'days']);
  assert.deepEqual(await wrong({ rules: [], days: 31 }), ['days']);
  const stranger = { type: 'reassignIncident', user_id: 'f'.repeat(24) };
  const rules = [about('disk', 'Disks', ignore), about('door', 'Doors', stranger), 7];
  assert.deepEqual(await wrong({ rules, days: 1 }), ['rules[1].actions[0].user_id', 'rules[2]']);
  const body = { rules: [], days: 1 };
  const statusOf = async (fields: object, caller?: ReturnType<Trial['world']['caller']>) =>
    (await at.send(request, { ...body, ...fields }, caller)).status;
  assert.equal(await statusOf({}, at.world.caller({ role: 'responder' })), 403);
  assert.equal(await statusOf({ team_id: at.web }), 200);
  assert.equal(await statusOf({ team_id: at.ops }, at.world.caller({ teamIds: [at.web] })), 404);
  const other = at.world.caller({ organizationId: 'f'.repeat(24) });
  assert.equal(await statusOf({ team_id: at.ops }, other), 404);
});

test('nothing is written by a replay, and events of other teams are not read', async () => {
  await using at = await trialApi();
  await at.logged('2026-03-04T06:00:00Z', { title: 'Disk full' });
  const before = await at.rows();
  const own = await replayed(at, [about('disk', 'Quiet disks', ignore)]);
  assert.deepEqual([own.events.read, own.incidents.removed.count], [1, 1]);
  const web = await replayed(at, [], { team_id: at.web });
  assert.deepEqual([web.events.read, web.incidents.saved], [0, 0]);
  assert.deepEqual(await at.rows(), before);
});

test('a proposed grouping is replayed: fewer incidents and pages, and nothing worse is quiet', async () => {
  await using at = await trialApi();
  for (const [time, title, severity] of [
    ['06:00', 'Disk full', 'warning'],
    ['06:01', 'Memory low', 'warning'],
    ['06:02', 'Load high', 'critical'],
  ] as const)
    await at.logged(`2026-03-04T${time}:00Z`, { title, severity });
  const grouping = { integration_id: at.integration, by: ['service'] };
  const replay = (fields: object) => at.send(request, { days: 1, ...fields });
  const { body } = await replay({ grouping });
  assert.deepEqual([body.incidents.saved, body.incidents.proposed], [3, 1]);
  assert.deepEqual(
    body.incidents.removed.examples.map(({ title }: { title: string }) => title),
    ['Memory low', 'Load high'],
  );
  assert.ok(body.pages.proposed < body.pages.saved);
  assert.deepEqual(body.alerts_joined, { saved: 0, proposed: 2 });
  assert.equal(body.quiet_though_worse, 0);
  for (const [fields, path] of [
    [{}, 'rules'],
    [{ grouping: { ...grouping, by: ['title', 'group'] } }, 'grouping.by[1]'],
    [{ grouping: { ...grouping, by: ['colour'] } }, 'grouping.by[0]'],
    [{ grouping: { ...grouping, integration_id: at.lin } }, 'grouping.integration_id'],
    [{ grouping: { ...grouping, window: { after: 900, unit: 'days' } } }, 'grouping.window.after'],
  ] as const) {
    const refused = await replay(fields);
    assert.equal(refused.status, 422, path);
    assert.equal(refused.body.issues[0].path, path);
  }
  await at.send(`PATCH /integrations/${at.integration}`, { disable_incident_suppression: true });
  const never = await replay({ grouping });
  assert.deepEqual([never.status, never.body.issues?.[0].path], [422, 'grouping.by']);
  assert.equal((await replay({ grouping: { ...grouping, by: [] } })).status, 200);
});
