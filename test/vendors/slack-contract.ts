// What Pager relies on of Slack: methods of the Web API, answers at a response URL, and Socket Mode. The
// limits of blocks are in slack-blocks.ts.
import Type, { type TSchema } from 'typebox';
import { exactly, oneOf, problemWith, text } from './contract.ts';
import { publishedSlack } from './published/slack.ts';

type Members = Readonly<Record<string, unknown>>;

// https://docs.slack.dev/reference/objects/conversation-object and .../objects/user-object: ids begin
// with a letter that names their kind.
const channelId = Type.String({ pattern: '^[CG][A-Z0-9]+$' });
/** A channel, or the direct messages between the app and a person. */
const conversationId = Type.String({ pattern: '^[CDG][A-Z0-9]+$' });
const userId = Type.String({ pattern: '^[UW][A-Z0-9]+$' });
/** https://docs.slack.dev/messaging/retrieving-messages: the id of a message within its channel. */
const ts = Type.String({ pattern: '^\\d{10}\\.\\d{6}$' });
const ok = Type.Literal(true);
const blocks = Type.Array(Type.Object({ type: text() }), { maxItems: 50 });
const jsonText = Type.String();

/** The parameters of each method, without the token, which is a header. */
const requests: Readonly<Record<string, TSchema>> = {
  // https://docs.slack.dev/reference/methods/auth.test
  'auth.test': exactly({}),
  // https://docs.slack.dev/reference/methods/apps.connections.open
  'apps.connections.open': exactly({}),
  // https://docs.slack.dev/reference/methods/chat.postMessage
  // With the id of a person it is a direct message, and the answer names that conversation.
  'chat.postMessage': exactly({
    channel: Type.Union([conversationId, userId]),
    text: jsonText,
    blocks: Type.Optional(blocks),
    unfurl_links: Type.Optional(Type.Boolean()),
    unfurl_media: Type.Optional(Type.Boolean()),
    thread_ts: Type.Optional(ts),
    reply_broadcast: Type.Optional(Type.Boolean()),
  }),
  // https://docs.slack.dev/reference/methods/chat.postEphemeral
  'chat.postEphemeral': exactly({
    channel: channelId,
    user: userId,
    text: jsonText,
    blocks: Type.Optional(blocks),
    thread_ts: Type.Optional(ts),
  }),
  // https://docs.slack.dev/reference/methods/chat.update: an empty list removes the blocks.
  'chat.update': exactly({ channel: conversationId, ts, text: jsonText, blocks }),
  // https://docs.slack.dev/reference/methods/users.info
  'users.info': exactly({ user: userId }),
  // https://docs.slack.dev/reference/methods/conversations.info
  'conversations.info': exactly({ channel: channelId }),
  // https://docs.slack.dev/reference/methods/conversations.list: at most 1,000 at once, and Slack
  // recommends 200. In a query each value is text.
  'conversations.list': exactly({
    types: Type.String({ pattern: '^(public_channel|private_channel)(,private_channel)?$' }),
    exclude_archived: oneOf('true', 'false'),
    limit: Type.String({ pattern: '^([1-9]\\d{0,2}|1000)$' }),
    cursor: Type.Optional(text()),
  }),
};

const message = exactly({
  type: Type.Literal('message'),
  text: jsonText,
  ts,
  user: Type.Optional(userId),
  team: Type.Optional(text()),
});

// https://docs.slack.dev/reference/objects/conversation-object
const conversation = exactly({
  id: channelId,
  name: text(80),
  name_normalized: text(80),
  created: Type.Integer(),
  creator: userId,
  is_channel: Type.Boolean(),
  is_group: Type.Boolean(),
  is_im: Type.Boolean(),
  is_mpim: Type.Boolean(),
  is_private: Type.Boolean(),
  is_member: Type.Boolean(),
  is_archived: Type.Boolean(),
  is_general: Type.Boolean(),
  is_shared: Type.Boolean(),
  is_org_shared: Type.Boolean(),
  shared_team_ids: Type.Array(text()),
});

/** What each method answers when it succeeds. */
const answers: Readonly<Record<string, TSchema>> = {
  'auth.test': exactly({
    ok,
    url: text(),
    team: text(),
    user: text(),
    team_id: text(),
    user_id: userId,
    bot_id: text(),
    is_enterprise_install: Type.Boolean(),
  }),
  'apps.connections.open': exactly({ ok, url: Type.String({ pattern: '^wss?://' }) }),
  'chat.postMessage': exactly({ ok, channel: conversationId, ts, message }),
  'chat.postEphemeral': exactly({ ok, message_ts: ts }),
  'chat.update': exactly({ ok, channel: conversationId, ts, text: jsonText, message }),
  // https://docs.slack.dev/reference/objects/user-object: the address needs the scope users:read.email.
  'users.info': exactly({
    ok,
    user: exactly({
      id: userId,
      team_id: text(),
      name: text(),
      deleted: Type.Boolean(),
      updated: Type.Integer(),
      is_bot: Type.Boolean(),
      is_app_user: Type.Boolean(),
      is_restricted: Type.Boolean(),
      is_ultra_restricted: Type.Boolean(),
      is_email_confirmed: Type.Boolean(),
      profile: exactly({ real_name: text(), email: Type.Optional(text()) }),
    }),
  }),
  'conversations.info': exactly({ ok, channel: conversation }),
  // https://docs.slack.dev/apis/web-api/pagination: an empty cursor is the end.
  'conversations.list': exactly({
    ok,
    channels: Type.Array(conversation),
    response_metadata: exactly({ next_cursor: Type.String() }),
  }),
};

/** https://docs.slack.dev/interactivity/handling-user-interaction#message_responses */
const response = exactly({
  response_type: Type.Literal('ephemeral'),
  replace_original: Type.Literal(false),
  text: jsonText,
  blocks: Type.Optional(blocks),
});

const plainText = exactly({
  type: Type.Literal('plain_text'),
  text: text(),
  emoji: Type.Optional(Type.Boolean()),
});
const pressed = { action_id: text(255), block_id: text(255), action_ts: ts };

// https://docs.slack.dev/reference/interaction-payloads/block_actions-payload
const blockActions = exactly({
  type: Type.Literal('block_actions'),
  user: exactly({ id: userId, username: text(), name: text(), team_id: text() }),
  api_app_id: text(),
  token: text(),
  trigger_id: text(),
  response_url: text(),
  container: exactly({
    type: Type.Literal('message'),
    message_ts: ts,
    channel_id: conversationId,
    is_ephemeral: Type.Boolean(),
  }),
  team: exactly({ id: text(), domain: text() }),
  channel: exactly({ id: conversationId, name: text() }),
  message: Type.Optional(
    exactly({ type: Type.Literal('message'), user: userId, ts, text: jsonText, blocks }),
  ),
  actions: Type.Array(
    Type.Union([
      exactly({ ...pressed, type: Type.Literal('button'), text: plainText, value: text(2_000) }),
      exactly({
        ...pressed,
        type: oneOf('overflow', 'static_select'),
        selected_option: exactly({ text: plainText, value: text(150) }),
      }),
    ]),
    { minItems: 1 },
  ),
});

// https://docs.slack.dev/interactivity/implementing-slash-commands
const slashCommand = exactly({
  token: text(),
  team_id: text(),
  team_domain: text(),
  channel_id: channelId,
  channel_name: text(),
  user_id: userId,
  user_name: text(),
  command: Type.String({ pattern: '^/' }),
  text: Type.String(),
  api_app_id: text(),
  is_enterprise_install: oneOf('true', 'false'),
  response_url: text(),
  trigger_id: text(),
});

const written = {
  user: Type.Optional(userId),
  text: Type.Optional(Type.String()),
  ts,
  channel: conversationId,
  event_ts: ts,
  team: Type.Optional(text()),
  client_msg_id: Type.Optional(text()),
  blocks: Type.Optional(Type.Array(Type.Object({ type: text() }))),
  thread_ts: Type.Optional(ts),
  bot_id: Type.Optional(text()),
  bot_profile: Type.Optional(Type.Object({ id: text() })),
};

/**
 * https://docs.slack.dev/reference/events/message, .../app_mention. What happens to messages, such as an
 * edit, is a message too, by its subtype.
 */
const messageEvent = exactly({
  ...written,
  type: Type.Literal('message'),
  channel_type: oneOf('channel', 'group', 'im', 'mpim'),
  parent_user_id: Type.Optional(userId),
  subtype: Type.Optional(
    oneOf(
      'thread_broadcast',
      'file_share',
      'bot_message',
      'message_changed',
      'message_deleted',
      'message_replied',
      'channel_join',
      'me_message',
    ),
  ),
  hidden: Type.Optional(Type.Boolean()),
  message: Type.Optional(Type.Object({ type: Type.Literal('message') })),
  previous_message: Type.Optional(Type.Object({ type: Type.Literal('message') })),
  root: Type.Optional(Type.Object({ type: Type.Literal('message') })),
  files: Type.Optional(Type.Array(Type.Object({ id: text() }))),
});
const mentionEvent = exactly({ ...written, type: Type.Literal('app_mention') });

/** https://docs.slack.dev/apis/events-api#callback-field */
const eventCallback = exactly({
  token: text(),
  team_id: text(),
  context_team_id: text(),
  context_enterprise_id: Type.Null(),
  api_app_id: text(),
  event: Type.Union([messageEvent, mentionEvent]),
  type: Type.Literal('event_callback'),
  event_id: Type.String({ pattern: '^Ev[A-Z0-9]+$' }),
  event_time: Type.Integer(),
  authorizations: Type.Array(
    exactly({
      enterprise_id: Type.Null(),
      team_id: text(),
      user_id: userId,
      is_bot: Type.Boolean(),
      is_enterprise_install: Type.Boolean(),
    }),
    { minItems: 1, maxItems: 1 },
  ),
  is_ext_shared_channel: Type.Boolean(),
  event_context: text(),
});

/** https://docs.slack.dev/apis/events-api/using-socket-mode */
const enveloped = (type: string, payload: TSchema, more: Readonly<Record<string, TSchema>> = {}) =>
  exactly({
    envelope_id: text(),
    type: Type.Literal(type),
    accepts_response_payload: Type.Boolean(),
    payload,
    ...more,
  });
const envelope = Type.Union([
  enveloped('interactive', blockActions),
  enveloped('slash_commands', slashCommand),
  enveloped('events_api', eventCallback, {
    retry_attempt: Type.Integer({ minimum: 0 }),
    retry_reason: Type.String(),
  }),
]);

export const slackContract = {
  /** What is wrong with a request of that method, if anything. */
  requestProblem(method: string, parameters: Members): string | undefined {
    const schema = requests[method];
    if (schema === undefined) return `${method}: no such method`;
    const problem = problemWith(method, schema, parameters);
    return problem ?? publishedSlack()?.requestProblem(method, parameters);
  },
  /** The same of what the method answers. */
  answerProblem(method: string, answer: unknown): string | undefined {
    const schema = answers[method];
    if (schema === undefined) return `${method}: no such method`;
    const problem = problemWith(`the answer of ${method}`, schema, answer);
    return problem ?? publishedSlack()?.answerProblem(method, answer);
  },
  responseProblem: (body: unknown) => problemWith('a response', response, body),
  /** Of what arrives by a socket. */
  envelopeProblem: (value: unknown) => problemWith('an envelope', envelope, value),
};
