// Slack on loopback, with one app in one workspace: the Web API and Socket Mode. It refuses what Slack
// refuses, by the same names, and what does not keep to the contract.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { systemClock } from '../../src/engine/clock.ts';
import { readSlackMessage, type SlackOption } from './slack-blocks.ts';
import { slackContract as contract } from './slack-contract.ts';
import { TokenBuckets } from './token-buckets.ts';

type Members = Readonly<Record<string, unknown>>;

/** As the people in the channel see it. */
type Message = {
  readonly channel: string;
  readonly ts: string;
  /** Of the post that it stands below. */
  readonly threadTs: string | null;
  readonly isShownInChannel: boolean;
  text: string;
  shown: string;
  buttons: readonly { readonly text: string; readonly value: string }[];
  options: readonly SlackOption[];
  mentions: readonly string[];
  edits: number;
};

/** What becomes of the next call of a method. */
export type Misbehaviour =
  | { readonly type: 'refuse'; readonly error: string; readonly needed?: string }
  | { readonly type: 'too_many'; readonly retryAfter: number }
  | { readonly type: 'broken' }
  /** Never answered. */
  | { readonly type: 'hang' }
  /** Done, and the connection breaks before the answer. */
  | { readonly type: 'answer_lost' };

type Channel = {
  readonly name: string;
  readonly isPrivate: boolean;
  isMember: boolean;
  isArchived: boolean;
};

type Person = {
  readonly email?: string;
  readonly isEmailConfirmed?: boolean;
  readonly isGuest?: boolean;
  readonly isBot?: boolean;
  readonly teamId?: string;
};

/** What somebody writes, and whatever else its event has. */
type WrittenMessage = {
  readonly userId: string;
  readonly text: string;
  readonly channel?: string;
  readonly threadTs?: string;
  /** Absent: now. */
  readonly ts?: string;
  readonly event?: Members;
  readonly times?: number;
};

type Answer = Members & { readonly ok: boolean };
type Method = (parameters: Members) => Answer;

/** What Slack shows one person alone. */
type Response = {
  readonly userId: string;
  readonly channel: string;
  readonly ts: string;
  /** Of the post that it stands below. */
  readonly threadTs: string | null;
  readonly text: string;
  readonly options: readonly SlackOption[];
};

export type FakeSlack = AsyncDisposable & {
  /** Of the Web API, for a client. */
  readonly url: string;
  readonly botToken: string;
  readonly appToken: string;
  readonly team: { readonly id: string; readonly name: string };
  readonly messages: readonly Message[];
  readonly calls: readonly { readonly method: string; readonly parameters: Members }[];
  /** The channels of the calls that were more than Slack takes. */
  readonly refusedByRate: readonly string[];
  readonly responses: readonly Response[];
  /** The envelopes that were acknowledged, in their order. */
  readonly acknowledged: readonly string[];
  /** How many sockets are open, and how many ever were. */
  readonly sockets: { readonly open: number; readonly opened: number };
  addChannel(id: string, channel?: Partial<Channel>): void;
  archiveChannel(id: string): void;
  /** Pages of lists have no more entries than this, whatever is requested. */
  pageBy(size: number): void;
  addUser(id: string, person: Person): void;
  /** From the workspace. */
  removeUser(id: string): void;
  /** Presses a button of a message; answers the id of its envelope. */
  press(userId: string, ts: string, text: string, times?: number): string;
  /** Chooses an option of a message, or of what was shown to that person alone. */
  choose(userId: string, ts: string, text: string, times?: number): string;
  /** Sends `/pager` with that text; answers the id of its envelope. */
  command(userId: string, text: string, times?: number): string;
  /** Somebody writes a message, or `event` says what else happens to one; answers the id of its envelope. */
  writeMessage(message: WrittenMessage): string;
  /** The same, of a message that mentions the app: without a scope that reads messages. */
  mention(message: WrittenMessage): string;
  /** Sends what was sent last once more, in another envelope; answers its id. */
  redeliver(): string;
  /** Ends the socket as Slack does every few hours: it announces that, and goes. */
  refresh(reason?: string): void;
  /** Breaks all sockets without a word. */
  drop(): void;
  /** Answers no pings from now on, as a dead peer does. */
  fallSilent(): void;
  revokeToken(): void;
  misbehave(method: string, how: Misbehaviour): void;
  /** From now on no request is answered, or each by an error, and no socket is open. */
  goDown(how: 'hang' | 'broken'): void;
  /** Requests that still hang are given up. */
  comeBack(): void;
  readonly hanging: ReadonlySet<ServerResponse>;
  /** Once a socket is open. */
  connected(): Promise<void>;
};

const FIRST_TS = 1_795_230_741;

export async function startFakeSlack(
  now: () => Temporal.Instant = systemClock.now,
): Promise<FakeSlack> {
  const botToken = 'xoxb-12345678901-23456789012-AbCdEfGhIjKlMnOpQrStUvWx';
  const appToken = 'xapp-1-A0123ABCD-3456789012345-0a1b2c3d4e5f';
  const team = { id: 'T0123ABCD', name: 'Acme' };
  const channels = new Map<string, Channel>();
  const people = new Map<string, Person>();
  const messages: Message[] = [];
  const calls: { method: string; parameters: Members }[] = [];
  const refusedByRate: string[] = [];
  const posts = new TokenBuckets({ perSecond: 1, burst: 3, now });
  const updates = new TokenBuckets({ perSecond: 50 / 60, burst: 50, now });
  const responses: Response[] = [];
  const acknowledged: string[] = [];
  const misbehaviours: { method: string; how: Misbehaviour }[] = [];
  const responders = new Map<string, Responder>();
  const tickets = new Set<string>();
  const open = new Set<WebSocket>();
  const opening = Promise.withResolvers<void>();
  let opened = 0;
  let last = 0;
  const hanging = new Set<ServerResponse>();
  let down: 'hang' | 'broken' | null = null;
  let isRevoked = false;
  let pageSize = 1_000;
  const next = () => {
    last += 1;
    return last;
  };

  const server = createServer((request, response) => {
    void handle(request, response).catch((error: unknown) => {
      response.statusCode = 599;
      response.end(String(error));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const sockets = new WebSocketServer({ noServer: true, autoPong: true });
  server.on('upgrade', (request, socket, head) => {
    const ticket = new URL(request.url ?? '', origin).searchParams.get('ticket') ?? '';
    // Each is good once.
    if (down !== null || !tickets.delete(ticket)) return void socket.destroy();
    sockets.handleUpgrade(request, socket, head, (ws) => {
      open.add(ws);
      opened += 1;
      ws.on('close', () => open.delete(ws));
      ws.on('message', (data) => {
        const { envelope_id: id } = JSON.parse(String(data));
        if (typeof id === 'string') acknowledged.push(id);
      });
      ws.send(
        JSON.stringify({
          type: 'hello',
          num_connections: open.size,
          debug_info: { host: 'applink-1', build_number: 1, approximate_connection_time: 18_060 },
          connection_info: { app_id: 'A0123ABCD' },
        }),
      );
      opening.resolve();
    });
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', origin);
    let body = '';
    for await (const chunk of request) body += chunk;
    if (down === 'broken') return misbehaveNow({ type: 'broken' }, response);
    if (down === 'hang') {
      hanging.add(response);
      response.on('close', () => hanging.delete(response));
      return;
    }
    const responder = responders.get(url.pathname);
    if (responder !== undefined) {
      respond(responder, JSON.parse(body), response);
      return;
    }
    const method = url.pathname.replace('/api/', '');
    const parameters = parametersOf(request, url, body);
    calls.push({ method, parameters });
    const problem = contract.requestProblem(method, parameters);
    if (problem !== undefined) throw new Error(problem);
    const planned = misbehaviours.findIndex((one) => one.method === method);
    const [how] = planned === -1 ? [] : misbehaviours.splice(planned, 1).map((one) => one.how);
    if (how !== undefined && how.type !== 'answer_lost') return misbehaveNow(how, response);
    const isKnown = request.headers.authorization === `Bearer ${botToken}` && !isRevoked;
    const retryAfter = isKnown ? secondsUntilTaken(method, parameters) : 0;
    if (retryAfter > 0) return misbehaveNow({ type: 'too_many', retryAfter }, response);
    const answer = answerTo(method, parameters, request.headers.authorization);
    const wrong = answer.ok ? contract.answerProblem(method, answer) : undefined;
    if (wrong !== undefined) throw new Error(`the fake: ${wrong}`);
    if (how?.type === 'answer_lost') return void response.socket?.resetAndDestroy();
    write(response, 200, answer);
  }

  /** Slack limits posts by channel, and edits by workspace. */
  function secondsUntilTaken(method: string, { channel }: Members): number {
    const place = String(channel);
    if (method !== 'chat.postMessage' && method !== 'chat.update') return 0;
    const seconds = method === 'chat.update' ? updates.take('') : posts.take(place);
    if (seconds > 0) refusedByRate.push(place);
    return seconds;
  }

  function respond(responder: Responder, answer: Members, response: ServerResponse): void {
    responder.uses += 1;
    if (responder.uses > 5) {
      write(response, 404, { ok: false, error: 'used_url' });
      return;
    }
    const problem = contract.responseProblem(answer);
    if (problem !== undefined) throw new Error(problem);
    const { text } = answer;
    const read = readSlackMessage(answer);
    if (typeof read === 'string') {
      write(response, 400, { ok: false, error: read });
      return;
    }
    const { userId, channel } = responder;
    const ts = `${FIRST_TS + next()}.000200`;
    const { options } = read;
    responses.push({ userId, channel, ts, threadTs: null, text: String(text), options });
    response.end('ok');
  }

  function answerTo(method: string, parameters: Members, authorization = ''): Answer {
    const token = authorization.replace('Bearer ', '');
    const isForApp = method === 'apps.connections.open';
    if (token === '') return refused('not_authed');
    if (token === (isForApp ? botToken : appToken)) return refused('not_allowed_token_type');
    if (token !== (isForApp ? appToken : botToken)) return refused('invalid_auth');
    if (isRevoked && !isForApp) return refused('token_revoked');
    return methods[method]?.(parameters) ?? refused('unknown_method');
  }

  const findMessage = (channel: unknown, ts: unknown) =>
    messages.find((one) => one.channel === channel && one.ts === ts);

  /** A direct message is written to a person, and is in a conversation of its own. */
  function conversationWith(id: unknown): string {
    const to = String(id);
    if (!people.has(to)) return to;
    const direct = `D${to.slice(1)}`;
    channels.set(direct, { name: '', isPrivate: true, isMember: true, isArchived: false });
    return direct;
  }

  const placeProblem = (id: unknown): Answer | null => {
    const channel = channels.get(String(id));
    if (channel === undefined) return refused('channel_not_found');
    if (channel.isArchived) return refused('is_archived');
    return channel.isMember ? null : refused('not_in_channel');
  };

  const methods: Readonly<Record<string, Method>> = {
    'auth.test': () => ({
      ok: true,
      url: 'https://acme.slack.com/',
      team: team.name,
      user: 'pager',
      team_id: team.id,
      user_id: 'U0BOT',
      bot_id: 'B0BOT',
      is_enterprise_install: false,
    }),
    'apps.connections.open': () => {
      const ticket = `ticket-${next()}`;
      tickets.add(ticket);
      return { ok: true, url: `${origin.replace('http', 'ws')}/link/?ticket=${ticket}` };
    },
    'chat.postMessage'(parameters) {
      const { text, thread_ts, reply_broadcast } = parameters;
      const channel = conversationWith(parameters['channel']);
      const problem = placeProblem(channel);
      if (problem !== null) return problem;
      if (thread_ts !== undefined && findMessage(channel, thread_ts) === undefined)
        return refused('thread_not_found');
      const read = readSlackMessage(parameters);
      if (typeof read === 'string') return refused(read);
      const ts = `${FIRST_TS + next()}.000100`;
      messages.push({
        channel: String(channel),
        ts,
        text: String(text),
        edits: 0,
        ...read,
        threadTs: thread_ts === undefined ? null : String(thread_ts),
        isShownInChannel: thread_ts === undefined || reply_broadcast === true,
      });
      const message = { type: 'message', text: String(text), ts, user: 'U0BOT', team: team.id };
      return { ok: true, channel, ts, message };
    },
    'chat.postEphemeral'(parameters) {
      const { channel, user, text, thread_ts } = parameters;
      const problem = placeProblem(channel);
      if (problem !== null) return problem;
      if (!people.has(String(user))) return refused('user_not_in_channel');
      const read = readSlackMessage(parameters);
      if (typeof read === 'string') return refused(read);
      const ts = `${FIRST_TS + next()}.000200`;
      responses.push({
        userId: String(user),
        channel: String(channel),
        ts,
        threadTs: thread_ts === undefined ? null : String(thread_ts),
        text: String(text),
        options: read.options,
      });
      return { ok: true, message_ts: ts };
    },
    'chat.update'(parameters) {
      const { channel, ts, text } = parameters;
      const message = findMessage(channel, ts);
      if (!channels.has(String(channel))) return refused('channel_not_found');
      if (message === undefined) return refused('message_not_found');
      const read = readSlackMessage(parameters);
      if (typeof read === 'string') return refused(read);
      Object.assign(message, { text, ...read, edits: message.edits + 1 });
      return { ok: true, channel, ts, text, message: { type: 'message', text, ts } };
    },
    'users.info'({ user: id }) {
      const person = people.get(String(id));
      if (person === undefined) return refused('user_not_found');
      return { ok: true, user: userOf(String(id), person, team.id) };
    },
    'conversations.info'({ channel: id }) {
      const channel = channels.get(String(id));
      if (channel === undefined || !isVisible(channel)) return refused('channel_not_found');
      return { ok: true, channel: conversationOf(String(id), channel, team.id) };
    },
    'conversations.list'({ types, exclude_archived, limit = '100', cursor = '' }) {
      const wanted = String(types ?? 'public_channel').split(',');
      const from = Number(Buffer.from(String(cursor), 'base64').toString() || '0');
      if (!Number.isInteger(from) || from > channels.size) return refused('invalid_cursor');
      if (Number(limit) < 1 || Number(limit) > 1_000) return refused('invalid_limit');
      // Archived ones are left out of a page after it is cut.
      const until = from + Math.min(Number(limit), pageSize);
      const page = [...channels]
        .slice(from, until)
        .filter(
          ([, one]) =>
            isVisible(one) &&
            wanted.includes(one.isPrivate ? 'private_channel' : 'public_channel') &&
            !(one.isArchived && exclude_archived === 'true'),
        );
      const next = until < channels.size ? Buffer.from(String(until)).toString('base64') : '';
      return {
        ok: true,
        channels: page.map(([id, channel]) => conversationOf(id, channel, team.id)),
        response_metadata: { next_cursor: next },
      };
    },
  };

  let lastSent: { readonly type: string; readonly payload: object } | undefined;

  function send(type: string, payload: object, times = 1): string {
    const id = `envelope-${next()}`;
    lastSent = { type, payload };
    const isEvent = type === 'events_api';
    const envelope = {
      envelope_id: id,
      type,
      accepts_response_payload: !isEvent,
      payload,
      ...(isEvent && { retry_attempt: 0, retry_reason: '' }),
    };
    const problem = contract.envelopeProblem(envelope);
    if (problem !== undefined) throw new Error(`the fake: ${problem}`);
    // Slack chooses one of an app's sockets.
    const [socket] = open;
    if (socket === undefined) throw new Error('no socket is open');
    for (let sent = 0; sent < times; sent += 1) socket.send(JSON.stringify(envelope));
    return id;
  }

  function responseUrl(userId: string, channel: string): string {
    const path = `/actions/${team.id}/${next()}/abc`;
    responders.set(path, { userId, channel, uses: 0 });
    return `${origin}${path}`;
  }

  function act(press: Omit<Press, 'at'>, times?: number): string {
    const { userId, message } = press;
    const at = `${FIRST_TS + next()}.123456`;
    const payload = pressOf({ ...press, at }, team, responseUrl(userId, message.channel));
    return send('interactive', payload, times);
  }

  function deliverMessage(type: 'message' | 'app_mention', message: WrittenMessage): string {
    const { userId, text, channel = 'C0123ABCD', threadTs, event, times } = message;
    const ts =
      message.ts ??
      `${Math.floor(now().epochMilliseconds / 1_000)}.${String(next()).padStart(6, '0')}`;
    const isMention = type === 'app_mention';
    const written = {
      type,
      user: userId,
      text,
      ts,
      channel,
      event_ts: ts,
      team: team.id,
      client_msg_id: `message-${next()}`,
      blocks: [],
      ...(threadTs !== undefined && { thread_ts: threadTs }),
      ...(!isMention && { channel_type: channel.startsWith('D') ? 'im' : 'channel' }),
      ...(!isMention && threadTs !== undefined && { parent_user_id: 'U0BOT' }),
      ...event,
    };
    const payload = {
      token: 'deprecated',
      team_id: team.id,
      context_team_id: team.id,
      context_enterprise_id: null,
      api_app_id: 'A0123ABCD',
      event: written,
      type: 'event_callback',
      event_id: `Ev${next()}`,
      event_time: Number(ts.split('.')[0]),
      authorizations: [
        {
          enterprise_id: null,
          team_id: team.id,
          user_id: 'U0BOT',
          is_bot: true,
          is_enterprise_install: false,
        },
      ],
      is_ext_shared_channel: false,
      event_context: `4-${next()}`,
    };
    return send('events_api', payload, times);
  }

  return {
    url: `${origin}/api`,
    botToken,
    appToken,
    team,
    messages,
    calls,
    refusedByRate,
    responses,
    acknowledged,
    get sockets() {
      return { open: open.size, opened };
    },
    addChannel(id, channel = {}) {
      channels.set(id, {
        name: 'alerts',
        isPrivate: false,
        isMember: true,
        isArchived: false,
        ...channel,
      });
    },
    pageBy(size) {
      pageSize = size;
    },
    archiveChannel(id) {
      const channel = channels.get(id);
      if (channel) channel.isArchived = true;
    },
    addUser(id, person) {
      people.set(id, person);
    },
    removeUser(id) {
      people.delete(id);
    },
    press(userId, ts, text, times) {
      const message = messages.find((one) => one.ts === ts);
      const button = message?.buttons.find((one) => one.text === text);
      if (message === undefined || button === undefined) throw new Error(`no button ${text}`);
      const action = {
        action_id: button.text.toLowerCase(),
        type: 'button',
        text: { type: 'plain_text', text: button.text, emoji: false },
        value: button.value,
      };
      return act({ userId, message, action }, times);
    },
    choose(userId, ts, text, times) {
      const shown = responses.find((one) => one.ts === ts && one.userId === userId);
      const message = shown ?? messages.find((one) => one.ts === ts);
      const option = message?.options.find((one) => one.text === text);
      if (message === undefined || option === undefined) throw new Error(`no option ${text}`);
      const action = {
        action_id: option.actionId,
        type: option.of,
        selected_option: { text: { type: 'plain_text', text, emoji: false }, value: option.value },
      };
      return act({ userId, message, action }, times);
    },
    command(userId, text, times) {
      const payload = {
        token: 'deprecated',
        team_id: team.id,
        team_domain: 'acme',
        channel_id: 'C0123ABCD',
        channel_name: 'alerts',
        user_id: userId,
        user_name: 'ada',
        command: '/pager',
        text,
        api_app_id: 'A0123ABCD',
        is_enterprise_install: 'false',
        response_url: responseUrl(userId, 'C0123ABCD'),
        trigger_id: `${next()}.1.abc`,
      };
      return send('slash_commands', payload, times);
    },
    writeMessage: (message) => deliverMessage('message', message),
    mention: (message) => deliverMessage('app_mention', message),
    redeliver() {
      if (lastSent === undefined) throw new Error('nothing was sent yet');
      return send(lastSent.type, lastSent.payload);
    },
    refresh(reason = 'refresh_requested') {
      for (const socket of open) {
        socket.send(JSON.stringify({ type: 'disconnect', reason }));
        socket.close();
      }
    },
    drop() {
      for (const socket of open) socket.terminate();
    },
    fallSilent() {
      for (const socket of open) socket.pause();
    },
    revokeToken() {
      isRevoked = true;
    },
    misbehave(method, how) {
      misbehaviours.push({ method, how });
    },
    hanging,
    goDown(how) {
      down = how;
      for (const socket of open) socket.terminate();
    },
    comeBack() {
      down = null;
      for (const response of hanging) response.destroy();
    },
    connected: () => opening.promise,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.terminate();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const refused = (error: string): Answer => ({ ok: false, error });

/** To the app. */
const isVisible = ({ isPrivate, isMember }: Channel): boolean => isMember || !isPrivate;

const conversationOf = (id: string, channel: Channel, team: string): object => ({
  id,
  name: channel.name,
  name_normalized: channel.name,
  created: 1_795_000_000,
  creator: 'U0ADA',
  is_channel: true,
  is_group: false,
  is_im: false,
  is_mpim: false,
  is_private: channel.isPrivate,
  is_member: channel.isMember,
  is_archived: channel.isArchived,
  is_general: false,
  is_shared: false,
  is_org_shared: false,
  shared_team_ids: [team],
});

function parametersOf({ headers, method }: IncomingMessage, url: URL, body: string): Members {
  if (method === 'GET') return Object.fromEntries(url.searchParams);
  const type = headers['content-type'];
  if (type === 'application/x-www-form-urlencoded') {
    const fields = [...new URLSearchParams(body)];
    return Object.fromEntries(
      fields.map(([name, value]) => [name, jsonInForms.has(name) ? JSON.parse(value) : value]),
    );
  }
  if (type !== 'application/json; charset=utf-8') throw new Error(`a body of ${type}`);
  return JSON.parse(body);
}

/** The parameters that a form has as JSON. */
const jsonInForms = new Set(['blocks', 'unfurl_links', 'unfurl_media', 'reply_broadcast']);

function userOf(id: string, person: Person, teamId: string): object {
  const { email, isEmailConfirmed = true, isGuest = false, isBot = false } = person;
  return {
    id,
    team_id: person.teamId ?? teamId,
    name: 'ada',
    deleted: false,
    updated: 1,
    is_bot: isBot,
    is_app_user: false,
    is_restricted: isGuest,
    is_ultra_restricted: false,
    is_email_confirmed: isEmailConfirmed,
    profile: { real_name: 'Ada', ...(email !== undefined && { email }) },
  };
}

type Responder = { readonly userId: string; readonly channel: string; uses: number };

type Press = {
  readonly userId: string;
  readonly message: Message | Response;
  readonly action: object;
  readonly at: string;
};

function pressOf(
  { userId, message, action, at }: Press,
  team: FakeSlack['team'],
  response_url: string,
): object {
  const { channel, ts, text } = message;
  const isEphemeral = 'userId' in message;
  return {
    type: 'block_actions',
    user: { id: userId, username: 'ada', name: 'ada', team_id: team.id },
    api_app_id: 'A0123ABCD',
    token: 'deprecated',
    trigger_id: '123.456.abc',
    response_url,
    container: { type: 'message', message_ts: ts, channel_id: channel, is_ephemeral: isEphemeral },
    team: { id: team.id, domain: 'acme' },
    channel: { id: channel, name: 'alerts' },
    // Of what one person alone is shown, Slack sends no more than where it stands.
    ...(!isEphemeral && { message: { type: 'message', user: 'U0BOT', ts, text, blocks: [] } }),
    actions: [{ ...action, block_id: 'b1', action_ts: at }],
  };
}

function misbehaveNow(how: Misbehaviour, response: ServerResponse): void {
  if (how.type === 'refuse')
    write(response, 200, {
      ok: false,
      error: how.error,
      ...(how.needed && { needed: how.needed }),
    });
  else if (how.type === 'too_many') {
    response.setHeader('retry-after', how.retryAfter);
    write(response, 429, { ok: false, error: 'ratelimited' });
  } else if (how.type === 'broken') {
    response.statusCode = 500;
    response.end('<html>Server Error</html>');
  }
}

function write(response: ServerResponse, status: number, answer: object): void {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(JSON.stringify(answer));
}
