import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trialApi } from '../../../test/trial-api.ts';

const request = 'POST /alert-rules/test';

const conditions = [
  { type: 'incidentMessage', comparator: 'contains', text: 'disk' },
  { type: 'incidentDetails', key: 'host', comparator: 'matches', text: '^db-[0-9]+$' },
];
const acknowledge = { type: 'acknowledgeIncident' };
const buildRule = (fields: object = {}) => ({
  name: 'Disks',
  condition_groups: [{ conditions }],
  actions: [acknowledge],
  ...fields,
});

test('a rule that is not saved is tried on an event that nobody sent', async () => {
  await using at = await trialApi();
  const actions = [
    { type: 'priority', priority: 'p1' },
    { type: 'severity', severity: 'sev2' },
    { type: 'reassignIncident', user_id: at.ada },
    { type: 'escalationPolicy', escalation_policy_id: at.policy },
    { type: 'resolveTimer', after: 2, unit: 'hours' },
    { type: 'title', template: '{{details.host}}: {{title}}' },
  ];
  const details = { host: 'db-12' };
  const event = at.event({ title: 'Disk full', details, severity: 'sev2' });
  const { status, body } = await at.send(request, { rule: buildRule({ actions }), event });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.at, '2026-03-04T09:30:00.000Z');
  assert.deepEqual(body.warnings, []);
  assert.deepEqual(body.alerts, [
    {
      action: 'trigger',
      dedup_key: 'Disk full',
      title: 'Disk full',
      matched: true,
      scope: { matched: true, text: 'The rule covers every integration of its team.' },
      groups: [
        {
          matched: true,
          conditions: [
            { matched: true, text: 'The title "Disk full" contains "disk".' },
            { matched: true, text: 'The detail host "db-12" matches "^db-[0-9]+$".' },
          ],
        },
      ],
      effects: [
        'Changes the priority from none to P1.',
        'Leaves the severity at SEV2.',
        'Reassigns the incident to ada Example.',
        'Pages with the escalation policy Night.',
        'Resolves the incident automatically after 2 hours.',
        'Changes the title to "db-12: Disk full".',
      ],
    },
  ]);
});

test('a rule that does not match tells what was so, and does nothing', async () => {
  await using at = await trialApi();
  const event = at.event({ body: { title: 'Memory low', body: { host: 'db-12' } } });
  const { body } = await at.send(request, { rule: buildRule(), event });
  const [alert] = body.alerts;
  assert.deepEqual([alert.matched, alert.effects], [false, []]);
  assert.deepEqual(alert.groups[0].conditions[0], {
    matched: false,
    text: 'The title "Memory low" does not contain "disk".',
  });
  assert.equal(alert.groups[0].conditions[1].matched, true);
});

test('a body is read as the integration reads it, each alert by itself', async () => {
  await using at = await trialApi();
  const sent = [
    { title: 'Disk full', body: { host: 'db-1' } },
    { title: 'Disk full', body: { host: 'db-1' }, status: 'resolve' },
  ];
  const { body } = await at.send(request, { rule: buildRule(), event: at.event({ body: sent }) });
  const [first, second] = body.alerts;
  assert.deepEqual([body.alerts.length, first.matched, second.matched], [2, true, false]);
  assert.deepEqual(second.scope, {
    matched: false,
    text: 'The alert has the action resolve. Rules are evaluated only on trigger.',
  });
  const text = await at.send(request, {
    rule: buildRule(),
    event: at.event({ body: 'Disk full\non db-1' }),
  });
  assert.match(text.body.alerts[0].title, /^Disk full/);
});

test('an answer tells of some alerts only, if there are very many', async () => {
  await using at = await trialApi();
  const sent = Array.from({ length: 600 }, (_, number) => ({ title: `Disk ${number}` }));
  const { body } = await at.send(request, { rule: buildRule(), event: at.event({ body: sent }) });
  assert.deepEqual([body.alerts.length, body.alerts[499].title], [500, 'Disk 499']);
  assert.deepEqual(body.warnings, ['100 more alerts are not shown.']);
});

test('a saved rule is tried on an event of the log, at the time of that event', async () => {
  await using at = await trialApi();
  const hours = { type: 'incidentTiming', start: '02:00', end: '03:00', timezone: 'UTC' };
  const rule = buildRule({ condition_groups: [{ conditions: [conditions[0], hours] }] });
  const id = await at.make('alert-rules', rule);
  const eventId = await at.logged('2026-03-03T02:30:00Z', { title: 'Disk full' });
  const { status, body } = await at.send(request, { rule_id: id, event_id: eventId });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual([body.at, body.alerts[0].matched], ['2026-03-03T02:30:00.000Z', true]);
  const later = { rule_id: id, event_id: eventId, at: '2026-03-07T03:00:00Z' };
  const { body: moved } = await at.send(request, later);
  assert.deepEqual([moved.at, moved.alerts[0].matched], ['2026-03-07T03:00:00.000Z', false]);
  const web = at.world.caller({ teamIds: [at.web] });
  const other = await at.send(request, { rule_id: id, event_id: eventId }, web);
  assert.deepEqual([other.status, other.body.issues[0].path], [422, 'event_id']);
});

test('what a rule would do names nothing of teams that the key may not see', async () => {
  await using at = await trialApi();
  const theirs = { team_id: at.web, name: 'Their secret' };
  const service_id = await at.make('services', theirs);
  const steps = [{ targets: [{ via: 'email', user_id: at.ada }] }];
  const escalation_policy_id = await at.make('escalation-policies', { ...theirs, steps });
  const related = { slug: 'webhook', service_id, escalation_policy_id };
  const integration_id = await at.make('integrations', { ...theirs, ...related });
  const move = { type: 'routeToTeam', team_id: at.web, integration_id };
  const actions = [move, { type: 'reassignIncident', user_id: at.ada }];
  const condition_groups = [{ conditions: [{ type: 'allIncidents' }] }];
  const tried = { rule: buildRule({ actions, condition_groups }) };
  const event = at.event({ title: 'Disk full' });
  const effects = async (caller?: Parameters<typeof at.send>[2]) =>
    (await at.send(request, { ...tried, event }, caller)).body.alerts[0].effects;
  const [seen, person] = await effects();
  assert.equal(seen, 'Moves the incident to Their secret of web.');
  assert.deepEqual(await effects(at.world.caller({ teamIds: [at.ops] })), [
    `Moves the incident to ${integration_id} of ${at.web}.`,
    person,
  ]);
});

test('a past can be supposed, and suppressed events are tried as such', async () => {
  await using at = await trialApi();
  const within = { type: 'incidentSuppressedWithin', count: 3, minutes: 5 };
  const rule = buildRule({ condition_groups: [{ conditions: [within] }] });
  const event = at.event({ title: 'Disk full' });
  const matched = async (fields: object) =>
    (await at.send(request, { event, ...fields })).body.alerts[0].matched;
  assert.equal(await matched({ rule, suppressed_count: 2 }), false);
  assert.equal(await matched({ rule, suppressed_count: 3 }), true);
  const repeated = { conditions: [{ type: 'incidentRepeated', count: 2 }] };
  const again = buildRule({ condition_groups: [repeated] });
  assert.equal(await matched({ rule: again, repeat_count: 2 }), true);
  assert.equal(await matched({ rule: again, repeat_count: 2, suppressed_count: 1 }), false);
});

test('a rule of another team, and one that is disabled, say so', async () => {
  await using at = await trialApi();
  const event = at.event({ title: 'Disk full' });
  const all = [{ conditions: [{ type: 'allIncidents' }] }];
  const theirs = buildRule({ team_id: at.web, condition_groups: all });
  const { body } = await at.send(request, { rule: theirs, event });
  assert.deepEqual(body.alerts[0].scope, {
    matched: false,
    text: 'The rule and the integration belong to different teams.',
  });
  const id = await at.make('alert-rules', buildRule({ enabled: false }));
  const disabled = await at.send(request, { rule_id: id, event });
  assert.deepEqual(disabled.body.warnings, ['The rule is disabled: it is not evaluated.']);
});

test('whatever cannot be read is told at its path', async () => {
  await using at = await trialApi();
  const event = at.event({ title: 'Disk full' });
  const pathsOf = (body: object) => at.pathsOf(request, body);
  const wrong = [{ conditions: [{ type: 'incidentMessage', comparator: 'matches', text: 'a(' }] }];
  const nobody = { type: 'reassignIncident', user_id: 'f'.repeat(24) };
  const named = { type: 'title', template: '{{host}}' };
  const rule = buildRule({ condition_groups: wrong, actions: [nobody, named] });
  assert.deepEqual(await pathsOf({ rule, event }), [
    'rule.condition_groups[0].conditions[0].text',
    'rule.actions[1].template',
    'rule.actions[0].user_id',
  ]);
  assert.deepEqual(await pathsOf({}), ['rule', 'event']);
  const both = { rule_id: '1', event_id: 'e'.repeat(24) };
  assert.deepEqual(await pathsOf({ rule: buildRule(), event, ...both }), ['rule_id', 'event_id']);
  const time = '2026-03-07T03:00:00Z';
  assert.deepEqual(await pathsOf({ rule: buildRule(), event, at: time }), ['at']);
  const soon = { rule: buildRule(), event_id: 'e'.repeat(24), at: 'soon' };
  assert.deepEqual(await pathsOf(soon), ['at']);
  assert.deepEqual(await pathsOf({ rule: buildRule(), event: at.event({}) }), ['event.body']);
  const two = at.event({ title: 'x', body: 'x', severity: 'sev1' });
  assert.deepEqual(await pathsOf({ rule: buildRule(), event: two }), [
    'event.title',
    'event.severity',
  ]);
  assert.deepEqual(await pathsOf({ rule: buildRule(), event: at.event({ body: {} }) }), [
    'event.body',
  ]);
  const nowhere = { ...event, integration_id: 'f'.repeat(24) };
  assert.deepEqual(await pathsOf({ rule: buildRule(), event: nowhere }), ['event.integration_id']);
  assert.deepEqual(await pathsOf({ rule_id: '99', event }), ['rule_id']);
  assert.deepEqual(await pathsOf({ rule: 7, event }), ['rule']);
});

test('trying a rule is for managers, and keeps nothing', async () => {
  await using at = await trialApi();
  const body = { rule: buildRule(), event: at.event({ title: 'Disk full' }) };
  const responder = at.world.caller({ role: 'responder' });
  assert.equal((await at.send(request, body, responder)).status, 403);
  assert.equal((await at.send(request, body)).status, 200);
  const [counts] = await at.sql`
    select (select count(*) from events)::int as events,
      (select count(*) from incidents)::int as incidents,
      (select count(*) from alert_routing_rules)::int as rules`;
  assert.deepEqual({ ...counts }, { events: 0, incidents: 0, rules: 0 });
});
