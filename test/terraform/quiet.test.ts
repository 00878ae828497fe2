// How much a plan of many changes shows, and that its apply does not repeat it, in the real Terraform.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Fields, type RunningTerraform, startTerraform } from './running-terraform.ts';
import { noTerraform } from './terraform.ts';

const mail = {
  PAGER_BOOTSTRAP_EMAIL: 'owner@example.com',
  PAGER_SMTP_URL: 'smtp://127.0.0.1:9',
  PAGER_MAIL_FROM: 'pager@example.com',
};
const needsTerraform = { skip: noTerraform ?? false };
const SCREEN_LINES = 40;

async function people({ server: { api } }: RunningTerraform) {
  const person = async (first_name: string): Promise<string> => {
    const email = `${first_name.toLowerCase()}@example.com`;
    return (await api.create('users', { first_name, last_name: 'L', email, role: 'responder' })).id;
  };
  return { ada: await person('Ada'), grace: await person('Grace') };
}

const many = (count: number, fields: (n: number) => Fields) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`n${n}`, fields(n)]));

const schedule = (name: string, users: readonly string[], length: number): Fields => ({
  name,
  timezone: 'Europe/Berlin',
  layers: [{ users, rotation: { length, unit: 'weeks' } }],
});

/** Fifty schedules with what pages by them. */
const twoHundred = (schedules: (n: number) => Fields) => ({
  pager_oncall_schedule: many(50, schedules),
  pager_escalation_policy: many(10, (n) => ({
    name: `Policy ${n}`,
    steps: [
      { targets: [{ via: 'email', oncall_schedule_id: `\${pager_oncall_schedule.n${n}.id}` }] },
    ],
  })),
  pager_service: many(90, (n) => ({ name: `Service ${n}` })),
  pager_integration: many(50, (n) => ({
    slug: 'webhook',
    service_id: `\${pager_service.n${n}.id}`,
    escalation_policy_id: `\${pager_escalation_policy.n${n % 10}.id}`,
  })),
});

/** What follows the changes. */
const afterChanges = (output: string) => output.slice(output.indexOf('\nPlan:'));
const inOneLine = (output: string) => output.replace(/[\s│╷╵]+/g, ' ');
const warningsIn = (output: string) =>
  output.match(/Warning: (?!Provider development overrides)/g)?.length ?? 0;

test(
  'a plan of 200 resources fits a screen, and its apply repeats nothing',
  needsTerraform,
  async () => {
    await using at = await startTerraform(mail);
    const { ada, grace } = await people(at);
    const plan = async (...args: string[]) =>
      afterChanges(await at.succeeds('plan', '-input=false', '-out=planned', ...args));
    const configure = (schedules: (n: number) => Fields, effects = 'summary') =>
      at.configure({ provider: { pager: { effects } }, resource: twoHundred(schedules) });

    await configure((n) => schedule(`S${n}`, [ada], 1));
    const created = await plan();
    assert.match(inOneLine(created), /Effects of 50 changes .* 50 on-call schedules: .*notified/);
    assert.ok(created.split('\n').length <= SCREEN_LINES, created);
    assert.equal(warningsIn(created), 1, created);
    assert.equal(warningsIn(await at.succeeds('apply', '-input=false', 'planned')), 0);
    assert.deepEqual(await at.changes(), []);

    // One alone changes for people; the others are on call as before.
    const changed = (n: number) =>
      n === 7 ? schedule('S7', [grace], 1) : schedule(`S${n}`, [ada], 3);
    await configure(changed);
    const edited = await plan();
    const text = inOneLine(edited);
    for (let n = 0; n < 50; n += 1) assert.match(text, new RegExp(`[:;] S${n} 1[;.]`));
    assert.match(text, /50 on-call schedules: .*on call now changes in 1 \(S7: Ada L to Grace L\)/);
    assert.match(text, /1 person \(Ada L\) notified of a new shift although their hours stay/);
    assert.match(
      text,
      /- on-call schedule "S7": On call now: Ada L\. After this change: Grace L\./,
    );
    assert.ok(edited.split('\n').length <= SCREEN_LINES, edited);
    assert.equal(warningsIn(edited), 1, edited);
    assert.deepEqual(
      inOneLine(await plan('-refresh=false')).match(/Effects of 50 changes/g)?.length,
      1,
      'a plan that reads nothing',
    );

    await configure(changed, 'all');
    const whole = inOneLine(await plan());
    for (let n = 0; n < 50; n += 1)
      assert.match(whole, new RegExp(`Effects of changing the on-call schedule "S${n}": Layer 1`));
    const applied = await at.apply();
    assert.equal(warningsIn(applied), 1, 'only its plan reports');
  },
);

test('the apply of one changed record repeats nothing', needsTerraform, async () => {
  await using at = await startTerraform(mail);
  const { ada, grace } = await people(at);
  const configure = (users: readonly string[]) =>
    at.configure({ resource: { pager_oncall_schedule: { one: schedule('One', users, 1) } } });
  await configure([ada]);
  await at.apply();
  await configure([grace]);
  const planned = await at.succeeds('plan', '-input=false', '-out=planned');
  assert.match(inOneLine(planned), /Effects of changing the on-call schedule "One" .* Layer 1/);
  assert.equal(warningsIn(await at.succeeds('apply', '-input=false', 'planned')), 0);
});

test('the apply of an archiving repeats nothing', needsTerraform, async () => {
  await using at = await startTerraform(mail);
  const { ada } = await people(at);
  const pager_service = { shop: { name: 'Shop' } };
  await at.configure({
    resource: { pager_service, pager_oncall_schedule: { one: schedule('One', [ada], 1) } },
  });
  await at.apply();
  const id = (await at.state()).get('pager_oncall_schedule.one')?.['id'];
  const steps = [{ targets: [{ via: 'email', oncall_schedule_id: id }] }];
  await at.server.api.create('escalation-policies', { name: 'By hand', steps });
  await at.configure({ resource: { pager_service } });
  const planned = await at.succeeds('plan', '-input=false', '-out=planned');
  assert.match(inOneLine(planned), /The escalation policy "By hand" \(\w+\) still uses it\./);
  assert.equal(warningsIn(await at.succeeds('apply', '-input=false', 'planned')), 0);
});

test('with one record after the other, each is reported once', needsTerraform, async () => {
  await using at = await startTerraform(mail);
  const { ada, grace } = await people(at);
  const configure = (users: readonly string[]) =>
    at.configure({
      resource: { pager_oncall_schedule: many(6, (n) => schedule(`S${n}`, users, 1)) },
    });
  await configure([ada]);
  await at.apply('-parallelism=1');
  await configure([grace]);
  const applied = inOneLine(await at.apply('-parallelism=1'));
  for (let n = 0; n < 6; n += 1)
    assert.equal(applied.split(`Effects of changing the on-call schedule "S${n}"`).length, 2);
});
