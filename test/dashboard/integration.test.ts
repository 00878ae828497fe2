// A tool is connected by the page of its integration, which shows what comes of it.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { postJson } from '../system/api-client.ts';
import { checkShown, desktop, noBrowser, phone, type Stage, startStage } from './stage.ts';

const skip = noBrowser ?? false;
let stage: Stage;

before(async () => {
  if (!skip) stage = await startStage();
});
after(() => stage?.[Symbol.asyncDispose]());

async function grafana(name: string) {
  const { api } = stage.server;
  const [first] = await api.list('integrations');
  const { service_id, escalation_policy_id } = first;
  return api.create('integrations', { slug: 'grafana', name, service_id, escalation_policy_id });
}

test('from the first steps to the first event of a tool', { skip }, () =>
  stage.story(phone, async ({ page, open, context }) => {
    const [{ id, webhook_url, token }] = await stage.server.api.list('integrations');
    await open('/incidents');
    const steps = page.getByRole('region', { name: 'Set up Pager' });
    await steps.getByRole('link', { name: 'Show how' }).tap();
    await page.waitForURL((url) => url.pathname === `/integrations/${id}`);
    await page.getByText('Page the owner').waitFor();
    const guide = page.getByRole('region', { name: 'Connect Webhook' });
    await guide.getByText('/hooks/••••••••/push-events').first().waitFor();
    assert.ok(!(await page.content()).includes(token));
    const events = page.getByRole('region', { name: 'First event' });
    await events.getByText('Waiting for the first event').waitFor();
    await checkShown(page);

    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await guide.getByRole('button', { name: 'Copy alert.sh' }).tap();
    await guide.getByText('Copied.').waitFor();
    const copied = String(await page.evaluate('navigator.clipboard.readText()'));
    assert.ok(copied.startsWith(`curl -X POST ${webhook_url} `), copied);
    await guide.getByRole('button', { name: 'Show token' }).tap();
    await guide.getByText(webhook_url).first().waitFor();
    await guide.getByRole('button', { name: 'Hide token' }).tap();
    await guide.getByText(webhook_url).first().waitFor({ state: 'detached' });

    await events.getByRole('button', { name: 'Send test event' }).tap();
    await events.getByText(/Test event received .*: opened an incident\./).waitFor();
    await events.getByText('Waiting for the first event').waitFor();
    await checkShown(page);
    await postJson(webhook_url, { title: 'Disk of db-1 is full', dedup_key: 'db-1/disk' });
    const last = page.getByRole('region', { name: 'Last event' });
    const came = last.getByText(/^Event received .*: opened an incident\.$/);
    await came.waitFor();
    await checkShown(page);
    await last
      .getByRole('link', { name: /^INC-\d+ Disk of db-1 is full$/ })
      .first()
      .tap();
    await page.getByRole('heading', { name: 'Disk of db-1 is full' }).waitFor();
    await page.getByRole('link', { name: 'First webhook' }).tap();
    await page.waitForURL((url) => url.pathname === `/integrations/${id}`);
    await last.waitFor();
  }),
);

test(
  'the log of an integration shows what came, hostile or not, and why it did nothing',
  {
    skip,
  },
  () =>
    stage.story(desktop, async ({ page, open }) => {
      const { id, counter, webhook_url } = await grafana('Shop <b>');
      await open(`/integrations/${counter}?tab=events`);
      await page.waitForURL((url) => url.pathname === `/integrations/${id}`);
      await page.getByText('No events yet').waitFor();
      await checkShown(page);
      await postJson(webhook_url, { heartbeat: { status: 0 }, monitor: { name: '<img src=x>' } });
      const log = page.getByRole('region', { name: 'Events' });
      await log.getByText('opened an incident').waitFor();
      await log
        .getByText(/^it looks like Uptime Kuma, and the integration is of type Grafana/)
        .waitFor();
      const body = log.getByText('Event body');
      await body.focus();
      await page.keyboard.press('Enter');
      await log.getByText('"<img src=x>"').waitFor();
      await checkShown(page);
      await log.getByRole('link', { name: /^INC-/ }).click();
      await page.getByRole('link', { name: 'Shop <b>' }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').getByRole('combobox').fill('shop <');
      await page.getByRole('dialog').getByRole('option', { name: 'Shop <b>' }).click();
      await page.waitForURL((url) => url.pathname === `/integrations/${id}`);
    }),
);

test(
  'a viewer reads the steps without addresses, and an unknown integration says so',
  {
    skip,
  },
  () =>
    stage.story(desktop, async ({ page, open, expectError }) => {
      const { sql } = stage.server;
      const { id, token } = await grafana('Read only');
      await sql`update users set role = 'viewer' where email = 'owner@example.test'`;
      try {
        await open(`/integrations/${id}`);
        await page.getByText('Only managers and above can see the addresses.').waitFor();
        await page.getByText('<public url>/hooks/<token>/push-events').first().waitFor();
        await page.getByText('Waiting for the first event').waitFor();
        assert.equal(await page.getByRole('button', { name: /Copy|Show token|Send/ }).count(), 0);
        assert.ok(!(await page.content()).includes(token));
        await checkShown(page);
        // The refusal is in the console.
        expectError(/404/);
        await open(`/integrations/${'f'.repeat(24)}`);
        await page.getByRole('alert').getByText('The record was not found.').waitFor();
        await checkShown(page);
      } finally {
        await sql`update users set role = 'owner' where email = 'owner@example.test'`;
      }
    }),
);

test('the guides of the server read well too, with the addresses of an integration', { skip }, () =>
  stage.story(desktop, async ({ page, open, expectError }) => {
    const { id, webhook_url } = await grafana('Guided');
    await open('/docs/integrations');
    await page.getByLabel('Tool').fill('grafana 8');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL((url) => url.search === '?q=grafana+8');
    await checkShown(page);
    await page.getByRole('link', { name: 'Grafana', exact: true }).click();
    await page.getByRole('link', { name: 'Guided' }).click();
    await page.waitForURL((url) => url.search === `?integration=${id}`);
    await page.getByText(webhook_url).first().waitFor();
    await checkShown(page);
    await page
      .getByText('Shown with the addresses of')
      .getByRole('link', { name: 'Guided' })
      .click();
    await page.getByRole('region', { name: 'Connect Grafana' }).waitFor();
    // The refusal is in the console.
    expectError(/404/);
    await open('/docs/integrations/nothing');
    await page.getByText('There is no integration type nothing.').waitFor();
    await checkShown(page);
  }),
);

test('what was read as an end is opened from the log of events, and from the list', { skip }, () =>
  stage.story(desktop, async ({ page, open }) => {
    const { api } = stage.server;
    const [first] = await api.list('integrations');
    const { service_id, escalation_policy_id } = first;
    const { id, webhook_url } = await api.create('integrations', {
      slug: 'webhook',
      name: 'Marked',
      service_id,
      escalation_policy_id,
    });
    await postJson(webhook_url, { title: '[RESOLVED] Pump 1 stands still' });
    await open(`/integrations/${id}?tab=events`);
    const log = page.getByRole('region', { name: 'Events' });
    await log
      .getByText(/^no open incident to resolve, and no earlier alert with its key/)
      .waitFor();
    await checkShown(page);
    await log.getByRole('button', { name: 'Open an incident' }).click();
    await log.getByText('opened an incident').waitFor();
    await log.getByRole('link', { name: /^INC-\d+ / }).click();
    await page.getByRole('heading', { name: 'Pump 1 stands still' }).waitFor();

    await postJson(webhook_url, { title: 'OK: Pump 2 stands still' });
    await open('/incidents');
    const attention = page.getByRole('list', { name: 'Needs your attention' });
    const fact = attention.getByText(/^Marked: "OK: Pump 2 stands still" was read as an end/);
    await fact.waitFor();
    await checkShown(page);
    await attention.getByRole('link', { name: 'Events' }).click();
    // The newest is the first.
    await log
      .getByText(/Pump 2 stands still/)
      .first()
      .waitFor();
    await log.getByRole('button', { name: 'Open an incident' }).first().click();
    await log.getByText('opened an incident').nth(1).waitFor();
    await open('/incidents');
    await page
      .getByRole('link', { name: /Pump 2 stands still/ })
      .first()
      .waitFor();
    assert.equal(await fact.count(), 0);
  }),
);
