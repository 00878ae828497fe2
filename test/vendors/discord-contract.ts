// What Pager relies on of Discord: webhooks, the API of bots, interactions and the gateway.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import Type, { type TSchema } from 'typebox';
import { published } from '../published.ts';
import { exactly, httpUrl, oneOf, problemsIn, problemWith, text } from './contract.ts';

// https://discord.com/developers/docs/reference#snowflakes
const id = Type.String({ pattern: '^\\d{1,20}$' });

// https://discord.com/developers/docs/resources/message#embed-object-embed-limits
const embed = exactly({
  title: Type.String({ maxLength: 256 }),
  url: Type.Optional(httpUrl),
  description: Type.String({ maxLength: 4_096 }),
  color: Type.Integer({ minimum: 0, maximum: 0xffffff }),
  fields: Type.Array(
    exactly({ name: text(256), value: text(1_024), inline: Type.Optional(Type.Boolean()) }),
    { maxItems: 25 },
  ),
  footer: exactly({ text: text(2_048) }),
  timestamp: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' })),
});

// https://discord.com/developers/docs/resources/message#allowed-mentions-object
const allowedMentions = exactly({
  parse: Type.Array(Type.Enum(['everyone', 'roles', 'users'])),
  users: Type.Array(id, { maxItems: 100 }),
  roles: Type.Array(id, { maxItems: 100 }),
});

// https://discord.com/developers/docs/resources/webhook#execute-webhook
const message = exactly({
  content: text(2_000),
  embeds: Type.Array(embed, { maxItems: 10 }),
  allowed_mentions: allowedMentions,
});

// https://discord.com/developers/docs/components/reference
const button = exactly({
  type: Type.Literal(2),
  style: Type.Integer({ minimum: 1, maximum: 4 }),
  label: text(80),
  custom_id: text(100),
});
const select = exactly({
  type: Type.Literal(3),
  custom_id: text(100),
  placeholder: Type.String({ maxLength: 150 }),
  options: Type.Array(exactly({ label: text(100), value: text(100) }), {
    minItems: 1,
    maxItems: 25,
  }),
});
const row = exactly({
  type: Type.Literal(1),
  components: Type.Union([
    Type.Array(button, { minItems: 1, maxItems: 5 }),
    Type.Array(select, { minItems: 1, maxItems: 1 }),
  ]),
});

const post = {
  content: text(2_000),
  embeds: Type.Array(embed, { maxItems: 10 }),
  components: Type.Array(row, { maxItems: 5 }),
  allowed_mentions: allowedMentions,
};

// https://discord.com/developers/docs/interactions/application-commands#application-command-object
const commandName = Type.String({ pattern: '^[a-z0-9_-]{1,32}$' });
const field = exactly({
  type: Type.Literal(3),
  name: commandName,
  description: text(100),
  required: Type.Boolean(),
  max_length: Type.Integer({ minimum: 1, maximum: 6_000 }),
});
const command = exactly({
  type: Type.Literal(1),
  name: commandName,
  description: text(100),
  contexts: Type.Array(Type.Integer({ minimum: 0, maximum: 2 })),
  options: Type.Array(
    exactly({
      type: Type.Literal(1),
      name: commandName,
      description: text(100),
      options: Type.Array(field, { maxItems: 25 }),
    }),
    { maxItems: 25 },
  ),
});

const nothing = exactly({});

/** What is sent to each route. */
const requests: Readonly<Record<string, TSchema>> = {
  'GET /users/@me': nothing,
  // https://discord.com/developers/docs/resources/user#get-current-user-guilds
  'GET /users/@me/guilds': exactly({
    after: id,
    limit: Type.String({ pattern: '^([1-9]\\d?|1\\d\\d|200)$' }),
  }),
  'GET /applications/@me': nothing,
  // https://discord.com/developers/docs/resources/application#edit-current-application
  'PATCH /applications/@me': exactly({
    interactions_endpoint_url: Type.Union([Type.Null(), httpUrl]),
  }),
  'GET /applications/:id/commands': nothing,
  'POST /applications/:id/commands': command,
  'GET /guilds/:id/channels': nothing,
  'GET /guilds/:id/members/:id': nothing,
  'GET /channels/:id': nothing,
  // https://discord.com/developers/docs/resources/message#create-message
  'POST /channels/:id/messages': exactly({
    ...post,
    nonce: Type.Optional(text(25)),
    enforce_nonce: Type.Optional(Type.Literal(true)),
    message_reference: Type.Optional(
      exactly({ message_id: id, fail_if_not_exists: Type.Literal(false) }),
    ),
  }),
  // https://discord.com/developers/docs/resources/message#edit-message
  'PATCH /channels/:id/messages/:id': exactly(post),
  // https://discord.com/developers/docs/resources/channel#start-thread-from-message
  'POST /channels/:id/messages/:id/threads': exactly({
    name: text(100),
    auto_archive_duration: Type.Enum([60, 1_440, 4_320, 10_080]),
  }),
  // https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-response-object
  'POST /interactions/:id/:token/callback': Type.Union([
    exactly({ type: Type.Literal(5), data: exactly({ flags: Type.Literal(64) }) }),
    exactly({ type: Type.Literal(6) }),
  ]),
  // https://discord.com/developers/docs/interactions/receiving-and-responding#followup-messages
  'POST /webhooks/:id/:token': exactly({ ...post, flags: Type.Literal(64) }),
  'PATCH /webhooks/:id/:token/messages/@original': exactly(post),
  'DELETE /webhooks/:id/:token/messages/@original': nothing,
  // https://discord.com/developers/docs/events/gateway#get-gateway-bot
  'GET /gateway/bot': nothing,
};

/** What Pager sends over the gateway, by opcode: https://discord.com/developers/docs/events/gateway-events */
const sent: Readonly<Record<number, TSchema>> = {
  1: Type.Union([Type.Null(), Type.Integer({ minimum: 0 })]),
  2: exactly({
    token: text(),
    intents: Type.Integer({ minimum: 0 }),
    properties: exactly({ os: text(), browser: text(), device: text() }),
  }),
  6: exactly({ token: text(), session_id: text(), seq: Type.Integer({ minimum: 0 }) }),
};

const user = exactly({
  id,
  username: text(32),
  discriminator: text(4),
  global_name: Type.Union([Type.Null(), text(32)]),
});

// https://discord.com/developers/docs/interactions/receiving-and-responding#interaction-object
const interaction = {
  version: Type.Literal(1),
  id,
  application_id: id,
  token: text(),
};
const acted = {
  ...interaction,
  guild_id: id,
  channel_id: id,
  member: exactly({ user, roles: Type.Array(id), permissions: text() }),
};
const entered = exactly({ type: Type.Literal(3), name: commandName, value: Type.String() });
const interactions: Readonly<Record<number, TSchema>> = {
  1: exactly({ ...interaction, type: Type.Literal(1) }),
  2: exactly({
    ...acted,
    type: Type.Literal(2),
    data: exactly({
      id,
      type: Type.Literal(1),
      name: commandName,
      options: Type.Array(
        exactly({ type: Type.Literal(1), name: commandName, options: Type.Array(entered) }),
      ),
    }),
  }),
  3: exactly({
    ...acted,
    type: Type.Literal(3),
    data: Type.Union([
      exactly({ component_type: Type.Literal(2), custom_id: text(100) }),
      exactly({
        component_type: Type.Literal(3),
        custom_id: text(100),
        values: Type.Array(text(100), { minItems: 1, maxItems: 25 }),
      }),
    ]),
    message: exactly({
      id,
      channel_id: id,
      type: Type.Integer(),
      content: Type.String(),
      flags: Type.Integer(),
    }),
  }),
};

const tokenPath = oneOf('/interactions', '/webhooks');

/** The parts of a path that are no words are ids, or the tokens of interactions. */
export function discordRouteOf(method: string, path: string): string {
  const [, first = ''] = path.split('/');
  const hasToken = problemWith('', tokenPath, `/${first}`) === undefined;
  const parts = path.split('/').map((part, at) => {
    if (/^\d{1,20}$/.test(part)) return ':id';
    return hasToken && at === 3 ? ':token' : part;
  });
  return `${method} ${parts.join('/')}`;
}

export const discordContract = {
  requestProblem(route: string, value: unknown): string | undefined {
    const schema = requests[route];
    if (schema === undefined) return `${route}: no such route`;
    return problemWith(route, schema, value) ?? publishedApiProblem(route, value);
  },
  sentProblem(op: number, value: unknown): string | undefined {
    const schema = sent[op];
    return schema === undefined ? `no opcode ${op}` : problemWith(`opcode ${op}`, schema, value);
  },
  interactionProblem(value: { readonly type: number }): string | undefined {
    const schema = interactions[value.type];
    if (schema === undefined) return `no interaction of type ${value.type}`;
    return problemWith('an interaction', schema, value);
  },
};

/** What is wrong with a message to a webhook, if anything. */
export const discordProblem = (value: unknown): string | undefined =>
  problemWith('a message', message, value) ??
  publishedProblem('IncomingWebhookRequestPartial', value);

/** The bodies that the published API has by name. */
const publishedBodies: Readonly<Record<string, string>> = {
  'POST /applications/:id/commands': 'ApplicationCommandCreateRequest',
  'POST /channels/:id/messages': 'MessageCreateRequest',
  'PATCH /channels/:id/messages/:id': 'MessageEditRequestPartial',
  'POST /channels/:id/messages/:id/threads': 'CreateTextThreadWithMessageRequest',
  'POST /webhooks/:id/:token': 'IncomingWebhookRequestPartial',
  'PATCH /webhooks/:id/:token/messages/@original': 'IncomingWebhookUpdateRequestPartial',
};

function publishedApiProblem(route: string, value: unknown): string | undefined {
  const name = publishedBodies[route];
  return name === undefined ? undefined : publishedProblem(name, value);
}

let ajv: Ajv2020 | null | undefined;

function publishedProblem(name: string, value: unknown): string | undefined {
  if (ajv === undefined) {
    const file = published('contracts/discord/openapi.json');
    ajv = file && new Ajv2020({ strict: false, logger: false, validateFormats: false });
    if (file !== null) ajv?.addSchema(JSON.parse(readFileSync(file, 'utf8')), 'discord');
  }
  const validate = ajv?.getSchema(`discord#/components/schemas/${name}`);
  return validate === undefined || validate(value) ? undefined : problemsIn(validate.errors);
}
