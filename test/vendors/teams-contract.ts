// What Pager relies on of Microsoft Teams: a Workflows webhook that posts an adaptive card of version 1.5.
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import Type from 'typebox';
import { published } from '../published.ts';
import { exactly, oneOf, problemsIn, problemWith, text } from './contract.ts';

/** https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using */
export const messageBytesMax = 28 * 1_024;

// https://adaptivecards.io/explorer/TextRun.html
const textRun = exactly({
  type: Type.Literal('TextRun'),
  text: Type.String(),
  isSubtle: Type.Optional(Type.Boolean()),
  weight: Type.Optional(oneOf('Lighter', 'Default', 'Bolder')),
  size: Type.Optional(oneOf('Small', 'Default', 'Medium', 'Large', 'ExtraLarge')),
  color: Type.Optional(oneOf('Default', 'Dark', 'Light', 'Accent', 'Good', 'Warning', 'Attention')),
  fontType: Type.Optional(oneOf('Default', 'Monospace')),
});

export const element = Type.Union([
  // https://adaptivecards.io/explorer/TextBlock.html
  exactly({
    type: Type.Literal('TextBlock'),
    text: text(),
    wrap: Type.Optional(Type.Boolean()),
  }),
  // https://adaptivecards.io/explorer/RichTextBlock.html
  exactly({
    type: Type.Literal('RichTextBlock'),
    inlines: Type.Array(textRun, { minItems: 1 }),
    spacing: Type.Optional(oneOf('Default', 'None', 'Small', 'Medium', 'Large', 'ExtraLarge')),
  }),
]);

// https://learn.microsoft.com/microsoftteams/platform/task-modules-and-cards/cards/cards-format: full width,
// and mentions, whose text stands in a text block.
export const ofTeams = exactly({
  width: Type.Literal('Full'),
  entities: Type.Array(
    exactly({
      type: Type.Literal('mention'),
      text: Type.String({ pattern: '^<at>.+</at>$' }),
      mentioned: exactly({ id: text(), name: text() }),
    }),
  ),
});

// https://adaptivecards.io/explorer/AdaptiveCard.html
const card = exactly({
  $schema: Type.Literal('http://adaptivecards.io/schemas/adaptive-card.json'),
  type: Type.Literal('AdaptiveCard'),
  version: Type.Literal('1.5'),
  body: Type.Array(element, { minItems: 1 }),
  // https://adaptivecards.io/explorer/Action.OpenUrl.html
  actions: Type.Array(
    exactly({ type: Type.Literal('Action.OpenUrl'), title: text(), url: text() }),
  ),
  msteams: ofTeams,
});

// https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using
const message = exactly({
  type: Type.Literal('message'),
  attachments: Type.Array(
    exactly({
      contentType: Type.Literal('application/vnd.microsoft.card.adaptive'),
      contentUrl: Type.Null(),
      content: card,
    }),
    { minItems: 1, maxItems: 1 },
  ),
});

/** What is wrong with a message to a webhook, if anything. */
export const teamsProblem = (value: unknown): string | undefined =>
  problemWith('a message', message, value) ?? publishedProblem(cardIn(value));

/** Of a message that was checked before. */
function cardIn(value: unknown): unknown {
  const [{ content }] = (value as { attachments: [{ content: object }] }).attachments;
  return content;
}

let isPublished: ReturnType<Ajv['compile']> | null | undefined;

/** What is wrong with a card, as it is published, if anything. */
export function publishedProblem(value: unknown): string | undefined {
  if (isPublished === undefined) {
    const file = published('contracts/adaptivecards/adaptive-card-1.5.0.json');
    // It is of draft 6, which differs in nothing that it uses.
    const {
      $schema: _draft6,
      id: _id,
      ...schema
    } = JSON.parse(file === null ? '{}' : readFileSync(file, 'utf8'));
    isPublished = file && new Ajv({ strict: false, logger: false }).compile(schema);
  }
  // The schema is of cards alone and does not know what Teams adds.
  const { msteams: _ofTeams, ...ofCards } = value as Record<string, unknown>;
  return isPublished === null || isPublished(ofCards) ? undefined : problemsIn(isPublished.errors);
}
