// The Bot Connector, as Pager uses it.
import { sendingLimits } from '../../limits/sending.ts';
import { teamsCardType } from '../../notices/teams.ts';
import type { TeamsCard } from '../../notices/teams-card.ts';
import { lineOf } from '../../notices/words/wording.ts';
import { membersOf, parsedJson } from '../json.ts';
import type { VendorAnswer, VendorRequest } from '../vendor-http.ts';
import type { TeamsFailure } from './failure.ts';
import type { TokenResult } from './token.ts';

export type TeamsResult<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly failure: TeamsFailure };

/** A message that stands in a conversation. */
export type SentActivity = { readonly conversation: string; readonly activity: string };

/** A message as a card; `summary` is for lock screens. */
export type TeamsMessage = { readonly card: TeamsCard; readonly summary: string };

export type TeamsMember = {
  readonly aadObjectId: string | null;
  readonly tenantId: string | null;
  readonly email: string | null;
  readonly userPrincipalName: string;
  readonly role: string;
};

export type TeamsChannel = { readonly id: string; readonly name: string };

/** The calls of the connector that Pager makes. They never throw. */
export type TeamsClient = {
  /** A new post in a channel. */
  post(channelId: string, message: TeamsMessage): Promise<TeamsResult<SentActivity>>;
  /** Below a post, or in a chat. */
  reply(conversation: string, message: TeamsMessage): Promise<TeamsResult<true>>;
  update(sent: SentActivity, message: TeamsMessage): Promise<TeamsResult<true>>;
  member(conversation: string, memberId: string): Promise<TeamsResult<TeamsMember>>;
  /** The chat of the bot with somebody alone. */
  openChat(memberId: string): Promise<TeamsResult<string>>;
  channelsOf(teamId: string): Promise<TeamsResult<readonly TeamsChannel[]>>;
  /** Why the connector cannot be asked, or does not answer; null: it does, whatever it says. */
  probe(): Promise<TeamsFailure | null>;
};

export type TeamsClientOptions = {
  /** Without a slash at its end. */
  readonly connector: string;
  readonly appId: string;
  readonly tenantId: string;
  readonly request: (request: VendorRequest) => Promise<VendorAnswer>;
  readonly token: (how: { readonly isAnew: boolean }) => Promise<TokenResult>;
};

type Members = Readonly<Record<string, unknown>>;
type Read<Result> = (answer: Members) => Result | undefined;
type Call = {
  readonly method: VendorRequest['method'];
  readonly path: string;
  readonly body?: object;
};

export function createTeamsClient(options: TeamsClientOptions): TeamsClient {
  const { connector, appId, tenantId, request, token } = options;
  const bot = { id: `28:${appId}` };

  async function send({ method, path, body }: Call, bearer: string): Promise<VendorAnswer> {
    return request({
      url: `${connector}${path}`,
      method,
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body && { 'content-type': 'application/json; charset=utf-8' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  /** A token that is refused may have been withdrawn: a new one is tried once. */
  async function call<Result>(what: Call, read: Read<Result>): Promise<TeamsResult<Result>> {
    const first = await token({ isAnew: false });
    if ('failure' in first) return { ok: false, failure: first.failure };
    const answer = await send(what, first.token);
    if (!answer.answered || answer.status !== 401) return resultOf(answer, read);
    const second = await token({ isAnew: true });
    if ('failure' in second) return { ok: false, failure: second.failure };
    return resultOf(await send(what, second.token), read);
  }

  const inConversation = (id: string, rest: string) =>
    `/v3/conversations/${encodeURIComponent(id)}${rest}`;

  return {
    post: (channelId, message) =>
      call(
        {
          method: 'POST',
          path: '/v3/conversations',
          body: {
            isGroup: true,
            bot,
            tenantId,
            channelData: { channel: { id: channelId } },
            activity: activityOf(message),
          },
        },
        ({ id, activityId }) =>
          isId(id) && isId(activityId) ? { conversation: id, activity: activityId } : undefined,
      ),
    reply: (conversation, message) =>
      call(
        {
          method: 'POST',
          path: inConversation(conversation, '/activities'),
          body: activityOf(message),
        },
        anything,
      ),
    update: ({ conversation, activity }, message) =>
      call(
        {
          method: 'PUT',
          path: inConversation(conversation, `/activities/${encodeURIComponent(activity)}`),
          body: { id: activity, ...activityOf(message) },
        },
        anything,
      ),
    member: (conversation, memberId) =>
      call(
        {
          method: 'GET',
          path: inConversation(conversation, `/members/${encodeURIComponent(memberId)}`),
        },
        memberOf,
      ),
    openChat: (memberId) =>
      call(
        {
          method: 'POST',
          path: '/v3/conversations',
          body: {
            isGroup: false,
            bot,
            tenantId,
            members: [{ id: memberId }],
            channelData: { tenant: { id: tenantId } },
          },
        },
        ({ id }) => (isId(id) ? id : undefined),
      ),
    channelsOf: (teamId) =>
      call(
        { method: 'GET', path: `/v3/teams/${encodeURIComponent(teamId)}/conversations` },
        channelsIn,
      ),
    async probe() {
      const now = await token({ isAnew: false });
      if ('failure' in now) return now.failure;
      const answer = await send({ method: 'GET', path: '/v3/conversations' }, now.token);
      return answer.answered ? null : unanswered(answer);
    },
  };
}

const activityOf = ({ card, summary }: TeamsMessage) => ({
  type: 'message',
  summary,
  attachments: [{ contentType: teamsCardType, content: card }],
});

type Unanswered = Extract<VendorAnswer, { readonly answered: false }>;

const unanswered = ({ reason, maybeExecuted }: Unanswered): TeamsFailure => ({
  type: 'no_answer',
  reason,
  maybeExecuted,
});

function resultOf<Result>(answer: VendorAnswer, read: Read<Result>): TeamsResult<Result> {
  if (!answer.answered) return { ok: false, failure: unanswered(answer) };
  const { status, body, retryAfter = '' } = answer;
  const members = membersOf(parsedJson(body));
  if (status >= 200 && status < 300) {
    const result = read(members);
    if (result !== undefined) return { ok: true, result };
    const reason = `answered ${status} in a form that is not the Bot Connector’s`;
    return { ok: false, failure: { type: 'no_answer', reason, maybeExecuted: true } };
  }
  const { code } = membersOf(members['error']);
  return {
    ok: false,
    failure: {
      type: 'refused',
      of: 'connector',
      status,
      code: typeof code === 'string' ? lineOf(code).slice(0, 100) : '',
      retryAfter,
    },
  };
}

const anything: Read<true> = () => true;

/** Of conversations and activities, short enough to be stored. */
const isId = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7e]{1,300}$/.test(value);

const textOr = <Other>(value: unknown, other: Other): string | Other =>
  typeof value === 'string' && value !== '' ? value : other;

/** Older answers call the object id otherwise. */
const memberOf: Read<TeamsMember> = ({ id, aadObjectId, objectId, tenantId, email, ...others }) =>
  typeof id !== 'string'
    ? undefined
    : {
        aadObjectId: textOr(aadObjectId ?? objectId, null),
        tenantId: textOr(tenantId, null),
        email: textOr(email, null),
        userPrincipalName: textOr(others['userPrincipalName'], ''),
        role: textOr(others['userRole'], ''),
      };

const GENERAL = 'General';

/** The first channel of a team has no name in every language. */
const channelsIn: Read<readonly TeamsChannel[]> = ({ conversations }) =>
  Array.isArray(conversations)
    ? conversations.flatMap((one) => {
        const { id, name } = membersOf(one);
        if (!isId(id)) return [];
        const shown = textOr(name, GENERAL);
        return [{ id, name: lineOf(shown).slice(0, sendingLimits.chatName) }];
      })
    : undefined;
