// Integrations: from the gallery of tools to the first event, and how each fares in the list.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { postJson } from '../system/api-client.ts';
import { checkShown, desktop, noBrowser, type Stage, startStage } from './stage.ts';

const skip = noBrowser ?? false;
let stage: Stage;
before(async () => {
  if (!skip) stage = await startStage();
});
after(() => stage?.[Symbol.asyncDispose]());

test('a tool is found, connected and seen in the list', { skip }, () =>
  stage.story(desktop, async ({ page, open, expectError }) => {
    const { api } = stage.server;
    const [first] = await api.list('integrations');
    const policyId = first?.escalation_policy_id;
    const nameOf = async (path: string) => String((await api.send(`GET ${path}`)).body.name);
    const pick = async (label: string, name: string) => {
      await page.getByRole('combobox', { name: label }).fill(name);
      await page.getByRole('option', { name }).first().click();
    };
    await open('/integrations');
    const list = page.getByRole('list', { name: 'Integrations' });
    await list.getByText('Waiting for the first event').waitFor();
    await page.getByRole('link', { name: 'Create integration' }).click();
    const tools = page.getByRole('list', { name: 'Choose a tool' });
    await tools.getByRole('link', { name: 'Grafana' }).first().waitFor();
    await checkShown(page);
    await page.getByRole('searchbox', { name: 'Search tools' }).fill('no such tool');
    await page.getByText('No matches').waitFor();
    await page.getByRole('searchbox', { name: 'Search tools' }).fill('alertmanager');
    await tools.getByRole('link', { name: 'Prometheus' }).first().click();
    await page.getByText('Choose another tool').waitFor();
    await page.getByLabel('Name (optional)').fill('Shop');
    // Nothing is previewed until the form is filled in.
    expectError(/422/);
    await pick('Service', await nameOf(`/services/${first?.service_id}`));
    await pick('Escalation policy', await nameOf(`/escalation-policies/${policyId}`));
    await checkShown(page);
    await page.getByRole('button', { name: 'Create integration' }).click();
    await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor();
    await page.getByText('Waiting for the first event').waitFor();
    const made = (await api.list('integrations')).find((one) => one.name === 'Shop');
    assert.ok(page.url().endsWith(`/integrations/${made?.id}`), 'the last segment imports it');

    await postJson(first?.webhook_url, { title: 'Disk full' });
    await api.send(`PATCH /integrations/${made?.id}`, { enabled: false });
    await page.getByRole('link', { name: 'Integrations' }).first().click();
    await list.getByText('Live').waitFor();
    await list.getByText('Disabled').waitFor();
    await list.getByRole('img', { name: /^24 hours: 1 event, at / }).waitFor();
    await list.getByRole('img', { name: '24 hours: no events' }).waitFor();
    await checkShown(page);
  }),
);

test('an event is simulated and becomes a rule, and settings are changed', { skip }, () =>
  stage.story(desktop, async ({ page, open, expectError }) => {
    const { api } = stage.server;
    const first = (await api.list('integrations')).find(({ name }) => name === 'First webhook');
    await api.create('alert-rules', {
      name: 'Everything',
      condition_groups: [{ conditions: [{ type: 'allIncidents' }] }],
      actions: [{ type: 'severity', severity: 'sev1' }],
    });
    const timezone = 'Asia/Tokyo';
    const saturdayNight = [
      { type: 'incidentTiming', start: '02:00', end: '04:00', timezone },
      { type: 'incidentDays', days: ['saturday'], timezone },
    ];
    await api.create('alert-rules', {
      name: 'Saturday nights',
      condition_groups: [{ conditions: saturdayNight }],
      actions: [{ type: 'priority', priority: 'p5' }],
    });
    await stage.alert('Queue is long');
    await open(`/integrations/${first?.id}?tab=events`);
    // What nobody has sent yet, on a Saturday at 03:00 in Tokyo.
    await page.getByRole('button', { name: 'Simulate sample alert' }).click();
    const sample = page.getByRole('region', { name: 'Sample alert' });
    await sample.getByLabel('Title').fill('Disk full');
    await sample.getByLabel('At another time').click();
    await sample.getByLabel('Alert arrives at').fill('2030-03-01T18:00');
    await sample.getByRole('button', { name: 'Simulate' }).click();
    const matched = sample.getByRole('listitem').filter({ hasText: 'Saturday nights' });
    await matched.getByText('applied').waitFor();
    await sample
      .getByText(/^immediately/)
      .first()
      .waitFor();
    await checkShown(page);
    await sample.getByLabel('Alert arrives at').fill('2030-02-28T18:00');
    await sample.getByRole('button', { name: 'Simulate' }).click();
    await matched.getByText('applied').waitFor({ state: 'detached' });
    await matched.waitFor();
    await page.getByRole('button', { name: 'Hide simulation' }).click();
    const row = page.getByRole('listitem').filter({ hasText: 'Queue is long' }).first();
    await row.getByRole('button', { name: 'Simulate' }).click();
    const simulation = row.getByRole('region', { name: 'Simulation' });
    await simulation.getByText('applied').waitFor();
    await simulation.getByLabel('At another time').click();
    await simulation.getByLabel('Alert arrives at').fill('2030-03-01T18:00');
    await simulation.getByText('Saturday nights').waitFor();
    await simulation.getByText('applied').nth(1).waitFor();
    await checkShown(page);
    await simulation.getByRole('link', { name: 'Everything' }).click();
    const trial = page.getByRole('region', { name: 'Try this rule' });
    await trial.getByRole('button', { name: 'Try rule' }).click();
    await trial.getByText('The rule matches', { exact: true }).waitFor();
    await page.goBack();
    await row.getByRole('link', { name: 'Make a rule' }).click();
    const text = page.getByLabel('Text', { exact: true });
    await text.waitFor();
    assert.equal(await text.inputValue(), 'Queue is long');
    await page.getByText('First webhook').first().waitFor();

    await page.goto(`/integrations/${first?.id}?tab=settings`);
    await page.getByText('No. Every alert opens its own incident.').waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel(/^Acknowledgement timeout/).fill('30');
    expectError(/422/);
    const grouping = page.getByRole('group', { name: 'Group alerts' });
    await grouping.getByText('Every alert opens its own incident.').waitFor();
    assert.equal(await grouping.getByText('By the groups of the tool').count(), 0);
    const isDisabled = page.getByLabel('Open an incident for every alert');
    await isDisabled.check();
    await grouping.getByText(/^Grouping is off while incident suppression is disabled/).waitFor();
    assert.equal(await grouping.getByLabel('By values').count(), 0);
    await isDisabled.uncheck();
    await grouping.getByLabel('By values').check();
    await grouping.getByRole('button', { name: 'Add value' }).click();
    await grouping.getByLabel('Value 2', { exact: true }).selectOption('Value in the details');
    await page.getByRole('button', { name: 'Save' }).click();
    await grouping.getByText(/^must look like group, service, title/).waitFor();
    const path = grouping.getByLabel('Path of value 2');
    assert.equal(await path.getAttribute('aria-invalid'), 'true');
    await path.fill('labels.cluster');
    await grouping.getByRole('button', { name: 'Add time limit' }).click();
    await grouping.getByLabel('After').fill('300');
    await grouping.getByLabel('Unit').selectOption('Hours');
    await page.getByRole('button', { name: 'Save' }).click();
    await grouping.getByText('must be at most 168 hours').waitFor();
    const replay = grouping.getByRole('region', { name: 'Past events with this grouping' });
    await replay.getByText('Correct the grouping first.').waitFor();
    const tryIt = replay.getByRole('button', { name: 'Try on the last 7 days' });
    assert.equal(await tryIt.isDisabled(), true);
    await checkShown(page);
    await grouping.getByLabel('After').fill('2');
    await grouping.getByLabel('Value 1', { exact: true }).selectOption('Service');
    await grouping.getByRole('button', { name: 'Remove value 2' }).click();
    await tryIt.click();
    await replay
      .getByText(/^Removed: \d/)
      .first()
      .waitFor();
    await replay.getByText('Saved grouping').first().waitFor();
    await replay
      .getByText('0 alerts would have been quiet although they were worse than what was paged.')
      .waitFor();
    await checkShown(page);
    await grouping.getByLabel('Value 1', { exact: true }).selectOption('Title');
    await replay.getByText('Try it again.').waitFor();
    await grouping.getByRole('button', { name: 'Add value' }).click();
    await grouping.getByLabel('Value 2', { exact: true }).selectOption('Value in the details');
    await path.fill('labels.cluster');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('30 minutes').first().waitFor();
    await page
      .getByText(
        'Alerts with the same title and labels.cluster join one incident, for up to 2 hours',
      )
      .waitFor();
    await checkShown(page);
    await page.getByRole('button', { name: 'Rotate token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Previous token accepted for').selectOption('60');
    await checkShown(page);
    await dialog.getByRole('button', { name: 'Rotate token' }).click();
    await page.getByText('The previous token expires:').waitFor();
    const { body } = await api.send(`GET /integrations/${first?.id}`);
    assert.notEqual(body.token, first?.token);
    assert.equal(body.ack_timeout_minutes, 30);
    assert.deepEqual(body.grouping, {
      by: ['title', 'details.labels.cluster'],
      window: { after: 2, unit: 'hours' },
    });
    await page.getByRole('button', { name: 'Archive' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('link', { name: 'Edit' }).waitFor();
  }),
);
