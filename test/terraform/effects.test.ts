// What a plan says of its effects, in the real Terraform with a real server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Fields, type RunningTerraform, startTerraform } from './running-terraform.ts';
import { noTerraform } from './terraform.ts';

const mail = {
  PAGER_BOOTSTRAP_EMAIL: 'owner@example.com',
  PAGER_SMTP_URL: 'smtp://127.0.0.1:9',
  PAGER_MAIL_FROM: 'pager@example.com',
};
const provider = { pager: { effects: 'all' } };
const needsTerraform = { skip: noTerraform ?? false };

/** What a plan says after its changes, in one line. */
async function warnings({ succeeds }: RunningTerraform): Promise<string> {
  const output = await succeeds('plan', '-input=false');
  return output.slice(output.indexOf('\nPlan:')).replace(/\s+/g, ' ');
}

async function people({ server: { api } }: RunningTerraform) {
  const person = async (first_name: string): Promise<string> => {
    const email = `${first_name.toLowerCase()}@example.com`;
    return (await api.create('users', { first_name, last_name: 'L', email, role: 'responder' })).id;
  };
  return { ada: await person('Ada'), grace: await person('Grace') };
}

const rotation = { length: 1, unit: 'weeks' };
const schedule = (name: string, layer: Fields) => ({
  name,
  timezone: 'Europe/Berlin',
  layers: [{ rotation, ...layer }],
});
const idOf = (name: string) => `\${pager_oncall_schedule.${name}.id}`;
const office = {
  type: 'weekly',
  windows: [{ from_day: 'monday', from_time: '09:00', to_day: 'friday', to_time: '17:00' }],
};
const isPreview = (path: string) => path === '/preview' || path === '/previews';
const previewsOf = ({ proxy }: RunningTerraform) =>
  proxy.passed.filter((one) => /^POST \/previews?$/.test(one)).length;

test('a plan tells whom it pages, moves and leaves alone', needsTerraform, async () => {
  await using at = await startTerraform(mail);
  const { ada, grace } = await people(at);
  const policy = (name: string, ...steps: Fields[]) => ({ name, steps });
  const step = (target: Fields) => ({
    targets: [{ via: 'email', ...target }],
    escalate_after_minutes: 5,
  });
  const configure = (resource: object) => at.configure({ provider, resource });
  await configure({
    pager_oncall_schedule: {
      nights: schedule('Nights', { users: [ada, grace] }),
      days: schedule('Days', { users: [ada] }),
      old: schedule('Old', { users: [grace] }),
    },
    pager_escalation_policy: {
      shop: policy('Shop', step({ oncall_schedule_id: idOf('days') })),
    },
  });
  const created = await warnings(at);
  assert.match(created, /creating the on-call schedule "Nights": Ada L will be notified\./);
  await at.apply();
  const applied = previewsOf(at);
  await at.succeeds('validate');
  assert.deepEqual(await at.changes(), []);
  assert.equal(previewsOf(at), applied);

  const old = (await at.state()).get('pager_oncall_schedule.old')?.['id'];
  const elsewhere = policy('Elsewhere', step({ oncall_schedule_id: old }));
  await at.server.api.create('escalation-policies', elsewhere);
  await configure({
    pager_oncall_schedule: {
      nights: schedule('Nights', { users: [grace] }),
      days: schedule('Days', { users: [ada], restriction: office }),
    },
    pager_escalation_policy: {
      shop: policy(
        'Shop',
        step({ oncall_schedule_id: idOf('days') }),
        step({ user_id: ada, via: 'sms' }),
      ),
      late: policy('Late', step({ oncall_schedule_id: idOf('days') })),
    },
  });
  const edited = await warnings(at);
  const expected = [
    /Effects of changing the on-call schedule "Nights": Layer 1 \(Grace L\) is edited: its shifts are regenerated\. On call now: Ada L\. After this change: Grace L\./,
    /shifts? moves? in the next 60 days: from 20\S+ to 20\S+, Grace L instead of Ada L/,
    /Effects of changing the on-call schedule "Days": .*Nobody is on call from 20\S+\+0[12]:00 to 20/,
    /Effects of changing the escalation policy "Shop": .*Step 2 of the escalation policy "Shop" reaches nobody/,
    /Effects of archiving the on-call schedule "Old": .*The escalation policy "Elsewhere" \(\w+\) still uses it\./,
  ];
  for (const one of expected) assert.match(edited, one);
  // A new policy pages by a schedule that the same plan changes before it.
  assert.match(edited, /Step 1 of the escalation policy "Late" reaches nobody from 20\S+ to 20/);
  assert.equal(edited.match(/Effects of (?:changing|creating|archiving)/g)?.length, 5);
  // What depends on the record that was held back is in a second one.
  assert.ok((edited.match(/Warning:/g)?.length ?? 0) <= 2, edited);
});

test(
  'of policies that use a changed schedule, those that stay are named, and no others',
  needsTerraform,
  async () => {
    await using at = await startTerraform(mail);
    const { ada, grace } = await people(at);
    const steps = (target: Fields) => [{ targets: [{ via: 'email', ...target }] }];
    const days = steps({ oncall_schedule_id: idOf('days') });
    const names = ['a', 'b', 'c', 'd'];
    const policies = (prefix: string, made: object[]) =>
      Object.fromEntries(
        names.map((name) => [`${prefix}_${name}`, { name: `${prefix} ${name}`, steps: made }]),
      );
    const configure = (layer: Fields, pager_escalation_policy: object) =>
      at.configure({
        provider,
        resource: {
          pager_oncall_schedule: { days: schedule('Days', layer) },
          pager_escalation_policy,
        },
      });
    await configure(
      { users: [ada] },
      { ...policies('stays', days), ...policies('moves', days), ...policies('goes', days) },
    );
    await at.apply();
    const id = (await at.state()).get('pager_oncall_schedule.days')?.['id'];
    const byHand = { name: 'by hand', steps: steps({ oncall_schedule_id: id }) };
    await at.server.api.create('escalation-policies', byHand);
    await configure(
      { users: [ada], restriction: office },
      { ...policies('stays', days), ...policies('moves', steps({ user_id: grace })) },
    );
    const planned = await warnings(at);
    const named = [
      ...planned.matchAll(/Step 1 of the escalation policy "([^"]+)" reaches nobody/g),
    ];
    assert.deepEqual(named.map(([, name]) => name).sort(), [
      'by hand',
      ...names.map((name) => `stays ${name}`),
    ]);
    assert.match(planned, /Effects of other changes on the escalation policy "stays a"/);
  },
);

test('a plan says which events page others, or nobody', needsTerraform, async () => {
  await using at = await startTerraform(mail);
  const { ada, grace } = await people(at);
  const steps = (user_id: string) => [{ targets: [{ via: 'email', user_id }] }];
  const id = (kind: string, name: string) => `\${pager_${kind}.${name}.id}`;
  const integration = (name: string, policy: string, more: Fields = {}) => ({
    slug: 'webhook',
    name,
    service_id: id('service', 'shop'),
    escalation_policy_id: id('escalation_policy', policy),
    ...more,
  });
  const rule = (actions: Fields[], more: Fields = {}) => ({
    name: 'Noise',
    integration_ids: [id('integration', 'checks')],
    condition_groups: [
      { conditions: [{ type: 'incidentMessage', comparator: 'contains', text: 'disk' }] },
    ],
    actions,
    ...more,
  });
  const ignore = { type: 'ignoreIncident' };
  const configure = (pager_integration: object, rules: object, policies: object = {}) =>
    at.configure({
      resource: {
        pager_service: { shop: { name: 'Shop' } },
        pager_escalation_policy: {
          days: { name: 'Days', steps: steps(ada) },
          nights: { name: 'Nights', steps: steps(grace) },
          ...policies,
        },
        pager_integration,
        ...(Object.keys(rules).length > 0 && { pager_alert_routing_rule: rules }),
      },
    });
  const checks = integration('Checks', 'days');
  const probes = integration('Probes', 'days');
  await configure({ checks, probes }, { noise: rule([{ type: 'severity', severity: 'sev1' }]) });
  assert.doesNotMatch(await warnings(at), /Effects of/);
  await at.apply();

  // What changes nothing for people is not told.
  const renamed = { ...checks, description: 'x' };
  const silent = rule([{ type: 'severity', severity: 'sev2' }], { name: 'Silent' });
  await configure({ checks: renamed, probes }, { noise: silent });
  assert.doesNotMatch(await warnings(at), /Effects of/);

  const moved = integration('Checks', 'nights');
  const off = integration('Probes', 'days', { enabled: false });
  await configure({ checks: moved, probes: off }, { noise: rule([ignore]) });
  const planned = await warnings(at);
  for (const expected of [
    /changing the integration "Checks".* Events of the integration "Checks" page Grace L instead of Ada L\./,
    /changing the integration "Probes".* Events of the integration "Probes" page nobody instead of Ada L: the integration is disabled\. They do not end open incidents either\./,
    // The integration is moved before.
    /changing the alert routing rule "Noise".* that match the rule "Noise" \(title contains "disk"\) page nobody instead of Grace L: the rule "Noise" ignores them\./,
  ])
    assert.match(planned, expected);
  await at.apply();

  // Nobody knows yet whom a policy pages that is created in the same run.
  const unknown = integration('Checks', 'late');
  await configure(
    { checks: unknown, probes: off },
    {},
    { late: { name: 'Late', steps: steps(ada) } },
  );
  const removed = await warnings(at);
  assert.doesNotMatch(removed, /changing the integration "Checks"/);
  assert.match(
    removed,
    /archiving the alert routing rule "Noise".* page (Grace|Ada) L instead of nobody\./,
  );
});

test('a plan says whom an override puts on call, and who is notified', needsTerraform, async () => {
  await using at = await startTerraform(mail);
  const { ada, grace } = await people(at);
  const pager_oncall_schedule = { days: schedule('Days', { users: [ada] }) };
  const override = (fields: Fields) => ({
    oncall_schedule_id: idOf('days'),
    user_id: grace,
    start: '2034-12-31T18:00:00+01:00',
    end: '2035-01-01T09:00:00+01:00',
    ...fields,
  });
  const configure = (fields: Fields | null) =>
    at.configure({
      resource: {
        pager_oncall_schedule,
        ...(fields && { pager_override: { one: override(fields) } }),
      },
    });
  await configure(null);
  await at.apply();
  const period = (from: string, to: string) =>
    `On call from ${from} to ${to}, Grace L instead of Ada L\\.`;
  const [start, end] = ['2034-12-31T18:00\\+01:00', '2035-01-01T09:00\\+01:00'];
  await configure({});
  assert.match(await warnings(at), new RegExp(`creating the override .* ${period(start, end)}`));
  await at.apply();
  await configure({ comment: 'Holiday' });
  assert.doesNotMatch(await warnings(at), /Effects of/);
  await configure({ end: '2035-01-01T12:00:00+01:00' });
  const later = period(end, '2035-01-01T12:00\\+01:00');
  assert.match(await warnings(at), new RegExp(`changing the override .* ${later}`));
  await configure(null);
  const back = period(start, end).replace('Grace L instead of Ada L', 'Ada L instead of Grace L');
  assert.match(await warnings(at), new RegExp(`removing the override .* ${back}`));

  // One that begins at once notifies people at once.
  await configure({ start: '2026-01-01T00:00:00Z', end: '2034-01-01T00:00:00Z' });
  const now = await warnings(at);
  assert.match(now, /On call now: Ada L\. After this change: Grace L\./);
  assert.match(now, /Ada L and Grace L will be notified|Grace L and Ada L will be notified/);
});

test('a plan that removes a person says whom that leaves alone', needsTerraform, async () => {
  await using at = await startTerraform(mail);
  const { ada, grace } = await people(at);
  const pager_service = { shop: { name: 'Shop' } };
  await at.configure({
    resource: {
      pager_service,
      pager_user: {
        eve: { first_name: 'Eve', last_name: 'L', email: 'eve@example.com', role: 'responder' },
      },
    },
  });
  await at.apply();
  const eve = (await at.state()).get('pager_user.eve')?.['id'] as string;
  const { api } = at.server;
  const layer = (user: string) => ({ users: [user], rotation });
  await api.create('on-calls', { name: 'Alone', layers: [layer(eve)] });
  await api.create('on-calls', { name: 'Covered', layers: [layer(ada), layer(eve)] });
  await api.create('on-calls', { name: 'Other', layers: [layer(grace)] });
  await at.configure({ resource: { pager_service } });
  const removed = await warnings(at);
  const record = { id: eve, active: false };
  const { body } = await api.send('POST /preview', { kind: 'user', record });
  const messages: readonly string[] = body.data.warnings.map((one: Fields) => one['message']);
  assert.match(removed, /Effects of deactivating the user "eve@example.com"/);
  assert.deepEqual(
    messages.filter((message) => message.includes('On call now')),
    [
      'On-call schedule "Alone": On call now: Eve L. After this change: nobody.',
      'On-call schedule "Covered": On call now: Eve L. After this change: Ada L.',
    ],
  );
  for (const message of messages.filter((one) => !one.includes(' from 20')))
    assert.ok(removed.includes(message), message);
});

test('an API that is too old, or too slow, for effects fails no plan', needsTerraform, async () => {
  await using at = await startTerraform(mail);
  const { ada, grace } = await people(at);
  const steps = [{ targets: [{ via: 'email', oncall_schedule_id: idOf('nights') }] }];
  const configure = (users: readonly string[], settings: Fields = {}, others: string[] = []) =>
    at.configure({
      provider: { pager: settings },
      resource: {
        pager_oncall_schedule: {
          nights: schedule('Nights', { users }),
          ...Object.fromEntries(others.map((name) => [name, schedule(name, { users })])),
        },
        pager_escalation_policy: { shop: { name: 'Shop', steps } },
      },
    });
  const previewed = (answer: () => Promise<{ status: number; body: object }>) => {
    at.proxy.instead = ({ path }) => (isPreview(path) ? answer() : undefined);
  };
  await configure([ada, grace], { timeout: 1 });
  previewed(() => new Promise<never>(() => {}));
  const unknown = 'The effects of some changes are unknown';
  assert.match(
    await warnings(at),
    new RegExp(`${unknown} .* no complete response within 1 second\\.`),
  );
  assert.equal(previewsOf(at), 1);

  await configure([ada, grace], {}, ['Other']);
  const message = 'Unknown route: POST /preview';
  previewed(async () => ({ status: 404, body: { error: 'unknown_route', message } }));
  await at.apply();
  await configure([grace], {}, ['Other']);
  const before = previewsOf(at);
  const edited = await warnings(at);
  assert.match(edited, /on-call schedule "Nights" .* Layer 1 \(Grace L\) is edited/);
  assert.match(edited, new RegExp(`${unknown} .* too old to support this`));
  assert.match(edited, /Changes: 2\./);
  // They are asked at once, or the second not at all.
  assert.ok(previewsOf(at) - before <= 2);
});
