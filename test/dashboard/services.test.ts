// The pages of a record, at the example of services: list, form, archive with what it does, restore.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { checkShown, desktop, noBrowser, phone, type Stage, startStage } from './stage.ts';

const skip = noBrowser ?? false;
let stage: Stage;
before(async () => {
  if (!skip) stage = await startStage();
});
after(() => stage?.[Symbol.asyncDispose]());

test('a service is created, corrected at its field, and edited', { skip }, () =>
  stage.story(desktop, async ({ page, open, expectError }) => {
    const { api } = stage.server;
    await stage.alert('Checkout fails');
    await open('/services');
    const list = page.getByRole('list', { name: 'Services' });
    await list.getByText('1 open incident').waitFor();
    await checkShown(page);
    await page.getByRole('link', { name: 'Create service' }).click();
    await page.getByRole('heading', { name: 'Create service' }).waitFor();
    const save = page.getByRole('button', { name: 'Create service' });
    // Checked when it is left, before anything is sent.
    const name = page.getByLabel('Name', { exact: true });
    await name.focus();
    await page.getByLabel('Description').focus();
    await page.getByText('must not be empty').waitFor();
    assert.equal(await name.getAttribute('aria-invalid'), 'true');
    await checkShown(page);
    expectError(/422/);
    await save.click();
    await page.getByRole('alert').getByRole('button', { name: 'Name' }).waitFor();
    await name.and(page.locator(':focus')).waitFor();
    await checkShown(page);
    await name.fill('Payments');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await save.click();
    await page.getByRole('heading', { name: 'Payments' }).waitFor();
    const made = (await api.list('services')).find((one) => one.name === 'Payments');
    assert.ok(page.url().endsWith(`/services/${made?.id}`), 'the last segment imports it');
    await page.getByText('No integration sends alerts to this service.').waitFor();
    await checkShown(page);
    await page.goto(`/services/${made?.counter}`);
    await page.waitForURL(`**/services/${made?.id}`);

    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByLabel('Description').fill('Cards and invoices');
    await page.getByText('This does not change who is paged.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Edit' }).waitFor();
    await page.getByText('Cards and invoices').waitFor();
    assert.equal((await api.send(`GET /services/${made?.id}`)).body.version, 2);
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByText('Cards and invoices').waitFor();
    await checkShown(page);
  }),
);

test('archiving a service says what it does, and only a session restores it', { skip }, () =>
  stage.story(phone, async ({ page, open }) => {
    const { api } = stage.server;
    const [used] = await api.list('services');
    const number = await stage.alert('Open while its service is archived');
    await open(`/services/${used?.id}?tab=uses`);
    await page.getByRole('link', { name: 'First webhook' }).waitFor();
    await page.getByRole('link', { name: 'Overview' }).tap();
    await page.getByRole('button', { name: 'Archive' }).tap();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText(/First webhook/)
      .first()
      .waitFor();
    await dialog.getByRole('link', { name: `INC-${number}` }).waitFor();
    await dialog.getByText('They stay open after you archive it.').waitFor();
    assert.doesNotMatch(await dialog.innerText(), /[0-9a-f]{24}/);
    await checkShown(page);
    await dialog.getByRole('button', { name: 'Archive' }).tap();
    await page.getByText('This service is archived.').waitFor();
    await checkShown(page);
    const [hook] = await api.list('integrations');
    await open(`/integrations/${hook?.id}`);
    await page.getByText(/^Events open no incidents: .*service/).waitFor();
    await open(`/services/${used?.id}`);
    const refused = await api.send(`POST /services/${used?.id}/restore`, {});
    assert.equal(refused.status, 403, 'by a key');
    await page.getByRole('link', { name: 'Services' }).first().tap();
    // Exactly: the page that is left has a link to an incident with this word in its title.
    await page.getByRole('link', { name: 'Archived', exact: true }).tap();
    // By its name: the list of active services stays until the archived ones are there.
    await page
      .getByRole('list', { name: 'Services' })
      .getByRole('link', { name: String(used?.name) })
      .tap();
    await page.getByRole('button', { name: 'Restore' }).tap();
    const restoring = page.getByRole('dialog');
    await restoring.getByText('These records use it again:').waitFor();
    await restoring.getByText('First webhook').waitFor();
    await checkShown(page);
    await restoring.getByRole('button', { name: 'Restore' }).tap();
    await page.getByRole('link', { name: 'Edit' }).waitFor();
    assert.equal((await api.send(`GET /services/${used?.id}`)).body.archived_at, undefined);
  }),
);

test('of two who save, the second sees both, field by field', { skip }, () =>
  stage.story(desktop, async ({ page, open, expectError }) => {
    const { api } = stage.server;
    const { id } = await api.create('services', { name: 'Search' });
    await open(`/services/${id}?tab=edit`);
    await page.getByLabel('Name', { exact: true }).fill('Search by me');
    await api.send(`PATCH /services/${id}`, { name: 'Search by them', description: 'Theirs' });
    expectError(/409/);
    await page.getByRole('button', { name: 'Save' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('Someone else changed this while you were editing.').waitFor();
    assert.ok(await alert.getByLabel('Yours: Search by me').isChecked());
    assert.equal(await page.getByLabel('Description').inputValue(), 'Theirs');
    await checkShown(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Search by me' }).waitFor();
    const { body } = await api.send(`GET /services/${id}`);
    assert.deepEqual([body.name, body.description], ['Search by me', 'Theirs']);
  }),
);
