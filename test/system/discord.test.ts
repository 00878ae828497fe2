// A Discord bot on a whole server: it is connected, posts to a channel, and hears who presses there, over
// the gateway or by signed requests.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase } from '../database.ts';
import { startFakeDiscord } from '../vendors/discord.ts';
import { postJson } from './api-client.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { startInProcess } from './in-process.ts';
import { signIn } from './sign-in.ts';

const channel = '845027738276400001';
const ada = '53908232506183680';
const password = 'correct horse battery';

type Way = 'gateway' | 'requests';

/** By the gateway where nobody can call the server. */
async function start(stack: AsyncDisposableStack, way: Way = 'gateway') {
  const discord = stack.use(await startFakeDiscord());
  discord.addChannel(channel);
  const listen = `127.0.0.1:${await freePort()}`;
  const host = way === 'gateway' ? listen.replace('127.0.0.1', 'localhost') : listen;
  const publicUrl = `http://${host}`;
  const pager = stack.use(
    await startInProcess(await anyDatabase(), {
      PAGER_BOOTSTRAP_PASSWORD: password,
      PAGER_LISTEN: listen,
      PAGER_PUBLIC_URL: publicUrl,
      PAGER_VENDOR_URLS: `discord=${discord.url}`,
    }),
  );
  const connection = await pager.api.create('channel-connections', {
    name: 'Discord of Acme',
    vendor: 'discord',
    settings: { application_id: discord.applicationId, public_key: discord.publicKey },
    secrets: { bot_token: discord.botToken },
  });
  await eventually('the command is there', () => discord.app.command !== null);
  if (way === 'gateway') await discord.gateway.connected();
  else await eventually('the address is set', () => discord.app.interactionsUrl !== null);
  return { discord, pager, connection, publicUrl };
}

type World = Awaited<ReturnType<typeof start>>;

async function savePolicy({ pager }: World, steps: readonly object[]) {
  const [policy] = await pager.api.list('escalation-policies');
  const saved = await pager.api.send(`PATCH /escalation-policies/${policy.id}`, { steps });
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
  return saved.body.warnings ?? [];
}

const target = { via: 'discord', channel_id: channel };

async function page(world: World, title: string) {
  await savePolicy(world, [{ targets: [{ ...target, mention: '@here' }] }]);
  return alert(world, title);
}

async function alert({ discord, pager }: World, title: string) {
  const [integration] = await pager.api.list('integrations');
  await postJson(integration.webhook_url, { title });
  const posted = () => discord.messages.find(({ shown }) => shown.includes(title));
  await eventually('the post', () => posted() !== undefined);
  const message = posted();
  assert.ok(message);
  return message;
}

/** As she opens the link that she was shown, signs in, and confirms. */
async function linkAccount(world: World, userId = ada) {
  const shown = await shownTo(world, () => world.discord.command(userId, 'link'));
  const [, code = ''] = /\/link\/([0-9a-f]{48})>\)$/.exec(shown.text) ?? [];
  const owner = await signIn({ url: world.pager.url, origin: world.publicUrl }, password);
  const linked = await owner(`POST /chat-links/${code}`, {});
  assert.equal(linked.status, 200, JSON.stringify(linked.body));
  return linked.body;
}

/** What somebody is shown after they did that. */
async function shownTo({ discord }: World, act: () => Promise<unknown>) {
  const before = discord.shown.length;
  await act();
  await eventually('the answer', () => discord.shown.length > before);
  const shown = discord.shown.at(-1);
  assert.ok(shown);
  return shown;
}

const labels = ({ buttons }: { readonly buttons: readonly { readonly label: string }[] }) =>
  buttons.map(({ label }) => label);
const firstIncident = async ({ pager }: World) => (await pager.api.list('incidents')).at(-1);

async function entriesOf(world: World, wanted: string) {
  type Entry = { type: string; text: string; actor?: { name: string; via: string } };
  const { id } = await firstIncident(world);
  const { body } = await world.pager.api.send(`GET /incidents/${id}/timeline?limit=200`);
  return (body.data as readonly Entry[]).filter(({ type }) => type === wanted);
}

for (const way of ['gateway', 'requests'] as const)
  test(`a policy pages a channel, and a person who linked their account acknowledges there, by ${way}`, async () => {
    await using stack = new AsyncDisposableStack();
    const world = await start(stack, way);
    const { discord } = world;
    const message = await page(world, 'Disk full');
    assert.deepEqual(message.mentions, ['@here']);
    assert.deepEqual(labels(message).slice(0, 3), ['Acknowledge', 'Resolve', 'Escalate']);
    const linked = await linkAccount(world);
    assert.deepEqual(linked, { vendor: 'discord', account: 'Pager of Acme', name: 'Ada' });

    const id = await discord.press(ada, message.id, 'Acknowledge');
    await eventually('the edit', () => labels(message).includes('Unacknowledge'));
    assert.match(message.content, /Acknowledged by .+, \d\d:\d\d/);
    assert.equal((await firstIncident(world)).status, 'acknowledged');
    const [entry] = await entriesOf(world, 'acknowledged');
    assert.deepEqual([entry?.actor?.name, entry?.actor?.via], ['owner', 'discord']);
    assert.equal(discord.interactions.all.find((one) => one.id === id)?.deferred, 6);
    const below = () => discord.messages.find(({ channelId }) => channelId === message.id);
    await eventually('the line in its thread', () => below() !== undefined);
    assert.match(below()?.content ?? '', /^Acknowledged by owner, <t:\d+:t>$/);

    // The same again acts no more.
    await world.pager.api.send(
      `POST /incidents/${(await firstIncident(world)).id}/unacknowledge`,
      {},
    );
    await discord.redeliver();
    await shownTo(world, () => discord.command(ada, 'help'));
    assert.equal((await firstIncident(world)).status, 'triggered');
  });

test('a later step stands in the thread of the first post, which alone is kept up to date', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { discord, pager } = world;
  await savePolicy(world, [
    { targets: [target], escalate_after_minutes: 5 },
    { targets: [target] },
  ]);
  const message = await alert(world, 'Disk full');
  await linkAccount(world);
  await discord.press(ada, message.id, 'Escalate');
  const below = () => discord.messages.filter(({ channelId }) => channelId === message.id);
  await eventually('the second step', () => below().length === 1);
  const { id } = await firstIncident(world);
  await pager.api.send(`POST /incidents/${id}/resolve`, {});
  await eventually('the all-clear is its edit', () => /Resolved by/.test(message.content));
  await eventually('and a line', () => below().length === 2);
  assert.deepEqual(message.buttons, []);
  assert.deepEqual(
    below().map(({ edits }) => edits),
    [0, 0],
  );
  assert.equal(discord.messages.length, 3);
});

test('a post that was deleted is posted anew at once, and that one follows its incident', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { discord, pager } = world;
  const { id: deleted } = await page(world, 'Disk full');
  await pager.calm();
  discord.deleteMessage(deleted);
  const { id } = await firstIncident(world);
  await pager.api.send(`POST /incidents/${id}/acknowledge`, {});
  const anew = await eventually('the new post', () =>
    discord.messages.find(({ channelId }) => channelId === channel),
  );
  assert.match(anew.content, /^Acknowledged by/);
  await eventually('the line in its thread', () =>
    discord.messages.some(({ channelId }) => channelId === anew.id),
  );
  await pager.api.send(`POST /incidents/${id}/resolve`, {});
  await eventually('it follows', () => /Resolved by/.test(anew.content));
  assert.deepEqual(await entriesOf(world, 'edit_failed'), []);
});

test('who is unknown changes nothing, and is shown how to link an account', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { discord } = world;
  const message = await page(world, 'Disk full');
  const eve = '53908232506183681';
  const shown = await shownTo(world, () => discord.press(eve, message.id, 'Acknowledge'));
  assert.equal(shown.userId, eve);
  assert.match(shown.text, /^Your account is not linked to Pager\..*\/link\/[0-9a-f]{48}>\)$/);
  assert.equal((await firstIncident(world)).status, 'triggered');
  assert.equal((await entriesOf(world, 'refused')).length, 1);
});

test('a button that is late changes nothing, and says what happened', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { discord, pager } = world;
  const message = await page(world, 'Disk full');
  await linkAccount(world);
  const { id } = await firstIncident(world);
  // The button stays for now.
  discord.misbehave('PATCH /channels/:id/messages/:id', { type: 'too_many', retryAfter: 1 });
  await pager.api.send(`POST /incidents/${id}/resolve`, {});
  const { text } = await shownTo(world, () => discord.press(ada, message.id, 'Acknowledge'));
  assert.match(text, /^Nothing was changed: .*resolved/);
  await eventually('no button is left', () => message.buttons.length === 0);
});

for (const way of ['gateway', 'requests'] as const)
  test(`commands act as buttons do, open incidents, and answer who is on call, by ${way}`, async () => {
    await using stack = new AsyncDisposableStack();
    const world = await start(stack, way);
    const { discord, pager } = world;
    await page(world, 'Disk full');
    await linkAccount(world);
    const [service] = await pager.api.list('services');
    await pager.api.create('services', { name: `${service.name} EU` });
    for (const [name, options, answer] of [
      ['who', {}, /^No schedules yet\.$/],
      ['ack', { incident: '7' }, /^There is no INC-7\.$/],
      ['ack', { incident: 'INC-1' }, /^Acknowledged: INC-1\.$/],
      ['resolve', { incident: '1' }, /^Resolved: INC-1\.$/],
      ['escalate', { incident: '1' }, /^Nothing was changed: .*resolved/],
      ['page', { problem: 'EU checkout fails', service: service.name }, /^INC-2 is open for/],
      ['help', {}, /\/pager who: shows/],
    ] as const) {
      const { text } = await shownTo(world, () => discord.command(ada, name, options));
      assert.match(text.replaceAll('\\', ''), answer);
    }
    const incidents = await pager.api.list('incidents');
    const opened = incidents.find(({ number }) => number === 2);
    assert.deepEqual([opened.title, opened.service_id], ['EU checkout fails', service.id]);
  });

test('a webhook is run from a button of a post, in the name of who chose it', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { discord, pager } = world;
  const message = await page(world, 'Disk full');
  await linkAccount(world);
  for (let nth = 1; nth <= 30; nth += 1)
    await pager.api.create('outbound-webhooks', {
      name: `Restart ${nth}`,
      url: 'http://127.0.0.1:9',
    });
  const list = await shownTo(world, () => discord.press(ada, message.id, 'Call webhook…'));
  assert.equal(list.options.length, 30);
  const done = await shownTo(world, () => discord.press(ada, list.id, 'Restart 29'));
  assert.match(done.text, /Restart 29/);
  const [entry] = await entriesOf(world, 'performed');
  assert.equal(entry?.actor?.via, 'discord');
});

test('a session goes on when Discord wants another socket, and when its socket breaks', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { discord } = world;
  const message = await page(world, 'Disk full');
  await linkAccount(world);
  discord.gateway.reconnect();
  await eventually('the second socket', () => discord.gateway.begun.length === 2);
  discord.gateway.drop();
  await eventually('the third socket', () => discord.gateway.begun.length === 3);
  await discord.press(ada, message.id, 'Acknowledge');
  await eventually('it is done', () => labels(message).includes('Unacknowledge'));
  assert.deepEqual(discord.gateway.begun, ['identified', 'resumed', 'resumed']);
});

test('what Discord has given up does nothing, also when it is delivered', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { discord } = world;
  const message = await page(world, 'Disk full');
  await linkAccount(world);
  const unknown = { type: 'refuse', status: 404, code: 10062 } as const;
  discord.misbehave('POST /interactions/:id/:token/callback', unknown);
  await discord.press(ada, message.id, 'Acknowledge');
  await shownTo(world, () => discord.command(ada, 'help'));
  assert.equal((await firstIncident(world)).status, 'triggered');
});

test('requests that Discord has not signed are refused, and so are old ones', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack, 'requests');
  const { discord, connection, pager } = world;
  const { body } = await pager.api.send(`GET /channel-connections/${connection.id}`);
  const url = discord.app.interactionsUrl ?? '';
  assert.deepEqual(
    [body.receive, body.callback_urls],
    ['callbacks', [{ channel: 'discord', url }]],
  );
  const ping = {
    version: 1,
    id: '1',
    application_id: discord.applicationId,
    token: 't',
    type: 1,
  };
  for (const [how, status] of [
    [{}, 200],
    [{ isForged: true }, 401],
    [{ ageSeconds: 299 }, 200],
    [{ ageSeconds: 310 }, 401],
    [{ ageSeconds: -310 }, 401],
  ] as const)
    assert.equal((await discord.interactions.post(url, ping, how)).status, status);
});

test('a token that is reset in mid-incident is a connection that fails, which admins hear of', async () => {
  await using stack = new AsyncDisposableStack();
  const world = await start(stack);
  const { discord, pager, connection } = world;
  const path = `/channel-connections/${connection.id}`;
  const health = async () => (await pager.api.send(`GET ${path}`)).body.health;
  await eventually('it is accepted', async () => (await health()).state === 'ok');
  const good = await pager.api.send(`POST ${path}/test`, {});
  assert.deepEqual(
    good.body.checks.map(({ name, ok }: { name: string; ok: boolean }) => [name, ok]),
    [
      ['credentials', true],
      ['servers', true],
      ['command', true],
      ['interactions', true],
    ],
  );
  const message = await page(world, 'Disk full');
  discord.revokeToken();
  await pager.api.send(`POST /incidents/${(await firstIncident(world)).id}/acknowledge`, {});
  await eventually('it is refused', async () => (await health()).state === 'failing');
  assert.match((await health()).reason, /bot token is not valid: reset it, and set bot_token/);
  assert.equal(message.edits, 0);
});

test('the manifest of a connection is the link that adds the bot to a server', async () => {
  await using stack = new AsyncDisposableStack();
  const { pager, connection, discord } = await start(stack);
  const { body } = await pager.api.send(`GET /channel-connections/${connection.id}/manifest`);
  const url = new URL(body.invite_url);
  assert.equal(`${url.origin}${url.pathname}`, 'https://discord.com/oauth2/authorize');
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    client_id: discord.applicationId,
    scope: 'bot applications.commands',
    permissions: '309237861376',
  });
});

test('channels that the bot can post to are found by name, by id and by link', async () => {
  await using stack = new AsyncDisposableStack();
  const discord = stack.use(await startFakeDiscord());
  const pager = stack.use(
    await startInProcess(await anyDatabase(), { PAGER_VENDOR_URLS: `discord=${discord.url}` }),
  );
  const { guildId } = discord;
  const other = '290926798626358000';
  discord.addGuild(other, { name: 'Others', permissions: '0', roles: ['77'] });
  const posting = String(0x4c00);
  const hidden = { id: guildId, allow: '0', deny: String(0x400) };
  discord.addChannel('845027738276400001', { name: 'alerts' });
  discord.addChannel('845027738276400002', { name: 'alerts-hidden', overwrites: [hidden] });
  discord.addChannel('845027738276400003', { name: 'alerts-voice', type: 2 });
  discord.addChannel('845027738276400004', {
    name: 'alerts-ops',
    guildId: other,
    overwrites: [
      { id: other, allow: '0', deny: String(0x400) },
      { id: '77', allow: posting, deny: '0' },
    ],
  });
  const search = async (text: string) => {
    const query = new URLSearchParams({ via: 'discord', search: text });
    return (await pager.api.send(`GET /chat-channels?${query}`)).body;
  };
  const names = async (text: string) =>
    (await search(text)).data.map(({ name }: { name: string }) => name);
  await pager.api.create('channel-connections', {
    name: 'Discord of Acme',
    vendor: 'discord',
    settings: { application_id: discord.applicationId, public_key: discord.publicKey },
    secrets: { bot_token: discord.botToken },
  });
  await eventually('all are read', async () => {
    await pager.pass({ minutes: 1 });
    return (await search('')).complete;
  });
  assert.deepEqual(await names('alerts'), ['#alerts (Acme)', '#alerts-ops (Others)']);
  discord.addChannel('845027738276400005', { name: 'new' });
  assert.deepEqual(await names('845027738276400005'), ['#new (Acme)']);
  const link = `https://discord.com/channels/${other}/845027738276400004`;
  assert.deepEqual(await names(link), ['#alerts-ops (Others)']);
  assert.deepEqual(await names('845027738276400002'), []);

  discord.leaveGuild(guildId);
  await pager.pass({ minutes: 60 });
  await eventually('only those of the other server are there', async () => {
    await pager.pass({ minutes: 1 });
    return (await names('')).join() === '#alerts-ops (Others)';
  });
});
