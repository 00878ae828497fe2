// A tool that no type knows is read by a mapping: suggested from two events, tried, saved.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Page } from 'playwright-core';
import { postJson } from '../system/api-client.ts';
import { checkShown, desktop, noBrowser, phone, type Stage, startStage } from './stage.ts';

const skip = noBrowser ?? false;
let stage: Stage;

before(async () => {
  if (!skip) stage = await startStage();
});
after(() => stage?.[Symbol.asyncDispose]());

const broken = (id: number) => ({
  probe: { id, label: `Pump ${id}`, runbook: `Valve ${id}` },
  condition: 'KAPUTT',
  cause: `no pressure at ${id}:0${id}`,
});
const working = (id: number) => ({ ...broken(id), condition: 'LÄUFT', cause: 'pressure is back' });

async function unknownTool(name: string) {
  const { api } = stage.server;
  const [{ service_id, escalation_policy_id }] = await api.list('integrations');
  const { id, webhook_url } = await api.create('integrations', {
    slug: 'webhook',
    name,
    service_id,
    escalation_policy_id,
  });
  const send = async (body: object) => (await postJson(webhook_url, body)).body.alerts[0];
  return { id, send };
}

const section = (page: Page, name: string) => page.getByRole('region', { name });

test('an unknown tool is mapped: suggested, tried, saved', { skip }, () =>
  stage.story(desktop, async ({ page, open }) => {
    const { id, send } = await unknownTool('Pumps');
    await open(`/integrations/${id}?tab=mapping`);
    await page.getByText('No events yet').waitFor();
    await checkShown(page);
    await send(broken(7));
    assert.equal((await send(working(7))).outcome, 'opened');

    const read = section(page, 'How events are read');
    const events = read.getByRole('listitem');
    await events.nth(1).waitFor();
    // As they are read, the two are alike.
    await events.nth(1).getByText('Event body').click();
    await events.nth(1).getByText('"KAPUTT"').waitFor();
    await events
      .nth(1)
      .getByRole('radio', { name: /^Firing/ })
      .check();
    await events
      .nth(0)
      .getByRole('radio', { name: /^Recovered/ })
      .check();
    await read.getByRole('button', { name: 'Suggest mapping' }).click();
    await read.getByText('The mapping below is a suggestion').waitFor();
    const form = section(page, 'Mapping');
    const tried = section(page, 'Mapping preview');
    await tried.getByText('1 of 1 recovery matches its problem (now none).').waitFor();
    assert.equal(await form.getByLabel('Key path').inputValue(), 'probe.id');
    assert.equal(await form.getByLabel('State path').inputValue(), 'condition');
    await form.getByText('Firing: KAPUTT Recovered: LÄUFT').waitFor();
    assert.equal(await form.getByText('Found: 7', { exact: true }).count(), 1);
    assert.ok(await page.locator('datalist option[value="probe.label"]').count());
    await tried.getByText(/open incidents? ha/).waitFor();
    await checkShown(page);

    await form.getByLabel('Name path').fill('probe.label');
    await form.getByLabel('Title path').fill('{probe.label} is broken');
    await tried.getByText('The mapping has changed').waitFor();
    await form.getByRole('button', { name: 'Try on latest events' }).click();
    await tried.getByText('Pump 7 is broken').first().waitFor();
    await form.getByText('Found: Pump 7 is broken').waitFor();
    await form.getByRole('button', { name: 'Save mapping' }).click();
    await form.getByText('Saved', { exact: true }).waitFor();
    await checkShown(page);
    const [opened, again, ended] = [
      await send(broken(8)),
      await send(broken(8)),
      await send(working(8)),
    ];
    assert.deepEqual(
      [opened, again, ended].map(({ outcome }) => outcome),
      ['opened', 'suppressed', 'resolved'],
    );
    const { body } = await stage.server.api.send(`GET /incidents/${opened.incident}`);
    assert.deepEqual([body.title, body.status], ['Pump 8 is broken', 'resolved']);
    await read.getByText('Pump 8 is broken').first().waitFor();
  }),
);

test('a mapping is tried on a body before the tool has sent anything', { skip }, () =>
  stage.story(desktop, async ({ page, open, expectError }) => {
    const { id } = await unknownTool('Valves');
    await open(`/integrations/${id}?tab=mapping`);
    const form = section(page, 'Mapping');
    const tried = section(page, 'Mapping preview');
    const onBody = form.getByRole('button', { name: 'Try on sample body' });
    await form.getByLabel('Sample body').fill(JSON.stringify(broken(7)));
    await onBody.click();
    await tried.getByText('The mapping changes nothing.').waitFor();
    await tried.getByText('Problem').first().waitFor();
    await form.getByLabel('Title path').fill('{probe.label}: {cause}');
    await tried.getByText('The mapping or the sample body has changed').waitFor();
    await onBody.click();
    await tried.getByText('The mapping changes how the body is read.').waitFor();
    await tried.getByText('Pump 7: no pressure at 7:07').first().waitFor();
    await form.getByText('Found: Pump 7: no pressure at 7:07').waitFor();
    await checkShown(page);
    // What is no list of places is named at its field; a body is no draft.
    expectError(/422/);
    await form.getByLabel('Title path').fill('probe > sideways');
    await onBody.click();
    await form.getByRole('alert').getByRole('button', { name: 'Title path' }).waitFor();
    await form.getByRole('button', { name: 'Discard changes' }).click();
    await page.getByRole('link', { name: 'Events', exact: true }).click();
    await page.getByText('No event').first().waitFor();
    const { body: events } = await stage.server.api.send(`GET /integrations/${id}/events`);
    assert.deepEqual(events.data, []);
  }),
);

test(
  'a mapping is edited as JSON, mistakes are at their fields, and drafts are not lost',
  { skip },
  () =>
    stage.story(phone, async ({ page, open, expectError }) => {
      const { id, send } = await unknownTool('Tanks');
      await send(broken(1));
      await open(`/integrations/${id}?tab=mapping`);
      const form = section(page, 'Mapping');
      await form.getByText('No mapping yet. The integration type reads the events.').waitFor();
      // The refusal is in the console.
      expectError(/422/);
      await form.getByLabel('Title path').fill('probe > sideways');
      await form.getByRole('button', { name: 'Try on latest events' }).tap();
      await form.getByRole('alert').getByRole('button', { name: 'Title path' }).waitFor();
      assert.equal(await form.getByLabel('Title path').getAttribute('aria-invalid'), 'true');
      await checkShown(page);

      await form.getByLabel('Title path').fill('probe.label');
      await form.getByRole('button', { name: 'Edit as JSON' }).tap();
      const forms = form.getByLabel('Forms');
      assert.deepEqual(JSON.parse(await forms.inputValue()), [{ title: ['probe.label'] }]);
      await forms.fill('[{"title": ["probe.label"], ');
      await form.getByRole('button', { name: 'Save mapping' }).tap();
      await form.getByText('must be a JSON list of forms.').first().waitFor();
      await checkShown(page);
      await forms.fill('[{"title": "probe.label"}]');
      await form.getByRole('button', { name: 'Edit as fields' }).tap();
      await form
        .getByText(/cannot be shown as fields/)
        .first()
        .waitFor();
      await form.getByRole('button', { name: 'Save mapping' }).tap();
      await form.getByRole('alert').getByText('forms[0].title').waitFor();
      await forms.fill(
        JSON.stringify([
          { title: ['probe.label'], key: [['probe.id'], ['cause']], until: ['end'] },
        ]),
      );
      await form.getByRole('button', { name: 'Edit as fields' }).tap();
      await form.getByText('This mapping has parts that these fields do not show.').waitFor();
      assert.equal(await form.getByLabel('Key path').inputValue(), 'probe.id');
      await form.getByRole('button', { name: 'Add key path' }).tap();
      await form.getByRole('combobox', { name: 'Key path (2)' }).fill('cause');

      const others = { forms: [{ title: ['cause'] }] };
      await stage.server.api.send(`PUT /integrations/${id}/mapping`, others);
      await form.getByText('Someone else saved another mapping.').waitFor();
      await page.getByRole('link', { name: 'Events', exact: true }).tap();
      await page.getByRole('button', { name: 'Stay here' }).tap();
      await form.getByRole('button', { name: 'Save mapping' }).tap();
      await form.getByText('Saved', { exact: true }).waitFor();
      const { body } = await stage.server.api.send(`GET /integrations/${id}/mapping`);
      assert.deepEqual(body.forms, [
        { key: [['probe.id', 'cause'], ['cause']], title: ['probe.label'], until: ['end'] },
      ]);
      await checkShown(page);

      await form.getByRole('button', { name: 'Remove mapping' }).tap();
      const question = page.getByRole('dialog', { name: 'Remove mapping?' });
      await question.getByRole('button', { name: 'Remove mapping' }).tap();
      await form.getByText('No mapping yet. The integration type reads the events.').waitFor();
      assert.equal(await form.getByLabel('Title path').inputValue(), '');
      await page.locator('button:focus', { hasText: 'Remove mapping' }).waitFor();
    }),
);

test('those below manager see how events are read, and cannot change it', { skip }, () =>
  stage.story(desktop, async ({ page, open }) => {
    const { id, send } = await unknownTool('Gauges');
    await send(broken(3));
    const { sql, api } = stage.server;
    await api.send(`PUT /integrations/${id}/mapping`, {
      forms: [{ title: ['probe.label'], until: ['end'] }],
    });
    await sql`update users set role = 'responder' where email = 'owner@example.test'`;
    try {
      await open(`/integrations/${id}?tab=mapping`);
      const form = section(page, 'Mapping');
      await form.getByText('Only managers and above can change the mapping.').waitFor();
      assert.ok(await form.getByLabel('Title path').isDisabled());
      await form.getByText('Found: Pump 3').waitFor();
      await form.getByText('"until"').waitFor();
      assert.equal(await page.getByRole('radio').count(), 0);
      assert.equal(await page.getByRole('button', { name: /Suggest|Try|Save|Remove/ }).count(), 0);
      await checkShown(page);
    } finally {
      await sql`update users set role = 'owner' where email = 'owner@example.test'`;
    }
  }),
);
