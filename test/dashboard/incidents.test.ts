import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  checkShown,
  desktop,
  elsewhere,
  noBrowser,
  phone,
  type Stage,
  signIn,
  startStage,
} from './stage.ts';

const skip = noBrowser ?? false;
const POLL_MS = 15_000;
let stage: Stage;

before(async () => {
  if (!skip) stage = await startStage();
});
after(() => stage?.[Symbol.asyncDispose]());

test('a person signs in, finds nothing open, and then an incident that opens', { skip }, () =>
  stage.story(phone, async ({ page }) => {
    await page.goto('/');
    await signIn(page);
    await page.getByRole('heading', { name: 'No open incidents' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/incidents');
    await checkShown(page);
    const number = await stage.alert('Primary lost on db-12: replication stopped');
    await page.getByRole('link', { name: `Triggered INC-${number}` }).waitFor();
    assert.equal(await page.title(), '(1) Incidents · Pager');
    await checkShown(page);
    const uncovered = page.getByRole('button', { name: `Acknowledge INC-${number}` });
    await uncovered.scrollIntoViewIfNeeded();
    await page.getByRole('link', { name: 'Primary lost' }).tap();
    await page.getByRole('heading', { name: `INC-${number}` }).waitFor();
    await page.goBack();
    await uncovered.tap();
    await page.getByRole('link', { name: `Acknowledged INC-${number}` }).waitFor();
  }),
);

test(
  'acknowledged, resolved and muted incidents have their shapes and their lists',
  {
    skip,
  },
  () =>
    stage.story(desktop, async ({ page, open }) => {
      const { send } = stage.server.api;
      const acknowledged = await stage.alert('Disk full');
      const resolved = await stage.alert('Queue too deep');
      const muted = await stage.alert('Certificate expires');
      await send(`POST /incidents/${acknowledged}/acknowledge`, {});
      await send(`POST /incidents/${resolved}/resolve`, {});
      await send(`POST /incidents/${muted}/mute`, {});
      await open('/incidents');
      await page.getByRole('link', { name: `Acknowledged INC-${acknowledged}` }).waitFor();
      await page.getByRole('link', { name: `Muted INC-${muted}` }).waitFor();
      await page.getByRole('link', { name: 'Disk full' }).getByText('First key').waitFor();
      const today = page.getByRole('region', { name: 'Resolved in the last 24 hours' });
      await today.getByRole('link', { name: `Resolved INC-${resolved}` }).waitFor();
      await today.getByRole('link', { name: /Resolved by First key/ }).waitFor();
      const lastDay = page.getByRole('link', { name: /^24 hours: \d+ incidents, most at \d/ });
      await lastDay.waitFor();
      await checkShown(page);
      await page.getByRole('link', { name: 'Mine', exact: true }).click();
      await page.getByRole('link', { name: `Acknowledged INC-${acknowledged}` }).waitFor();
      const { body: counts } = await send('GET /incidents/counts');
      const all = counts.triggered + counts.acknowledged;
      await page.getByRole('link', { name: `Open ${all}`, exact: true }).waitFor();
      await page.getByRole('link', { name: 'Resolved', exact: true }).click();
      await page.getByRole('link', { name: `Resolved INC-${resolved}` }).waitFor();
      assert.equal(new URL(page.url()).search, '?tab=resolved');
      await page.getByRole('link', { name: 'All', exact: true }).click();
      await page.getByRole('link', { name: `Acknowledged INC-${acknowledged}` }).waitFor();
      await page.goBack();
      await page.getByRole('link', { name: `Resolved INC-${resolved}` }).waitFor();
      await lastDay.click();
      await page.waitForURL('**/incidents?tab=all&since=24h&test=none');
      await page.getByRole('link', { name: `Acknowledged INC-${acknowledged}` }).waitFor();
    }),
);

test('a search is in the address, and is cleared where nothing matches', { skip }, () =>
  stage.story(desktop, async ({ page, open }) => {
    const number = await stage.alert('Latency of search');
    await open('/incidents');
    await page.getByRole('link', { name: 'Latency of search' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('LATENCY ');
    await page.waitForURL('**/incidents?q=LATENCY');
    await page.keyboard.type('of');
    await page.waitForURL('**/incidents?q=LATENCY+of');
    await page.getByRole('heading', { name: 'Triggered 1' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: `INC-${number}` }).waitFor();
    await page.getByRole('searchbox').fill('nothing like it');
    await page.getByRole('heading', { name: 'No matching incidents' }).waitFor();
    await checkShown(page);
    await page.getByRole('button', { name: 'Clear search' }).click();
    await page.getByRole('link', { name: `INC-${number}` }).waitFor();
    assert.equal(new URL(page.url()).search, '');
  }),
);

test('a row says what happens next, when, and who is paged', { skip }, () =>
  stage.story(desktop, async ({ page, open }) => {
    const { create, list, send } = stage.server.api;
    const lin = await create('users', {
      first_name: 'Lin',
      last_name: 'Okafor',
      email: 'lin@example.test',
      role: 'responder',
    });
    const owner = (await list('users')).find(({ id }) => id !== lin.id);
    const [policy] = await list('escalation-policies');
    const steps = [
      { targets: [{ via: 'email', user_id: owner.id }], escalate_after_minutes: 30 },
      { targets: [{ via: 'email', user_id: lin.id }] },
    ];
    await send(`PATCH /escalation-policies/${policy.id}`, { steps });
    const number = await stage.alert('Replication stopped');
    await open('/incidents');
    const row = page.getByRole('link', { name: `Triggered INC-${number}` });
    await row.getByText(/Step 2 in/).waitFor();
    await row.getByText(/^in \d+:\d\d$/).waitFor();
    await row.getByText('Lin Okafor').waitFor();
    const nobody = [{ targets: [{ via: 'phone', user_id: lin.id }] }];
    await send(`PATCH /escalation-policies/${policy.id}`, { steps: nobody });
    const unpaged = await stage.alert('Paged nobody', { priority: 'p5' });
    await page.getByRole('heading', { name: /^Triggered/ }).waitFor();
    await page.getByText('1 with nobody paged').waitFor();
    const first = page.locator('[data-incident]').first();
    await first.getByText('Nobody could be paged, owner notified').waitFor();
    assert.equal(await first.getAttribute('data-incident'), `${unpaged}`);
    await page.getByRole('link', { name: `Nobody paged INC-${unpaged}` }).waitFor();
    await checkShown(page);
  }),
);

test('the theme that is chosen is there before the page is painted again', { skip }, () =>
  stage.story({ ...desktop, colorScheme: 'light' }, async ({ page, open }) => {
    await open('/incidents');
    await page.getByRole('button', { name: 'owner' }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await checkShown(page);
    await page.reload();
    const root = page.locator('html');
    assert.equal(await root.getAttribute('class'), 'dark');
    const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    assert.match(String(background), /oklch\(0\.165 /);
  }),
);

test('what arrives while somebody is at the list waits beside it', { skip }, () =>
  stage.story(desktop, async ({ page, open }) => {
    await open('/incidents');
    const rows = page.getByRole('region', { name: 'Triggered' }).locator('[data-incident]');
    await rows.first().hover();
    const shown = await rows.count();
    const number = await stage.alert('Arrived meanwhile');
    await page.getByText('1 new incident').waitFor();
    assert.equal(await rows.count(), shown);
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('link', { name: `INC-${number}` }).waitFor();
    await page.mouse.move(0, 0);
    const next = await stage.alert('Arrived once nobody reads');
    await page.getByRole('link', { name: `INC-${next}` }).waitFor();
  }),
);

test('one tab reads the stream for all, and another goes on when it is closed', { skip }, () =>
  stage.story(desktop, async ({ page, context, open }) => {
    const streams: string[] = [];
    context.on('request', (request) => {
      if (request.url().endsWith('/events/stream')) streams.push(request.url());
    });
    await open('/incidents');
    const other = await context.newPage();
    await other.goto('/incidents');
    const first = await stage.alert('Heard by two tabs');
    for (const tab of [page, other])
      await tab.getByRole('link', { name: `INC-${first}` }).waitFor();
    assert.equal(streams.length, 1);
    await page.close();
    const second = await stage.alert('Heard by the other tab');
    await other.getByRole('link', { name: `INC-${second}` }).waitFor();
    assert.equal(streams.length, 2);
  }),
);

test('without a stream the list is read every 15 seconds', { skip }, () =>
  stage.story(desktop, async ({ page, open, expectError }) => {
    expectError(/ERR_FAILED/);
    await page.clock.install();
    await page.route('**/events/stream', (route) => route.abort());
    await open('/incidents');
    await page.getByRole('listitem').first().waitFor();
    const number = await stage.alert('Polled');
    await page.clock.runFor(POLL_MS);
    await page.getByRole('link', { name: `INC-${number}` }).waitFor();
  }),
);

test('the keys move through the list, open an incident and lead back', { skip }, () =>
  stage.story(desktop, async ({ page, open }) => {
    await open('/incidents');
    const rows = page.locator('[data-incident]');
    await rows.first().waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await checkShown(page);
    await page.keyboard.press('j');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    assert.equal(
      await page.evaluate('document.activeElement.getAttribute("href")'),
      await rows.first().getAttribute('href'),
    );
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^INC-/ }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    await page.waitForURL((url) => url.pathname === '/incidents' && url.search === '');
  }),
);

test('many are done at once, and each that is refused says why', { skip }, () =>
  stage.story(desktop, async ({ page, open, expectError }) => {
    expectError(/ERR_FAILED/);
    const { send } = stage.server.api;
    const numbers = [await stage.alert('Bulk one'), await stage.alert('Bulk two')];
    const refused = await stage.alert('Bulk three');
    await open('/incidents?q=Bulk');
    await page.getByRole('link', { name: `INC-${refused}` }).focus();
    await page.keyboard.press('x');
    const bar = page.getByRole('region', { name: 'Selected incidents' });
    await page.getByRole('checkbox', { name: `Select INC-${numbers[0]}` }).check({ force: true });
    await bar.getByText('2 selected').waitFor();
    await bar.getByRole('button', { name: 'Select all 3' }).click();
    await bar.getByText('3 selected').waitFor();
    await checkShown(page);
    await page.route('**/api/v1/incidents?**', (route) => route.abort());
    await send(`POST /incidents/${refused}/resolve`, {});
    await bar.getByRole('button', { name: 'Acknowledge' }).click();
    await bar.getByText('2 done, 1 failed:').waitFor();
    await bar.getByText(`INC-${refused} is resolved`).waitFor();
    await bar.locator('[role=status]:focus').waitFor();
    const line = await bar.getByText('2 done, 1 failed:').boundingBox();
    const close = await bar.getByRole('button', { name: 'Close' }).boundingBox();
    assert.ok(line && close && close.y < line.y + line.height, 'one line');
    await page.unroute('**/api/v1/incidents?**');
    await checkShown(page);
    await bar.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: `Acknowledged INC-${numbers[0]}` }).waitFor();

    const third = await stage.alert('Bulk four');
    await page.reload();
    await page.getByRole('checkbox', { name: `Select INC-${third}` }).check({ force: true });
    await bar.getByRole('button', { name: 'Select all 3' }).click();
    await bar.getByRole('button', { name: 'Escalate' }).click();
    await bar.getByText(/^This ends the acknowledgement.+ Pages .+ now\.$/).waitFor();
    await bar.getByRole('button', { name: 'Escalate 3 now' }).click();
    await bar.getByText('3 done.').waitFor();
    await page.getByRole('checkbox', { name: `Select INC-${third}` }).check({ force: true });
    await bar.getByRole('button', { name: 'Select all 3' }).click();
    await bar.getByRole('button', { name: 'Merge' }).click();
    await bar.getByLabel('Bulk two').check();
    await checkShown(page);
    await bar.getByRole('button', { name: `Merge 2 into INC-${numbers[1]}` }).click();
    await bar.getByText('2 done.').waitFor();
    for (const number of [numbers[0], third]) {
      const { body } = await send(`GET /incidents/${number}`);
      assert.equal(body.merged_into_id, (await send(`GET /incidents/${numbers[1]}`)).body.id);
    }
  }),
);

test('filters are in the address, have names, and are there after coming back', { skip }, () =>
  stage.story(phone, async ({ page, open }) => {
    const { send } = stage.server.api;
    const number = await stage.alert('Filtered by priority');
    await send(`POST /incidents/${number}/priority`, { priority: 'p4' });
    await open('/incidents?tab=all');
    await page.getByRole('button', { name: 'Filter' }).tap();
    await page.getByLabel('Priority').selectOption('P4');
    await page.getByLabel('Service').selectOption('First service');
    await page.getByLabel('Opened in the last').selectOption('24 hours');
    await page.waitForURL(/priority=p4.*since=24h/);
    const lists = page.getByRole('navigation', { name: 'Incident lists' });
    assert.deepEqual(await lists.locator('[aria-current]').allInnerTexts(), ['All']);
    await checkShown(page);
    await page.getByRole('link', { name: `INC-${number}` }).tap();
    await page.getByRole('link', { name: 'Incidents' }).first().tap();
    await page.getByRole('button', { name: 'Remove Service: First service' }).waitFor();
    assert.equal(await page.getByRole('listitem').count(), 1);
    await page.getByRole('button', { name: 'Remove Priority: P4' }).tap();
    await page.waitForURL((url) => !url.search.includes('priority'));
  }),
);

test('a key acts on the row that has the focus, on its page', { skip }, () =>
  stage.story(desktop, async ({ page, open }) => {
    const number = await stage.alert('Acted on by a key');
    await open('/incidents');
    await page.getByRole('link', { name: `INC-${number}` }).focus();
    await page.keyboard.press('e');
    await page.getByRole('group', { name: 'Escalate' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Acted on by a key' }).click();
    await page.keyboard.press('a');
    await page.getByText(/^Acknowledged (now|\d)/).waitFor();
    await page.keyboard.press('m');
    await page.getByRole('dialog', { name: 'Mute' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Mute' }).waitFor({ state: 'detached' });
    await page.keyboard.press('n');
    await page.keyboard.type('a note, not keys');
    assert.equal(
      await page.getByRole('textbox', { name: 'Add note' }).inputValue(),
      'a note, not keys',
    );
  }),
);

test('the text of an alert is text, however it is written', { skip }, () =>
  stage.story(phone, async ({ page, open }) => {
    const hostile = `<img src=x onerror=alert(1)>\u202e${'x'.repeat(150)}`;
    await stage.alert(hostile);
    await open('/incidents');
    await page.getByText('<img src=x onerror=alert(1)>[U+202E]x').waitFor();
    await checkShown(page);
  }),
);

test('a list that cannot be read says so, and is read again on request', { skip }, () =>
  stage.story(desktop, async ({ page, open, expectError }) => {
    expectError(/ERR_CONNECTION_RESET/);
    await open('/incidents');
    await page.route('**/api/v1/incidents*', (route) => route.abort('connectionreset'));
    await page.reload();
    await page.getByRole('heading', { name: 'The incidents could not be loaded' }).waitFor();
    await checkShown(page);
    await page.unroute('**/api/v1/incidents*');
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('listitem').first().waitFor();
  }),
);

test('who is signed out elsewhere signs in and is where they were', { skip }, () =>
  stage.story(desktop, async ({ page, context, open, expectError }) => {
    expectError(/401/);
    await open('/incidents?tab=all');
    await page.getByRole('listitem').first().waitFor();
    const held = Promise.withResolvers<void>();
    await page.route(/\/(api\/v1|auth\/session)/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await context.clearCookies();
    await page.getByRole('link', { name: 'Resolved', exact: true }).click();
    await page.waitForURL('**/incidents?tab=resolved');
    held.resolve();
    await page.getByLabel('E-mail').waitFor();
    await signIn(page);
    assert.equal(new URL(page.url()).search, '?tab=resolved');
    await page.getByRole('button', { name: 'owner' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail').waitFor();
    assert.equal(
      (await context.cookies()).some(({ name }) => /session_token/.test(name)),
      false,
    );
  }),
);

test('the list comes over plain HTTP too, and is asked for again', { skip }, () =>
  stage.story(desktop, async ({ page, context, open, expectError }) => {
    // Headers that count over HTTPS alone.
    expectError(/Cross-Origin-Opener-Policy|Origin-Agent-Cluster/);
    await page.clock.install();
    // Something that needs attention.
    await stage.server.sql`update organizations set monthly_alert_limit = 0`;
    await open('/incidents');
    const there = new URL('/incidents', page.url());
    there.hostname = elsewhere;
    const cookies = await context.cookies();
    await context.addCookies(cookies.map(({ name, value }) => ({ name, value, url: there.href })));
    const read: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams, host } = new URL(request.url());
      if (host !== there.host || !/^\/(api|auth)\//.test(pathname)) return;
      read.push([pathname, ...searchParams.getAll('status')].join(' '));
    });
    await page.goto(there.href);
    await page.locator('[data-incident]').first().waitFor();
    // What stands above the list is there with it.
    assert.equal(await page.getByRole('list', { name: 'Needs your attention' }).count(), 1);
    const first = ['/api/v1/attention', '/api/v1/incidents open', '/auth/session'];
    assert.deepEqual(read.slice(0, 3).toSorted(), first);
    assert.equal(new Set(read).size, read.length, 'none goes out twice');
    await page.getByRole('link', { name: /^Open [0-9]/ }).waitFor();
    const number = await stage.alert('Heard over plain HTTP');
    await page.clock.runFor(POLL_MS);
    await page.getByRole('link', { name: `INC-${number}` }).waitFor();
  }),
);
