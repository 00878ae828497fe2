// The life of records as people meet it: the real Terraform, the real server, what can go wrong.
import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { beforeScheduleRoutes } from './proxy.ts';
import { type RunningTerraform, startTerraform } from './running-terraform.ts';
import { noTerraform } from './terraform.ts';

/** Every kind of record, each pointing to the others by their ids. */
const company = `
data "pager_user" "owner" { email = "OWNER@example.test" }

resource "pager_service" "shop" { name = "Shop" }

resource "pager_oncall_schedule" "shop" {
  name     = "Shop"
  timezone = "Europe/Berlin"
  layers = [{
    users    = [data.pager_user.owner.id]
    rotation = { length = 1, unit = "weeks", handoff = "09:00" }
  }]
}

resource "pager_escalation_policy" "shop" {
  name = "Shop"
  steps = [
    {
      targets                = [{ via = "sms", oncall_schedule_id = pager_oncall_schedule.shop.id }]
      escalate_after_minutes = 5
    },
    { targets = [{ via = "slack", webhook_url = "https://chat.example.com/T0" }] },
  ]
}

resource "pager_integration" "shop" {
  slug                 = "webhook"
  service_id           = pager_service.shop.id
  escalation_policy_id = pager_escalation_policy.shop.id
  auto_resolve         = { after = 2, unit = "days" }
}

resource "pager_outbound_webhook" "shop" {
  name = "Shop"
  url  = "https://shop.example.com/hook"
}

resource "pager_alert_routing_rule" "shop" {
  name             = "Shop"
  integration_ids  = [pager_integration.shop.id]
  condition_groups = [{ conditions = [{ type = "incidentPriority", comparator = "equals", priority = "p1" }] }]
  actions = [
    { type = "outboundWebhook", outbound_webhook_id = pager_outbound_webhook.shop.id },
    { type = "playbook", playbook_id = pager_playbook.shop.id },
  ]
}

resource "pager_playbook" "shop" {
  name              = "Shop"
  run_automatically = ["triggered"]
  condition_groups  = [{ conditions = [{ type = "incidentMessage", comparator = "matches", text = "^disk" }] }]
  actions = [
    { type = "note", text = "{{title}}: look at the shop." },
    { type = "addLink", href = "https://wiki.example.com/shop", text = "Wiki" },
    { type = "escalationPolicy", escalation_policy_id = pager_escalation_policy.shop.id },
  ]
}
`;

const password = 'correct horse battery';

describe('the life of records', { skip: noTerraform ?? false }, () => {
  let at: RunningTerraform;
  before(async () => {
    at = await startTerraform({ PAGER_BOOTSTRAP_PASSWORD: password });
  });
  after(() => at[Symbol.asyncDispose]());
  beforeEach(async () => {
    at.proxy.instead = () => undefined;
    await configure(company);
    await at.apply();
  });

  /** As the owner, who signs in for it. */
  async function restore(path: string): Promise<void> {
    const { url: origin } = at.server;
    const signedIn = await fetch(`${origin}/auth/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'owner@example.test', password }),
    });
    const { csrf_token } = (await signedIn.json()) as { readonly csrf_token: string };
    const [cookie = ''] = signedIn.headers.getSetCookie()[0]?.split(';') ?? [];
    const headers = { cookie, origin, 'x-csrf-token': csrf_token };
    const restored = await fetch(`${origin}/api/v1${path}`, { method: 'POST', headers });
    assert.equal(restored.status, 200, await restored.text());
  }

  const configure = (text: string) => writeFile(join(at.workspace.folder, 'main.tf'), text);
  const idOf = async (address: string) => String((await at.state()).get(address)?.['id']);
  const matches = (text: string, pattern: RegExp) =>
    assert.match(text.replace(/\s+/g, ' '), pattern);

  test('all are made by their references, and then nothing is left to do', async () => {
    assert.deepEqual(await at.changes(), []);
    assert.equal((await at.state()).size, 8);
  });

  test('they are archived in the order of their references', async () => {
    const passed = at.proxy.passed.length;
    await at.succeeds('destroy', '-auto-approve');
    const kinds = at.proxy.passed
      .slice(passed)
      .flatMap((request) => /^DELETE \/([a-z-]+)\//.exec(request)?.[1] ?? []);
    const order = (one: string, other: string) =>
      assert.ok(kinds.indexOf(one) < kinds.indexOf(other), `${one} before ${other}: ${kinds}`);
    assert.equal(kinds.length, 7);
    order('alert-rules', 'integrations');
    order('alert-rules', 'playbooks');
    order('playbooks', 'escalation-policies');
    order('alert-rules', 'outbound-webhooks');
    order('integrations', 'services');
    order('integrations', 'escalation-policies');
    order('escalation-policies', 'on-calls');
  });

  test('what is changed in the configuration changes where it is', async () => {
    await configure(company.replaceAll('"Shop"', '"Store"'));
    const changes = await at.changes();
    assert.deepEqual(new Set(changes.map(({ actions }) => actions)), new Set(['update']));
    await at.apply();
    assert.deepEqual(await at.changes(), []);
  });

  test('what is changed in the dashboard is seen, and set back', async () => {
    const id = await idOf('pager_service.shop');
    await at.server.api.send(`PATCH /services/${id}`, { description: 'By hand.' });
    const changes = await at.changes();
    assert.deepEqual(
      changes.map(({ address, attributes }) => [address, attributes]),
      [['pager_service.shop', ['description']]],
    );
    await at.apply();
    const { body } = await at.server.api.send(`GET /services/${id}`);
    assert.equal(body.description, undefined);
  });

  test('a saved plan does not overwrite what was changed since', async () => {
    await configure(company.replaceAll('"Shop"', '"Shop!"'));
    await at.changes('-target=pager_service.shop');
    const id = await idOf('pager_service.shop');
    await at.server.api.send(`PATCH /services/${id}`, { name: 'By hand' });
    const { code, errors } = await at.workspace.run('apply', 'planned');
    assert.equal(code, 1);
    matches(
      errors,
      /Could not change the service "Shop".* changed in the dashboard since the plan/,
    );
  });

  test('a rename leaves what Terraform cannot express of layers that it ignores', async () => {
    const id = await idOf('pager_oncall_schedule.shop');
    const [layer] = (await at.server.api.send(`GET /on-calls/${id}`)).body.layers;
    const layers = [{ ...layer, users: [...layer.users, null], ends_at: '2035-01-31T09:00:00Z' }];
    await at.server.api.send(`PATCH /on-calls/${id}`, { layers });
    const ignoring = company.replace(
      '  timezone = "Europe/Berlin"',
      '  timezone = "Europe/Paris"\n  lifecycle { ignore_changes = [layers] }',
    );
    await configure(ignoring.replaceAll('"Shop"', '"Store"'));
    const output = await at.apply();
    assert.doesNotMatch(output, /loses/);
    const { body } = await at.server.api.send(`GET /on-calls/${id}`);
    assert.deepEqual([body.name, body.timezone, body.layers], ['Store', 'Europe/Paris', layers]);
    assert.deepEqual(await at.changes(), []);
    await configure(company);
    assert.doesNotMatch(await at.apply(), /loses/);
    const after = (await at.server.api.send(`GET /on-calls/${id}`)).body;
    assert.deepEqual([after.name, after.layers], ['Shop', layers]);
    assert.deepEqual(await at.changes(), []);
    await at.server.api.send(`PATCH /on-calls/${id}`, { layers: [layer] });
  });

  test('what was changed in the dashboard goes when it leaves the configuration', async () => {
    const id = await idOf('pager_outbound_webhook.shop');
    await at.server.api.send(`PATCH /outbound-webhooks/${id}`, { name: 'By hand' });
    const without = (kind: string) => new RegExp(`\nresource "pager_${kind}" .*?\n}\n`, 's');
    await configure(
      company.replace(without('outbound_webhook'), '').replace(without('alert_routing_rule'), ''),
    );
    await at.apply();
    const { body } = await at.server.api.send(`GET /outbound-webhooks/${id}`);
    assert.ok('archived_at' in body);
  });

  test('what was changed since a plan is not archived by it', async () => {
    const id = await idOf('pager_service.shop');
    await at.changes('-destroy');
    await at.server.api.send(`PATCH /services/${id}`, { name: 'By hand' });
    const { code, errors } = await at.workspace.run('apply', 'planned');
    assert.equal(code, 1);
    matches(
      errors,
      /Could not archive the service "Shop".* changed in the dashboard since the plan/,
    );
  });

  test('a rule that is replaced keeps its place, and one that is placed elsewhere stays', async () => {
    const address = 'pager_alert_routing_rule.shop';
    const position = async () => {
      const { body } = await at.server.api.send(`GET /alert-rules/${await idOf(address)}`);
      return body.position;
    };
    const id = await idOf(address);
    await at.server.api.send(`PATCH /alert-rules/${id}`, { position: 7 });
    assert.deepEqual(await at.changes(), []);
    await configure(company.replace('  condition_groups ', '  position = 3\n  condition_groups '));
    await at.apply(`-replace=${address}`);
    assert.notEqual(await idOf(address), id);
    assert.equal(await position(), 3);
    assert.deepEqual(await at.changes(), []);
    await configure(company.replaceAll('"Shop"', '"Store"'));
    await at.apply();
    assert.equal(await position(), 3);
  });

  test('what was archived in the dashboard is told, and made anew', async () => {
    const id = await idOf('pager_outbound_webhook.shop');
    await at.server.api.send(`DELETE /outbound-webhooks/${id}`);
    matches(await at.succeeds('plan'), /The outbound webhook "Shop" is archived .* restore/);
    await at.apply();
    assert.notEqual(await idOf('pager_outbound_webhook.shop'), id);
  });

  test('what was archived, and is restored as the plan says, is as it was', async () => {
    const id = await idOf('pager_outbound_webhook.shop');
    await at.server.api.send(`DELETE /outbound-webhooks/${id}`);
    const [, path = ''] = /with POST\s+(\S+)/.exec(await at.succeeds('plan')) ?? [];
    await restore(path);
    assert.deepEqual(await at.changes(), []);
    assert.equal(await idOf('pager_outbound_webhook.shop'), id);
  });

  test('another team makes another record of it, and says what is lost', async () => {
    const { id: team } = await at.server.api.create('teams', { name: `web ${Date.now()}` });
    const moved = company.replace('auto_resolve ', `team_id = "${team}"\n  auto_resolve `);
    await configure(moved.replace('integration_ids ', '# '));
    const { errors, output } = await at.workspace.run('plan');
    matches(output + errors, /forces replacement/);
    matches(output, /The integration ".*" is replaced .* new token and webhook URL/);
  });

  test('all are imported, in every form, without a change', async () => {
    const forms = ['<id>', '<team_id>/<id>', '<counter>', '<team_id>/<counter>'];
    const records = [...(await at.state())].filter(([address]) => !address.startsWith('data.'));
    await at.forget();
    for (const [index, [address, fields]] of records.entries()) {
      const form = forms[index % forms.length] ?? '';
      const importId = form.replace(/<(\w+)>/g, (_, name: string) => String(fields[name]));
      await at.succeeds('import', address, importId);
    }
    assert.deepEqual(await at.changes(), []);
  });

  test('an older server: the schedule is not gone, and the error says what to do', async () => {
    at.proxy.instead = beforeScheduleRoutes;
    for (const command of ['plan', 'destroy']) {
      const args = command === 'destroy' ? ['-auto-approve', '-refresh=false'] : [];
      const { code, errors } = await at.workspace.run(command, ...args);
      assert.equal(code, 1);
      matches(
        errors,
        /Unknown route: (GET|DELETE) \/on-calls\/.* data source pager_oncall_schedule/,
      );
    }
    assert.ok(await idOf('pager_oncall_schedule.shop'));
  });

  test('an older server: a schedule that is looked up instead, as the error says, goes on', async () => {
    const id = await idOf('pager_oncall_schedule.shop');
    await at.succeeds('state', 'rm', 'pager_oncall_schedule.shop');
    const dataSources = company
      .replace(/resource "pager_oncall_schedule" .*?\n}\n/s, '')
      .replace('oncall_schedule_id = pager', 'oncall_schedule_id = data.pager');
    await configure(`${dataSources}\ndata "pager_oncall_schedule" "shop" { id = "${id}" }\n`);
    at.proxy.instead = beforeScheduleRoutes;
    assert.deepEqual(await at.changes(), []);
    at.proxy.instead = () => undefined;
    await configure(company);
    await at.succeeds('import', 'pager_oncall_schedule.shop', id);
    assert.deepEqual(await at.changes(), []);
  });

  test('a server that dies in an apply leaves a state that the next one goes on from', async () => {
    await at.succeeds('destroy', '-auto-approve');
    let created = 0;
    at.proxy.instead = ({ method }) => {
      created += method === 'POST' ? 1 : 0;
      const body = { error: 'internal', message: 'Gone.', issues: [], request_id: 'req-9' };
      return created > 3 ? { status: 500, body } : undefined;
    };
    const impatient = join(at.workspace.folder, 'impatient.tf');
    await writeFile(impatient, 'provider "pager" { max_retries = 1 }');
    const { code, errors } = await at.workspace.run('apply', '-auto-approve');
    await rm(impatient);
    assert.equal(code, 1);
    matches(errors, /Could not create .* Gone\. \(request req-9\)/);
    at.proxy.instead = () => undefined;
    await at.apply();
    assert.deepEqual(await at.changes(), []);
  });

  test('hundreds at once go through', async () => {
    await configure(`
      data "pager_user" "owner" { email = "OWNER@example.test" }
      resource "pager_service" "all" {
        count = 200
        name  = "s\${count.index}"
      }
      resource "pager_oncall_schedule" "all" {
        count  = 100
        name   = "s\${count.index}"
        layers = [{ users = [data.pager_user.owner.id], rotation = { length = 1, unit = "weeks" } }]
      }
    `);
    await at.apply('-parallelism=50');
    const passed = at.proxy.passed.length;
    assert.deepEqual(await at.changes('-parallelism=50'), []);
    // Read by their list, not one by one.
    assert.ok(at.proxy.passed.length - passed < 20);
  });
});
