// `terraform test` with a provider that Terraform itself makes up: no server, and ids of its own.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { nodeFolders, noTerraform, Workspace } from './terraform.ts';

const configuration = `
data "pager_user" "ada" { email = "ada@example.com" }
data "pager_team" "ops" { name = "ops" }
resource "pager_service" "shop" {
  name    = "Shop"
  team_id = data.pager_team.ops.id
}
resource "pager_oncall_schedule" "shop" {
  name   = "Shop"
  layers = [{ users = [data.pager_user.ada.id], rotation = { length = 1, unit = "weeks" } }]
}
resource "pager_escalation_policy" "shop" {
  name = "Shop"
  steps = [{ targets = [
    { via = "email", user_id = data.pager_user.ada.id },
    { via = "email", oncall_schedule_id = pager_oncall_schedule.shop.id },
  ] }]
}
resource "pager_integration" "shop" {
  slug                 = "webhook"
  service_id           = pager_service.shop.id
  escalation_policy_id = pager_escalation_policy.shop.id
}
resource "pager_outbound_webhook" "shop" {
  name           = "Shop"
  url_wo         = "https://shop.test/secret"
  url_wo_version = 1
}
resource "pager_alert_routing_rule" "shop" {
  name             = "Shop"
  service_ids      = [pager_service.shop.id]
  integration_ids  = [pager_integration.shop.id]
  condition_groups = [{
    conditions = [{ type = "incidentMessage", comparator = "matches", text = "^disk" }]
  }]
  actions = [{ type = "playbook", playbook_id = pager_playbook.shop.id }]
}
resource "pager_playbook" "shop" {
  name    = "Shop"
  actions = [{ type = "acknowledgeIncident" }]
}
`;

const runs = `
mock_provider "pager" {}
run "plan" { command = plan }
run "apply" {
  assert {
    condition     = pager_integration.shop.service_id == pager_service.shop.id
    error_message = "It belongs to another service."
  }
}
run "again" { command = plan }
`;

test('a mocked provider needs neither a server nor mocked values', {
  skip: noTerraform ?? false,
}, async () => {
  await using workspace = await Workspace.open(nodeFolders.at(-1) ?? '');
  await workspace.configure(configuration);
  await mkdir(join(workspace.folder, 'tests'));
  await writeFile(join(workspace.folder, 'tests', 'mock.tftest.hcl'), runs);
  const { code, output, errors } = await workspace.run('test');
  assert.equal(code, 0, errors);
  assert.match(output, /3 passed, 0 failed/);
});

test('what is no id, and none that Terraform makes up, is told without a server', {
  skip: noTerraform ?? false,
}, async () => {
  await using workspace = await Workspace.open(nodeFolders.at(-1) ?? '');
  await workspace.configure(
    'resource "pager_service" "shop" {\n  name = "a"\n  team_id = "platform-x"\n}',
  );
  const { code, errors } = await workspace.run('validate');
  assert.equal(code, 1);
  assert.match(errors, /team_id must be an id/);
});
