import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { eventually } from '../system/eventually.ts';
import { startMailServer } from '../system/notice-servers.ts';
import { mailTo } from '../system/server-process.ts';
import { checkShown, desktop, noBrowser, phone, type Stage, startStage } from './stage.ts';

const skip = noBrowser ?? false;
let stage: Stage;
const world = new AsyncDisposableStack();

before(async () => {
  if (skip) return;
  const mail = world.use(await startMailServer());
  stage = world.use(await startStage(mailTo(mail)));
});
after(() => world.disposeAsync());

/** The first two at three o'clock of the night before, the third in the afternoon. */
async function moveToYesterday(): Promise<string> {
  const { sql } = stage.server;
  const [row] = await sql<{ night: Temporal.Instant; weekday: string }[]>`
    select night, trim(to_char(night at time zone 'UTC', 'Day')) as weekday
    from (select date_trunc('day', now(), 'UTC') - interval '21 hours' as night) as yesterday`;
  if (row === undefined) throw new Error('there is no yesterday');
  const at = sql`${row.night}::timestamptz + case when number = 3 then interval '11 hours' else interval '0' end`;
  await sql`update incidents set created_at = ${at} + number * interval '1 minute'`;
  await sql`
    update outbox o set created_at = i.created_at from incidents i
    where i.organization_id = o.organization_id and i.id = o.incident_id`;
  await sql`
    update incidents set dedup_key = 'db-12', resolved_at = created_at + interval '3 hours 5 minutes',
      status = 'resolved'
    where number <= 2`;
  return row.weekday;
}

test('whoever asks when and how often people are paged reads it, and sees what each number counts', {
  skip,
}, async () => {
  const { api } = stage.server;
  await stage.story(desktop, async ({ page, open }) => {
    await open('/incidents');
    await page.keyboard.press('g');
    await page.keyboard.press('n');
    await page.getByRole('heading', { name: 'No incidents in this period' }).waitFor();
    await page.getByText('Nobody was paged in this period.').waitFor();
    await checkShown(page);

    for (const title of ['Primary lost on db-12', 'Replica lost on db-12', 'Checkout errors'])
      await stage.alert(title);
    await eventually('all pages arrived', async () => {
      const { body } = await api.send('GET /pages?state=sent');
      return body.data.length === 3;
    });
    await open('/incidents/1');
    await page.getByRole('button', { name: 'Acknowledge', exact: true }).click();
    await page
      .getByText(/acknowledged/i)
      .first()
      .waitFor();
    await eventually('a person has acknowledged it', async () => {
      const { body } = await api.send('GET /incidents/1');
      return body.status === 'acknowledged';
    });
    const weekday = await moveToYesterday();
    for (const [number, verdict] of [
      [1, 'false_alarm'],
      [2, 'real'],
    ])
      await api.send(`POST /incidents/${number}/verdict`, { verdict });

    await open('/reports');
    const hours = page.getByRole('table', { name: 'Incidents by hour and weekday' });
    await hours.getByRole('link', { name: new RegExp(`${weekday} 2:00.PM: 1 incident`) }).waitFor();
    const weeks = page.getByRole('table', { name: 'Time to acknowledge and to resolve' });
    const week = weeks.getByRole('row').filter({ hasText: '3 incidents' });
    await week.getByRole('cell', { name: '3 hr 5 min' }).first().waitFor();
    await page.getByText('1 of 3 acknowledged').waitFor();
    await checkShown(page);

    // Each number leads to what it counts.
    const list = page.getByRole('region', { name: 'Incidents', exact: true });
    const seen = async () => {
      const links = await list.getByRole('link').allTextContents();
      return links.filter((text) => /lost|errors/.test(text)).length;
    };
    await hours.getByRole('link', { name: new RegExp(`${weekday} 3:00.AM: 2 incidents`) }).click();
    await page
      .getByRole('heading', { name: new RegExp(`Opened on ${weekday}, 3:00.AM – 4:00.AM`) })
      .waitFor();
    await list.getByText('Replica lost on db-12').waitFor();
    assert.equal(await seen(), 2);
    await checkShown(page);
    await page.getByRole('link', { name: 'Back to the report' }).click();
    await week.getByRole('link', { name: '3 incidents' }).click();
    await list.getByText('Checkout errors').waitFor();
    assert.equal(await seen(), 3);
    await page.goBack();
    await week.getByRole('link', { name: '1', exact: true }).click();
    await page.getByRole('heading', { name: /^Acknowledged, opened in the week of/ }).waitFor();
    await list.getByText('Primary lost on db-12').waitFor();
    assert.equal(await seen(), 1);
    await page.goBack();
    const keys = page.getByRole('table', { name: 'Noisiest alerts' });
    await keys
      .getByRole('row')
      .filter({ hasText: 'db-12' })
      .getByRole('link', { name: '2 incidents' })
      .click();
    await page.getByRole('heading', { name: 'With the key db-12' }).waitFor();
    await list.getByText('Primary lost on db-12').waitFor();
    assert.equal(await seen(), 2);
    await page.getByRole('link', { name: 'Back to the report' }).click();

    const verdicts = page.getByRole('table', { name: 'Verdicts by key' });
    const row = verdicts.getByRole('row').filter({ hasText: 'db-12' });
    await row.getByRole('cell', { name: '2 (100%)' }).waitFor();
    await row.getByRole('link', { name: '1', exact: true }).last().click();
    await page.getByRole('heading', { name: 'Verdict: False alarm, key db-12' }).waitFor();
    await list.getByText('Primary lost on db-12').waitFor();
    assert.equal(await seen(), 1);
    await page.getByRole('link', { name: 'Back to the report' }).click();
    const integrations = page.getByRole('table', { name: 'Verdicts by integration' });
    await integrations.getByRole('link', { name: '2', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Resolved', exact: true }).waitFor();
    await list.getByText('Replica lost on db-12').waitFor();
    assert.equal(await seen(), 2);
    await page.goBack();
    await verdicts.getByRole('link', { name: 'Make a rule for Replica lost on db-12' }).click();
    const text = page.getByLabel('Text', { exact: true });
    await text.waitFor();
    assert.equal(await text.inputValue(), 'Replica lost on db-12');
    await page.goBack();

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download CSV: Noisiest alerts' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'incidents-keys.csv');
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    assert.equal(lines.length, 3);
    assert.match(lines[1] ?? '', /,db-12,2,1,0,2,Replica lost on db-12$/);

    const people = page.getByRole('table', { name: 'Pages at night' });
    await people.getByRole('link', { name: '2', exact: true }).click();
    await page.getByRole('button', { name: /^Remove Time: at night/ }).waitFor();
    const pages = page.getByRole('list', { name: 'Pages', exact: true });
    await pages.getByRole('link', { name: 'INC-2 Replica lost on db-12' }).waitFor();
    assert.equal(await pages.getByRole('listitem').filter({ hasText: 'Step 1' }).count(), 2);
    await checkShown(page);
    await page.goBack();
    const channels = page.getByRole('table', { name: 'Pages by channel' });
    await channels.getByRole('link', { name: '3', exact: true }).click();
    await page.getByRole('button', { name: 'Remove Channel: E-mail' }).waitFor();
    await pages.getByRole('link', { name: 'INC-3 Checkout errors' }).waitFor();
  });
  await stage.story(phone, async ({ page, open }) => {
    await open('/reports?days=7');
    const hours = page.getByRole('table', { name: 'Incidents by hour and weekday' });
    await hours.getByRole('link', { name: /2:00.PM: 1 incident/ }).waitFor();
    await checkShown(page);
    await page.getByLabel('From', { exact: true }).fill('2030-01-01');
    await page.getByRole('heading', { name: 'Invalid period' }).waitFor();
    await page.getByRole('link', { name: '28 days' }).tap();
    await hours.getByRole('link', { name: /3:00.AM: 2 incidents/ }).tap();
    await page
      .getByRole('region', { name: 'Incidents', exact: true })
      .getByText('Replica')
      .waitFor();
    await checkShown(page);
  });
});
