import type { DiscordPost } from '../../notices/discord-post.ts';
import { lineOf } from '../../notices/words/wording.ts';
import { membersOf, parsedJson } from '../json.ts';
import type { VendorAnswer, VendorHttp, VendorRequest } from '../vendor-http.ts';
import { pagerCommand } from './command.ts';
import {
  applicationOf,
  channelOf,
  channelsOf,
  type DiscordApplication,
  type DiscordChannel,
  type DiscordGateway,
  type DiscordGuild,
  type DiscordSent,
  gatewayOf,
  guildsOf,
  hasPagerCommand,
  rolesOf,
  sentOf,
} from './objects.ts';

export const discordUrl = 'https://discord.com/api/v10';
const HEADERS = {
  // In the form that Discord requires of programs.
  'user-agent': 'DiscordBot (https://docs.discord.com/developers, 10) Pager',
};
const EPHEMERAL = 64;
const WEEK_MINUTES = 10_080;

export type DiscordFailure =
  | {
      readonly type: 'refused';
      readonly status: number;
      /** Of Discord’s own list; 0: it gave none. */
      readonly code: number;
      readonly message: string;
      readonly retryAfterSeconds?: number;
      /** It is the bot that sends too much, and not the route. */
      readonly isGlobal?: true;
    }
  /** No answer, or one that is not of the API. */
  | { readonly type: 'no_answer'; readonly reason: string; readonly maybeExecuted: boolean };

export type DiscordResult<Result> = (
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly failure: DiscordFailure }
) & {
  /** The route takes nothing more for that time. */
  readonly fullForSeconds?: number;
};

/** Of a press or a command, where it is answered within 15 minutes. */
export type InteractionAddress = {
  readonly id: string;
  readonly applicationId: string;
  readonly token: string;
};

/** The routes of the API that Pager uses. They never throw. */
export type DiscordClient = {
  me(): Promise<DiscordResult<{ readonly id: string; readonly username: string }>>;
  application(): Promise<DiscordResult<DiscordApplication>>;
  setInteractionsUrl(url: string | null): Promise<DiscordResult<DiscordApplication>>;
  hasCommand(applicationId: string): Promise<DiscordResult<boolean>>;
  putCommand(applicationId: string): Promise<DiscordResult<true>>;
  /** Those with a higher id than that, in the order of their ids. */
  guilds(after: string, limit: number): Promise<DiscordResult<readonly DiscordGuild[]>>;
  guildChannels(guildId: string): Promise<DiscordResult<readonly DiscordChannel[]>>;
  memberRoles(guildId: string, userId: string): Promise<DiscordResult<readonly string[]>>;
  channel(channelId: string): Promise<DiscordResult<DiscordChannel>>;
  /** `once`: a message with it is posted once within some minutes. */
  post(
    channelId: string,
    post: DiscordPost,
    how: { readonly once?: string | undefined; readonly repliesTo?: string },
  ): Promise<DiscordResult<DiscordSent>>;
  edit(sent: DiscordSent, post: DiscordPost): Promise<DiscordResult<DiscordSent>>;
  /** Below a message, with the id of that. */
  openThread(sent: DiscordSent, name: string): Promise<DiscordResult<true>>;
  /** Within three seconds, so that Discord does not show that the app does not answer. */
  defer(interaction: InteractionAddress, answer: object): Promise<DiscordResult<true>>;
  /** Shows somebody alone what came of a command that was deferred. */
  answer(interaction: InteractionAddress, post: DiscordPost): Promise<DiscordResult<true>>;
  /** The same of a press. */
  follow(interaction: InteractionAddress, post: DiscordPost): Promise<DiscordResult<true>>;
  /** Of a command that gets no answer. */
  withdraw(interaction: InteractionAddress): Promise<DiscordResult<true>>;
  gateway(): Promise<DiscordResult<DiscordGateway>>;
};

export type DiscordClientOptions = {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly botToken: string;
  readonly request: VendorHttp['request'];
};

type Call = {
  readonly method: VendorRequest['method'];
  readonly path: string;
  readonly body?: object;
  /** The token of an interaction is in its path. */
  readonly isOpen?: true;
};

export function createDiscordClient(options: DiscordClientOptions): DiscordClient {
  const { baseUrl, botToken, request } = options;

  async function call<Result>(
    { method, path, body, isOpen }: Call,
    read: (answer: unknown) => Result | undefined,
  ): Promise<DiscordResult<Result>> {
    const answer = await request({
      url: `${baseUrl}${path}`,
      method,
      headers: {
        ...HEADERS,
        ...(!isOpen && { authorization: `Bot ${botToken}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    return resultOf(answer, read);
  }

  const get = <Result>(path: string, read: (answer: unknown) => Result | undefined) =>
    call({ method: 'GET', path }, read);

  const replyPath = ({ applicationId, token }: InteractionAddress) =>
    `/webhooks/${applicationId}/${encodeURIComponent(token)}`;

  return {
    me: () => get('/users/@me', userOf),
    application: () => get('/applications/@me', applicationOf),
    setInteractionsUrl: (interactions_endpoint_url) =>
      call(
        { method: 'PATCH', path: '/applications/@me', body: { interactions_endpoint_url } },
        applicationOf,
      ),
    hasCommand: (id) => get(`/applications/${id}/commands`, hasPagerCommand),
    putCommand: (id) =>
      call({ method: 'POST', path: `/applications/${id}/commands`, body: pagerCommand }, anything),
    guilds: (after, limit) => get(`/users/@me/guilds?after=${after}&limit=${limit}`, guildsOf),
    guildChannels: (id) => get(`/guilds/${id}/channels`, channelsOf),
    memberRoles: (guild, user) => get(`/guilds/${guild}/members/${user}`, rolesOf),
    channel: (id) => get(`/channels/${id}`, channelOf),
    post: (channelId, post, { once, repliesTo }) =>
      call(
        {
          method: 'POST',
          path: `/channels/${channelId}/messages`,
          body: {
            ...post,
            ...(once !== undefined && { nonce: once, enforce_nonce: true }),
            ...(repliesTo !== undefined && {
              message_reference: { message_id: repliesTo, fail_if_not_exists: false },
            }),
          },
        },
        sentOf,
      ),
    edit: ({ channelId, id }, post) =>
      call({ method: 'PATCH', path: `/channels/${channelId}/messages/${id}`, body: post }, sentOf),
    openThread: ({ channelId, id }, name) =>
      call(
        {
          method: 'POST',
          path: `/channels/${channelId}/messages/${id}/threads`,
          body: { name, auto_archive_duration: WEEK_MINUTES },
        },
        anything,
      ),
    defer: ({ id, token }, answer) =>
      call(
        {
          method: 'POST',
          path: `/interactions/${id}/${encodeURIComponent(token)}/callback`,
          body: answer,
          isOpen: true,
        },
        anything,
      ),
    answer: (interaction, post) =>
      call(
        {
          method: 'PATCH',
          path: `${replyPath(interaction)}/messages/@original`,
          body: post,
          isOpen: true,
        },
        anything,
      ),
    follow: (interaction, post) =>
      call(
        {
          method: 'POST',
          path: replyPath(interaction),
          body: { ...post, flags: EPHEMERAL },
          isOpen: true,
        },
        anything,
      ),
    withdraw: (interaction) =>
      call(
        { method: 'DELETE', path: `${replyPath(interaction)}/messages/@original`, isOpen: true },
        anything,
      ),
    gateway: () => get('/gateway/bot', gatewayOf),
  };
}

/** What tells Discord that a command is being done, to be answered to its person alone. */
export const deferredAnswer = { type: 5, data: { flags: EPHEMERAL } } as const;
/** The same of a press, whose message stays as it is. */
export const deferredEdit = { type: 6 } as const;

const anything = () => true as const;

function userOf(answer: unknown) {
  const { id, username } = membersOf(answer);
  return typeof id === 'string' && typeof username === 'string'
    ? { id, username: lineOf(username) }
    : undefined;
}

function resultOf<Result>(
  answer: VendorAnswer,
  read: (answer: unknown) => Result | undefined,
): DiscordResult<Result> {
  if (!answer.answered) {
    const { reason, maybeExecuted } = answer;
    return { ok: false, failure: { type: 'no_answer', reason, maybeExecuted } };
  }
  const { status, body } = answer;
  const members = parsedJson(body);
  const isDone = status >= 200 && status < 300;
  const result = isDone && (members !== undefined || body === '') ? read(members) : undefined;
  const full = fullFor(answer);
  if (result !== undefined) return { ok: true, result, ...full };
  return { ok: false, failure: failureOf(answer, membersOf(members)), ...full };
}

type Answered = Extract<VendorAnswer, { readonly answered: true }>;

function failureOf(
  { status, retryAfter = '', rateLimit }: Answered,
  { code, message, retry_after, global }: Readonly<Record<string, unknown>>,
): DiscordFailure {
  // An error of the API is JSON; what stands before it may answer with a page.
  const isOfApi = typeof message === 'string' || status === 429;
  if (status < 400 || status >= 500 || !isOfApi) {
    const reason = `answered ${status}${isOfApi ? '' : ' in a form that is not the API’s'}`;
    // What is refused before it reaches the API is not done.
    return { type: 'no_answer', reason, maybeExecuted: status < 400 || status >= 500 };
  }
  const seconds = typeof retry_after === 'number' ? retry_after : Number(retryAfter || Number.NaN);
  return {
    type: 'refused',
    status,
    code: typeof code === 'number' ? code : 0,
    message: typeof message === 'string' ? lineOf(message).slice(0, 200) : '',
    ...(seconds > 0 && { retryAfterSeconds: seconds }),
    ...((global === true || rateLimit?.['global'] !== undefined) && { isGlobal: true }),
  };
}

/** When nothing remains of what a route takes: https://discord.com/developers/docs/topics/rate-limits */
function fullFor({ rateLimit = {} }: Answered): { readonly fullForSeconds?: number } {
  const seconds = Number(rateLimit['reset-after']);
  return rateLimit['remaining'] === '0' && seconds > 0 ? { fullForSeconds: seconds } : {};
}
