import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { checkShown, desktop, noBrowser, phone, type Stage, startStage } from './stage.ts';

const skip = noBrowser ?? false;
let stage: Stage;
let ada = '';
let payments = '';

const weekly = { length: 1, unit: 'weeks', handoff: '09:00' };
const hour = 3_600_000;
const at = (hours: number) => new Date(Date.now() + hours * hour).toISOString();

before(async () => {
  if (skip) return;
  stage = await startStage();
  const { create } = stage.server.api;
  const person = (first_name: string, last_name: string) =>
    create('users', {
      first_name,
      last_name,
      role: 'responder',
      email: `${first_name.toLowerCase()}@example.test`,
    });
  ada = (await person('Ada', 'Byron')).id;
  const grace = await person('Grace', `Olsen-${'Vandermeersch'.repeat(6)} <b>von</b> Hopper`);
  payments = (
    await create('on-calls', {
      name: 'Payments',
      timezone: 'Europe/Berlin',
      layers: [
        { users: [ada], rotation: weekly },
        {
          users: [grace.id],
          rotation: { length: 1, unit: 'days', handoff: '08:00' },
          restriction: {
            type: 'weekly',
            windows: [
              { from_day: 'monday', from_time: '08:00', to_day: 'monday', to_time: '17:00' },
            ],
          },
        },
      ],
    })
  ).id;
  await create('on-calls', {
    name: 'Shop with a name that is longer than any row has room for, whatever its width',
    layers: [{ users: [ada, null], rotation: weekly }],
  });
});
after(() => stage?.[Symbol.asyncDispose]());

const overridesOf = async (id: string) =>
  (await stage.server.api.send(`GET /on-calls/${id}/overrides`)).body.data;

test(
  'all schedules stand over one axis, those with a gap first; keys lead there and on',
  { skip },
  () =>
    stage.story(desktop, async ({ page, open }) => {
      await open('/incidents');
      await page.getByRole('link', { name: 'On call' }).first().waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('o');
      const rows = page.getByRole('region', { name: 'Default' }).getByRole('listitem');
      await rows.getByRole('link', { name: 'Payments' }).waitFor();
      await rows.filter({ hasText: 'Shop with' }).getByText('1 gap').waitFor();
      assert.match((await rows.first().innerText()).trim(), /^Shop with/);
      await checkShown(page);
      for (const weekend of ['Next weekend', 'This weekend']) {
        await page.getByRole('button', { name: weekend }).click();
        await page.getByRole('button', { name: weekend, pressed: true }).waitFor();
        await page.waitForURL(/period=weekend/);
      }
      await page.getByRole('button', { name: 'Month' }).click();
      await page.waitForURL('**/on-calls?period=month');
      await page.getByRole('link', { name: 'Payments' }).click();
      await page.getByRole('heading', { name: 'Payments' }).waitFor();
      await page.getByText('No gaps', { exact: true }).waitFor();
      await page.getByText('No escalation policy uses this schedule').waitFor();
      const first = page.getByRole('list', { name: 'Final' }).getByRole('button').first();
      await first.waitFor();
      await checkShown(page);
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      await page.getByText(`/on-calls/${payments}`).waitFor();
      assert.ok(await first.isVisible());
      assert.equal(await page.getByRole('button', { name: 'Cover shift' }).count(), 0);
      assert.equal(
        await page.evaluate("getComputedStyle(document.querySelector('.shift-bar')).color"),
        'rgb(0, 0, 0)',
        'black, also where the screen is dark',
      );
      await page.emulateMedia({ media: null });
    }),
);

test('a person finds cover for a shift of theirs on a phone, and takes it back', { skip }, () =>
  stage.story(phone, async ({ page, open }) => {
    const { list, send } = stage.server.api;
    const me = (await list('users')).find(({ email }) => email === 'owner@example.test');
    const own = { user_id: me.id, start: at(30), end: at(40) };
    const { body } = await send(`POST /on-calls/${payments}/overrides`, own);
    await open('/on-calls');
    await page.locator('[aria-busy=false]').getByText('Payments').first().waitFor();
    const findCover = page.getByRole('link', { name: 'Find cover: Payments' });
    await findCover.waitFor();
    await checkShown(page);
    await findCover.tap();
    const dialog = page.getByRole('dialog', { name: 'Cover shift' });
    await dialog.getByRole('combobox', { name: 'Covered by' }).fill('ada');
    await page.getByRole('option', { name: 'Ada Byron' }).tap();
    await dialog
      .getByText(/^(Ada Byron and owner|owner and Ada Byron) will be notified\.$/)
      .waitFor();
    await checkShown(page);
    await dialog.getByRole('button', { name: 'Cover shift' }).tap();
    await dialog.waitFor({ state: 'detached' });
    const overrides = page.getByRole('region', { name: 'Overrides' }).getByRole('listitem');
    await overrides.filter({ hasText: 'Ada Byron for owner' }).waitFor();
    const made = (await overridesOf(payments)).at(-1);
    assert.deepEqual(
      [made.user_id, made.replaces_user_id, made.start, made.end],
      [ada, me.id, body.start, body.end],
    );
    await page.getByRole('button', { name: 'Remove Ada Byron for owner' }).tap();
    await page.getByRole('button', { name: 'Confirm removal' }).tap();
    await overrides.filter({ hasText: 'Ada Byron for owner' }).waitFor({ state: 'detached' });
    assert.equal(await page.evaluate('document.activeElement.id'), 'overrides');
    await send(`DELETE /on-calls/${payments}/overrides/${body.id}`);
  }),
);

test('the lanes are moved in by keys, and a shift is covered by them', { skip }, () =>
  stage.story(desktop, async ({ page, open }) => {
    await open('/on-calls/1');
    await page.waitForURL(`**/on-calls/${payments}`);
    await page.getByRole('list', { name: 'Final' }).getByRole('button').first().waitFor();
    await page.keyboard.press(']');
    await page.waitForURL(`**/on-calls/${payments}?from=*`);
    const focus = () => page.evaluate('document.activeElement.getAttribute("aria-label")');
    const final = page.getByRole('list', { name: 'Final' }).getByRole('button');
    await final.first().focus();
    await page.keyboard.press('ArrowRight');
    assert.equal(await focus(), await final.nth(1).getAttribute('aria-label'));
    await page.keyboard.press('ArrowDown');
    assert.match(String(await focus()), /^Grace/);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Cover shift' });
    await dialog.getByLabel('From').waitFor();
    assert.match(await dialog.getByLabel('From').inputValue(), /T\d\d:00$/);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('t');
    await page.waitForURL(`**/on-calls/${payments}`);
    await page.keyboard.press('o');
    await dialog.getByText(/will be notified/).waitFor();
    await checkShown(page);
    await dialog.getByLabel('Comment').fill('At the dentist');
    await page.keyboard.press('Control+Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('list', { name: 'Overrides' }).getByRole('button').first().waitFor();
    for (const { id } of await overridesOf(payments))
      await stage.server.api.send(`DELETE /on-calls/${payments}/overrides/${id}`);
  }),
);

test('a drag over who is paged covers exactly that, also where the clock changes', { skip }, () =>
  stage.story(desktop, async ({ page, open }) => {
    await open(`/on-calls/${payments}?from=2030-03-25&period=week`);
    const final = page.getByRole('list', { name: 'Final' });
    await final.getByRole('button').first().waitFor();
    await page.getByText('+1 h').waitFor();
    const zone = page.getByRole('combobox', { name: 'Times in' });
    await zone.selectOption('Etc/UTC');
    await page.waitForURL('**zone=Etc*');
    await page.getByText('+1 h').waitFor({ state: 'detached' });
    await zone.selectOption('Europe/Berlin');
    await page.getByText('+1 h').waitFor();
    const box = (await final.locator('..').boundingBox()) ?? assert.fail();
    const [from, to] = ['2030-03-24T23:00:00Z', '2030-03-31T22:00:00Z'].map((text) =>
      Date.parse(text),
    );
    const x = (text: string) =>
      box.x + (box.width * (Date.parse(text) - (from ?? 0))) / ((to ?? 0) - (from ?? 0));
    await page.mouse.move(x('2030-03-30T11:00:00Z'), box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(x('2030-03-31T00:00:00Z'), box.y + box.height / 2);
    await page.mouse.move(x('2030-03-31T10:00:00Z'), box.y + box.height / 2);
    await page.mouse.up();
    const dialog = page.getByRole('dialog', { name: 'Cover shift' });
    assert.equal(await dialog.getByLabel('From').inputValue(), '2030-03-30T12:00');
    assert.equal(await dialog.getByLabel('To').inputValue(), '2030-03-31T12:00');
    const edge = dialog.getByRole('slider', { name: 'Drag the end' });
    await edge.press('ArrowRight');
    assert.equal(await dialog.getByLabel('To').inputValue(), '2030-03-31T12:15');
    await dialog.locator('.shift').first().waitFor();
    await edge.press('PageUp');
    assert.equal(await dialog.getByLabel('To').inputValue(), '2030-04-01T08:00');
    const handle = (await edge.boundingBox()) ?? assert.fail();
    await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2);
    await page.mouse.down();
    await page.mouse.move(handle.x - 40, handle.y);
    await page.mouse.up();
    assert.match(
      await dialog.getByLabel('To').inputValue(),
      /^2030-0(3-31|4-01)T\d\d:(00|15|30|45)$/,
    );
    await checkShown(page);
    await dialog.getByLabel('To').fill('2030-03-31T12:00');
    await dialog.getByText(/^Nobody gets a notification/).waitFor();
    await dialog.getByRole('button', { name: 'Cover shift' }).click();
    await final.getByRole('button', { name: /^owner for Ada Byron/ }).waitFor();
    const made = (await overridesOf(payments)).at(-1);
    assert.deepEqual(
      [made.start, made.end],
      ['2030-03-30T11:00:00.000Z', '2030-03-31T10:00:00.000Z'],
    );
  }),
);

test('a schedule says whom it told what, tells its channels, and has a calendar', { skip }, () =>
  stage.story(desktop, async ({ page, open, expectError }) => {
    expectError(/422/);
    const { create, send } = stage.server.api;
    const { id: webhook } = await create('outbound-webhooks', {
      name: 'Wallboard',
      method: 'POST',
      url: 'https://wallboard.example.test/',
    });
    expectError(/403/);
    const parts = /\/(events|notifications|calendar-feeds|revisions)(\?|$)/;
    const message = 'This needs the role viewer.';
    const refusal = { status: 403, json: { error: 'forbidden', message } };
    await page.route(parts, (route) => route.fulfill(refusal));
    await open(`/on-calls/${payments}?tab=notifications`);
    for (const tab of ['Calendar link', 'Revisions', 'Announcements']) {
      await page.getByRole('alert').getByText(message).waitFor();
      await page.getByRole('link', { name: tab }).click();
    }
    await page.getByRole('alert').getByText(message).waitFor();
    await checkShown(page);
    await page.unroute(parts);
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('starts a shift').first().waitFor();
    await page
      .getByText(/^E-mail · .* · sent$/)
      .first()
      .waitFor();
    await checkShown(page);
    await page.getByRole('link', { name: 'Notifications' }).click();
    await page.waitForURL('**?tab=notifications');
    const slack = page.getByRole('group', { name: 'Slack', exact: true });
    await slack.getByRole('radio', { name: 'Custom channels' }).check();
    await page.getByLabel('Incoming webhook URL').fill('chat');
    await page.getByLabel('Name').fill('#payments');
    await page.getByRole('checkbox', { name: 'Wallboard' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('Incoming webhook URL').waitFor();
    await checkShown(page);
    await page.getByLabel('Incoming webhook URL').fill('https://chat.example.test/hook');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved').waitFor();
    assert.deepEqual((await send(`GET /on-calls/${payments}/notifications`)).body, {
      oncall_schedule_id: payments,
      slack: [{ webhook_url: 'https://chat.example.test/hook', channel_name: '#payments' }],
      outbound_webhook_ids: [webhook],
    });
    await send(`PUT /on-calls/${payments}/notifications`, {});
    await page.getByRole('link', { name: 'Calendar link' }).click();
    await page.getByRole('button', { name: 'Create calendar link' }).click();
    const link = await page.getByRole('textbox', { name: 'Calendar link' }).inputValue();
    assert.match(await (await fetch(link)).text(), /SUMMARY:.*Ada Byron/);
    await checkShown(page);
    await page.getByRole('button', { name: 'Revoke link' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke link' }).click();
    await page.getByRole('textbox', { name: 'Calendar link' }).waitFor({ state: 'detached' });
    const { layers } = (await send(`GET /on-calls/${payments}`)).body;
    await send(`PATCH /on-calls/${payments}`, { layers: layers.slice(0, 1) });
    await page.getByRole('link', { name: 'Revisions' }).click();
    await page.getByText(/^Layer removed: .* · /).waitFor();
    await page.getByText('Through the API, with this key').first().waitFor();
    await checkShown(page);
    await send(`PATCH /on-calls/${payments}`, { layers });
  }),
);

test('a schedule is made from a template, its shifts shown before it is saved', { skip }, () =>
  stage.story(phone, async ({ page, open }) => {
    await open('/on-calls');
    await page.getByRole('link', { name: 'New schedule' }).tap();
    await page.getByRole('button', { name: 'Follow the sun' }).tap();
    await page.getByRole('button', { name: /^Weekly turns/ }).tap();
    await page.getByText('Add people to every layer').waitFor();
    await page.getByLabel('Name').fill('Nights');
    for (const name of ['ada', 'grace']) {
      await page.getByRole('combobox', { name: 'Add person' }).fill(name);
      await page.getByRole('option').first().tap();
    }
    await page.getByText('Someone is on call at all times').waitFor();
    await checkShown(page);
    await page.getByRole('button', { name: 'Create schedule' }).tap();
    await page.getByRole('heading', { name: 'Nights' }).waitFor();
    await page.getByText('No gaps', { exact: true }).waitFor();
  }),
);

test('an edit shows what it moves, and two people who save do not undo each other', { skip }, () =>
  stage.story(desktop, async ({ page, open, expectError }) => {
    expectError(/409/);
    const { create, send } = stage.server.api;
    const lin = await create('users', {
      first_name: 'Lin',
      last_name: 'Okafor',
      email: 'lin@example.test',
      role: 'responder',
    });
    const layers = [{ users: [ada, lin.id], rotation: weekly }];
    const { id } = await create('on-calls', { name: 'Edited', layers });
    await open(`/on-calls/${id}`);
    await page.getByRole('button', { name: 'Edit layers' }).click();
    await page.getByRole('button', { name: 'Add empty turn' }).click();
    await page.getByText(/shifts? in the next 60 days moves?/).waitFor();
    await page.getByText('Nobody instead of').first().waitFor();
    await checkShown(page);
    await page.getByRole('navigation').getByRole('link', { name: 'Me' }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Stay here' }).click();
    await page.getByText('Nobody instead of').first().waitFor();
    await page.getByText('Start and end date').click();
    const ends = page.getByLabel('Ends', { exact: true });
    await ends.focus();
    await page.keyboard.type('05062031');
    await page.keyboard.press('Tab');
    await page.keyboard.type('0900AM');
    assert.equal(await ends.inputValue(), '2031-05-06T09:00');
    await ends.fill('');
    await page.getByText('Start and end date').click();
    const add = page.getByRole('combobox', { name: 'Add person' });
    await add.fill('grace');
    await page.getByRole('option').first().click();
    await page.getByRole('button', { name: /^Remove Grace/ }).waitFor();
    await page.waitForFunction('document.activeElement.role === "combobox"');
    await page.waitForFunction('document.activeElement.value === ""');
    await page.getByRole('button', { name: /^Remove Grace/ }).click();
    await send(`PATCH /on-calls/${id}`, { layers: [{ users: [lin.id], rotation: weekly }] });
    await page.getByRole('button', { name: 'Save' }).click();
    const alert = page.getByRole('alert');
    await alert.getByText('Someone else changed this while you were editing.').waitFor();
    await alert.getByLabel('Theirs: Layer 1: Lin Okafor (').waitFor();
    assert.ok(await alert.getByLabel('Yours: Layer 1: Ada Byron, Lin Okafor, Nobody').isChecked());
    await checkShown(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit layers' }).waitFor();
    await page
      .getByRole('list', { name: 'Always · Ada, Lin, Nobody' })
      .getByRole('button')
      .last()
      .waitFor();
    const { body } = await send(`GET /on-calls/${id}`);
    assert.deepEqual(body.layers[0].users, [ada, lin.id, null]);
  }),
);

test('of many layers each is opened to be edited', { skip }, () =>
  stage.story(desktop, async ({ page, open }) => {
    const { create, send } = stage.server.api;
    const layers = Array.from({ length: 6 }, () => ({ users: [ada], rotation: weekly }));
    const { id } = await create('on-calls', { name: 'Many layers', layers });
    await open(`/on-calls/${id}`);
    await page.getByRole('button', { name: 'Edit layers' }).click();
    const sixth = page.getByRole('region', { name: 'Layer 6' });
    await sixth.getByText(/Ada Byron \(Weekly Mon 9:00.AM\)/).waitFor();
    await checkShown(page);
    await sixth.getByRole('button', { name: 'Edit layer 6' }).click();
    await sixth.getByLabel('Length of a turn').fill('2');
    assert.equal(await page.getByLabel('Length of a turn').count(), 1);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit layers' }).waitFor();
    const { body } = await send(`GET /on-calls/${id}`);
    assert.deepEqual(
      body.layers.map(({ rotation }: { rotation: { length: number } }) => rotation.length),
      [1, 1, 1, 1, 1, 2],
    );
  }),
);
