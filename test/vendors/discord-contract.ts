// What Pager relies on of Discord's webhooks.
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import Type from 'typebox';
import { published } from '../published.ts';
import { exactly, httpUrl, problemsIn, problemWith, text } from './contract.ts';

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

// https://discord.com/developers/docs/resources/webhook#execute-webhook
const message = exactly({
  content: text(2_000),
  embeds: Type.Array(embed, { maxItems: 10 }),
  // https://discord.com/developers/docs/resources/message#allowed-mentions-object
  allowed_mentions: exactly({
    parse: Type.Array(Type.Enum(['everyone', 'roles', 'users'])),
    users: Type.Array(id, { maxItems: 100 }),
    roles: Type.Array(id, { maxItems: 100 }),
  }),
});

/** What is wrong with a message to a webhook, if anything. */
export const discordProblem = (value: unknown): string | undefined =>
  problemWith('a message', message, value) ?? publishedProblem(value);

let isPublished: ReturnType<Ajv2020['compile']> | null | undefined;

function publishedProblem(value: unknown): string | undefined {
  if (isPublished === undefined) {
    const file = published('contracts/discord/openapi.json');
    const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false });
    if (file !== null) ajv.addSchema(JSON.parse(readFileSync(file, 'utf8')), 'discord');
    const $ref = 'discord#/components/schemas/IncomingWebhookRequestPartial';
    isPublished = file && ajv.compile({ $ref });
  }
  return isPublished === null || isPublished(value) ? undefined : problemsIn(isPublished.errors);
}
