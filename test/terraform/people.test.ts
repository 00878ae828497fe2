// People as Terraform's resources: the real Terraform, the real server.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type RunningTerraform, startTerraform } from './running-terraform.ts';
import { noTerraform } from './terraform.ts';

/** A team of two people, whom a schedule and a policy of it name. */
const people = (ofAda = '', provider = '') => `
  ${provider}
  resource "pager_team" "shop" { name = "Shop" }
  resource "pager_user" "ada" {
    first_name = "Ada"
    last_name  = "L"
    email      = "Ada@example.test"
    role       = "responder"
    team_ids   = [pager_team.shop.id]
    ${ofAda}
  }
  resource "pager_user" "bob" {
    first_name = "Bob"
    last_name  = ""
    email      = "bob@example.test"
    role       = "viewer"
    timezone   = "Europe/Berlin"
    team_ids   = [pager_team.shop.id]
  }
  resource "pager_notification_settings" "ada" {
    user_id     = pager_user.ada.id
    shift_start = ["sms", "email"]
    shift_end   = []
    schedules   = [{ oncall_schedule_id = pager_oncall_schedule.shop.id, shift_start = ["phone"] }]
  }
  resource "pager_oncall_schedule" "shop" {
    name    = "Shop"
    team_id = pager_team.shop.id
    layers  = [{
      users    = [pager_user.ada.id, pager_user.bob.id]
      rotation = { length = 1, unit = "weeks" }
    }]
  }
  resource "pager_escalation_policy" "shop" {
    name    = "Shop"
    team_id = pager_team.shop.id
    steps   = [{ targets = [{ via = "email", user_id = pager_user.ada.id }] }]
  }`;

describe('people', { skip: noTerraform ?? false }, () => {
  let at: RunningTerraform;
  before(async () => {
    at = await startTerraform();
  });
  after(() => at[Symbol.asyncDispose]());
  const changes = async () =>
    (await at.changes()).map(({ address, actions, attributes }) => [address, actions, attributes]);
  const id = async (name: string) => String((await at.state()).get(`pager_user.${name}`)?.['id']);
  const user = async (name: string) => (await at.server.api.send(`GET /users/${name}`)).body;

  test('they live as they are configured: made, changed, seen, imported, deactivated', async () => {
    const { api } = at.server;
    await at.workspace.configure(people());
    await at.apply();
    assert.deepEqual(await changes(), []);
    const [ada, bob] = [await id('ada'), await id('bob')];
    const [layer] = (await api.list('on-calls'))[0].layers;
    assert.deepEqual(layer.users, [ada, bob]);

    // So are the settings of one of them.
    const ofAda = `/users/${ada}/notifications`;
    assert.deepEqual((await api.send(`GET ${ofAda}`)).body.shift_end, []);
    await api.send(`PATCH ${ofAda}`, { shift_end: ['email'], shift_change: [] });
    const ofSettings = 'pager_notification_settings.ada';
    assert.deepEqual(await changes(), [[ofSettings, 'update', ['shift_change', 'shift_end']]]);
    await at.apply();
    const { body: set } = await api.send(`GET ${ofAda}`);
    assert.deepEqual([set.shift_end, set.shift_change], [[], undefined]);
    await at.succeeds('state', 'rm', ofSettings);
    await at.succeeds('import', ofSettings, ada);
    assert.deepEqual(await changes(), []);
    await at.workspace.configure(
      people().replace('= pager_user.ada.id\n    shift', '= pager_user.bob.id\n    shift'),
    );
    assert.deepEqual(await changes(), [[ofSettings, 'delete create', ['id', 'user_id']]]);
    await at.apply();
    const { body: ofBob } = await api.send(`GET /users/${bob}/notifications`);
    assert.deepEqual(
      [(await api.send(`GET ${ofAda}`)).body, ofBob.shift_start],
      [{}, ['sms', 'email']],
    );
    await at.workspace.configure(people());
    await at.apply();

    // By hand: seen, set back in place, and never undone by a plan that did not know of it.
    await api.send(`PATCH /users/${ada}`, { active: false, timezone: 'Asia/Tokyo' });
    assert.deepEqual(await changes(), [['pager_user.ada', 'update', ['active', 'timezone']]]);
    await api.send(`PATCH /users/${ada}`, { last_name: 'Byron' });
    await at.fails(
      /Could not change the user "Ada@example.test".*Run terraform plan again/,
      'apply',
      'planned',
    );
    await at.workspace.configure(people('active = true'));
    await at.apply();
    const { active, last_name, timezone } = await user(ada);
    assert.deepEqual([active, last_name, timezone], [true, 'L', undefined]);

    for (const known of [ada, 'ADA@example.test']) {
      await at.succeeds('state', 'rm', 'pager_user.ada');
      await at.succeeds('import', 'pager_user.ada', known);
      assert.deepEqual(await changes(), []);
    }
    await at.succeeds('state', 'rm', 'pager_user.ada');
    await at.fails(
      /user "7" is not found .*not an id, and .* no user with this email/,
      'import',
      'pager_user.ada',
      '7',
    );
    await at.fails(/has no user with this email/, 'import', 'pager_user.ada', 'eve@example.test');
    // Terraform knows nothing of Ada now.
    await at.fails(
      /email already belongs to another user.*terraform import ADDRESS Ada@example.test/,
      ...['apply', '-auto-approve'],
    );
    await at.succeeds('import', 'pager_user.ada', 'ada@example.test');
    await at.succeeds('destroy', '-auto-approve');
    assert.deepEqual([(await user(ada)).active, (await user(bob)).active], [false, false]);
    assert.deepEqual((await api.send(`GET ${ofAda}`)).body, {});
  });

  test('no answer to a creation leaves nobody twice, and the next apply tells how to go on', async () => {
    const eve = (provider = '') => `${provider}
      resource "pager_user" "eve" {
        first_name = "Eve"
        last_name  = ""
        email      = "eve@example.test"
        role       = "viewer"
      }`;
    at.proxy.done = async ({ method }) =>
      method === 'POST' ? { status: 500, type: 'text/html', text: 'Oops' } : undefined;
    await at.workspace.configure(eve('provider "pager" { max_retries = 1 }'));
    await at.fails(/may have been created anyway. Apply again/, 'apply', '-auto-approve');
    at.proxy.done = async () => undefined;
    await at.fails(/terraform import ADDRESS eve@example.test/, 'apply', '-auto-approve');
    await at.succeeds('import', 'pager_user.eve', 'eve@example.test');
    assert.deepEqual(await changes(), []);
    let endings = 0;
    at.proxy.done = async ({ method }) => {
      endings += method === 'PATCH' ? 1 : 0;
      return method === 'PATCH' && endings === 1 ? 'lost' : undefined;
    };
    await at.succeeds('destroy', '-auto-approve');
    assert.equal(endings, 2);
    at.proxy.done = async () => undefined;
  });

  test('what an API key may not do to a person fails the plan, at its attribute', async () => {
    const eve = ({ role = 'manager', email = 'eve.key@example.test', more = '' } = {}) => `
      resource "pager_team" "keyed" { name = "Keyed" }
      resource "pager_user" "keyed" {
        first_name = "Eve"
        last_name  = "K"
        email      = "${email}"
        role       = "${role}"
        team_ids   = [pager_team.keyed.id]
        ${more}
      }`;
    const refused = (attribute: string, reason: string) =>
      new RegExp(
        `Could not plan the user "eve.key@example.test".*in resource "pager_user" "keyed".* ${attribute} += .*${reason}.*by an API key.*in the dashboard, under People`,
      );
    for (const role of ['admin', 'owner']) {
      await at.workspace.configure(eve({ role }));
      const reason = `role of a new person cannot be set to ${role}`;
      await at.fails(refused('role', reason), 'plan');
      await at.fails(/terraform import ADDRESS eve.key@example.test/, 'plan');
    }
    assert.ok(!(await at.server.api.list('teams')).some(({ name }) => name === 'Keyed'));
    await at.workspace.configure(eve());
    await at.apply();
    await at.workspace.configure(eve({ role: 'admin' }));
    await at.fails(refused('role', 'role cannot be raised to admin'), 'plan');
    await at.workspace.configure(eve({ email: 'mallory@example.test' }));
    await at.fails(refused('email', 'email cannot be changed'), 'plan');

    // Somebody has raised her in the dashboard: kept, imported and changed as any other.
    const eveId = await id('keyed');
    await at.server.sql`
      update users set role = 'admin', version = version + 1 where id = ${eveId}`;
    await at.workspace.configure(eve({ role: 'admin' }));
    assert.deepEqual(await changes(), []);
    await at.succeeds('state', 'rm', 'pager_user.keyed');
    await at.succeeds('import', 'pager_user.keyed', 'eve.key@example.test');
    assert.deepEqual(await changes(), []);
    await at.workspace.configure(eve({ role: 'admin', more: 'timezone = "Europe/Berlin"' }));
    await at.apply();
    const { body: changed } = await at.server.api.send(`PATCH /users/${eveId}`, { active: false });
    assert.equal(changed.active, false);
    const reason = 'active of a person with the role admin cannot be set to true';
    await at.fails(new RegExp(`${reason}.*Then run terraform plan again`), 'plan');
    await at.workspace.configure(eve({ role: 'manager' }));
    await at.apply();
    await at.succeeds('destroy', '-auto-approve');
  });

  test('the last owner stays, and keys do no more than they may', async () => {
    const { api } = at.server;
    const [owner] = (await api.list('users')).filter(({ role }) => role === 'owner');
    const configuration = (provider = '') => `${provider}
      resource "pager_user" "owner" {
        first_name = "O"
        last_name  = "O"
        email      = "${owner.email}"
        role       = "owner"
      }`;
    await at.workspace.configure(configuration());
    await at.succeeds('import', 'pager_user.owner', owner.email);
    await at.fails(
      /Could not deactivate .*make someone else an owner first/,
      'destroy',
      '-auto-approve',
    );
    for (const [role, pattern] of [
      ['manager', /Teams, users and their settings need the role admin or above/],
      ['admin', /Only owners can change owners/],
    ] as const) {
      const { key } = await api.create('api-keys', { name: role, role });
      await at.workspace.configure(configuration(`provider "pager" { api_key = "${key}" }`));
      await at.fails(pattern, 'apply', '-auto-approve');
    }
    assert.deepEqual((await user(owner.id)).first_name, owner.first_name);
  });

  test('what is wrong with one is told by the plan', async () => {
    await at.workspace.configure(people('active = true\n password = "secret"'));
    await at.fails(/An argument named "password" is not expected/, 'validate');
    const wrong = people().replace('"responder"', '"boss"').replace('bob@', 'bob');
    await at.workspace.configure(wrong.replace('[pager_team.shop.id]', '["nowhere"]'));
    await at.fails(/Invalid role.*Invalid team_ids/, 'plan');
  });
});
