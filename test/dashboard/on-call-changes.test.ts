import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { checkShown, desktop, dragTo, noBrowser, phone, type Stage, startStage } from './stage.ts';

const skip = noBrowser ?? false;
const workdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'];
const office = {
  type: 'weekly',
  windows: workdays.map((day) => ({
    from_day: day,
    from_time: '09:00',
    to_day: day,
    to_time: '17:00',
  })),
};
const names = ['Ada', 'Lin', 'Bo', 'Eve', 'Kim', 'Max', 'Zoe'];
let stage: Stage;
let people: readonly string[] = [];

before(async () => {
  if (skip) return;
  stage = await startStage();
  const made: string[] = [];
  for (const first_name of names) {
    const email = `${first_name.toLowerCase()}@example.test`;
    const fields = { first_name, last_name: 'Byron', role: 'responder', email };
    made.push((await stage.server.api.create('users', fields)).id);
  }
  people = made;
});
after(() => stage?.[Symbol.asyncDispose]());

test('somebody is taken off with nobody instead, and the gap says so', { skip }, () =>
  stage.story(phone, async ({ page, open }) => {
    const layers = [{ users: [people[0]], rotation: { length: 1, unit: 'weeks' } }];
    const { id } = await stage.server.api.create('on-calls', { name: 'Alone', layers });
    await open(`/on-calls/${id}`);
    await page.getByRole('button', { name: 'Cover shift' }).tap();
    const dialog = page.getByRole('dialog', { name: 'Cover shift' });
    const covered = dialog.getByRole('combobox', { name: 'Covered by' });
    // Who takes it is filled in once people are known: typed before, the text stands behind the name.
    await page.waitForFunction(
      (field) => field !== null && 'value' in field && field.value !== '',
      await covered.elementHandle(),
    );
    await covered.fill('nobody');
    await page.getByRole('option', { name: 'Nobody', exact: true }).waitFor();
    await covered.press('Enter');
    await dialog.getByText(/incidents go to the next step of the escalation policy/).waitFor();
    await dialog.getByText(/Ada Byron will be notified/).waitFor();
    await dialog.getByLabel('Comment').fill('Surgery');
    await checkShown(page);
    await dialog.getByRole('button', { name: 'Cover shift' }).tap();
    await dialog.waitFor({ state: 'detached' });
    const overrides = page.getByRole('region', { name: 'Overrides' }).getByRole('listitem');
    await overrides.filter({ hasText: 'Ada Byron off call' }).waitFor();
    const days = page.getByRole('list', { name: 'Final' });
    await days
      .getByText(/takes Ada Byron off layer 1 .*Surgery/)
      .first()
      .waitFor();
    const [made] = (await stage.server.api.send(`GET /on-calls/${id}/overrides`)).body.data;
    assert.deepEqual([made.user_id, made.replaces_user_id], [null, people[0]]);
    await checkShown(page);
  }),
);

test('a vacation is covered shift by shift in one form, and saved at once', { skip }, () =>
  stage.story(desktop, async ({ page, open, expectError }) => {
    const { create, send } = stage.server.api;
    const [ada = '', lin = '', , eve = ''] = people;
    const fields = { first_name: 'Gil', last_name: 'Byron', role: 'responder' };
    const gil = await create('users', { ...fields, email: 'gil@example.test' });
    const rotation = { length: 1, unit: 'days', handoff: '00:00' };
    const layers = [{ users: [ada, lin, null], rotation }];
    const { id } = await create('on-calls', { name: 'Vacation', timezone: 'Etc/UTC', layers });
    const day = (days: number) => {
      const today = Math.floor(Date.now() / 86_400_000);
      return new Date((today + days) * 86_400_000).toISOString();
    };
    await open(`/on-calls/${id}`);
    await page.getByRole('button', { name: 'Cover several shifts' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cover several shifts' });
    await dialog.getByText('Times in Etc/UTC.').waitFor();
    const rows = dialog.getByRole('list', { name: 'Shifts in this period' }).getByRole('listitem');
    await rows.nth(6).waitFor();
    const minutes = async (label: string) =>
      Date.parse(`${await dialog.getByLabel(label, { exact: true }).inputValue()}Z`) / 60_000;
    assert.equal((await minutes('To')) - (await minutes('From')), 7 * 24 * 60);
    await checkShown(page);
    // Only days ahead: six of them, of each two.
    await dialog.getByLabel('From', { exact: true }).fill(day(1).slice(0, 16));
    await rows.nth(6).waitFor({ state: 'attached' });
    await dialog.getByLabel('To', { exact: true }).fill(day(7).slice(0, 16));
    await rows.nth(6).waitFor({ state: 'detached' });
    assert.equal(await rows.count(), 6);

    await dialog.getByRole('button', { name: 'Cover shifts' }).click();
    await dialog.getByRole('alert').getByText('No shift changes yet.').waitFor();
    await dialog.getByLabel('All shifts of').selectOption('Ada Byron');
    const all = dialog.getByRole('group', { name: 'Set all at once' });
    const setAll = async (name: string) => {
      await all.getByRole('combobox', { name: 'Covered by' }).fill(name);
      await page.getByRole('option', { name }).waitFor();
      await page.keyboard.press('Enter');
      await all.getByRole('button', { name: 'Set all' }).press('Enter');
    };
    await setAll('Gil Byron');
    await dialog.getByText('2 shifts change.').waitFor();
    await dialog
      .getByText(/^(Ada Byron and Gil|Gil Byron and Ada) Byron will be notified\.$/)
      .waitFor();
    const pickIn = async (row: RegExp, name: string) => {
      const picker = rows.filter({ hasText: row }).first().getByRole('combobox');
      await picker.fill(name);
      await page.getByRole('option', { name, exact: true }).waitFor();
      await picker.press('Enter');
    };
    await pickIn(/Nobody$/, 'Eve Byron');
    await pickIn(/Lin Byron$/, 'Nobody');
    await dialog.getByText('4 shifts change.').waitFor();
    await dialog.getByLabel('Comment').fill('Vacation');
    await checkShown(page);
    await page.setViewportSize({ width: 360, height: 720 });
    const widthOf = (edge: string) =>
      page.evaluate(`document.querySelector('[role=dialog]').${edge}`);
    assert.equal(await widthOf('scrollWidth'), await widthOf('clientWidth'));
    await page.setViewportSize(desktop.viewport);

    expectError(/status of 422/);
    await send(`PATCH /users/${gil.id}`, { active: false });
    await dialog.getByRole('button', { name: 'Cover shifts' }).click();
    const wrong = rows.filter({ hasText: 'refers to a deactivated user' });
    await wrong.nth(1).waitFor();
    assert.equal(await wrong.count(), 2);
    assert.match((await page.evaluate<string>('document.activeElement.name')) ?? '', /^overrides/);
    assert.deepEqual((await send(`GET /on-calls/${id}/overrides`)).body.data, [], 'none is made');
    await checkShown(page);
    await setAll('Kim Byron');
    await wrong.first().waitFor({ state: 'detached' });
    await dialog.getByText(/Kim Byron.* will be notified/).waitFor();
    await dialog.getByRole('button', { name: 'Cover shifts' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).search, '');
    const overrides = page.getByRole('region', { name: 'Overrides' }).getByRole('listitem');
    await overrides.nth(3).waitFor();
    const bars = page.getByRole('list', { name: 'Final' });
    await bars
      .getByRole('button', { name: /^Kim Byron for Ada Byron/ })
      .nth(1)
      .waitFor();
    const made: readonly Record<string, string | null>[] = (
      await send(`GET /on-calls/${id}/overrides`)
    ).body.data;
    const who = made.map(({ user_id, replaces_user_id }) => [user_id, replaces_user_id ?? null]);
    const expected = [
      [people[4], ada],
      [null, lin],
      [eve, null],
      [people[4], ada],
    ];
    assert.deepEqual(who.map(String).sort(), expected.map(String).sort());
    for (const { comment } of made) assert.equal(comment, 'Vacation');
    await checkShown(page);
  }),
);

test('a stretch with too many shifts is to be chosen shorter', { skip }, () =>
  stage.story(phone, async ({ page, open }) => {
    const layers = [{ users: people.slice(0, 2), rotation: { length: 1, unit: 'days' } }];
    const { id } = await stage.server.api.create('on-calls', { name: 'Long', layers });
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    await open(`/on-calls/${id}?covers=${day(1)}/${day(120)}`);
    const dialog = page.getByRole('dialog', { name: 'Cover several shifts' });
    await dialog
      .getByRole('alert')
      .getByText(/^This period has 1\d\d shifts and gaps\. At most 100 can be changed at once/)
      .waitFor();
    await checkShown(page);
    await dialog.getByLabel('To', { exact: true }).fill(day(90).slice(0, 16));
    const rows = dialog.getByRole('list', { name: 'Shifts in this period' }).getByRole('listitem');
    await rows.nth(88).waitFor();
    await dialog.getByLabel('All shifts of').selectOption('Lin Byron');
    const all = dialog.getByRole('group', { name: 'Set all at once' });
    await all.getByRole('combobox', { name: 'Covered by' }).fill('bo');
    await page.getByRole('option', { name: 'Bo Byron' }).tap();
    await all.getByRole('button', { name: 'Set all' }).tap();
    await dialog.getByText(/^4\d shifts change\.$/).waitFor();
    await dialog.getByRole('button', { name: 'Cover shifts' }).tap();
    await dialog.waitFor({ state: 'detached' });
    const { data } = (await stage.server.api.send(`GET /on-calls/${id}/overrides`)).body;
    assert.ok(data.length >= 40, `${data.length}`);
  }),
);

test(
  'seven people share five days once only open days count, and the rest is marked as intended',
  { skip },
  () =>
    stage.story(desktop, async ({ page, open }) => {
      const rotation = { length: 1, unit: 'days', handoff: '08:00' };
      const { create, send } = stage.server.api;
      const layers = [{ users: people.slice(0, 6), rotation, restriction: office }];
      const { id } = await create('on-calls', {
        name: 'Office',
        timezone: 'Europe/Berlin',
        layers,
      });
      await open(`/on-calls/${id}?tab=layers`);
      const rows = page.getByRole('group', { name: /^Hours \d/ });
      assert.equal(await rows.count(), 1, 'five windows with the same times');
      const days = rows.first().getByRole('checkbox');
      assert.equal(await rows.first().getByLabel('From').inputValue(), '09:00');
      assert.equal(await days.and(page.locator(':checked')).count(), 5);
      await page.getByRole('button', { name: 'Add nights' }).click();
      await rows.last().getByText('The next day').waitFor();
      await page.getByRole('button', { name: 'Add several days' }).click();
      await rows.last().getByLabel('To day').selectOption('Tuesday');
      const friday = rows.first().getByLabel('Friday');
      await friday.press('Space');
      await checkShown(page);
      await page.getByRole('button', { name: 'Remove Hours 3' }).click();
      await page.getByRole('button', { name: 'Remove Hours 2' }).click();
      await friday.press('Space');
      await page.getByRole('combobox', { name: 'Add person' }).fill('zoe');
      await page.getByRole('option', { name: 'Zoe Byron' }).click();
      await page.getByText(/have no shift in/).waitFor();
      await page.getByLabel('Layer title').fill('Weekdays');
      await checkShown(page);
      await page.getByRole('button', { name: 'Count only days with hours in Weekdays' }).click();
      await page.getByText(/have no shift in/).waitFor({ state: 'detached' });
      assert.equal(await page.getByLabel('Days that count').inputValue(), 'open');
      const handoffs = page.getByRole('region', { name: 'Next handoffs' });
      await handoffs
        .getByText(/^[A-Z][a-z]+ Byron → Nobody$/)
        .first()
        .waitFor();
      await page.getByRole('button', { name: 'Save' }).click();
      const final = page.getByRole('list', { name: 'Final' });
      await final.getByRole('button').first().waitFor();
      await page.getByText('open days only').waitFor();
      const { name, users, restriction, ...rest } = (await send(`GET /on-calls/${id}`)).body
        .layers[0];
      assert.deepEqual(restriction, office, 'as it was stored');
      assert.deepEqual([name, users.length, rest.rotation.counts], ['Weekdays', 7, 'open']);

      const hours = 'Nobody is on call Mon–Thu 5:00.PM–9:00.AM, Fri 5:00.PM – Mon 9:00.AM';
      await page.getByText(new RegExp(`${hours} in each of the next four weeks.`)).waitFor();
      await checkShown(page);
      await page.getByRole('button', { name: 'Mark as intended' }).click();
      const dialog = page.getByRole('dialog', { name: 'Hours without anyone on call' });
      await dialog.getByRole('group', { name: 'Hours 2' }).waitFor();
      await checkShown(page);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('No other gaps').waitFor();
      await page.getByText(new RegExp(`${hours}, as intended.`)).waitFor();
      await final
        .getByRole('button', { name: /^Nobody, as intended/ })
        .first()
        .waitFor();
      await checkShown(page);
      const { uncovered_by_design: declared } = (await send(`GET /on-calls/${id}`)).body;
      // They begin with the next gap, whenever this runs.
      const ends = declared.map(({ to_day }: { to_day: string }) => to_day).sort();
      assert.deepEqual(ends, ['friday', 'monday', 'thursday', 'tuesday', 'wednesday']);
      await page.getByRole('button', { name: 'Edit hours' }).click();
      await dialog.getByRole('button', { name: 'Remove Hours 2' }).click();
      await dialog.getByRole('button', { name: 'Remove Hours 1' }).click();
      await dialog.getByText('all gaps are reported again').waitFor();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Mark as intended' }).waitFor();
    }),
);

test('a long rota begins where it began, its turns are dragged, and restored', { skip }, () =>
  stage.story(desktop, async ({ page, open, expectError }) => {
    expectError(/422/);
    const rotation = { length: 3, unit: 'weeks', handoff: '09:00' };
    const { create, send } = stage.server.api;
    const layers = [{ users: people.slice(0, 3), rotation }];
    const { id } = await create('on-calls', { name: 'Long', layers });
    await open(`/on-calls/${id}?tab=layers`);
    const since = page.getByLabel('Start of the first person’s turn');
    await since.fill('2026-01-27');
    await page
      .getByText(/must be a monday/i)
      .first()
      .waitFor();
    await since.fill('2026-01-26');
    await page
      .getByText(/must be a monday/i)
      .first()
      .waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save' }).click();
    const final = page.getByRole('list', { name: 'Final' });
    await final.getByRole('button').first().waitFor();
    await page.getByText(/since 2026-01-26/).waitFor();
    const stored = async () => (await send(`GET /on-calls/${id}`)).body.layers[0];
    assert.equal((await stored()).rotation.since, '2026-01-26');

    await page.getByRole('button', { name: 'Edit layers' }).click();
    const handles = page.getByTitle('Drag to move');
    await dragTo(page, handles.nth(2), handles.nth(0));
    const turns = page.getByRole('listitem').filter({ has: handles });
    await turns.first().getByText('Bo Byron').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await final.getByRole('button').first().waitFor();
    const [ada, lin, bo] = people;
    assert.deepEqual((await stored()).users, [bo, ada, lin]);

    await page.getByRole('link', { name: 'Revisions' }).click();
    await page.getByRole('button', { name: 'Restore these layers' }).first().click();
    await page.getByText(/^The layers below are those of .* Save to restore them\.$/).waitFor();
    await turns.first().getByText('Ada Byron').waitFor();
    await page
      .getByText(/will be notified|changes no shifts/)
      .first()
      .waitFor();
    await checkShown(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await final.getByRole('button').first().waitFor();
    const { users, rotation: restored } = await stored();
    assert.deepEqual([users, restored.since], [[ada, lin, bo], '2026-01-26']);
  }),
);

test('before somebody leaves, what they leave alone is covered', { skip }, () =>
  stage.story(desktop, async ({ page, open }) => {
    const { api } = stage.server;
    const [leaver = ''] = people.slice(-1);
    const rotation = { length: 1, unit: 'weeks', handoff: '09:00' };
    const week = (weeks: number) => new Date(Date.now() + weeks * 7 * 86_400_000).toISOString();
    const layers = [{ users: [leaver], rotation, ends_at: week(5) }];
    const { id } = await api.create('on-calls', { name: 'Left', layers });
    const cover = { user_id: leaver, start: week(6), end: week(7) };
    await api.send(`POST /on-calls/${id}/overrides`, cover);
    await open(`/users/${leaver}`);
    await page.getByRole('button', { name: 'Deactivate' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Changes to who is on call:').waitFor();
    await dialog.getByText('Nobody is on call').first().waitFor();
    await dialog.getByText('Override', { exact: true }).waitFor();
    await checkShown(page);
    await dialog
      .getByRole('link', { name: /^Find cover/ })
      .last()
      .click();
    await page.waitForURL(`**/on-calls/${id}?cover=*`);
    const form = page.getByRole('dialog', { name: 'Cover shift' });
    const typed = async (label: string) => `${await form.getByLabel(label).inputValue()}Z`;
    const minute = (text: string) => text.slice(0, 16);
    assert.equal(minute(await typed('From')), minute(cover.start));
    assert.equal(minute(await typed('To')), minute(cover.end));
  }),
);

test('a schedule is cloned, archived with what that does, and restored', { skip }, () =>
  stage.story(desktop, async ({ page, open }) => {
    const { create, send } = stage.server.api;
    const layers = [{ users: people.slice(0, 2), rotation: { length: 1, unit: 'weeks' } }];
    const { id } = await create('on-calls', { name: 'Web', layers });
    const targets = [{ via: 'email', oncall_schedule_id: id }];
    const policy = await create('escalation-policies', { name: 'Shop', steps: [{ targets }] });
    await open(`/on-calls/${id}?tab=uses`);
    await page.getByRole('link', { name: 'Shop' }).waitFor();
    await open(`/escalation-policies/${policy.id}?tab=terraform`);
    await page.getByRole('link', { name: 'export everything' }).waitFor();
    await checkShown(page);
    await page.getByRole('link', { name: /^pager_oncall_schedule\.web/ }).click();
    await page.getByRole('heading', { name: 'Web', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Terraform' }).click();
    await page.getByText('resource "pager_oncall_schedule"').waitFor();
    await page.getByRole('link', { name: 'History' }).click();
    await page.getByText('Created', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Shifts', exact: true }).click();

    await page.getByRole('button', { name: 'Clone schedule' }).click();
    const cloning = page.getByRole('dialog', { name: 'Clone Web' });
    await cloning.getByLabel('Name').waitFor();
    await checkShown(page);
    await cloning.getByRole('button', { name: 'Clone schedule' }).click();
    await page.getByRole('heading', { name: 'Web (copy)' }).waitFor();
    const copy = page.url().split('/').at(-1) ?? '';
    assert.notEqual(copy, id);
    assert.deepEqual((await send(`GET /on-calls/${copy}`)).body.layers[0].users, layers[0]?.users);

    await page.goto(`/on-calls/${id}`);
    await page.getByRole('button', { name: 'Archive' }).click();
    const archiving = page.getByRole('dialog', { name: 'Archive Web?' });
    await archiving.getByText(/Step 1 .*"Shop" reaches nobody: the schedule is archived/).waitFor();
    await archiving.getByText(/^On call now: .* After this change: nobody\.$/).waitFor();
    await checkShown(page);
    await archiving.getByRole('button', { name: 'Archive' }).click();
    await page.getByText('This schedule is archived.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Edit layers' }).count(), 0);
    await checkShown(page);
    assert.equal((await send(`POST /on-calls/${id}/restore`, {})).status, 403, 'by a key');
    await page.getByRole('link', { name: 'All schedules' }).click();
    await page.getByRole('link', { name: 'Archived schedules' }).click();
    await page.getByRole('link', { name: 'Web', exact: true }).click();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('button', { name: 'Edit layers' }).waitFor();
    assert.equal((await send(`GET /on-calls/${id}`)).body.archived_at, undefined);
  }),
);
