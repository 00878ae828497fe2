// Routing rules: from a template to a rule that was tried and replayed, and their order.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { checkShown, desktop, dragTo, noBrowser, type Stage, startStage } from './stage.ts';

const skip = noBrowser ?? false;
let stage: Stage;
before(async () => {
  if (!skip) stage = await startStage();
});
after(() => stage?.[Symbol.asyncDispose]());

test('a rule is made from a template, tried, replayed, saved and moved', { skip }, () =>
  stage.story(desktop, async ({ page, open, expectError }) => {
    const { api } = stage.server;
    await stage.alert('Disk full');
    await api.create('services', { name: 'Checkout' });
    await api.create('alert-rules', {
      name: 'Databases',
      condition_groups: [{ conditions: [{ type: 'allIncidents' }] }],
      actions: [{ type: 'severity', severity: 'sev1' }],
    });
    await open('/alert-rules');
    await page.getByText('If any alert arrives: set severity to SEV1').waitFor();
    await page.getByRole('link', { name: 'Create rule' }).click();
    await checkShown(page);
    await page.getByRole('link', { name: 'Ignore a test environment' }).click();
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Staging');
    const trial = page.getByRole('region', { name: 'Try this rule' });
    await trial.getByLabel('Try it on').selectOption('sample');
    await trial.getByLabel('Integration').selectOption({ label: 'First webhook' });
    await trial.getByLabel('Title').fill('Disk full');
    await trial.getByLabel(/^Details/).fill('{"labels":{"env":"production"}}');
    await trial.getByRole('button', { name: 'Try rule' }).click();
    await trial.getByText('The rule does not match').waitFor();
    await trial.getByText('The detail labels.env "production" does not equal "staging".').waitFor();
    await checkShown(page);
    await trial.getByLabel(/^Details/).fill('{"labels":{"env":"staging"}}');
    await trial.getByText('Try it again.').waitFor();
    await trial.getByRole('button', { name: 'Try rule' }).click();
    await trial.getByText('Ignores the event').waitFor();
    await trial.getByText('Nobody is notified.').waitFor();

    // Late on a Saturday.
    await trial.getByLabel('At another time').click();
    await trial.getByLabel('Alert arrives at').fill('2030-03-02T03:00');
    await trial.getByLabel(/^Details/).fill('{"labels":{"env":"production"}}');
    await trial.getByRole('button', { name: 'Try rule' }).click();
    await trial
      .getByText(/^immediately/)
      .first()
      .waitFor();
    await checkShown(page);

    // On what came: every alert would be ignored.
    await page.getByLabel('Key').fill('title');
    await page.getByLabel('Text').fill('Disk full');
    await page.getByLabel('Comparator').selectOption('doesNotEqual');
    await page.getByLabel('Type').first().selectOption('incidentMessage');
    await page.getByLabel('Comparator').selectOption('contains');
    await page.getByLabel('Text').fill('Disk');
    const replay = page.getByRole('region', { name: 'Replay past events' });
    await replay.getByRole('button', { name: 'Replay' }).click();
    await replay.getByText('Removed: 1').first().waitFor();
    await checkShown(page);
    // What is wrong is said in the words of the form, and goes with what was missing.
    const pick = async (label: string, name: string) => {
      await page.getByRole('combobox', { name: label }).fill(name);
      await page.getByRole('option', { name }).click();
    };
    await pick('Add service', 'Checkout');
    await page.getByText('Requires “Integrations”.').waitFor();
    expectError(/422/);
    await page.getByRole('button', { name: 'Create rule' }).click();
    const refused = page.getByRole('alert').filter({ hasText: 'requires “Integrations”' });
    await refused.waitFor();
    await checkShown(page);
    await pick('Add integration', 'First webhook');
    await refused.waitFor({ state: 'detached' });
    assert.equal(await page.locator('[aria-invalid=true]').count(), 0);
    await page.getByRole('button', { name: 'Remove Checkout' }).click();
    await page.getByRole('button', { name: 'Create rule' }).click();
    await page.getByRole('heading', { name: 'Staging', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Try', exact: true }).click();
    await trial.getByLabel('Integration').selectOption({ label: 'First webhook' });
    await trial
      .getByLabel('Event')
      .locator('option', { hasText: /Disk full/ })
      .first()
      .waitFor({ state: 'attached' });
    await trial.getByLabel('Event').selectOption({ index: 1 });
    await trial.getByRole('button', { name: 'Try rule' }).click();
    await trial.getByText('The title "Disk full" contains "Disk".').waitFor();
    await checkShown(page);

    await page.getByRole('link', { name: 'Rules' }).first().click();
    const list = page.getByRole('list', { name: 'Rules' });
    await list.getByText('Staging').waitFor();
    assert.match(await list.innerText(), /Databases[\s\S]*Staging/);
    await checkShown(page);
    await list.getByRole('button', { name: 'Move Staging up' }).click();
    await list.getByRole('listitem').first().getByText('Staging').waitFor();
    const saved = (await api.list('alert-rules')).find((one) => one.name === 'Staging');
    assert.equal(saved?.position, 0);
    const handles = list.getByTitle('Drag to move');
    await dragTo(page, handles.nth(0), handles.nth(1));
    await list.getByRole('listitem').first().getByText('Databases').waitFor();
  }),
);

test('a rule that groups alerts is made in the form', { skip }, () =>
  stage.story(desktop, async ({ page, open }) => {
    await open('/alert-rules/new?template=empty');
    await page.getByLabel('Name', { exact: true }).fill('One cluster');
    const actions = page.getByRole('group', { name: 'Actions' });
    await page.getByLabel('Type').first().selectOption('allIncidents');
    await actions.getByLabel('Type').selectOption('groupIncident');
    const by = page.getByRole('group', { name: 'Alerts have in common' });
    await by.getByRole('button', { name: 'Add value' }).click();
    await by.getByLabel('Value 1', { exact: true }).selectOption('details.');
    await by.getByLabel('Path of value 1').fill('labels.cluster');
    await page.getByLabel('Group alerts of the same').selectOption('team');
    await page.getByLabel(/^Time limit/).fill('120');
    await checkShown(page);
    await page.getByRole('button', { name: 'Create rule' }).click();
    await page
      .getByText(
        'If any alert arrives: group alerts of the team by labels.cluster for up to 120 minutes',
      )
      .first()
      .waitFor();
    const [rule] = (await stage.server.api.list('alert-rules')).filter(
      ({ name }) => name === 'One cluster',
    );
    assert.deepEqual(rule.actions, [
      {
        type: 'groupIncident',
        by: ['details.labels.cluster'],
        across: 'team',
        window_minutes: 120,
      },
    ]);
  }),
);
