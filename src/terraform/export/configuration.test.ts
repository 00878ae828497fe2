import assert from 'node:assert/strict';
import { test } from 'node:test';
import { referencesIn } from '../../resources/declaration/references-and-secrets.ts';
import type { Resource } from '../../resources/declaration/resource.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { outboundWebhook } from '../../resources/outbound-webhook.ts';
import { playbook } from '../../resources/playbook.ts';
import { configurationOf, recordConfiguration } from './configuration.ts';
import type { ExportedRecord } from './organization.ts';
import { reportText } from './report.ts';

const nothing = { records: [], mappings: [], users: [], teams: [] };

function providerOf(baseUrl: string): string {
  const { files } = configurationOf(nothing, { baseUrl, teamId: null });
  return files.find(({ name }) => name === 'provider.tf')?.text ?? '';
}

test('the address of the API is written, unless there is a password in it', () => {
  const address = 'https://pager.example.com/api/v1';
  assert.match(providerOf(address), /^ {2}base_url = "https:\/\/pager\.example\.com\/api\/v1"$/m);
  assert.doesNotMatch(providerOf(address.replace('://', '://ops:secret@')), /base_url|secret/);
});

test('an organization without records has a provider and no file that is empty', () => {
  const { files } = configurationOf(nothing, { baseUrl: 'http://localhost', teamId: null });
  assert.deepEqual(
    files.map(({ name }) => name),
    ['provider.tf', 'variables.tf'],
  );
});

test('a field that Terraform does not know and leaves as it is, is named above its resource and in the report', () => {
  const id = '1'.repeat(24);
  const uncovered_by_design = [
    { from_day: 'monday', from_time: '08:00', to_day: 'monday', to_time: '22:00' },
  ];
  const record = {
    id,
    counter: 1,
    version: 1,
    team_id: 'e'.repeat(24),
    name: 'Nights',
    layers: [{ users: ['2'.repeat(24)], rotation: { length: 1, unit: 'weeks' } }],
    uncovered_by_design,
  };
  const organization = {
    ...nothing,
    records: [{ resource: oncallSchedule, record, references: [] }],
  };
  assert.match(
    recordConfiguration(organization, id)?.text ?? '',
    /^# Without uncovered_by_design, which Terraform cannot express\. It stays as it is\.\nresource "pager_oncall_schedule" "nights" \{/,
  );
  const written = configurationOf(organization, { baseUrl: 'http://localhost', teamId: null });
  assert.match(
    reportText('pager', written),
    /\nExported without .+:\n {2}oncall schedule "Nights": uncovered_by_design\n/,
  );
});

test('one record is as the files have it, with its import and the variables of its secrets', () => {
  const team_id = 'e'.repeat(24);
  const exported = (resource: Resource, counter: number, fields: object): ExportedRecord => {
    const id = String(counter).repeat(24);
    const record = { id, counter, version: 1, team_id, ...fields };
    return { resource, record, references: referencesIn(resource.input, record) };
  };
  const hook = { name: 'Tickets', url: 'https://example.test', headers: { 'x-a': 'b' } };
  const organization = {
    ...nothing,
    records: [
      exported(outboundWebhook, 1, hook),
      exported(outboundWebhook, 2, { ...hook, url: 'https://other.test', headers: {} }),
      exported(playbook, 3, {
        name: 'Tell',
        actions: [{ type: 'outboundWebhook', outbound_webhook_id: '2'.repeat(24) }],
      }),
      exported(outboundWebhook, 4, { ...hook, method: 'PUT' }),
    ],
  };
  const options = { baseUrl: 'http://localhost', teamId: null };
  const { files } = configurationOf(organization, options);
  const all = files.map(({ text }) => text).join('\n');
  for (const { record } of organization.records) {
    const text = recordConfiguration(organization, record.id)?.text ?? '';
    for (const block of text.split(/\n(?=[a-z#])/))
      assert.ok(block !== '' && all.includes(block.trim()), block);
  }
  const playbookText = recordConfiguration(organization, '3'.repeat(24));
  const address = 'pager_outbound_webhook.tickets_2';
  assert.deepEqual(playbookText?.others, [
    { id: '2'.repeat(24), kind: 'outbound_webhook', address },
  ]);
  assert.ok(playbookText.text.includes(`${address}.id`));
  assert.deepEqual(recordConfiguration(organization, '2'.repeat(24))?.others, []);
  const second = recordConfiguration(organization, '2'.repeat(24))?.text ?? '';
  assert.match(second, /^variable "outbound_webhook_tickets_2_url"/);
  assert.match(second, /^resource "pager_outbound_webhook" "tickets_2"/m);
  assert.match(second, /^import \{\n {2}to = pager_outbound_webhook\.tickets_2\n/m);
  assert.doesNotMatch(second, /example\.test|other\.test/);
  assert.match(
    recordConfiguration(organization, '4'.repeat(24))?.text ?? '',
    /^# Not managed by Terraform/,
  );
  assert.equal(recordConfiguration(organization, '9'.repeat(24)), null);
});
