import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { postJson } from '../system/api-client.ts';
import { eventually } from '../system/eventually.ts';
import { checkShown, desktop, noBrowser, phone, type Stage, signIn, startStage } from './stage.ts';

const skip = noBrowser ?? false;
let stage: Stage;

before(async () => {
  if (!skip) stage = await startStage();
});
after(() => stage?.[Symbol.asyncDispose]());

async function timelineOf(number: number): Promise<readonly { type: string; text: string }[]> {
  return (await stage.server.api.send(`GET /incidents/${number}/timeline`)).body.data;
}

test(
  'on a phone at night: a link, an acknowledgement whose answer is lost, and it is done once',
  {
    skip,
  },
  () =>
    stage.story(phone, async ({ page, open, expectError }) => {
      expectError(/ERR_FAILED/);
      const number = await stage.alert('Primary lost on db-12: replication stopped', {
        instance: 'db-12',
      });
      await open(`/incidents/${number}`);
      assert.equal(new URL(page.url()).pathname, `/incidents/${number}`);
      await page.getByRole('heading', { name: 'Primary lost on db-12' }).waitFor();
      await page.getByText('You were paged by e-mail').waitFor();
      await page.getByRole('row', { name: 'instance db-12' }).waitFor();
      await checkShown(page);
      const isSeen = Promise.withResolvers<void>();
      const keys: (string | undefined)[] = [];
      await page.route('**/acknowledge', async (route) => {
        keys.push(route.request().headers()['idempotency-key']);
        if (keys.length > 1) await isSeen.promise;
        const response = await route.fetch();
        if (keys.length > 1) await route.fulfill({ response });
        else await route.abort();
      });
      await page.getByRole('button', { name: 'Acknowledge' }).tap();
      await page.getByText('Not acknowledged yet. Retrying').waitFor();
      await page.getByText('Acknowledging').waitFor();
      await checkShown(page);
      isSeen.resolve();
      await page.getByText(/^Acknowledged (now|\d)/).waitFor();
      await page.getByText(/^by owner \(dashboard\), \d/).waitFor();
      assert.equal(keys.length, 2);
      assert.equal(new Set(keys).size, 1);
      const entries = await timelineOf(number);
      assert.equal(entries.filter(({ type }) => type === 'acknowledged').length, 1);
      assert.equal(entries.filter(({ type }) => type === 'unchanged').length, 0);
      assert.equal(await page.getByRole('button', { name: 'Acknowledge' }).count(), 0);
      await page.getByRole('button', { name: 'Resolve' }).tap();
      await page.getByText(/^Resolved (now|\d)/).waitFor();
      await page.getByText('The next alert with its key opens a new one.').waitFor();
      await checkShown(page);
    }),
);

test('escalating takes a second press, which names who is paged', { skip }, () =>
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
    const before = policy.steps;
    const steps = [
      { targets: [{ via: 'email', user_id: owner.id }], escalate_after_minutes: 30 },
      { targets: [{ via: 'email', user_id: lin.id }] },
    ];
    await send(`PATCH /escalation-policies/${policy.id}`, { steps });
    const number = await stage.alert('Replication stopped');
    await send(`PATCH /escalation-policies/${policy.id}`, { steps: before });
    await open(`/incidents/${number}`);
    const escalate = page.getByRole('button', { name: 'Escalate: page Lin Okafor now' });
    await page.getByRole('listitem').getByText('Step 2 of 2 pages Lin Okafor').waitFor();
    await escalate.click();
    await page.getByRole('group', { name: 'Escalate' }).waitFor();
    await checkShown(page);
    await page.keyboard.press('Escape');
    await page.getByRole('group', { name: 'Escalate' }).waitFor({ state: 'detached' });
    assert.equal(
      (await timelineOf(number)).some(({ type }) => type === 'escalated'),
      false,
    );
    await send(`POST /incidents/${number}/acknowledge`, {});
    await page.getByText('by First key (API key)').waitFor();
    await escalate.click();
    await page.getByText('This ends the acknowledgement. Step 2 of 2').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('owner escalated, which ended the acknowledgement').waitFor();
    const step = page.getByRole('listitem').filter({ hasText: 'Step 2 of 2 pages Lin Okafor' });
    await step.getByText('1 paged').click();
    await step.getByText('Lin Okafor', { exact: true }).waitFor();
    await checkShown(page);
    await page.getByRole('button', { name: 'People' }).click();
    await page.getByRole('listitem').getByText('Step 1 of 2').waitFor({ state: 'detached' });
    await page.getByText('owner escalated').waitFor();
  }),
);

test('what others do appears by itself, and what is refused says why', { skip }, () =>
  stage.story(desktop, async ({ page, open, expectError }) => {
    expectError(/409|422|400/);
    const { send } = stage.server.api;
    const number = await stage.alert('Queue too deep');
    await open('/incidents');
    await page.getByRole('link', { name: `INC-${number}` }).click();
    await page.getByRole('heading', { name: 'Queue too deep' }).waitFor();
    await send(`POST /incidents/${number}/acknowledge`, {});
    await page.getByText(/^Acknowledged (now|\d)/).waitFor();
    await page.getByText('First key acknowledged, so nobody else is paged').waitFor();
    // The page does not know yet.
    await page.route(`**/api/v1/incidents/${number}?**`, (route) => route.abort());
    expectError(/ERR_FAILED/);
    await send(`POST /incidents/${number}/resolve`, {});
    await page.getByRole('button', { name: /^Escalate/ }).click();
    await page.getByRole('group', { name: 'Escalate' }).getByRole('button').first().click();
    await page.getByRole('alert').getByText('The action was refused').waitFor();
    await checkShown(page);
    await page.unroute(`**/api/v1/incidents/${number}?**`);
    await page.getByRole('alert').getByRole('button', { name: 'Close' }).click();
  }),
);

test(
  'the result of a page is shown in words: its connection, its receipt, no confirmation',
  { skip },
  () =>
    stage.story(phone, async ({ page, open }) => {
      const { sql } = stage.server;
      const number = await stage.alert('Nobody picks up');
      const [row] = await sql<{ organization_id: string; id: string; at: Temporal.Instant }[]>`
      select organization_id, id, created_at as at from incidents where number = ${number}`;
      assert.ok(row);
      const { organization_id, id, at } = row;
      const connection_id = 'c'.repeat(24);
      const claimed_at = at.add({ seconds: 90 });
      // Not in use, so that the server does not call its vendor.
      await sql`insert into channel_connections ${sql({
        organization_id,
        id: connection_id,
        version: 1,
        name: 'Twilio <Paris>',
        vendor: 'twilio',
        account_id: 'AC1',
        position: 1,
        enabled: false,
        secrets: sql.json({}),
        created_at: at,
        updated_at: at,
      })}`;
      await eventually('its page is sent', async () => {
        const sent = await sql`select from outbox where incident_id = ${id} and state = 'sent'`;
        return sent.length > 0;
      });
      // As an unanswered call and one after it are stored.
      const [notice] = await sql<{ key: string }[]>`
      update outbox set channel = 'phone', state = 'pending', attempts = 2, finished_at = null,
        reason = null, wake_at = ${claimed_at.add({ hours: 1 })}
      where organization_id = ${organization_id} and incident_id = ${id} returning key`;
      const key = notice?.key ?? '';
      await sql`
      update attempts set outcome = 'handed_over', finished_at = ${at}, answer = null,
        connection_id = ${connection_id}, receipt = 'unanswered', receipt_reason = 'no answer',
        receipt_at = ${at.add({ seconds: 25 })}
      where organization_id = ${organization_id} and key = ${key}`;
      await sql`insert into attempts ${sql({
        organization_id,
        key,
        number: 2,
        claimed_at,
        finished_at: claimed_at,
        outcome: 'handed_over',
        connection_id,
      })}`;
      await open(`/incidents/${number}`);
      const step = page.getByRole('listitem').filter({ hasText: 'Step 1 of 1 pages owner' });
      await step.getByText('1 pending').tap();
      await step.getByText(/^sent, awaiting receipt/).waitFor();
      const tries = step.getByRole('listitem').filter({ hasText: 'through Twilio <Paris>' });
      const [first, second] = [
        tries.filter({ hasText: 'Attempt 1' }),
        tries.filter({ hasText: 'Attempt 2' }),
      ];
      await first
        .last()
        .getByText(/^Receipt: no answer .*: no answer$/)
        .waitFor();
      await second.last().getByText('sent, awaiting receipt').waitFor();
      await checkShown(page);
      const ended = { outcome: 'unconfirmed', finished_at: claimed_at };
      await sql`update attempts set ${sql(ended)} where key = ${key} and number = 2`;
      await sql`
      update outbox set state = 'sent', reason = 'no receipt arrived', wake_at = null,
        finished_at = ${claimed_at} where organization_id = ${organization_id} and key = ${key}`;
      await step
        .getByText(/^sent, unconfirmed/)
        .first()
        .waitFor();
      await step.getByText('no receipt arrived').waitFor();
      await checkShown(page);
    }),
);

const actions =
  /^(Acknowledge|Resolve|Escalate|More actions|Select|Save|Archive|Restore|Cover|Edit|New|Open an|Invite|Add|Remove|Deactivate|Reactivate|Rename|Send|Find cover|Real|False alarm|Nothing to do|Unclear|Change)\b/;

test('a viewer reads every page, and has no actions', { skip }, () =>
  stage.story(phone, async ({ page, open }) => {
    const { sql, api } = stage.server;
    const number = await stage.alert('Disk full');
    const [[team], [owner]] = await Promise.all([api.list('teams'), api.list('users')]);
    const layers = [{ users: [owner.id], rotation: { length: 1, unit: 'weeks' } }];
    const schedule = await api.create('on-calls', { name: 'Read only', layers });
    try {
      await sql`update users set role = 'viewer' where email = 'owner@example.test'`;
      for (const [path, shown] of [
        [`/incidents/${number}`, 'Disk full'],
        ['/incidents', 'Disk full'],
        ['/incidents/new', 'Your role does not allow this'],
        ['/on-calls', 'Read only'],
        [`/on-calls/${schedule.id}`, 'Read only'],
        ['/on-calls/new', 'Your role does not allow this'],
        ['/users', 'owner@example.test'],
        [`/users/${owner.id}`, 'owner@example.test'],
        ['/teams', team.name],
        [`/teams/${team.id}`, 'Members'],
      ] as const) {
        await open(path);
        await page.getByRole('main').getByText(shown).first().waitFor();
        await page.waitForLoadState('networkidle').catch(() => {});
        const names = await page
          .getByRole('main')
          .locator('button, a')
          .evaluateAll((all) =>
            all.map((one) => one.getAttribute('aria-label') ?? one.textContent?.trim() ?? ''),
          );
        assert.deepEqual(
          names.filter((name) => actions.test(name)),
          [],
          path,
        );
        if (path.endsWith('/new') || path.endsWith(String(number))) await checkShown(page);
      }
    } finally {
      await sql`update users set role = 'owner' where email = 'owner@example.test'`;
    }
  }),
);

test('an alert of hostile texts is text all over its page', { skip }, () =>
  stage.story(phone, async ({ page, open }) => {
    const hostile = `<img src=x onerror=alert(1)>\u202e${'x'.repeat(120)}`;
    const number = await stage.alert(hostile, {
      '<b>name</b>': '"><script>alert(2)</script>',
      wide: 'y'.repeat(400),
      links: [
        { href: 'https://runbooks.example.com/db', text: 'Runbook <b>' },
      ] as unknown as string,
    });
    await open(`/incidents/${number}`);
    await page.getByRole('heading', { name: '<img src=x onerror=alert(1)>[U+202E]xx' }).waitFor();
    await page.getByRole('row', { name: '<b>name</b> "><script>alert(2)</script>' }).waitFor();
    const link = page.getByRole('link', { name: 'Runbook <b> runbooks.example.com' });
    assert.equal(await link.getAttribute('rel'), 'noopener noreferrer');
    await checkShown(page);
    await page.getByRole('button', { name: 'Raw' }).tap();
    await page.getByText('"<b>name</b>": ').waitFor();
    await checkShown(page);
  }),
);

test(
  'a change that came before an incident is shown with it; where none came, nothing is',
  {
    skip,
  },
  () =>
    stage.story(phone, async ({ page, open }) => {
      const { url, api } = stage.server;
      const service = await api.create('services', { name: 'Checkout' });
      const [policy] = await api.list('escalation-policies');
      const { token, webhook_url } = await api.create('integrations', {
        slug: 'pagerduty-events-v2',
        name: 'Checkout',
        service_id: service.id,
        escalation_policy_id: policy.id,
      });
      const numberOf = async (summary: string) => {
        const event = { event_action: 'trigger', payload: { summary, source: 'shop-1' } };
        return (await postJson(webhook_url, event)).body.alerts[0].incident;
      };
      const unchanged = await numberOf('Queue of orders too deep');
      const read = page.waitForResponse((answer) => answer.url().endsWith('/changes'));
      await open(`/incidents/${unchanged}`);
      await page.getByRole('row', { name: 'payload.source shop-1' }).waitFor();
      await read;
      await page.waitForLoadState('networkidle');
      const changes = page.getByRole('region', { name: 'Recent changes' });
      assert.equal(await changes.count(), 0);

      const { status } = await postJson(`${url}/v2/change/enqueue`, {
        routing_key: token,
        payload: {
          summary: 'Deployed <b>shop</b> 2.4',
          source: 'ci',
          timestamp: new Date(Date.now() - 12.5 * 60_000).toISOString(),
        },
        links: [{ href: 'https://ci.example.com/220', text: 'Build 220' }],
      });
      assert.equal(status, 202);
      await open(`/incidents/${await numberOf('Checkout is slow')}`);
      const change = changes.getByRole('listitem').filter({ hasText: 'Deployed <b>shop</b> 2.4' });
      await change.getByText('12 min before').waitFor();
      const link = change.getByRole('link', { name: 'Build 220 ci.example.com' });
      assert.equal(await link.getAttribute('href'), 'https://ci.example.com/220');
      await checkShown(page);
      // It came while that one was open, too.
      await open(`/incidents/${unchanged}`);
      await change.waitFor();
    }),
);

test('the alerts of a group are listed, active ones first, and split', { skip }, () =>
  stage.story(desktop, async ({ page, open, expectError }) => {
    const { api } = stage.server;
    const [{ service_id, escalation_policy_id }] = await api.list('integrations');
    const { id, webhook_url } = await api.create('integrations', {
      slug: 'alertmanager',
      name: 'Grouped',
      service_id,
      escalation_policy_id,
    });
    const send = (names: readonly string[], status = 'firing', truncatedAlerts = 0) =>
      postJson(webhook_url, {
        version: '4',
        truncatedAlerts,
        groupKey: '{}:{alertname="DiskFull"}',
        alerts: names.map((instance) => ({
          status,
          labels: { alertname: 'DiskFull', instance, severity: 'warning' },
          annotations: {
            summary: `Disk full on ${instance}`,
            description: `/var of ${instance} <b>is full</b>`,
            runbook_url: 'https://runbooks.example.com/disk',
          },
          fingerprint: instance,
        })),
      });
    const names = Array.from({ length: 55 }, (_, index) => `db-${index + 1}`);
    const { body } = await send(names, 'firing', 7);
    const number = body.alerts[0].incident;
    await open('/incidents');
    const omission = page.getByRole('listitem').filter({ hasText: 'omitted 7 alerts' });
    await omission.getByText(/^Grouped: .* Raise max_alerts of the webhook receiver/).waitFor();
    const events = await omission.getByRole('link', { name: 'Events' }).getAttribute('href');
    assert.match(events ?? '', new RegExp(`/integrations/${id}\\b.*tab=events`));
    await checkShown(page);
    await open(`/incidents/${number}`);
    const alerts = page.getByRole('region', { name: 'Alerts: 55 active of 55' });
    const rows = alerts.locator('summary');
    await rows.nth(49).waitFor();
    assert.equal(await rows.count(), 50);
    await alerts.getByRole('button', { name: 'Show more' }).click();
    await rows.nth(54).waitFor();
    const row = rows.filter({ hasText: /Disk full on db-2sev3/ });
    await row.click();
    const link = alerts.getByRole('link', { name: 'Runbook runbooks.example.com' });
    await link.waitFor();
    await alerts.getByText('/var of db-2 <b>is full</b>').waitFor();
    await alerts.getByText('alertname DiskFull').waitFor();
    const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
    assert.ok(height < 2 * desktop.viewport.height, 'the list scrolls, not the page');
    await checkShown(page);
    await alerts.getByRole('button', { name: 'Raw' }).click();
    await alerts.getByText('"fingerprint": "db-2"').waitFor();

    await send(['db-1'], 'resolved');
    const fewer = page.getByRole('region', { name: 'Alerts: 54 active of 55' });
    await fewer.locator('summary').last().getByText('Resolved').waitFor();
    await fewer.locator('summary').last().getByText('Disk full on db-1').waitFor();
    await page.getByRole('button', { name: 'Alerts', exact: true }).click();
    await page.getByText('Disk full on db-1 ended').waitFor();
    await checkShown(page);

    await open('/incidents');
    await page.getByRole('link', { name: /Disk full on db-1 and 53 more/ }).waitFor();
    await checkShown(page);
    await open(`/integrations/${id}?tab=events`);
    await page
      .getByText('multiple results: 1 opened an incident, 54 grouped into an open incident')
      .waitFor();
    await send(['db-56']);
    await page.getByText('grouped into an open incident', { exact: true }).waitFor();
    await page
      .getByRole('link', { name: `INC-${number} Disk full on db-1` })
      .first()
      .waitFor();

    await open(`/incidents/${number}`);
    const splitting = page.getByRole('dialog', { name: 'Move to a new incident' });
    const pick = (name: string) =>
      page.getByRole('checkbox', { name: `Select Disk full on ${name}`, exact: true });
    for (const name of ['db-3', 'db-4', 'db-5']) await pick(name).check();
    await page.getByRole('button', { name: 'Split 3…' }).click();
    await splitting
      .getByText(/the policy “.+” pages from step 1\. Alerts that move never join/)
      .waitFor();
    await checkShown(page);
    // Somebody else is faster.
    const { body: listed } = await api.send(`GET /incidents/${number}/alerts?limit=100`);
    const { id: taken } = listed.data.find(({ title = '' }) => title === 'Disk full on db-4');
    await api.send(`POST /incidents/${number}/alerts/split`, { alert_ids: [taken] });
    expectError(/422|409/);
    await splitting.getByRole('button', { name: 'Move 3 alerts' }).click();
    await splitting
      .getByRole('listitem')
      .filter({ hasText: 'db-4is not an alert of this incident' })
      .waitFor();
    await checkShown(page);
    await splitting.getByRole('button', { name: 'Cancel' }).click();
    await pick('db-4').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Split 2…' }).click();
    await splitting.getByRole('button', { name: 'Move 2 alerts' }).click();
    await page.getByText('2 alerts moved to').getByRole('link').click();
    await page.getByRole('region', { name: 'Alerts: 2 active of 2' }).waitFor();
    await pick('db-3').check();
    await pick('db-5').check();
    await page.getByRole('button', { name: 'Split 2…' }).click();
    await splitting.getByRole('button', { name: 'Move 2 alerts' }).click();
    await splitting.getByText('at least one active alert must stay in it').waitFor();
    await splitting.getByRole('button', { name: 'Cancel' }).click();
    await pick('db-3').uncheck();
    await page.getByRole('button', { name: 'Split 1…' }).click();
    await splitting.getByRole('button', { name: 'Move 1 alert' }).click();
    // The list stays, and says where the other is.
    const last = page.getByRole('region', { name: 'Alerts: 1 active of 1' });
    await last
      .getByText('1 alert moved to')
      .getByRole('link', { name: /^INC-\d+$/ })
      .waitFor();
    assert.equal(await last.getByRole('checkbox').count(), 0);
    await checkShown(page);

    const merged = await stage.alert('The queue of orders is long');
    const into = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const { body: left } = await api.send(`GET /incidents/${into}`);
    await api.send(`POST /incidents/${merged}/merge`, { into_id: left.id });
    await page.getByRole('region', { name: 'Alerts: 2 active of 2' }).waitFor();
    const received = page.getByRole('definition').filter({ hasText: /^Grouped, \S/ });
    // They come after the list of alerts.
    await received.getByRole('link').nth(1).waitFor();
    assert.equal(await received.getByRole('link').count(), 2);
    await page
      .getByRole('term')
      .filter({ hasText: /^Integrations$/ })
      .waitFor();
    await checkShown(page);
    // The search finds what is left by an alert that came from the other.
    await open('/incidents?q=queue+of+orders+is+long');
    await page.getByRole('link', { name: new RegExp(`INC-${into}\\b`) }).waitFor();
  }),
);

test('the other actions say what they do, and are done by one press or two', { skip }, () =>
  stage.story(phone, async ({ page, open }) => {
    const { create } = stage.server.api;
    const grace = await create('users', {
      first_name: 'Grace',
      last_name: 'Hopper',
      email: 'grace@example.test',
      role: 'responder',
    });
    const first = await stage.alert('Certificate expires');
    const number = await stage.alert('Certificate of api.example.com expires');
    await open(`/incidents/${number}`);
    const menu = async (item: string) => {
      await page.getByRole('button', { name: 'More actions' }).tap();
      await page.getByRole('menuitem', { name: item }).tap();
    };
    await page.getByRole('button', { name: 'Acknowledge' }).tap();
    await page.getByText(/^Acknowledged (now|\d)/).waitFor();
    await page.getByRole('button', { name: 'More actions' }).tap();
    await page.getByRole('menuitem', { name: 'Unacknowledge Pages owner now.' }).tap();
    await page.getByText('Step 1 of 1 pages owner by e-mail.').waitFor();
    await page.getByRole('button', { name: 'Unacknowledge: page owner now' }).tap();
    await page.getByText(/^Triggered (now|\d)/).waitFor();

    await page.getByRole('textbox', { name: 'Add note' }).fill('Renewing it by hand');
    await page.getByRole('button', { name: 'Save note' }).tap();
    await page.getByRole('listitem').filter({ hasText: 'Renewing it by hand' }).waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Add note' }).inputValue(), '');

    await menu('Mute');
    await page.getByRole('dialog', { name: 'Mute' }).getByText('Nobody is paged').waitFor();
    await checkShown(page);
    await page.getByRole('button', { name: 'For 4 hours' }).tap();
    await page.getByText('muted until').first().waitFor();
    await menu('Unmute');
    await page.getByRole('button', { name: 'Unmute', exact: true }).tap();
    await page.getByText('owner unmuted it').waitFor();

    await menu('Priority');
    await page.getByRole('button', { name: 'P2' }).tap();
    await page.getByText('set the priority to P2').waitFor();
    await menu('Reassign');
    await page.getByRole('combobox', { name: 'Person' }).fill('grace');
    await page.getByRole('option', { name: 'Grace Hopper' }).tap();
    await page.getByRole('button', { name: 'Reassign' }).tap();
    await page.getByText('owner assigned it to Grace Hopper').waitFor();
    await page.getByText(/^Why( not)? me\?$/).tap();
    await page.getByLabel('Ask about').selectOption(grace.id);
    await page.getByText('Grace Hopper was not paged').waitFor();
    await checkShown(page);

    await menu('Merge');
    await page.getByRole('combobox', { name: 'Merge into' }).fill(`INC-${first}`);
    await page.getByRole('option', { name: 'Certificate expires' }).tap();
    await page.getByText(`INC-${first} stays open`).waitFor();
    await checkShown(page);
    await page.getByRole('button', { name: 'Merge' }).tap();
    await page.getByText('This incident was merged into another one').waitFor();
    await page.getByRole('button', { name: 'More actions' }).tap();
    await page.getByRole('menuitem', { name: `Mute… INC-${number} is resolved` }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'View that incident' }).first().tap();
    await page.getByText(`INC-${number} was merged into this incident`).waitFor();
    await page.getByRole('button', { name: 'Resolve' }).tap();
    await page.getByRole('button', { name: 'Reopen' }).tap();
    await page.getByRole('group', { name: 'Reopen' }).getByRole('button').first().tap();
    await page.getByText(/^Triggered (now|\d)/).waitFor();
  }),
);

test('what is sent from a dialog that is closed is shown until it is done', { skip }, () =>
  stage.story(phone, async ({ page, open, expectError }) => {
    expectError(/ERR_FAILED/);
    const number = await stage.alert('Muted on a bad network');
    await open(`/incidents/${number}`);
    const answered = Promise.withResolvers<void>();
    let tries = 0;
    await page.route('**/mute', async (route) => {
      tries += 1;
      if (tries === 1) return route.abort();
      await answered.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: 'More actions' }).tap();
    await page.getByRole('menuitem', { name: 'Mute' }).tap();
    await page.getByRole('button', { name: 'Indefinitely' }).tap();
    await page.getByRole('dialog').getByText('Not completed yet. Retrying…').waitFor();
    await page.getByRole('button', { name: 'Close' }).tap();
    const bar = page.getByRole('alert').filter({ hasText: 'Not completed yet. Retrying: Mute' });
    await bar.waitFor();
    await page.getByRole('link', { name: 'Incidents' }).first().tap();
    await page.waitForURL((url) => url.pathname === '/incidents');
    await checkShown(page);
    answered.resolve();
    await bar.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Muted on a bad network' }).waitFor();
    assert.ok((await stage.server.api.send(`GET /incidents/${number}`)).body.muted_until);
  }),
);

test('what is typed outlives the session, and is stored once there is another', { skip }, () =>
  stage.story(desktop, async ({ page, context, open, expectError }) => {
    expectError(/401/);
    const number = await stage.alert('Noted over two sessions');
    await open(`/incidents/${number}`);
    await page.getByLabel('Add note').fill('Failing over to db-13');
    await context.clearCookies();
    await page.getByRole('button', { name: 'Save note' }).click();
    const bar = page.getByText('You are signed out');
    await bar.waitFor();
    await checkShown(page);
    const opened = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Open a new tab to sign in' }).click();
    await signIn(await opened);
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await bar.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Save note' }).click();
    await page.getByRole('button', { name: 'Save note' }).waitFor({ state: 'detached' });
    const entries = await timelineOf(number);
    assert.equal(entries.filter(({ text }) => text === 'Failing over to db-13').length, 1);
  }),
);

test('an incident that is not there has a page for people', { skip }, () =>
  stage.story(phone, async ({ page, open, expectError }) => {
    expectError(/404/);
    await open('/incidents/999999');
    await page.getByRole('heading', { name: 'Incident not found' }).waitFor();
    await checkShown(page);
    await page.getByRole('link', { name: 'All incidents' }).tap();
    await page.waitForURL((url) => url.pathname === '/incidents');
  }),
);

/** As often the page looks at the clock. */
const CLOCK_MS = 10_000;

/** Nine in the morning after the next night, where the browser is. */
function nextMorning(): Date {
  const at = new Date();
  if (at.getHours() >= 7) at.setDate(at.getDate() + 1);
  at.setHours(9, 0, 0, 0);
  return at;
}

test(
  'whoever ends an incident says with one key what it was: by day, and never twice',
  {
    skip,
  },
  () =>
    stage.story(desktop, async ({ page, open }) => {
      const { api } = stage.server;
      const number = await stage.alert('Probe failed on edge-7');
      const verdictOf = async () => (await api.send(`GET /incidents/${number}`)).body.verdict;
      const morning = nextMorning();
      const night = new Date(morning);
      night.setHours(3);
      await page.clock.install({ time: morning });
      await open(`/incidents/${number}`);
      await page.getByRole('button', { name: 'Resolve' }).waitFor();
      await page.keyboard.press('r');
      const question = page.getByRole('group', { name: 'Was this incident real?' });
      await question.waitFor();
      await checkShown(page);
      await page.clock.setSystemTime(night);
      await page.clock.runFor(CLOCK_MS);
      await question.waitFor({ state: 'detached' });
      await page.clock.setSystemTime(morning);
      await page.clock.runFor(CLOCK_MS);
      await question.waitFor();

      await page.keyboard.press('2');
      const line = page.getByRole('region', { name: 'Verdict' });
      await line.getByText('False alarm', { exact: true }).waitFor();
      await line.getByText('by owner').waitFor();
      await page.getByText('owner set the verdict to false alarm').waitFor();
      assert.equal(await question.count(), 0);
      await checkShown(page);
      await line.getByRole('button', { name: 'Change' }).click();
      await checkShown(page);
      await question.getByRole('button', { name: 'Real' }).click();
      const change = line.getByRole('button', { name: 'Change' });
      await change.waitFor();
      assert.equal(await verdictOf(), 'real');
      await change.click();
      const remove = line.getByRole('button', { name: 'Remove verdict' });
      await remove.click();
      await remove.waitFor({ state: 'detached' });
      await question.waitFor();
      assert.equal(await verdictOf(), undefined);

      // What nobody has answered is asked in the morning's list.
      await open('/incidents');
      const row = page.getByRole('group', { name: `Was INC-${number} real?` });
      await row.waitFor();
      await checkShown(page);
      await row.getByRole('button', { name: 'Nothing to do' }).click();
      await page.getByRole('status').getByText(`INC-${number}: Nothing to do`).waitFor();
      await row.waitFor({ state: 'detached' });
      assert.equal(await verdictOf(), 'nothing_to_do');
      const section = page.getByRole('region', { name: /since yesterday morning|All answered/ });
      await section.getByRole('button', { name: 'Dismiss' }).click();
      await section.waitFor({ state: 'detached' });

      await page.getByRole('button', { name: 'Filter' }).click();
      await page.getByLabel('Verdict').selectOption('nothing_to_do');
      await page.getByRole('button', { name: 'Remove Verdict: Nothing to do' }).waitFor();
      await page.getByRole('link', { name: `INC-${number}` }).waitFor();
      assert.equal(new URL(page.url()).searchParams.get('tab'), 'resolved');
    }),
);
