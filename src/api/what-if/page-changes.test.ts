import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOnCallApi, weekly } from '../../../test/on-call-api.ts';

type Fields = Record<string, unknown>;

/** Ada is paged by `Days`, Bob by `Nights`; two integrations use `Days`. */
async function startRoutingApi() {
  const at = await startOnCallApi();
  const make = async (kind: string, body: object): Promise<string> => {
    const made = await at.send(`POST /${kind}`, body);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.id;
  };
  const nights = await at.schedule([{ users: [at.bob], rotation: weekly }], { name: 'Nights' });
  const step = (target: object) => ({
    targets: [{ via: 'email', ...target }],
    escalate_after_minutes: 5,
  });
  const policy = (name: string, ...targets: object[]) =>
    make('escalation-policies', { name, steps: targets.map(step) });
  const days = await policy('Days', { user_id: at.ada });
  const late = await policy('Late', { oncall_schedule_id: nights }, { user_id: at.ada });
  const service = await make('services', { name: 'Shop' });
  const integration = (name: string) => ({
    slug: 'webhook',
    name,
    service_id: service,
    escalation_policy_id: days,
  });
  const checks = await make('integrations', integration('Checks'));
  const probes = await make('integrations', integration('Probes'));
  const preview = async (kind: string, record: object, more: object = {}) => {
    const { status, body } = await at.send('POST /preview', { kind, record, ...more });
    assert.equal(status, 200, JSON.stringify(body));
    return body.data;
  };
  return {
    ...at,
    make,
    policy,
    preview,
    integration,
    nights,
    days,
    late,
    service,
    checks,
    probes,
    async warningsOf(kind: string, record: object, more: object = {}): Promise<readonly string[]> {
      const { warnings } = await preview(kind, record, more);
      return warnings.map(({ code, message }: Fields) => `${code}: ${message}`);
    },
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  };
}

const all = [{ conditions: [{ type: 'allIncidents' }] }];
const disk = [{ conditions: [{ type: 'incidentMessage', comparator: 'contains', text: 'disk' }] }];

test('an integration that is disabled, archived or moved tells whom its events page', async () => {
  await using at = await startRoutingApi();
  const own = { id: at.checks, ...at.integration('Checks') };
  const warningsOf = (fields: object, more?: object) =>
    at.warningsOf('integration', { ...own, ...fields }, more);
  assert.deepEqual(await warningsOf({ name: 'Renamed', description: 'x' }), []);
  assert.deepEqual(await warningsOf({ enabled: false }), [
    'pages_stop: Events of the integration "Checks" page nobody instead of ada Example: the integration is disabled. They do not end open incidents either.',
  ]);
  assert.deepEqual(await at.warningsOf('integration', { id: at.checks, archived: true }), [
    'pages_stop: Events of the integration "Checks" page nobody instead of ada Example: the integration is archived. They do not end open incidents either.',
  ]);
  assert.deepEqual(await warningsOf({ escalation_policy_id: at.late }), [
    'pages_move: Events of the integration "Checks" page bob Example (on call of Nights) instead of ada Example, then ada Example instead of nobody.',
  ]);
  const alone = await at.policy('Alone', { user_id: at.ada }, { user_id: at.ada });
  assert.deepEqual(await warningsOf({ escalation_policy_id: alone }), [
    'pages_move: Events of the integration "Checks" use the escalation policy "Alone" instead of "Days". Whom they page now does not change.',
  ]);
  const data = await at.preview('integration', { ...own, escalation_policy_id: at.late });
  const [ada, bob] = [
    { id: at.ada, name: 'ada Example' },
    { id: at.bob, name: 'bob Example (on call of Nights)' },
  ];
  assert.deepEqual(data.page_changes, [
    {
      integrations: [{ id: at.checks, name: 'Checks' }],
      before: { first: [ada], later: [] },
      after: { first: [bob], later: [ada] },
      message: data.warnings[0].message,
    },
  ]);
  await at.send(`PATCH /integrations/${at.checks}`, { enabled: false });
  assert.deepEqual(await warningsOf({}), [
    'pages_move: Events of the integration "Checks" page ada Example instead of nobody.',
  ]);
  assert.deepEqual(await warningsOf({ escalation_policy_id: at.late, enabled: false }), []);
});

test('the steps of a policy that an integration is moved to and that reach nobody are named', async () => {
  await using at = await startRoutingApi();
  const sms = await at.policy('Later', { user_id: at.ada }, { user_id: at.ada });
  await at.send(`PATCH /escalation-policies/${sms}`, {
    steps: [
      { targets: [{ via: 'sms', user_id: at.ada }], escalate_after_minutes: 5 },
      { targets: [{ via: 'email', user_id: at.bob }] },
    ],
  });
  const record = { ...at.integration('New'), escalation_policy_id: sms };
  assert.deepEqual(await at.warningsOf('integration', record), [
    'step_reaches_nobody: Step 1 of the escalation policy "Later" reaches nobody: via sms pages nobody because it is not set up on this server.',
  ]);
  // What is created in the same run cannot be followed.
  const unknown = ['escalation_policy_id'];
  const later = { ...at.integration('Checks'), id: at.checks, escalation_policy_id: null };
  assert.deepEqual(await at.warningsOf('integration', later, { unknown }), []);
});

test('what the same run has planned before counts', async () => {
  await using at = await startRoutingApi();
  const planned = [
    { kind: 'integration', record: { ...at.integration('Checks'), id: at.checks, enabled: false } },
  ];
  const rule = { name: 'Quiet', condition_groups: all, actions: [{ type: 'ignoreIncident' }] };
  assert.deepEqual(await at.warningsOf('alert_routing_rule', rule, { planned }), [
    'pages_stop: Events of the integration "Probes" page nobody instead of ada Example: the rule "Quiet" ignores them.',
  ]);
  const moved = {
    kind: 'escalation_policy',
    record: {
      id: at.days,
      name: 'Days',
      steps: [{ targets: [{ via: 'email', user_id: at.bob }] }],
    },
  };
  assert.deepEqual(
    await at.warningsOf('alert_routing_rule', rule, { planned: [...planned, moved] }),
    [
      'pages_stop: Events of the integration "Probes" page nobody instead of bob Example: the rule "Quiet" ignores them.',
    ],
  );
  const open = { ...moved, unknown: ['steps[0].targets[0].user_id'] };
  assert.deepEqual(await at.warningsOf('alert_routing_rule', rule, { planned: [open] }), []);
});

test('a rule that ignores, acknowledges, reassigns or redirects tells which events move to whom', async () => {
  await using at = await startRoutingApi();
  const both = 'Events of the integrations "Checks" and "Probes"';
  const that = ' that match the rule "R" (title contains "disk")';
  const warningsOf = (fields: object, more?: object) =>
    at.warningsOf('alert_routing_rule', { name: 'R', condition_groups: disk, ...fields }, more);
  const cases: readonly [object, readonly string[]][] = [
    [
      { actions: [{ type: 'ignoreIncident' }] },
      [`pages_stop: ${both}${that} page nobody instead of ada Example: the rule "R" ignores them.`],
    ],
    [
      { actions: [{ type: 'acknowledgeIncident' }] },
      [
        `pages_stop: ${both}${that} page nobody instead of ada Example: their incidents are acknowledged immediately.`,
      ],
    ],
    [
      { actions: [{ type: 'escalationPolicy', escalation_policy_id: at.late }] },
      [
        `pages_move: ${both}${that} page bob Example (on call of Nights) instead of ada Example, then ada Example instead of nobody.`,
      ],
    ],
    [
      { actions: [{ type: 'reassignIncident', user_id: at.bob }], integration_ids: [at.checks] },
      [
        `pages_move: Events of the integration "Checks"${that} page bob Example in addition to ada Example.`,
      ],
    ],
    [{ actions: [{ type: 'severity', severity: 'sev1' }] }, []],
    [{ actions: [{ type: 'ignoreIncident' }], enabled: false }, []],
    [
      {
        actions: [{ type: 'escalationPolicy', escalation_policy_id: at.late }],
        condition_groups: [
          {
            conditions: [
              { type: 'incidentTiming', start: '22:00', end: '06:00', timezone: 'Europe/Berlin' },
            ],
          },
        ],
      },
      [
        `pages_move: ${both} that match the rule "R" (from 22:00 to 06:00 in Europe/Berlin) page whoever is on call of Nights instead of ada Example, then ada Example instead of nobody.`,
      ],
    ],
  ];
  for (const [fields, expected] of cases) assert.deepEqual(await warningsOf(fields), expected);
  const unknown = ['actions[0].escalation_policy_id'];
  const actions = [{ type: 'escalationPolicy', escalation_policy_id: null }];
  assert.deepEqual(await warningsOf({ actions }, { unknown }), []);
});

test('a saved rule tells what its edit, its place and its end change', async () => {
  await using at = await startRoutingApi();
  const ignoring = {
    name: 'Quiet',
    condition_groups: disk,
    actions: [{ type: 'ignoreIncident' }],
    integration_ids: [at.checks],
  };
  const id = await at.make('alert-rules', ignoring);
  const warningsOf = (fields: object) =>
    at.warningsOf('alert_routing_rule', { id, ...ignoring, ...fields });
  const checks = 'Events of the integration "Checks"';
  assert.deepEqual(await warningsOf({ name: 'Silent', description: 'x' }), []);
  const back = `pages_move: ${checks} that match the rule "Quiet" (title contains "disk") page ada Example instead of nobody.`;
  assert.deepEqual(await warningsOf({ enabled: false }), [back]);
  assert.deepEqual(await at.warningsOf('alert_routing_rule', { id, archived: true }), [back]);
  const load = [{ conditions: [{ type: 'incidentMessage', comparator: 'equals', text: 'load' }] }];
  assert.deepEqual(await warningsOf({ condition_groups: load }), [
    `pages_move: ${checks} that no longer match the rule "Quiet" (title contains "disk") page ada Example instead of nobody.`,
    `pages_stop: ${checks} that now match the rule "Quiet" (title equals "load") page nobody instead of ada Example: the rule "Quiet" ignores them.`,
  ]);
  assert.deepEqual(await warningsOf({ integration_ids: [at.checks, at.probes] }), [
    'pages_stop: Events of the integration "Probes" that match the rule "Quiet" (title contains "disk") page nobody instead of ada Example: the rule "Quiet" ignores them.',
  ]);
  await at.send(`DELETE /alert-rules/${id}`);
  const to = (escalation_policy_id: string) => ({
    condition_groups: disk,
    actions: [{ type: 'escalationPolicy', escalation_policy_id }],
    integration_ids: [at.checks],
  });
  const first = { name: 'First', ...to(at.late), position: 1 };
  const second = { name: 'Second', ...to(at.days), condition_groups: load, position: 2 };
  const moved = await at.make('alert-rules', first);
  await at.make('alert-rules', second);
  assert.deepEqual(
    await at.warningsOf('alert_routing_rule', { id: moved, ...first, position: 3 }),
    [
      `pages_move: ${checks} that match the rule "First" (title contains "disk") and also match the rule "Second" page bob Example (on call of Nights) instead of ada Example, then ada Example instead of nobody.`,
    ],
  );
});

test('a playbook that runs by itself tells whom it pages', async () => {
  await using at = await startRoutingApi();
  const playbook = {
    name: 'Take',
    actions: [{ type: 'acknowledgeIncident' }],
    run_automatically: ['triggered'],
  };
  const both = 'Events of the integrations "Checks" and "Probes"';
  assert.deepEqual(await at.warningsOf('playbook', playbook), [
    `pages_stop: ${both} page nobody instead of ada Example: their incidents are acknowledged immediately.`,
  ]);
  const { run_automatically: _, ...byHand } = playbook;
  assert.deepEqual(await at.warningsOf('playbook', byHand), []);
});

test('a service that is archived stops the events of its integrations', async () => {
  await using at = await startRoutingApi();
  const warnings = await at.warningsOf('service', { id: at.service, archived: true });
  assert.equal(
    warnings[0],
    'pages_stop: Events of the integrations "Checks" and "Probes" page nobody instead of ada Example: the service is archived. They do not end open incidents either.',
  );
});

test('a person who is deactivated leaves steps and rules that name them', async () => {
  await using at = await startRoutingApi();
  await at.make('alert-rules', {
    name: 'Bob',
    condition_groups: disk,
    actions: [{ type: 'reassignIncident', user_id: at.bob }],
    integration_ids: [at.probes],
  });
  const ofAda = await at.preview('user', { id: at.ada, active: false });
  assert.deepEqual(
    ofAda.warnings.slice(0, 3).map(({ message }: Fields) => message),
    [
      'Events of the integrations "Checks" and "Probes" page nobody instead of ada Example: no step of the escalation policy "Days" reaches anyone now. Other rules and playbooks may change this.',
      'Step 1 of the escalation policy "Days" reaches nobody: the user is not active (ada Example).',
      'Step 2 of the escalation policy "Late" reaches nobody: the user is not active (ada Example).',
    ],
  );
  assert.equal(ofAda.unreachable_steps_count, 2);
  const ofBob = await at.warningsOf('user', { id: at.bob, active: false });
  assert.ok(
    ofBob.includes(
      'pages_move: Events of the integration "Probes" that match the rule "Bob" (title contains "disk") no longer page bob Example, only ada Example.',
    ),
    ofBob.join('\n'),
  );
});
