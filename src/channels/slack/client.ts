import { sendingLimits } from '../../limits/sending.ts';
import type { SlackPost } from '../../notices/slack-post.ts';
import { lineOf } from '../../notices/words/wording.ts';
import { membersOf, parsedJson } from '../json.ts';
import type { VendorAnswer, VendorHttp } from '../vendor-http.ts';

export const slackUrl = 'https://slack.com/api';
/** Where Slack takes answers to what somebody did. */
const RESPONSES_ORIGIN = 'https://hooks.slack.com';
/** Slack’s own is 80. */
const channelNameLength = 100;

export type SlackFailure =
  /** An error of the Web API, by its name. */
  | {
      readonly type: 'refused';
      readonly error: string;
      /** The scope that is missing, where one is. */
      readonly needed?: string;
      readonly retryAfterSeconds?: number;
    }
  /** No answer, or one that is not of the Web API. */
  | { readonly type: 'no_answer'; readonly reason: string; readonly maybeExecuted: boolean };

export type SlackResult<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly failure: SlackFailure };

/** Whose the bot token is. */
export type SlackIdentity = {
  readonly teamId: string;
  readonly team: string;
  readonly botUserId: string;
};

/** A message that stands in a channel. */
export type SentPost = { readonly channel: string; readonly ts: string };

export type SlackUser = {
  readonly teamId: string;
  /** Null where Slack has none, or does not show it. */
  readonly email: string | null;
  readonly isEmailConfirmed: boolean;
  /** A bot, a guest, somebody of another workspace, or somebody who has left. */
  readonly isOutsider: boolean;
};

export type SlackChannel = {
  readonly id: string;
  readonly name: string;
  readonly isPrivate: boolean;
  /** Whether the app is in it. */
  readonly isMember: boolean;
  readonly isArchived: boolean;
};

/** The methods of the Web API that Pager uses. They never throw. */
export type SlackClient = {
  authTest(): Promise<SlackResult<SlackIdentity>>;
  /** With a thread, below that post, and shown in the channel too. */
  postMessage(
    channel: string,
    post: SlackPost,
    thread?: { readonly ts: string; readonly isShownInChannel: boolean },
  ): Promise<SlackResult<SentPost>>;
  /** Shows it to somebody alone, below a post where there is one. */
  postEphemeral(
    shown: { readonly channel: string; readonly user: string; readonly thread: string | null },
    post: SlackPost,
  ): Promise<SlackResult<true>>;
  update(sent: SentPost, post: SlackPost): Promise<SlackResult<true>>;
  /** Shows somebody alone what came of what they did, at the address that came with it. */
  respond(responseUrl: string, post: SlackPost): Promise<SlackResult<true>>;
  userInfo(userId: string): Promise<SlackResult<SlackUser>>;
  channelInfo(channel: string): Promise<SlackResult<SlackChannel>>;
  /** A page of those that are not archived; null: the first. */
  listChannels(
    page: string | null,
  ): Promise<
    SlackResult<{ readonly channels: readonly SlackChannel[]; readonly next: string | null }>
  >;
  /** The address of a socket, good once and soon. */
  openSocket(): Promise<SlackResult<{ readonly url: string }>>;
};

export type SlackClientOptions = {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly botToken: string;
  /** Empty: nothing is received by a socket. */
  readonly appToken: string;
  readonly request: VendorHttp['request'];
};

type Members = Readonly<Record<string, unknown>>;
type Read<Result> = (answer: Members) => Result | undefined;

export function createSlackClient(options: SlackClientOptions): SlackClient {
  const { baseUrl, botToken, appToken, request } = options;

  async function call<Result>(
    method: string,
    parameters: object,
    read: Read<Result>,
    token = botToken,
  ) {
    const answer = await request({
      url: `${baseUrl}/${method}`,
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json; charset=utf-8',
      },
      body: JSON.stringify(parameters),
    });
    return resultOf(answer, read);
  }

  /** Methods that only read take no JSON. */
  async function get<Result>(
    method: string,
    parameters: Record<string, string>,
    read: Read<Result>,
  ) {
    const answer = await request({
      url: `${baseUrl}/${method}?${new URLSearchParams(parameters)}`,
      method: 'GET',
      headers: { authorization: `Bearer ${botToken}` },
    });
    return resultOf(answer, read);
  }

  return {
    authTest: () => call('auth.test', {}, identityOf),
    postMessage: (channel, post, thread) =>
      call(
        'chat.postMessage',
        {
          channel,
          ...bodyOf(post),
          unfurl_links: false,
          unfurl_media: false,
          ...(thread && { thread_ts: thread.ts, reply_broadcast: thread.isShownInChannel }),
        },
        sentPostOf,
      ),
    postEphemeral: ({ channel, user, thread }, post) =>
      call(
        'chat.postEphemeral',
        { channel, user, ...bodyOf(post), ...(thread !== null && { thread_ts: thread }) },
        anything,
      ),
    update: ({ channel, ts }, post) =>
      call('chat.update', { channel, ts, text: post.text, blocks: post.blocks }, anything),
    async respond(responseUrl, post) {
      if (!isOfSlack(responseUrl, baseUrl)) return refused('invalid_response_url');
      const answer = await request({
        url: responseUrl,
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify({
          response_type: 'ephemeral',
          replace_original: false,
          ...bodyOf(post),
        }),
      });
      // It answers `ok` in plain text.
      if (answer.answered && answer.status === 200) return { ok: true, result: true };
      return resultOf(answer, anything);
    },
    userInfo: (user) => get('users.info', { user }, userOf),
    channelInfo: (channel) =>
      get('conversations.info', { channel }, (answer) => channelOf(answer['channel'])),
    listChannels: (cursor) =>
      get(
        'conversations.list',
        {
          types: 'public_channel,private_channel',
          exclude_archived: 'true',
          limit: String(sendingLimits.chatChannelsPage),
          ...(cursor !== null && { cursor }),
        },
        channelsOf,
      ),
    openSocket: () => call('apps.connections.open', {}, socketOf, appToken),
  };
}

/** Without blocks the text is shown. */
const bodyOf = ({ text, blocks }: SlackPost) => ({ text, ...(blocks.length > 0 && { blocks }) });

const refused = (error: string) =>
  ({ ok: false, failure: { type: 'refused', error } }) as const satisfies SlackResult<never>;

/** The address comes with what is received: nothing is sent anywhere else. */
function isOfSlack(responseUrl: string, baseUrl: string): boolean {
  const origin = URL.parse(responseUrl)?.origin;
  return origin === (baseUrl === slackUrl ? RESPONSES_ORIGIN : URL.parse(baseUrl)?.origin);
}

function resultOf<Result>(answer: VendorAnswer, read: Read<Result>): SlackResult<Result> {
  if (!answer.answered) {
    const { reason, maybeExecuted } = answer;
    return { ok: false, failure: { type: 'no_answer', reason, maybeExecuted } };
  }
  const { status, body, retryAfter = '' } = answer;
  const members = membersOf(parsedJson(body));
  const { ok, error, needed } = members;
  if (ok === true) {
    const result = read(members);
    if (result !== undefined) return { ok: true, result };
  }
  const name = ok === false && typeof error === 'string' ? lineOf(error).slice(0, 100) : '';
  // The answer to too many requests is not always JSON.
  if ((name === '' && status !== 429) || status >= 500) {
    const form = name === '' ? 'in a form that is not the Web API’s' : `with ${name}`;
    const reason = `answered ${status} ${form}`;
    return { ok: false, failure: { type: 'no_answer', reason, maybeExecuted: true } };
  }
  return {
    ok: false,
    failure: {
      type: 'refused',
      error: name || 'ratelimited',
      ...(typeof needed === 'string' && { needed: lineOf(needed).slice(0, 100) }),
      ...(/^\d{1,9}$/.test(retryAfter) && { retryAfterSeconds: Number(retryAfter) }),
    },
  };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const anything: Read<true> = () => true;

const identityOf: Read<SlackIdentity> = ({ team_id, team, user_id }) =>
  isText(team_id) && isText(team) && isText(user_id)
    ? { teamId: team_id, team: lineOf(team), botUserId: user_id }
    : undefined;

const sentPostOf: Read<SentPost> = ({ channel, ts }) =>
  isText(channel) && isText(ts) ? { channel, ts } : undefined;

const userOf: Read<SlackUser> = ({ user }) => {
  const { team_id, profile, ...facts } = membersOf(user);
  const { email } = membersOf(profile);
  if (!isText(team_id)) return undefined;
  const outside = [
    'is_bot',
    'is_app_user',
    'is_restricted',
    'is_ultra_restricted',
    'is_stranger',
    'deleted',
  ];
  return {
    teamId: team_id,
    email: isText(email) ? email : null,
    isEmailConfirmed: facts['is_email_confirmed'] === true,
    isOutsider: outside.some((fact) => facts[fact] === true),
  };
};

function channelOf(value: unknown): SlackChannel | undefined {
  const { id, name, ...facts } = membersOf(value);
  if (!isText(id) || !isText(name)) return undefined;
  return {
    id,
    name: lineOf(name).slice(0, channelNameLength),
    isPrivate: facts['is_private'] === true,
    isMember: facts['is_member'] === true,
    isArchived: facts['is_archived'] === true,
  };
}

const channelsOf = ({ channels, response_metadata }: Members) => {
  if (!Array.isArray(channels)) return undefined;
  const { next_cursor: next } = membersOf(response_metadata);
  return {
    channels: channels.flatMap((one) => channelOf(one) ?? []),
    next: isText(next) ? next : null,
  };
};

const socketOf: Read<{ readonly url: string }> = ({ url }) => (isText(url) ? { url } : undefined);
