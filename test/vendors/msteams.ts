// Microsoft Teams on loopback, with one bot in one tenant: the authority that issues tokens, the keys that sign
// what Teams sends, and the Bot Connector. It refuses what Teams refuses, and what does not keep to the contract.
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../src/engine/clock.ts';
import { type ShownCard, shownCard } from './msteams-card.ts';
import { teamsBotContract as contract } from './msteams-contract.ts';
import { TokenBuckets } from './token-buckets.ts';

type Members = Readonly<Record<string, unknown>>;

/** As the people in the conversation see it. */
export type TeamsMessage = ShownCard & {
  readonly conversation: string;
  readonly id: string;
  /** Whether it stands below a post. */
  readonly isReply: boolean;
  edits: number;
};

/** What becomes of the next call whose name begins so, such as `POST /v3/conversations`. */
export type Misbehaviour =
  | {
      readonly type: 'refuse';
      readonly status: number;
      readonly code: string;
      readonly retryAfter?: number;
    }
  | { readonly type: 'broken' }
  | { readonly type: 'hang' }
  /** Done, and the connection breaks before the answer. */
  | { readonly type: 'answer_lost' };

type Person = {
  readonly objectId: string;
  readonly name: string;
  readonly email?: string;
  readonly userPrincipalName?: string;
  readonly tenantId?: string;
  readonly userRole?: string;
};

type Team = { readonly name: string; readonly channels: Map<string, string>; isInstalled: boolean };

/** What stands in a token, where that is not right, and what it is signed with. */
export type Forgery = {
  readonly claims?: Members;
  readonly header?: Members;
  readonly key?: KeyObject;
  readonly token?: string;
  readonly activity?: Members;
};

export type Answer = { readonly status: number; readonly body: unknown };

export type FakeTeams = AsyncDisposable & {
  /** Of the connector, for a client. */
  readonly url: string;
  readonly appId: string;
  readonly tenantId: string;
  readonly clientSecret: string;
  readonly messages: readonly TeamsMessage[];
  readonly calls: readonly string[];
  readonly refusedByRate: readonly string[];
  /** How often the keys were read. */
  readonly keysRead: () => number;
  /** Where Teams calls the bot. */
  endpoint: string;
  addTeam(id: string, name: string, channels: Readonly<Record<string, string>>): void;
  /** Without a word: as while the bot cannot be called. */
  removeBot(teamId: string): void;
  addPerson(memberId: string, person: Person): void;
  /** The bot is notified that it was added or removed. */
  report(
    what: 'added' | 'removed' | 'channelCreated' | 'teamUnarchived',
    teamId: string,
  ): Promise<Answer>;
  /** Presses a button of a message, or of the card that was shown to that person alone. */
  press(
    memberId: string,
    on: TeamsMessage | ShownCard,
    title: string,
    forgery?: Forgery,
  ): Promise<Answer>;
  /** Chooses of a list. */
  choose(memberId: string, on: ShownCard, message: TeamsMessage, choice: string): Promise<Answer>;
  refresh(memberId: string, message: TeamsMessage): Promise<Answer>;
  /** Writes to the bot in a channel, by mention. `below`: in the thread of a post there. */
  mention(
    memberId: string,
    on: { readonly teamId: string; readonly channelId: string; readonly below?: TeamsMessage },
    text: string,
  ): Promise<Answer>;
  /** Writes to the bot in their chat with it. */
  write(memberId: string, text: string): Promise<Answer>;
  /** Sends what was sent last once more, with a token of now. */
  redeliver(): Promise<Answer>;
  /** Sends it as it was, token included. */
  replay(): Promise<Answer>;
  /** What is signed from now on has another key; the one before is gone. */
  rotateKey(): void;
  /** Keys cannot be read for that many requests. */
  failKeys(times: number): void;
  expireTokens(): void;
  revokeSecret(): void;
  misbehave(call: string, how: Misbehaviour): void;
};

const ISSUER = 'https://api.botframework.com';
const FIRST_ID = 1_795_230_741_000;

export async function startFakeTeams(
  now: () => Temporal.Instant = systemClock.now,
): Promise<FakeTeams> {
  const appId = '11111111-2222-4333-8444-555555555555';
  const tenantId = 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee';
  const clientSecret = 'aBc8Q~0123456789abcdefghijklmnopqrstuv';
  const teams = new Map<string, Team>();
  const people = new Map<string, Person>();
  const messages: TeamsMessage[] = [];
  const calls: string[] = [];
  const refusedByRate: string[] = [];
  const misbehaviours: { call: string; how: Misbehaviour }[] = [];
  const tokens = new Set<string>();
  const chats = new Map<string, string>();
  // https://learn.microsoft.com/microsoftteams/platform/bots/how-to/rate-limit: 7 in a second in one thread.
  const posts = new TokenBuckets({ perSecond: 1, burst: 7, now });
  let signing = newKey('key-1');
  let isSecretRevoked = false;
  let keysRead = 0;
  let keysFailing = 0;
  let last = 0;
  let lastSent: { readonly activity: Members; readonly token: string } | undefined;
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

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '', origin);
    let body = '';
    for await (const chunk of request) body += chunk;
    const call = `${request.method} ${decodeURIComponent(pathname.replace(/^\/teams/, ''))}`;
    calls.push(call);
    const planned = misbehaviours.findIndex((one) => call.startsWith(one.call));
    const [how] = planned === -1 ? [] : misbehaviours.splice(planned, 1).map((one) => one.how);
    if (how !== undefined && how.type !== 'answer_lost') return misbehaveNow(how, response);
    if (call === `POST /${tenantId}/oauth2/v2.0/token`) return issue(body, request, response);
    if (call === 'GET /v1/.well-known/openidconfiguration')
      return write(response, 200, {
        issuer: ISSUER,
        jwks_uri: `${origin}/v1/.well-known/keys`,
        id_token_signing_alg_values_supported: ['RS256'],
      });
    if (call === 'GET /v1/.well-known/keys') return listKeys(response);
    if (!pathname.startsWith('/teams/v3/')) return refuse(response, 404, 'NotFound');
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (!tokens.has(token)) return refuse(response, 401, 'Unauthorized');
    const answer = connect(request.method ?? '', pathname, body);
    if (how !== undefined) return void response.socket?.resetAndDestroy();
    if (answer.retryAfter) response.setHeader('retry-after', answer.retryAfter);
    write(response, answer.status, answer.body);
  }

  function issue(body: string, request: IncomingMessage, response: ServerResponse) {
    if (request.headers['content-type'] !== 'application/x-www-form-urlencoded')
      throw new Error('a request of a token is a form');
    const fields = Object.fromEntries(new URLSearchParams(body));
    const problem = contract.tokenProblem(fields);
    if (problem !== undefined) throw new Error(problem);
    const invalid = (error: string, code: number) =>
      write(response, 401, {
        error,
        error_description: `AADSTS${code}: no.`,
        error_codes: [code],
        timestamp: now().toString(),
      });
    if (fields['client_id'] !== appId) return invalid('unauthorized_client', 700016);
    if (fields['client_secret'] !== clientSecret || isSecretRevoked)
      return invalid('invalid_client', 7000215);
    const token = `access-${next()}`;
    tokens.add(token);
    write(response, 200, { token_type: 'Bearer', expires_in: 3_599, access_token: token });
  }

  function listKeys(response: ServerResponse) {
    keysRead += 1;
    if (keysFailing > 0) {
      keysFailing -= 1;
      return misbehaveNow({ type: 'broken' }, response);
    }
    const { n, e } = signing.publicKey.export({ format: 'jwk' });
    const key = {
      kty: 'RSA',
      use: 'sig',
      kid: signing.id,
      n,
      e,
      endorsements: ['msteams', 'webchat'],
    };
    write(response, 200, { keys: [key] });
  }

  type Connected = { readonly status: number; readonly body: object; readonly retryAfter?: number };
  const refused = (status: number, code: string): Connected => ({
    status,
    body: { error: { code, message: 'No.' } },
  });

  function connect(method: string, pathname: string, body: string): Connected {
    const [, , , kind = '', id = '', what = '', rest = ''] = pathname
      .split('/')
      .map((part) => decodeURIComponent(part));
    const sent = body === '' ? {} : JSON.parse(body);
    const held = (name: string) => {
      const problem = contract.requestProblem(name, sent);
      if (problem !== undefined) throw new Error(problem);
    };
    if (kind === 'teams' && method === 'GET' && what === 'conversations') return listChannels(id);
    if (kind !== 'conversations') return refused(404, 'NotFound');
    if (method === 'POST' && id === '') {
      held(sent.isGroup ? 'a post' : 'a chat');
      return sent.isGroup ? post(sent) : openChat(String(sent.members[0].id));
    }
    // In the connector's reference, but not for bots of Teams.
    if (id === '') return refused(405, 'MethodNotAllowed');
    const channel = id.split(';')[0] ?? '';
    const problem = placeProblem(channel);
    if (problem !== null) return problem;
    if (method === 'GET' && what === 'members') return memberOf(rest);
    if (method === 'POST' && what === 'activities' && rest === '') {
      held('a reply');
      return paced(id) ?? add(id, sent, id.includes(';messageid='));
    }
    if (method === 'PUT' && what === 'activities') {
      held('an update');
      const message = messages.find((one) => one.id === rest && one.conversation === id);
      if (message === undefined) return refused(404, 'ActivityNotFoundInConversation');
      Object.assign(message, shownCard(sent.attachments[0].content, sent.summary), {
        edits: message.edits + 1,
      });
      return { status: 200, body: { id: rest } };
    }
    return refused(405, 'MethodNotAllowed');
  }

  function paced(place: string): Connected | null {
    const seconds = posts.take(place);
    if (seconds === 0) return null;
    refusedByRate.push(place);
    return { ...refused(429, 'TooManyRequests'), retryAfter: seconds };
  }

  const teamOf = (channelId: string) =>
    [...teams].find(([id, { channels }]) => id === channelId || channels.has(channelId));

  function placeProblem(channel: string): Connected | null {
    if (chats.has(channel)) return null;
    const [, team] = teamOf(channel) ?? [];
    if (team === undefined) return refused(404, 'ConversationNotFound');
    return team.isInstalled ? null : refused(403, 'BotNotInConversationRoster');
  }

  function post({
    channelData,
    activity,
  }: {
    channelData: { channel: { id: string } };
    activity: Members;
  }) {
    const { id: channel } = channelData.channel;
    const problem = placeProblem(channel) ?? paced(channel);
    if (problem !== null) return problem;
    const id = String(FIRST_ID + next());
    const conversation = `${channel};messageid=${id}`;
    add(conversation, activity, false, id);
    return { status: 201, body: { id: conversation, activityId: id } };
  }

  function add(
    conversation: string,
    activity: Members,
    isReply: boolean,
    id = String(FIRST_ID + next()),
  ) {
    const [{ content }] = activity['attachments'] as [{ content: Members }];
    const shown = shownCard(content, String(activity['summary']));
    messages.push({ conversation, id, isReply, edits: 0, ...shown });
    return { status: 201, body: { id } };
  }

  function openChat(memberId: string): Connected {
    if (!people.has(memberId)) return refused(403, 'ForbiddenOperationException');
    const id = `a:chat-of-${memberId.slice(3)}`;
    chats.set(id, memberId);
    return { status: 201, body: { id } };
  }

  function memberOf(memberId: string): Connected {
    const person = people.get(memberId);
    if (person === undefined) return refused(404, 'MemberNotFoundInConversation');
    const { objectId, name, email, userPrincipalName, userRole = 'user' } = person;
    return {
      status: 200,
      body: {
        id: memberId,
        name,
        aadObjectId: objectId,
        ...(email && { email }),
        userPrincipalName: userPrincipalName ?? email ?? '',
        tenantId: person.tenantId ?? tenantId,
        userRole,
      },
    };
  }

  function listChannels(teamId: string): Connected {
    const team = teams.get(teamId);
    if (!team?.isInstalled) return refused(403, 'BotNotInConversationRoster');
    const conversations = [...team.channels].map(([id, name]) =>
      // The first channel has no name.
      id === teamId ? { id } : { id, name },
    );
    return { status: 200, body: { conversations } };
  }

  function tokenFor(activity: Members, { claims, header, key, token }: Forgery): string {
    if (token !== undefined) return token;
    const seconds = Math.floor(now().epochMilliseconds / 1_000);
    const parts = [
      { alg: 'RS256', kid: signing.id, typ: 'JWT', ...header },
      {
        serviceurl: activity['serviceUrl'],
        nbf: seconds,
        exp: seconds + 3_600,
        iss: ISSUER,
        aud: appId,
        ...claims,
      },
    ].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
    const signed = parts.join('.');
    const signature = sign('RSA-SHA256', Buffer.from(signed), key ?? signing.privateKey);
    return `${signed}.${signature.toString('base64url')}`;
  }

  async function send(activity: Members, forgery: Forgery = {}): Promise<Answer> {
    const sent = { ...activity, ...forgery.activity };
    const problem = forgery.activity ? undefined : contract.activityProblem(sent as never);
    if (problem !== undefined) throw new Error(`the fake: ${problem}`);
    return deliver(sent, tokenFor(sent, forgery));
  }

  async function deliver(activity: Members, token: string): Promise<Answer> {
    lastSent = { activity, token };
    const response = await fetch(endpointOf(), {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify(activity),
    });
    const written = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    const body: unknown = isJson ? JSON.parse(written) : written;
    if (activity['type'] === 'invoke' && response.status === 200) {
      const wrong = contract.invokeAnswerProblem(body as object);
      if (wrong !== undefined) throw new Error(wrong);
    }
    return { status: response.status, body };
  }

  const endpointOf = () => fake.endpoint;

  type Place = { readonly conversation: string; readonly team?: string; readonly channel?: string };

  function baseOf(memberId: string, { conversation, team, channel }: Place): Members {
    const person = people.get(memberId);
    const isPersonal = channel === undefined && team === undefined;
    const name = team === undefined ? undefined : teams.get(team)?.name;
    return {
      id: `f:${next()}`,
      timestamp: now().toString(),
      serviceUrl: `${origin}/teams/`,
      channelId: 'msteams',
      from: {
        id: memberId,
        ...(person && { name: person.name, aadObjectId: person.objectId }),
      },
      conversation: {
        id: conversation,
        ...(!isPersonal && { isGroup: true }),
        conversationType: isPersonal ? 'personal' : 'channel',
        tenantId,
      },
      recipient: { id: `28:${appId}`, name: 'Pager' },
      channelData: {
        ...(channel !== undefined && { channel: { id: channel } }),
        ...(team !== undefined && { team: { id: team, ...(name && { name }) } }),
        tenant: { id: tenantId },
      },
    };
  }

  function invoke(memberId: string, message: TeamsMessage, action: Members, forgery?: Forgery) {
    const channel = message.conversation.split(';')[0] ?? '';
    const [team] = teamOf(channel) ?? [];
    const place = {
      conversation: message.conversation,
      channel,
      ...(team !== undefined && { team }),
    };
    return send(
      {
        ...baseOf(memberId, place),
        type: 'invoke',
        name: 'adaptiveCard/action',
        replyToId: message.id,
        value: { action: { type: 'Action.Execute', ...action }, trigger: 'manual' },
      },
      forgery,
    );
  }

  const actionOf = (on: ShownCard, title: string) => {
    const button = on.buttons.find((one) => one.title === title);
    if (button === undefined) throw new Error(`no button ${title}`);
    const { verb, data } = button;
    return { title, verb, data };
  };

  /** A person’s own card stands in place of the message. */
  const messageOf = (on: TeamsMessage | ShownCard): TeamsMessage => {
    const message = 'conversation' in on ? on : messages.find(({ isReply }) => !isReply);
    if (message === undefined) throw new Error('no message');
    return message;
  };

  const fake: FakeTeams = {
    url: `${origin}/teams`,
    appId,
    tenantId,
    clientSecret,
    messages,
    calls,
    refusedByRate,
    keysRead: () => keysRead,
    endpoint: '',
    addTeam(id, name, channels) {
      teams.set(id, { name, channels: new Map(Object.entries(channels)), isInstalled: true });
    },
    removeBot(teamId) {
      const team = teams.get(teamId);
      if (team) team.isInstalled = false;
    },
    addPerson(memberId, person) {
      people.set(memberId, person);
    },
    report(what, teamId) {
      const isAdded = what === 'added';
      const base = baseOf('29:admin', { conversation: teamId, team: teamId, channel: teamId });
      const updated = (eventType: string) => ({
        ...base,
        type: 'conversationUpdate',
        channelData: { ...(base['channelData'] as Members), eventType },
      });
      if (what !== 'added' && what !== 'removed') return send(updated(what));
      const members = [{ id: `28:${appId}` }];
      return send({
        ...updated(isAdded ? 'teamMemberAdded' : 'teamMemberRemoved'),
        ...(isAdded ? { membersAdded: members } : { membersRemoved: members }),
      });
    },
    press: (memberId, on, title, forgery) =>
      invoke(memberId, messageOf(on), actionOf(on, title), forgery),
    choose(memberId, on, message, choice) {
      const handle = on.choices.find(({ title }) => title === choice)?.value;
      if (handle === undefined) throw new Error(`no choice ${choice}`);
      // The input is added to what the button carries.
      return invoke(memberId, message, { ...actionOf(on, 'Run'), data: { handle } });
    },
    refresh(memberId, message) {
      if (message.refresh === null) throw new Error('it cannot be refreshed');
      return invoke(memberId, message, message.refresh);
    },
    mention: (memberId, { teamId: team, channelId: channel, below }, text) =>
      send({
        ...baseOf(memberId, {
          conversation: below?.conversation ?? `${channel};messageid=${FIRST_ID + next()}`,
          team,
          channel,
        }),
        type: 'message',
        text: `<at>Pager</at>&nbsp;${text}\n`,
        textFormat: 'plain',
        entities: [
          {
            type: 'mention',
            text: '<at>Pager</at>',
            mentioned: { id: `28:${appId}`, name: 'Pager' },
          },
        ],
      }),
    write(memberId, text) {
      openChat(memberId);
      const conversation = `a:chat-of-${memberId.slice(3)}`;
      return send({
        ...baseOf(memberId, { conversation }),
        type: 'message',
        text,
        textFormat: 'plain',
        entities: [],
      });
    },
    redeliver() {
      if (lastSent === undefined) throw new Error('nothing was sent');
      return send(lastSent.activity);
    },
    replay() {
      if (lastSent === undefined) throw new Error('nothing was sent');
      return deliver(lastSent.activity, lastSent.token);
    },
    rotateKey() {
      signing = newKey(`key-${next()}`);
    },
    failKeys(times) {
      keysFailing = times;
    },
    expireTokens: () => tokens.clear(),
    revokeSecret() {
      isSecretRevoked = true;
      tokens.clear();
    },
    misbehave(call, how) {
      misbehaviours.push({ call, how });
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return fake;
}

function newKey(id: string) {
  return { id, ...generateKeyPairSync('rsa', { modulusLength: 2_048 }) };
}

function misbehaveNow(how: Misbehaviour, response: ServerResponse) {
  if (how.type === 'refuse') {
    if (how.retryAfter !== undefined) response.setHeader('retry-after', how.retryAfter);
    refuse(response, how.status, how.code);
  } else if (how.type === 'broken') {
    response.statusCode = 500;
    response.end('<html>Server Error</html>');
  }
}

const refuse = (response: ServerResponse, status: number, code: string): void =>
  write(response, status, { error: { code, message: 'No.' } });

function write(response: ServerResponse, status: number, answer: object): void {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(JSON.stringify(answer));
}
