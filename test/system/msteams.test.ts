// A bot of Microsoft Teams on a whole server: it is connected, posts to channels, and is called with what people do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase } from '../database.ts';
import { type Answer, startFakeTeams } from '../vendors/msteams.ts';
import { shownCard } from '../vendors/msteams-card.ts';
import { postJson } from './api-client.ts';
import { eventually } from './eventually.ts';
import { startInProcess } from './in-process.ts';
import { signIn } from './sign-in.ts';

const team = '19:team@thread.tacv2';
const channel = '19:ops@thread.tacv2';
const ada = '29:ada';
const eve = '29:eve';
const password = 'correct horse battery';

async function start(stack: AsyncDisposableStack) {
  const teams = stack.use(await startFakeTeams());
  teams.addTeam(team, 'Shop', { [team]: 'General', [channel]: 'ops' });
  const objectId = (end: string) => `bbbbbbbb-0000-4000-8000-00000000000${end}`;
  teams.addPerson(ada, { objectId: objectId('1'), name: 'Ada', email: 'Owner@Example.test' });
  teams.addPerson(eve, { objectId: objectId('2'), name: 'Eve', email: 'eve@example.test' });
  const pager = stack.use(
    await startInProcess(await anyDatabase(), {
      PAGER_BOOTSTRAP_PASSWORD: password,
      PAGER_VENDOR_URLS: `msteams=${teams.url}`,
      PAGER_ALLOW_NETWORKS: '127.0.0.0/8',
    }),
  );
  const connection = await pager.api.create('channel-connections', {
    name: 'Teams of Acme',
    vendor: 'msteams',
    settings: { app_id: teams.appId, tenant_id: teams.tenantId },
    secrets: { client_secret: teams.clientSecret },
  });
  teams.endpoint = `${pager.url}/callbacks/msteams/${connection.id}`;
  return { teams, pager, connection };
}

type World = Awaited<ReturnType<typeof start>>;

async function pagesTo({ pager }: World, ...targets: readonly object[]) {
  const [policy] = await pager.api.list('escalation-policies');
  const steps = [{ targets: targets.map((target) => ({ via: 'msteams', ...target })) }];
  const saved = await pager.api.send(`PATCH /escalation-policies/${policy.id}`, { steps });
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
  return saved.body.warnings ?? [];
}

async function page(world: World, title: string) {
  const { teams, pager } = world;
  assert.deepEqual(await pagesTo(world, { channel_id: channel, channel_name: 'ops' }), []);
  const [integration] = await pager.api.list('integrations');
  await postJson(integration.webhook_url, { title });
  const posted = () => teams.messages.find(({ shown }) => shown.includes(title));
  await eventually('the post', () => posted() !== undefined);
  const message = posted();
  assert.ok(message);
  return message;
}

const firstIncident = async ({ pager }: World) => (await pager.api.list('incidents')).at(-1);

const timelineOf = async (world: World, wanted: string) => {
  const { id } = await firstIncident(world);
  const { body } = await world.pager.api.send(`GET /incidents/${id}/timeline?limit=200`);
  type Entry = { type: string; text: string; actor?: { id: string; via: string } };
  return (body.data as readonly Entry[]).filter(({ type }) => type === wanted);
};

/** The card that an invoke is answered with. */
function cardOf({ status, body }: Answer) {
  assert.equal(status, 200, JSON.stringify(body));
  const { type, value } = body as { type: string; value: unknown };
  assert.equal(type, 'application/vnd.microsoft.card.adaptive', JSON.stringify(value));
  return shownCard(value);
}

const titles = ({ buttons }: { buttons: readonly { title: string; isInMenu: boolean }[] }) =>
  buttons.filter(({ isInMenu }) => !isInMenu).map(({ title }) => title);

/** What the bot answers below a message or in a chat. */
async function answered({ teams }: World, send: () => Promise<Answer>) {
  const before = teams.messages.length;
  assert.equal((await send()).status, 200);
  await eventually('the answer', () => teams.messages.length > before);
  return teams.messages.slice(before);
}

test('a policy pages a channel, and a person known by the roster acknowledges there', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { teams, pager } = world;
  const message = await page(world, 'Disk full <at>all</at> **now**');
  assert.deepEqual(titles(message), ['Acknowledge', 'Resolve', 'Escalate']);
  assert.deepEqual(message.mentions, []);
  const card = cardOf(await teams.press(ada, message, 'Acknowledge'));
  assert.match(card.shown, /^Acknowledged: INC-1\./);
  assert.deepEqual(titles(card), ['Resolve', 'Unacknowledge']);
  await eventually('the edit', () => message.edits > 0);
  assert.match(message.shown, /Acknowledged by .+, \d\d:\d\d/);
  await eventually('the line below', () => teams.messages.some(({ isReply }) => isReply));
  assert.equal((await firstIncident(world)).status, 'acknowledged');
  const [owner] = await pager.api.list('users');
  const [entry] = await timelineOf(world, 'acknowledged');
  assert.deepEqual([entry?.actor?.id, entry?.actor?.via], [owner.id, 'msteams']);

  const refreshed = cardOf(await teams.refresh(eve, message));
  assert.deepEqual(titles(refreshed), ['Resolve', 'Unacknowledge'], 'without an account');
  const stale = cardOf(await teams.press(ada, card, 'Resolve'));
  assert.match(stale.shown, /^Resolved: INC-1\./);
  assert.deepEqual(titles(stale), []);
});

test('a post whose answer was lost changes with its incident, once a button of it is pressed', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { teams, pager } = world;
  teams.misbehave('POST /v3/conversations', { type: 'answer_lost' });
  const message = await page(world, 'Disk full');
  assert.match(cardOf(await teams.press(ada, message, 'Acknowledge')).shown, /^Acknowledged/);
  const { id } = await firstIncident(world);
  await pager.api.send(`POST /incidents/${id}/resolve`, {});
  await eventually('the edit', () => /^Resolved by /.test(message.shown));
});

test('a press that is sent again, or replayed, acts once; a stale one changes nothing', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { teams } = world;
  const message = await page(world, 'Disk full');
  const before = { ...message };
  await teams.press(ada, message, 'Escalate');
  await teams.redeliver();
  await teams.replay();
  assert.equal((await timelineOf(world, 'escalated')).length, 1);
  await teams.press(ada, before, 'Resolve');
  const late = cardOf(await teams.press(ada, before, 'Acknowledge'));
  assert.match(late.shown, /^Nothing was changed: /);
  assert.equal((await firstIncident(world)).status, 'resolved');
});

test('somebody unknown sees a link of their own, confirms it, and may act', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { teams, pager, connection } = world;
  await eventually('the bot is known by name', async () => {
    const { body } = await pager.api.send(`GET /channel-connections/${connection.id}`);
    return body.account !== undefined;
  });
  const message = await page(world, 'Disk full');
  const card = cardOf(await teams.press(eve, message, 'Resolve'));
  assert.match(card.shown, /^Your account is not linked to Pager\./);
  assert.match(card.shown, /Disk full/);
  const [link] = card.links;
  assert.match(link?.url ?? '', /\/link\/[0-9a-f]{48}$/);
  assert.equal((await firstIncident(world)).status, 'triggered');
  const [refusal] = await timelineOf(world, 'refused');
  assert.match(
    refusal?.text ?? '',
    /^An unknown person in Microsoft Teams, Eve, tried to resolve and was refused/,
  );

  const sent = await answered(world, () =>
    teams.mention(eve, { teamId: team, channelId: channel }, 'link'),
  );
  await eventually(
    'both',
    () => teams.messages.at(-1)?.shown === 'I sent you a message in your chat with me.',
  );
  const inChat = sent.find(({ conversation }) => conversation === 'a:chat-of-eve');
  const path = new URL(inChat?.links[0]?.url ?? '').pathname;
  assert.match(path, /^\/link\/[0-9a-f]{48}$/);
  assert.ok(
    teams.messages.every(
      ({ conversation, links }) =>
        conversation.startsWith('a:') || links.every(({ url }) => !url.includes('/link/')),
    ),
    'nobody else sees it',
  );
  const owner = await signIn(pager, password);
  const confirmed = await owner(`POST /chat-links/${path.slice(6)}`, {});
  const account = `bot ${teams.appId}`;
  assert.deepEqual(confirmed, { status: 200, body: { vendor: 'msteams', account, name: 'Eve' } });
  assert.match(cardOf(await teams.press(eve, message, 'Resolve')).shown, /^Resolved: INC-1\./);
});

test('commands by mention are answered in the thread, in the name of who wrote them', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { teams } = world;
  await page(world, 'Disk full');
  const command = async (text: string) => {
    const [answer] = await answered(world, () =>
      teams.mention(ada, { teamId: team, channelId: channel }, text),
    );
    return answer?.shown ?? '';
  };
  assert.match(await command('help'), /^@Pager who: shows who is on call/);
  assert.match(await command('who'), /^No schedules yet\.$/);
  assert.match(await command('page'), /^Write: @Pager page <service>/);
  assert.match(await command('ack 1'), /^Acknowledged: INC-1\.$/);
  assert.equal((await firstIncident(world)).status, 'acknowledged');
  assert.match(await command('resolve 1 fixed the disk'), /^Resolved: INC-1\.$/);
  const [answer] = await answered(world, () => teams.write(ada, 'who'));
  assert.equal(answer?.conversation, 'a:chat-of-ada');
});

test('a menu lists what can be run, and a choice runs it', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { teams, pager } = world;
  await pager.api.create('playbooks', {
    name: 'Restart',
    actions: [{ type: 'note', text: 'restarted' }],
  });
  const message = await page(world, 'Disk full');
  const list = cardOf(await teams.press(ada, message, 'Run playbook…'));
  assert.deepEqual(
    list.choices.map(({ title }) => title),
    ['Restart'],
  );
  const card = cardOf(await teams.choose(ada, list, message, 'Restart'));
  assert.match(card.shown, /Restart ran on INC-1/);
  assert.equal((await timelineOf(world, 'playbook_run')).length, 1);
});

test('channels are found by name once the bot is added, and not once it is removed', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { teams, pager } = world;
  const search = async (text: string): Promise<readonly { channel_id: string; name: string }[]> => {
    const query = new URLSearchParams({ via: 'msteams', search: text });
    return (await pager.api.send(`GET /chat-channels?${query}`)).body.data;
  };
  const complete = async () =>
    (await pager.api.send('GET /chat-channels?via=msteams')).body.complete === true;
  await eventually('the first read', complete);
  assert.deepEqual(await search('ops'), []);
  const [greeting] = await answered(world, () => teams.report('added', team));
  assert.deepEqual([greeting?.conversation, greeting?.isReply], [team, false]);
  assert.match(greeting?.shown ?? '', /^Pager can now post incidents/);
  await eventually('they are read', async () => (await search('ops')).length > 0);
  const [listed] = await search('ops');
  assert.deepEqual([listed?.channel_id, listed?.name], [channel, '#Shop / ops']);
  assert.deepEqual(
    (await search('general')).map(({ name }) => name),
    ['#Shop / General'],
  );
  const [unpostable] = await pagesTo(world, { channel_id: '19:elsewhere@thread.tacv2' });
  assert.match(unpostable ?? '', /to which the Teams bot cannot post, as far as Pager knows/);

  teams.addTeam('19:late@thread.tacv2', 'Late', { '19:new@thread.tacv2': 'new' });
  await teams.mention(
    ada,
    { teamId: '19:late@thread.tacv2', channelId: '19:new@thread.tacv2' },
    'help',
  );
  const link = `https://teams.microsoft.com/l/channel/${encodeURIComponent('19:new@thread.tacv2')}/new`;
  await eventually(
    'a team that a message came from',
    async () => (await search(link)).length === 1,
  );

  for (const [what, id] of [
    ['channelCreated', '19:first@thread.tacv2'],
    ['teamUnarchived', '19:second@thread.tacv2'],
  ] as const) {
    teams.addTeam(team, 'Shop', { [team]: 'General', [channel]: 'ops', [id]: what });
    assert.equal((await teams.report(what, team)).status, 200);
    await eventually(what, async () => (await search(what)).length === 1);
  }

  teams.removeBot(team);
  await teams.report('removed', team);
  await eventually('they are gone', async () => (await search('ops')).length === 0);
  await eventually('all are read', complete);
  assert.deepEqual(
    (await search('new')).map(({ name }) => name),
    ['#Late / new'],
    'those of another team are still there',
  );
});

test('a connection shows where Teams calls it, its manifest and its checks, and no secret', async () => {
  await using stack = new AsyncDisposableStack();
  const { teams, pager, connection } = await start(stack);
  const path = `/channel-connections/${connection.id}`;
  const { body } = await pager.api.send(`GET ${path}`);
  const url = `${pager.url}/callbacks/msteams/${connection.id}`;
  assert.deepEqual(
    [body.receive, body.callback_urls],
    ['callbacks', [{ channel: 'msteams', url }]],
  );
  assert.ok(!JSON.stringify(body).includes(teams.clientSecret));
  const { body: manifest } = await pager.api.send(`GET ${path}/manifest`);
  assert.deepEqual([manifest.id, manifest.bots[0].botId], [teams.appId, teams.appId]);
  const { body: tested } = await pager.api.send(`POST ${path}/test`, {});
  assert.deepEqual(
    tested.checks.map(({ name, ok }: { name: string; ok: boolean }) => [name, ok]),
    [
      ['credentials', true],
      ['messaging endpoint', true],
    ],
  );
  teams.revokeSecret();
  const { body: revoked } = await pager.api.send(`POST ${path}/test`, {});
  assert.match(revoked.checks[0].message, /client secret is not valid/);
  const health = (await pager.api.send(`GET ${path}`)).body.health;
  assert.equal(health.state, 'failing');
});

test('a channel without a connection is recorded as skipped', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { pager, connection } = world;
  await pagesTo(world, { channel_id: channel });
  await pager.api.send(`DELETE /channel-connections/${connection.id}`);
  const [integration] = await pager.api.list('integrations');
  await postJson(integration.webhook_url, { title: 'Disk full' });
  const skipped = async () => {
    const incident = await firstIncident(world);
    if (incident === undefined) return false;
    const { body } = await pager.api.send(`GET /incidents/${incident.id}/timeline?limit=200`);
    return body.data.some(({ text }: { text: string }) => /channel not set up/.test(text));
  };
  await eventually('it is skipped', skipped);
});
