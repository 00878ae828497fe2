// Discord on loopback, with the bot of one app: its API, its gateway, and the interactions that it sends.
// It refuses what Discord refuses, by the same codes, and what does not keep to the contract.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../src/engine/clock.ts';
import { discordContract as contract, discordRouteOf } from './discord-contract.ts';
import { type FakeGateway, startFakeGateway } from './discord-gateway.ts';
import { Interactions, interactionOf, type Shown } from './discord-interactions.ts';

type Members = Readonly<Record<string, unknown>>;
type Button = { readonly label: string; readonly custom_id: string };

/** As the people in the channel see it. */
type Message = {
  readonly id: string;
  /** Of a thread, the id of the message that it is below. */
  readonly channelId: string;
  readonly repliesTo: string | null;
  readonly nonce: string | null;
  content: string;
  shown: string;
  buttons: readonly Button[];
  mentions: readonly string[];
  edits: number;
};

/** What becomes of the next request to a route. */
export type Misbehaviour =
  | { readonly type: 'refuse'; readonly status: number; readonly code: number }
  | { readonly type: 'too_many'; readonly retryAfter: number; readonly isGlobal?: boolean }
  | { readonly type: 'broken' }
  /** Done, and the connection breaks before the answer. */
  | { readonly type: 'answer_lost' };

type Overwrite = { readonly id: string; readonly allow: string; readonly deny: string };
type Channel = {
  readonly name: string;
  readonly type: number;
  readonly guildId: string;
  readonly overwrites: readonly Overwrite[];
  mayPost: boolean;
  mayOpenThreads: boolean;
};
type Guild = { readonly name: string; permissions: string; roles: readonly string[] };

type Answer = { readonly status: number; readonly body?: unknown };
type Request = { readonly ids: readonly string[]; readonly token: string; readonly body: Members };

export type FakeDiscord = AsyncDisposable & {
  /** Of the API, for a client. */
  readonly url: string;
  readonly botToken: string;
  readonly applicationId: string;
  readonly publicKey: string;
  readonly guildId: string;
  readonly messages: readonly Message[];
  readonly threads: ReadonlyMap<string, string>;
  readonly calls: readonly { readonly route: string; readonly body: Members }[];
  /** The routes of the calls that were more than Discord takes. */
  readonly refusedByRate: readonly string[];
  readonly shown: readonly Shown[];
  readonly interactions: Interactions;
  readonly gateway: FakeGateway;
  readonly app: { command: Members | null; interactionsUrl: string | null };
  addGuild(id: string, guild: Guild): void;
  /** The bot is in that server no more. */
  leaveGuild(id: string): void;
  addChannel(id: string, channel?: Partial<Channel>): void;
  forbid(channelId: string, what: 'mayPost' | 'mayOpenThreads'): void;
  deleteMessage(id: string): void;
  /** Presses a button of a message, or chooses an option of what was shown to them; answers its interaction. */
  press(userId: string, messageId: string, label: string): Promise<string>;
  /** Enters a subcommand of /pager with these options; answers its interaction. */
  command(
    userId: string,
    name: string,
    options?: Readonly<Record<string, string>>,
  ): Promise<string>;
  /** Sends what was sent last once more. */
  redeliver(): Promise<void>;
  revokeToken(): void;
  misbehave(route: string, how: Misbehaviour): void;
};

/** Five in five seconds, as today. */
const ROUTE = { limit: 5, seconds: 5 };
const GLOBAL = { limit: 50, seconds: 1 };
const limited = /^(POST|PATCH) \/channels\/:id\/messages(\/:id)?(\/threads)?$/;

export async function startFakeDiscord({
  now = systemClock.now,
  heartbeatMs = 45_000,
  sessionsLeft = 1_000,
} = {}): Promise<FakeDiscord> {
  let last = 0;
  const nextId = () => {
    last += 1;
    return String(846_531_166_412_210_000n + BigInt(last));
  };
  const botToken = 'ODQ1MDI3NzM4Mjc2NDYyNjMy.G8Zx1a.AbCdEfGhIjKlMnOpQrStUvWxYz0123456789ab';
  const applicationId = '845027738276462632';
  const botId = '845027738276462633';
  const guildId = '290926798626357999';
  const guilds = new Map<string, Guild>();
  const channels = new Map<string, Channel>();
  const messages: Message[] = [];
  const threads = new Map<string, string>();
  const calls: { route: string; body: Members }[] = [];
  const refusedByRate: string[] = [];
  const buckets = new Map<string, { used: number; endsAt: number }>();
  const misbehaviours: { route: string; how: Misbehaviour }[] = [];
  const interactions = new Interactions(now, nextId);
  const app: FakeDiscord['app'] = { command: null, interactionsUrl: null };
  let isRevoked = false;
  let lastSent: Members | null = null;

  const server = createServer((request, response) => {
    void handle(request, response).catch((error: unknown) => {
      response.statusCode = 599;
      response.end(String(error));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const gatewayUrl = `${origin.replace('http', 'ws')}/gateway`;
  const gateway = startFakeGateway({
    server,
    token: () => (isRevoked ? '' : botToken),
    url: () => gatewayUrl,
    heartbeatMs,
    userId: botId,
    applicationId,
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', origin);
    let text = '';
    for await (const chunk of request) text += chunk;
    const path = url.pathname.replace('/api/v10', '');
    const route = discordRouteOf(request.method ?? '', path);
    if (!/^DiscordBot \(\S+, [\d.]+\)/.test(request.headers['user-agent'] ?? ''))
      throw new Error('its user agent is not in the form that Discord requires');
    if (text !== '' && request.headers['content-type'] !== 'application/json')
      return write(response, refused(400, 50035));
    const body: Members = text === '' ? Object.fromEntries(url.searchParams) : JSON.parse(text);
    calls.push({ route, body });
    const problem = contract.requestProblem(route, body);
    if (problem !== undefined) throw new Error(problem);
    const planned = misbehaviours.findIndex((one) => one.route === route);
    const [how] = planned === -1 ? [] : misbehaviours.splice(planned, 1).map((one) => one.how);
    if (how !== undefined && how.type !== 'answer_lost') return misbehaveNow(how, response);
    const isOpen = /^\/(interactions|webhooks)\//.test(path);
    const isKnown = request.headers.authorization === `Bot ${botToken}` && !isRevoked;
    if (!isOpen && !isKnown) return write(response, refused(401, 0, '401: Unauthorized'));
    const parts = path.split('/');
    const ids = parts.filter((part) => /^\d{1,20}$/.test(part));
    if (!isOpen && !takes(route, ids[0] ?? '', response)) return;
    const token = decodeURIComponent(parts[3] ?? '');
    const answer = (await routes[route]?.({ ids, token, body })) ?? refused(404, 0, 'Not Found');
    if (how?.type === 'answer_lost') return void response.socket?.resetAndDestroy();
    write(response, answer);
  }

  /** False: it is more than Discord takes, and is answered so. */
  function takes(route: string, place: string, response: ServerResponse): boolean {
    const all = use('global', GLOBAL);
    const own = limited.test(route) ? use(`${route} ${place}`, ROUTE) : null;
    const full = [all, own].find((one) => one !== null && one.remaining < 0);
    if (own !== null) {
      response.setHeader('x-ratelimit-limit', ROUTE.limit);
      response.setHeader('x-ratelimit-remaining', Math.max(own.remaining, 0));
      response.setHeader('x-ratelimit-reset-after', own.resetAfter.toFixed(3));
      response.setHeader('x-ratelimit-bucket', 'abcd1234');
    }
    if (!full) return true;
    refusedByRate.push(route);
    misbehaveNow(
      { type: 'too_many', retryAfter: full.resetAfter, isGlobal: full === all },
      response,
    );
    return false;
  }

  function use(name: string, { limit, seconds }: typeof ROUTE) {
    const at = now().epochMilliseconds;
    const before = buckets.get(name);
    const bucket =
      before !== undefined && before.endsAt > at
        ? before
        : { used: 0, endsAt: at + seconds * 1_000 };
    bucket.used += 1;
    buckets.set(name, bucket);
    return { remaining: limit - bucket.used, resetAfter: (bucket.endsAt - at) / 1_000 };
  }

  /** Why nothing may be posted there; null: it may. */
  function placeProblem(id: string): Answer | null {
    const parent = threads.has(id) ? messages.find((one) => one.id === id)?.channelId : id;
    const channel = channels.get(parent ?? '');
    if (channel === undefined || !guilds.has(channel.guildId)) return refused(404, 10003);
    return channel.mayPost ? null : refused(403, 50013);
  }

  const messageAt = ([channelId, id]: readonly string[]) =>
    messages.find((one) => one.channelId === channelId && one.id === id);

  const answerOf = ({ id, channelId, content }: Message) => ({
    id,
    channel_id: channelId,
    type: 0,
    content,
    author: { id: botId, username: 'pager', bot: true },
  });

  const takesWhat = (refusal: ReturnType<Interactions['defer']>, status = 204): Answer =>
    refusal === null
      ? { status }
      : { status: refusal.status, body: { code: refusal.code, message: refusal.message } };

  const routes: Readonly<Record<string, (request: Request) => Answer | Promise<Answer>>> = {
    'GET /users/@me': () => ok({ id: botId, username: 'pager', bot: true }),
    'GET /users/@me/guilds': ({ body: { after, limit } }) =>
      ok(
        [...guilds]
          .filter(([id]) => BigInt(id) > BigInt(String(after)))
          .toSorted(([one], [other]) => (BigInt(one) < BigInt(other) ? -1 : 1))
          .slice(0, Number(limit))
          .map(([id, { name, permissions }]) => ({ id, name, permissions, owner: false })),
      ),
    'GET /applications/@me': () => ok(application()),
    async 'PATCH /applications/@me'({ body: { interactions_endpoint_url: url } }) {
      if (typeof url === 'string' && !(await isAnswered(url))) return refused(400, 50035);
      app.interactionsUrl = url === null ? null : String(url);
      return ok(application());
    },
    'GET /applications/:id/commands': () =>
      ok(app.command === null ? [] : [{ id: '1', version: '1', ...app.command }]),
    'POST /applications/:id/commands'({ body }) {
      const isNew = app.command === null;
      app.command = body;
      return { status: isNew ? 201 : 200, body: { id: '1', ...body } };
    },
    'GET /guilds/:id/channels': ({ ids: [guild] }) =>
      ok([...channels].flatMap(([id, one]) => (one.guildId === guild ? channelOf(id, one) : []))),
    'GET /guilds/:id/members/:id'({ ids: [guild = '', user] }) {
      const roles = guilds.get(guild)?.roles;
      if (roles === undefined) return refused(404, 10004);
      return user === botId ? ok({ user: { id: botId }, roles }) : refused(404, 10007);
    },
    'GET /channels/:id'({ ids: [id = ''] }) {
      const channel = channels.get(id);
      if (channel === undefined) return refused(404, 10003);
      return guilds.has(channel.guildId) ? ok(channelOf(id, channel)) : refused(403, 50001);
    },
    'POST /channels/:id/messages'({ ids: [channelId = ''], body }) {
      const { nonce = null, enforce_nonce, message_reference } = body;
      const problem = placeProblem(channelId);
      if (problem !== null) return problem;
      const before = messages.find((one) => nonce !== null && one.nonce === nonce);
      if (enforce_nonce === true && before !== undefined) return ok(answerOf(before));
      const { message_id } = (message_reference ?? {}) as Members;
      const message: Message = {
        id: nextId(),
        channelId,
        repliesTo: message_id === undefined ? null : String(message_id),
        nonce: nonce === null ? null : String(nonce),
        edits: 0,
        ...seen(body),
      };
      messages.push(message);
      return ok(answerOf(message));
    },
    'PATCH /channels/:id/messages/:id'({ ids, body }) {
      const message = messageAt(ids);
      if (placeProblem(ids[0] ?? '')?.status === 404) return refused(404, 10003);
      if (message === undefined) return refused(404, 10008);
      Object.assign(message, seen(body), { edits: message.edits + 1 });
      return ok(answerOf(message));
    },
    'POST /channels/:id/messages/:id/threads'({ ids, body }) {
      const message = messageAt(ids);
      if (message === undefined) return refused(404, 10008);
      if (channels.get(message.channelId)?.mayOpenThreads === false) return refused(403, 50013);
      if (threads.has(message.id)) return refused(400, 160_004);
      threads.set(message.id, String(body['name']));
      return { status: 201, body: { id: message.id, type: 11, name: body['name'] } };
    },
    'POST /interactions/:id/:token/callback': ({ token, body }) =>
      takesWhat(interactions.defer(token, body)),
    'POST /webhooks/:id/:token': ({ token, body }) =>
      takesWhat(interactions.answer(token, 'follow', body), 200),
    'PATCH /webhooks/:id/:token/messages/@original': ({ token, body }) =>
      takesWhat(interactions.answer(token, 'edit', body), 200),
    'DELETE /webhooks/:id/:token/messages/@original': ({ token, body }) =>
      takesWhat(interactions.answer(token, 'withdraw', body)),
    'GET /gateway/bot': () =>
      ok({
        url: gatewayUrl,
        shards: 1,
        session_start_limit: {
          total: 1_000,
          remaining: sessionsLeft,
          reset_after: 3_600_000,
          max_concurrency: 1,
        },
      }),
  };

  const application = () => ({
    id: applicationId,
    name: 'Pager of Acme',
    verify_key: interactions.publicKey,
    interactions_endpoint_url: app.interactionsUrl,
  });

  /** Discord calls an address before it takes it, rightly signed and wrongly. */
  async function isAnswered(url: string): Promise<boolean> {
    const ping = { version: 1, id: nextId(), application_id: applicationId, token: 't', type: 1 };
    const right = await interactions.post(url, ping);
    const forged = await interactions.post(url, ping, { isForged: true });
    return right.status === 200 && right.answer?.type === 1 && forged.status === 401;
  }

  async function send(interaction: Members): Promise<void> {
    lastSent = interaction;
    if (app.interactionsUrl === null) return gateway.dispatch('INTERACTION_CREATE', interaction);
    const { status, answer } = await interactions.post(app.interactionsUrl, interaction);
    if (status !== 200) throw new Error(`an interaction was answered ${status}`);
    interactions.defer(String(interaction['token']), answer);
  }

  const place = { applicationId, guildId, channelId: '1' };

  guilds.set(guildId, { name: 'Acme', permissions: String(0x4000014c00n), roles: [] });

  return {
    url: `${origin}/api/v10`,
    botToken,
    applicationId,
    publicKey: interactions.publicKey,
    guildId,
    messages,
    threads,
    calls,
    refusedByRate,
    shown: interactions.shown,
    interactions,
    gateway,
    app,
    addGuild: (id, guild) => void guilds.set(id, guild),
    leaveGuild: (id) => void guilds.delete(id),
    addChannel(id, channel = {}) {
      const usual = { name: 'alerts', type: 0, guildId, overwrites: [] };
      channels.set(id, { ...usual, mayPost: true, mayOpenThreads: true, ...channel });
    },
    forbid(channelId, what) {
      const channel = channels.get(channelId);
      if (channel) channel[what] = false;
    },
    deleteMessage(id) {
      messages.splice(
        messages.findIndex((one) => one.id === id),
        1,
      );
    },
    async press(userId, messageId, label) {
      const message = messages.find(({ id }) => id === messageId);
      const own = interactions.shown.find((one) => one.id === messageId && one.userId === userId);
      const button = message?.buttons.find((one) => one.label === label);
      const option = own?.options.find((one) => one.label === label);
      if (!button && !option) throw new Error(`no button or option ${label}`);
      const interaction = interactions.begin(userId);
      const data = button
        ? { component_type: 2, custom_id: button.custom_id }
        : { component_type: 3, custom_id: 'choose 1', values: [option?.value] };
      const channelId = message?.channelId ?? '1';
      const content = message?.content ?? own?.text ?? '';
      await send(
        interactionOf(
          interaction,
          { ...place, channelId },
          {
            type: 3,
            data,
            message: {
              id: messageId,
              channel_id: channelId,
              type: 0,
              content,
              flags: own ? 64 : 0,
            },
          },
        ),
      );
      return interaction.id;
    },
    async command(userId, name, options = {}) {
      const interaction = interactions.begin(userId);
      const entered = Object.entries(options).map(([field, value]) => ({
        type: 3,
        name: field,
        value,
      }));
      const data = {
        id: '1',
        type: 1,
        name: 'pager',
        options: [{ type: 1, name, options: entered }],
      };
      await send(interactionOf(interaction, place, { type: 2, data }));
      return interaction.id;
    },
    async redeliver() {
      if (lastSent === null) throw new Error('nothing was sent yet');
      await send(lastSent);
    },
    revokeToken() {
      isRevoked = true;
    },
    misbehave: (route, how) => void misbehaviours.push({ route, how }),
    async [Symbol.asyncDispose]() {
      gateway.stop();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const ok = (body: unknown): Answer => ({ status: 200, body });
const refused = (status: number, code: number, message = 'refused'): Answer => ({
  status,
  body: { code, message },
});

const channelOf = (id: string, { name, type, guildId, overwrites }: Channel) => ({
  id,
  type,
  name,
  guild_id: guildId,
  permission_overwrites: overwrites.map((one) => ({ type: 0, ...one })),
});

type Row = { readonly components: readonly Button[] };
type Embed = { readonly title: string; readonly description: string };

/** What people see of a message, and whom it pings: a mention in the text that is allowed. */
function seen({ content, embeds, components, allowed_mentions }: Members) {
  const { parse, users, roles } = allowed_mentions as Readonly<Record<string, readonly string[]>>;
  const text = String(content);
  const written = [...text.matchAll(/@(?:everyone|here)\b|<@[!&]?(\d+)>/g)];
  const mentions = written
    .filter(([all, id]) =>
      id === undefined
        ? parse?.includes('everyone')
        : (all.includes('&') ? roles : users)?.includes(id),
    )
    .map(([all]) => all);
  const shown = (embeds as readonly Embed[]).flatMap(({ title, description }) => [
    title,
    description,
  ]);
  const buttons = (components as readonly Row[]).flatMap((row) => row.components);
  return { content: text, shown: [text, ...shown].join('\n'), buttons, mentions };
}

function misbehaveNow(how: Misbehaviour, response: ServerResponse): void {
  if (how.type === 'refuse') write(response, refused(how.status, how.code));
  else if (how.type === 'too_many') {
    const { retryAfter: retry_after, isGlobal: global = false } = how;
    response.setHeader('retry-after', Math.ceil(retry_after));
    if (global) response.setHeader('x-ratelimit-global', 'true');
    write(response, {
      status: 429,
      body: { message: 'You are being rate limited.', retry_after, global },
    });
  } else if (how.type === 'broken') {
    response.statusCode = 502;
    response.end('<html>Bad Gateway</html>');
  }
}

function write(response: ServerResponse, { status, body }: Answer): void {
  response.statusCode = status;
  if (body === undefined) return void response.end();
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(body));
}
