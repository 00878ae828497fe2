import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { checkShown, desktop, noBrowser, phone, type Stage, startStage } from './stage.ts';

const skip = noBrowser ?? false;
const daily = { length: 1, unit: 'days', handoff: '09:00' };
let stage: Stage;
let me = '';
let ada = '';

before(async () => {
  if (skip) return;
  stage = await startStage();
  const { create, list } = stage.server.api;
  me = (await list('users'))[0].id;
  const person = { first_name: 'Ada', last_name: 'Byron', role: 'responder' };
  ada = (await create('users', { ...person, email: 'ada@example.test' })).id;
});
after(() => stage?.[Symbol.asyncDispose]());

test('on a phone, a person asks the others for cover, and withdraws it', { skip }, () =>
  stage.story(phone, async ({ page, open }) => {
    const { create, send } = stage.server.api;
    const layers = [{ users: [me, ada], rotation: daily }];
    const { id } = await create('on-calls', { name: 'Payments', layers });
    await open('/on-calls');
    await page.getByRole('link', { name: 'Find cover: Payments' }).first().tap();
    const dialog = page.getByRole('dialog', { name: 'Cover shift' });
    await dialog.getByRole('button', { name: 'Ask the others on this schedule' }).tap();
    await dialog
      .getByText('Ada Byron will be asked. The first to accept takes the shift.')
      .waitFor();
    await dialog.getByLabel('Comment').fill('A family matter');
    await checkShown(page);
    await dialog.getByRole('button', { name: 'Ask for cover' }).tap();
    await dialog.waitFor({ state: 'detached' });
    const section = page.getByRole('region', { name: 'Cover requests' });
    await section.getByText(/^owner asks for cover, /).waitFor();
    await section.getByText('A family matter').waitFor();
    assert.equal(await section.getByRole('button', { name: /^Take the shift/ }).count(), 0);
    await checkShown(page);
    const { data } = (await send(`GET /on-calls/${id}/cover-requests`)).body;
    assert.deepEqual([data.length, data[0].user_id, data[0].candidate_user_ids], [1, me, [ada]]);
    await section.getByRole('button', { name: /^Withdraw/ }).tap();
    await section
      .getByRole('status')
      .getByText(/^The request of owner was withdrawn/)
      .waitFor();
    assert.equal(await page.evaluate('document.activeElement.id'), 'cover-requests');
    const all = (await send(`GET /on-calls/${id}/cover-requests?all=true`)).body.data;
    assert.deepEqual(
      all.map(({ state }: { state: string }) => state),
      ['withdrawn'],
    );
  }),
);

test('whoever is asked takes the shift, and the timeline shows the override', { skip }, () =>
  stage.story(desktop, async ({ page, open }) => {
    const { create } = stage.server.api;
    const layers = [{ users: [ada, me], rotation: { ...daily, unit: 'weeks' } }];
    const { id } = await create('on-calls', { name: 'Search', layers });
    const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
    const request = await create(`on-calls/${id}/cover-requests`, {
      user_id: ada,
      start: hours(0),
      end: hours(4),
      comment: 'Dentist',
    });
    await open('/on-calls');
    const section = page.getByRole('region', { name: 'Cover requests' });
    await section.getByText(/^Ada Byron asks for cover, /).waitFor();
    await page.locator('[aria-busy=false]').getByText('Search').first().waitFor();
    await checkShown(page);
    await section.getByRole('link', { name: 'Search' }).click();
    await page.waitForURL(`**/on-calls/${id}?request=${request.id}`);
    await section.locator('li:focus').filter({ hasText: 'Dentist' }).waitFor();
    await checkShown(page);
    await section.getByRole('button', { name: /^Take the shift/ }).click();
    await section.getByText(/^You took the shift, /).waitFor();
    await section.getByText(/^owner took the shift of Ada Byron, /).waitFor();
    const overrides = page.getByRole('region', { name: 'Overrides' }).getByRole('listitem');
    await overrides.filter({ hasText: 'owner for Ada Byron' }).waitFor();
    await checkShown(page);
  }),
);
