import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { withoutMailServer } from '../system/mail-sink.ts';
import { checkShown, desktop, noBrowser, person, phone, type Stage, startStage } from './stage.ts';

const skip = noBrowser ?? false;
let stage: Stage;

before(async () => {
  if (!skip) stage = await startStage(withoutMailServer);
});
after(() => stage?.[Symbol.asyncDispose]());

const grace = { email: 'grace@example.test', password: 'a password of her own' };

test('a colleague is invited without mail, and gets in on a phone', { skip }, async () => {
  let link = '';
  await stage.story(desktop, async ({ page, open, expectError }) => {
    await open('/incidents');
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByRole('link', { name: /^owner/ }).waitFor();
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail').fill(grace.email);
    expectError(/422/);
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await dialog.getByRole('alert').waitFor();
    assert.equal(await dialog.getByLabel('E-mail').inputValue(), grace.email);
    await dialog.getByLabel('First name').fill('Grace');
    await dialog.getByLabel('Last name').fill('Hopper');
    assert.ok(await dialog.getByLabel('Default').isChecked(), 'in the team of who invites');
    await checkShown(page);
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await dialog.getByText('Grace Hopper was invited').waitFor();
    link = await dialog.getByLabel('Invitation link').inputValue();
    await checkShown(page);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: /^Grace Hopper/ }).waitFor();
    await checkShown(page);
  });
  await stage.story({ ...phone, timezoneId: 'America/Bogota' }, async ({ page, open }) => {
    await page.goto(link);
    const zone = page.getByLabel('Time zone');
    assert.equal(await zone.inputValue(), 'America/Bogota', 'that of the browser is proposed');
    await checkShown(page);
    await zone.selectOption('America/Lima');
    await page.getByLabel('New password').fill(grace.password);
    await page.getByRole('button', { name: 'Set password' }).tap();
    await page.waitForURL('**/incidents');
    await open('/users?show=unreachable');
    await page.getByRole('link', { name: /Grace Hopper you/ }).tap();
    const contacts = page.getByRole('region', { name: 'Contacts' });
    await contacts.getByText('E-mail is not set up').waitFor();
    const people = await stage.server.api.list('users');
    assert.equal(people.find(({ email }) => email === grace.email)?.timezone, 'America/Lima');
    assert.equal(await page.getByRole('button', { name: 'Deactivate' }).count(), 0);
    await checkShown(page);
  });
});

test('who relies on a person is seen before they are deactivated', { skip }, () =>
  stage.story(desktop, async ({ page, open }) => {
    const { api } = stage.server;
    const lin = await api.create('users', {
      first_name: 'Lin',
      last_name: 'Olsen',
      email: 'lin@example.test',
      role: 'responder',
    });
    const turns = { unit: 'days', length: 1, handoff: '09:00' };
    await api.create('on-calls', {
      name: 'Payments',
      layers: [{ users: [lin.id], rotation: turns }],
    });
    await stage.server.sql`
      insert into passkeys (organization_id, id, user_id, name, credential_id, public_key,
        sign_count, synced, created_at)
      select organization_id, id, id, 'Lost phone', '\\x01', '\\x01', 0, false, now()
      from users where id = ${lin.id}`;
    await open('/users');
    const row = page.getByRole('link', { name: /^Lin Olsen/ });
    await row.getByText('On call now').waitFor();
    await row.click();
    await page.getByRole('region', { name: 'Shifts' }).getByText('Now').waitFor();
    await page.getByText('Not invited yet. Has not signed in yet.').waitFor();
    await page.getByLabel('Role', { exact: true }).selectOption('Manager');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    assert.equal((await api.send(`GET /users/${lin.id}`)).body.role, 'manager');
    const factors = page.getByRole('region', { name: 'Second factor and passkeys' });
    await factors.getByText('1 passkey').waitFor();
    await factors.getByRole('button', { name: 'Remove' }).click();
    const dialog = page.getByRole('dialog');
    assert.ok(await dialog.getByLabel('1 passkey').isChecked());
    await dialog.getByLabel('Password').fill(person.password);
    await checkShown(page);
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await factors.getByText('None. They have not signed in yet.').waitFor();
    await page.getByRole('button', { name: 'Deactivate' }).click();
    await dialog.getByRole('link', { name: 'Payments' }).waitFor();
    await checkShown(page);
    await dialog.getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('button', { name: 'Reactivate' }).waitFor();
    await checkShown(page);
    await page.getByRole('link', { name: 'People' }).last().click();
    await page.getByRole('link', { name: 'Deactivated' }).click();
    await page.getByRole('link', { name: /^Lin Olsen/ }).waitFor();
    await page.getByRole('link', { name: 'Active' }).click();
    await page.getByLabel('Search people').fill('nobody at all');
    await page.getByRole('heading', { name: 'No matching people' }).waitFor();
  }),
);

test('an admin changes an address here, their own only with their password', { skip }, () =>
  stage.story(desktop, async ({ page, open, expectError }) => {
    const { api } = stage.server;
    const eve = await api.create('users', {
      first_name: 'Eve',
      last_name: 'Roe',
      email: 'eve@example.test',
      role: 'responder',
    });
    const section = page.getByRole('region', { name: 'E-mail address' });
    const save = section.getByRole('button', { name: 'Change address' });
    await open(`/users/${eve.id}`);
    await section.getByLabel('E-mail', { exact: true }).fill('eve.roe@example.test');
    assert.equal(await section.getByLabel('Current password').count(), 0);
    await save.click();
    await section.getByText('Saved').waitFor();
    const { body: changed } = await api.send(`GET /users/${eve.id}`);
    assert.equal(changed.email, 'eve.roe@example.test');

    const me = (await api.list('users')).find(({ email }) => email === person.email);
    await open(`/users/${me?.id}`);
    await section.getByLabel('E-mail', { exact: true }).fill('moved@example.test');
    const password = section.getByLabel('Current password');
    assert.equal(await password.getAttribute('autocomplete'), 'current-password');
    await password.fill('not this one');
    expectError(/422/);
    await save.click();
    await section.getByText('is wrong', { exact: true }).waitFor();
    await checkShown(page);
    for (const email of ['moved@example.test', person.email]) {
      await section.getByLabel('E-mail', { exact: true }).fill(email);
      await password.fill(person.password);
      await save.click();
      await section.getByText('Saved').waitFor();
      assert.equal((await api.send(`GET /users/${me?.id}`)).body.email, email);
    }
  }),
);

test(
  'a name that turns its letters around is seen to do so, in lists, headings and titles',
  { skip },
  () =>
    stage.story(desktop, async ({ page, open }) => {
      const { api } = stage.server;
      const first_name = 'Mallory \u202eecarG';
      const fields = { first_name, last_name: '', email: 'mallory@example.test', role: 'viewer' };
      const { id } = await api.create('users', fields);
      await api.create('teams', { name: 'Ops\u200b', user_ids: [id] });
      const shown = 'Mallory [U+202E]ecarG';
      await open('/users');
      await page.getByRole('link', { name: shown }).click();
      await page.getByRole('heading', { name: shown }).waitFor();
      assert.ok((await page.title()).startsWith(shown));
      await open('/teams');
      await page.getByText('Ops[U+200B]').first().waitFor();
      await checkShown(page);
      assert.equal((await api.send(`GET /users/${id}`)).body.first_name, first_name);
    }),
);

test('what somebody else has changed is shown before it is replaced', { skip }, () =>
  stage.story(desktop, async ({ page, open, expectError }) => {
    const { api } = stage.server;
    const of = (first_name: string) =>
      api.create('users', {
        first_name,
        last_name: 'Moe',
        email: `${first_name}@example.test`,
        role: 'responder',
      });
    const [kim] = await Promise.all([of('Kim'), of('Ole')]);
    const team = await api.create('teams', { name: 'Night shift' });
    await open(`/users/${kim.id}`);
    const role = page.getByLabel('Role', { exact: true });
    await role.selectOption('Viewer');
    await api.send(`PATCH /users/${kim.id}`, { role: 'manager', team_ids: [team.id] });
    expectError(/409/);
    await page.getByRole('button', { name: 'Save' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('Someone else changed this while you were editing.').waitFor();
    assert.ok(await alert.getByLabel('Yours: Viewer').isChecked());
    assert.equal(await role.inputValue(), 'viewer');
    // What they alone have changed is theirs.
    assert.ok(await page.getByRole('checkbox', { name: 'Night shift' }).isChecked());
    await checkShown(page);
    await alert.getByLabel('Theirs: Manager').check();
    assert.equal(await role.inputValue(), 'manager');
    await alert.getByLabel('Yours: Viewer').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    await alert.waitFor({ state: 'detached' });
    const { body } = await api.send(`GET /users/${kim.id}`);
    assert.deepEqual([body.role, body.team_ids], ['viewer', [team.id]]);
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('dialog', { name: 'Search' });
    await palette.getByRole('combobox').fill('Ole Moe');
    await page.getByRole('option', { name: /Ole Moe/ }).click();
    await page.getByRole('heading', { name: 'Ole Moe' }).waitFor();
    assert.equal(await role.inputValue(), 'responder');
  }),
);

test('a team is made of people, and lists begin with one’s own teams', { skip }, () =>
  stage.story(desktop, async ({ page, open, context }) => {
    const { api } = stage.server;
    const [home] = await api.list('teams');
    await stage.alert('Checkout fails');
    await open('/teams');
    await page.getByRole('link', { name: 'Default' }).waitFor();
    await page.getByRole('button', { name: 'Add team' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Night');
    await page.getByRole('dialog').getByRole('button', { name: 'Add team' }).click();
    await page.getByRole('heading', { name: 'Night' }).waitFor();
    const members = page.getByRole('region', { name: 'Members' });
    await members.getByRole('link', { name: 'owner' }).waitFor();
    await members.getByLabel('Add member').fill('grace');
    await page.getByRole('option', { name: /Grace Hopper/ }).click();
    await members.getByRole('button', { name: 'Add', exact: true }).click();
    await members.getByRole('link', { name: 'Grace Hopper' }).waitFor();
    await checkShown(page);
    await members.getByRole('button', { name: 'Remove Grace Hopper' }).click();
    await members.getByRole('link', { name: 'Grace Hopper' }).waitFor({ state: 'detached' });
    await api.send(`PATCH /teams/${home.id}`, { user_ids: [] });
    await page.getByRole('link', { name: 'Incidents' }).click();
    await page.getByRole('heading', { name: 'No open incidents' }).waitFor();
    await page.getByRole('button', { name: 'Team: My teams' }).click();
    await page.getByRole('menuitemradio', { name: 'All teams' }).click();
    await page.getByRole('link', { name: /Checkout fails/ }).waitFor();
    assert.equal(new URL(page.url()).search, '?team=all');
    await context.route('**/auth/session', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), build: 'another' } });
    });
    await page.getByRole('link', { name: 'Me', exact: true }).click();
    await page.getByRole('link', { name: 'Security' }).click();
    await page.getByLabel('Current password').fill('half a dr');
    await api.send(`PATCH /teams/${home.id}`, { name: 'Everybody' });
    await page.getByText('A new version of Pager').waitFor();
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByText('Save or discard your changes').waitFor();
    assert.equal(await page.getByLabel('Current password').inputValue(), 'half a dr');
    await checkShown(page);
  }),
);

test('what one person has typed is never saved as another', { skip }, () =>
  stage.story(desktop, async ({ page, open, context, expectError }) => {
    const questions: string[] = [];
    page.on('dialog', (dialog) => {
      questions.push(dialog.type());
      void dialog.dismiss();
    });
    const number = await stage.alert('Noted by two people');
    await open(`/incidents/${number}`);
    const note = page.getByLabel('Add note');
    await note.click();
    await note.fill('Of the owner');
    const signOut = async () => page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'owner', exact: true }).click();
    await signOut();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Stay here' }).click();
    await context.clearCookies();
    const headers = { 'sec-fetch-site': 'same-origin' };
    const answer = await context.request.post('/auth/sign-in', { headers, data: grace });
    assert.equal(answer.status(), 200);
    expectError(/403/);
    await page.getByRole('button', { name: 'Save note' }).click();
    await page.getByText('You are signed out').waitFor();
    const reloaded = page.waitForEvent('load');
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await reloaded;
    await page.getByRole('button', { name: 'Grace Hopper', exact: true }).waitFor();
    assert.equal(await note.inputValue(), '');
    await note.click();
    await note.fill('Of Grace');
    await page.getByRole('button', { name: 'Grace Hopper', exact: true }).click();
    await signOut();
    await question.getByRole('button', { name: 'Leave', exact: true }).click();
    await page.getByLabel('E-mail').waitFor();
    assert.deepEqual(questions, []);
    const { body } = await stage.server.api.send(`GET /incidents/${number}/timeline`);
    assert.doesNotMatch(JSON.stringify(body), /Of the owner|Of Grace/);
  }),
);
