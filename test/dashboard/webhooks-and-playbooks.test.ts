// Outbound webhooks and playbooks, made, tried and archived in the browser.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startWebhookServer } from '../webhook-server.ts';
import { checkShown, desktop, noBrowser, phone, type Stage, startStage } from './stage.ts';

const skip = noBrowser ?? false;
let stage: Stage;
before(async () => {
  if (!skip) stage = await startStage({ PAGER_ALLOW_NETWORKS: '127.0.0.0/8' });
});
after(() => stage?.[Symbol.asyncDispose]());

test('a webhook is made, tried, repaired, and its secret changed', { skip }, async () => {
  let status = 500;
  await using called = await startWebhookServer((_, response) => {
    response.writeHead(status).end('said the ticket system');
  });
  await stage.story(desktop, async ({ page, open }) => {
    const { api } = stage.server;
    await open('/outbound-webhooks');
    await page.getByRole('heading', { name: 'No outbound webhooks yet' }).waitFor();
    await page.getByRole('link', { name: 'Create outbound webhook' }).first().click();
    await page.getByText(/^A webhook is called only by records that use it/).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Ticket system');
    await page.getByLabel('URL', { exact: true }).fill(`${called.url}/tickets?key=secret`);
    await page.getByLabel('Method').selectOption('PUT');
    await page.getByRole('button', { name: 'Add header' }).click();
    const header = page.getByRole('group', { name: 'Header 1' });
    await header.getByLabel('Name').fill('Host');
    await header.getByLabel('Value').fill('example.test');
    await page.getByLabel('Description').focus();
    await header.getByText('is set by Pager').waitFor();
    await checkShown(page);
    await header.getByLabel('Name').fill('X-Team');
    await page.getByRole('button', { name: 'Create outbound webhook' }).click();
    await page.getByRole('heading', { name: 'Ticket system' }).waitFor();
    await page.getByText('No rule, playbook or schedule uses it yet.').waitFor();
    await page.getByText('Not called yet.').waitFor();
    await page.getByText('method PUT sends no incident: only POST does.').waitFor();
    const [made] = await api.list('outbound-webhooks');
    const post = { method: 'POST' };
    assert.equal((await api.send(`PATCH /outbound-webhooks/${made?.id}`, post)).status, 200);
    assert.deepEqual(made?.headers, { 'X-Team': 'example.test' });
    assert.equal(await page.getByText('key=secret').count(), 0);

    await page.getByRole('button', { name: 'Send test call' }).click();
    await page.getByText('Failing since').waitFor();
    await checkShown(page);
    await page.getByRole('link', { name: 'Deliveries' }).click();
    const list = page.getByRole('list', { name: 'Deliveries' });
    await list.getByText(/^Next attempt/).waitFor();
    await list.getByText('1 attempt', { exact: true }).click();
    await list.getByText('said the ticket system').waitFor();
    await list.getByRole('button', { name: 'Show request body' }).click();
    await list.getByText(/"triggered"/).waitFor();
    await checkShown(page);
    status = 200;
    await list.getByRole('button', { name: 'Redeliver' }).click();
    await list.getByText('Delivered', { exact: true }).first().waitFor();
    assert.equal(called.received.at(-1)?.headers['x-team'], 'example.test');

    await page.getByRole('link', { name: 'Signing secrets' }).click();
    await page.getByRole('button', { name: 'Show secret' }).click();
    assert.match(await page.getByLabel('Secret', { exact: true }).last().inputValue(), /^whsec_/);
    await page.getByRole('button', { name: 'Create second secret' }).click();
    const old = page.getByRole('region', { name: 'Secret', exact: true });
    await old.getByRole('button', { name: 'Remove' }).click();
    await checkShown(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Create second secret' }).waitFor();

    await page.getByRole('link', { name: 'Terraform' }).click();
    await page.getByText('resource "pager_outbound_webhook" "ticket_system"').waitFor();
    assert.equal(await page.getByText('key=secret').count(), 0);
    await checkShown(page);

    // The address stays, though it is not in the page.
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Replace URL' }).waitFor();
    await page.getByLabel('Name', { exact: true }).first().fill('Tickets');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Tickets' }).waitFor();
    const [saved] = await api.list('outbound-webhooks');
    assert.deepEqual([saved?.name, saved?.url], ['Tickets', made?.url]);
  });
});

test('a playbook is made of actions, archived, and restored from the archive', { skip }, () =>
  stage.story(phone, async ({ page, open, expectError }) => {
    const { api } = stage.server;
    await open('/playbooks/new');
    await page.getByLabel('Name', { exact: true }).fill('Tell the customers');
    const first = page.getByRole('group', { name: 'Action 1' });
    await first.getByLabel('Type').selectOption('Add note');
    await page.getByText('Choose above when this one runs.').waitFor();
    expectError(/422/);
    await page.getByRole('button', { name: 'Create playbook' }).tap();
    await page
      .getByRole('alert')
      .getByRole('button', { name: /Action 1 › Text/ })
      .waitFor();
    await first.getByLabel('Text').and(page.locator(':focus')).waitFor();
    await checkShown(page);
    await first.getByLabel('Text').fill('Status page: {{title}}');
    await page.getByRole('button', { name: 'Add action' }).tap();
    const second = page.getByRole('group', { name: 'Action 2' });
    await second.getByLabel('Type').selectOption('Set priority');
    await second.getByLabel('Priority').selectOption('P1');
    await second.getByRole('button', { name: 'Move action 2 up' }).tap();
    await page.getByLabel('Triggered').check();
    await page.getByRole('button', { name: 'Add condition group' }).tap();
    const condition = page.getByRole('group', { name: 'Condition 1' });
    await condition.getByLabel('Type').selectOption('Any alert');
    await checkShown(page);
    await page.getByRole('button', { name: 'Create playbook' }).tap();
    await page.getByRole('heading', { name: 'Tell the customers' }).waitFor();
    await checkShown(page);
    const [made] = await api.list('playbooks');
    assert.deepEqual(
      [made?.actions, made?.run_automatically, made?.condition_groups],
      [
        [
          { type: 'priority', priority: 'p1' },
          { type: 'note', text: 'Status page: {{title}}' },
        ],
        ['triggered'],
        [{ conditions: [{ type: 'allIncidents' }] }],
      ],
    );
    await page.getByRole('button', { name: 'Archive' }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).tap();
    await page.getByText('This playbook is archived.').waitFor();
    await open('/settings/archive');
    await page.getByRole('link', { name: 'Tell the customers' }).waitFor();
    await checkShown(page);
    await page.getByRole('button', { name: 'Restore Tell the customers' }).tap();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).tap();
    await page.getByRole('heading', { name: 'Nothing archived' }).waitFor();
    await page.getByText('Tell the customers is active again.').waitFor();
    assert.equal((await api.send(`GET /playbooks/${made?.id}`)).body.archived_at, undefined);
  }),
);
