import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { checkShown, desktop, noBrowser, phone, type Stage, startStage } from './stage.ts';

const skip = noBrowser ?? false;
const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const nights = {
  type: 'weekly',
  windows: days.map((from_day, index) => ({
    from_day,
    from_time: '22:00',
    to_day: days[(index + 1) % days.length],
    to_time: '06:00',
  })),
};
/** On the schedule's clock, the eve and the last local day of each view; a month is in whole weeks. */
const views = [
  { search: 'period=week&from=2030-06-03', before: '2030-06-02', last: '2030-06-09', next: '10' },
  { search: 'from=2030-06-03', before: '2030-06-02', last: '2030-06-16', next: '17' },
  { search: 'period=month&from=2030-06-01', before: '2030-05-26', last: '2030-06-30', next: '01' },
];
let stage: Stage;
let nightly = '';
let ending = '';

before(async () => {
  if (skip) return;
  stage = await startStage();
  const { create } = stage.server.api;
  const person = async (first_name: string) =>
    (
      await create('users', {
        first_name,
        last_name: 'Byron',
        role: 'responder',
        email: `${first_name.toLowerCase()}@example.test`,
      })
    ).id;
  const users = [await person('Ada'), await person('Lin')];
  const rotation = { length: 1, unit: 'days', handoff: '12:00' };
  const timezone = 'Europe/Berlin';
  const layer = { users, rotation, restriction: nights };
  nightly = (await create('on-calls', { name: 'Nights', timezone, layers: [layer] })).id;
  ending = (
    await create('on-calls', {
      name: 'Ending',
      timezone,
      layers: [{ users, rotation, ends_at: '2030-06-05T10:00:00Z' }],
    })
  ).id;
});
after(() => stage?.[Symbol.asyncDispose]());

test('a night at the edge of a week, two weeks and a month is covered to its end', { skip }, () =>
  stage.story(desktop, async ({ page, open }) => {
    for (const { search, before: eve, last, next } of views) {
      await open(`/on-calls/${nightly}?${search}`);
      const final = page.getByRole('list', { name: 'Final' }).getByRole('button');
      const dialog = page.getByRole('dialog', { name: 'Cover shift' });
      await final.last().waitFor();
      assert.match(
        (await final.last().getAttribute('aria-label')) ?? '',
        / Byron, .*10:00.PM – .*6:00.AM$/,
      );
      await final.last().click();
      assert.equal(await dialog.getByLabel('From').inputValue(), `${last}T22:00`);
      assert.match(await dialog.getByLabel('To').inputValue(), new RegExp(`-${next}T06:00$`));
      await dialog.locator('.shift').first().waitFor();
      const edge = dialog.getByRole('slider', { name: 'Drag the end' });
      await edge.press('PageUp');
      assert.match(await dialog.getByLabel('To').inputValue(), new RegExp(`-${next}T22:00$`));
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await final.first().click();
      assert.equal(await dialog.getByLabel('From').inputValue(), `${eve}T22:00`);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    await page.getByText(/^10:00.PM–6:00.AM · Ada, Lin$/).waitFor();
    await checkShown(page);
  }),
);

test('at midnight, the edge of a day, a drag takes the rest of the night', { skip }, () =>
  stage.story(desktop, async ({ page, open }) => {
    await open(`/on-calls/${nightly}?period=week&from=2030-06-03`);
    const list = page.getByRole('list', { name: 'Final' });
    await list.getByRole('button').last().waitFor();
    // What stands above the lanes moves them when it is known.
    await page.getByRole('button', { name: 'Show first gap' }).waitFor();
    await page.getByRole('button', { name: 'Mark as intended' }).waitFor();
    await page.getByLabel('Add to an existing policy').waitFor();
    const box = (await list.locator('..').boundingBox()) ?? assert.fail();
    const y = box.y + box.height / 2;
    await page.mouse.move(box.x + box.width * (1 - 6 / (7 * 24)), y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 20, y);
    await page.mouse.move(box.x + box.width + 20, y);
    await page
      .locator('.drag-text')
      .filter({ hasText: /6:00.AM/ })
      .waitFor();
    await page.mouse.up();
    const dialog = page.getByRole('dialog', { name: 'Cover shift' });
    assert.equal(await dialog.getByLabel('From').inputValue(), '2030-06-09T18:00');
    assert.equal(await dialog.getByLabel('To').inputValue(), '2030-06-10T06:00');
  }),
);

test('on a phone the days have who is on call in them, the list whole shifts', { skip }, () =>
  stage.story(phone, async ({ page, open }) => {
    await open(`/on-calls/${nightly}?period=week&from=2030-06-03`);
    const agenda = page.getByRole('list', { name: 'Final' });
    const sunday = agenda.getByRole('listitem').filter({ hasText: 'Sun, Jun 9' });
    // The browser is in UTC.
    await sunday.getByText(/^from 10:00.PM Berlin · from 8:00.PM your time$/).waitFor();
    await checkShown(page);
    await sunday.getByRole('button', { name: /^Cover: (Ada|Lin) Byron from 10:00.PM/ }).tap();
    const cover = page.getByRole('dialog', { name: 'Cover shift' });
    assert.equal(await cover.getByLabel('To').inputValue(), '2030-06-10T06:00');
    await page.keyboard.press('Escape');
    await cover.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'List' }).tap();
    const rows = page.getByRole('row');
    const berlin = /Sun, Jun 9, 2030, 10:00.PM – Mon 6:00.AM Berlin · /;
    const own = /Sun, Jun 9, 2030, 8:00.PM – Mon 4:00.AM your time/;
    await rows.filter({ hasText: berlin }).filter({ hasText: own }).waitFor();
    await checkShown(page);
    await open(`/on-calls/${ending}?period=week&from=2030-06-10&view=list`);
    const gap = rows.filter({ hasText: 'Nobody' });
    await gap.filter({ hasText: /Wed, Jun 5, 2030, 12:00.PM, with no end/ }).waitFor();
    await page.getByText('1 gap in the next 10 years').waitFor();
    await gap.getByRole('button', { name: /^Cover: Nobody, .*with no end/ }).tap();
    const dialog = page.getByRole('dialog', { name: 'Cover shift' });
    assert.equal(await dialog.getByLabel('From').inputValue(), '2030-06-05T12:00');
    assert.equal(await dialog.getByLabel('To').inputValue(), '2030-06-05T20:00');
  }),
);
