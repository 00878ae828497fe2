// What Pager relies on of a Teams bot: the authority that issues its token, the Bot Connector, its cards, and what
// Teams sends to it.
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import Type, { type TSchema } from 'typebox';
import { published } from '../published.ts';
import { exactly, oneOf, problemsIn, problemWith, text } from './contract.ts';
import { element, messageBytesMax, ofTeams, publishedProblem } from './teams-contract.ts';

const uuid = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' });
const channelId = Type.String({ pattern: '^19:[A-Za-z0-9_-]+@thread\\.(tacv2|skype)$' });

// https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-authentication, step 1,
// of a single-tenant bot.
const tokenRequest = exactly({
  grant_type: Type.Literal('client_credentials'),
  client_id: uuid,
  client_secret: text(),
  scope: Type.Literal('https://api.botframework.com/.default'),
});

// https://adaptivecards.io/explorer/Action.Execute.html
const execute = exactly({
  type: Type.Literal('Action.Execute'),
  title: text(),
  verb: text(),
  data: exactly({ handle: Type.Optional(text()) }),
  style: Type.Optional(oneOf('default', 'positive', 'destructive')),
  mode: Type.Optional(oneOf('primary', 'secondary')),
});

// https://adaptivecards.io/explorer/Action.OpenUrl.html
const openUrl = exactly({
  type: Type.Literal('Action.OpenUrl'),
  title: text(),
  url: Type.String({ pattern: '^https?://' }),
  mode: Type.Optional(oneOf('primary', 'secondary')),
});

// https://adaptivecards.io/explorer/Input.ChoiceSet.html
const choiceSet = exactly({
  type: Type.Literal('Input.ChoiceSet'),
  id: text(),
  label: text(),
  isRequired: Type.Boolean(),
  errorMessage: text(),
  choices: Type.Array(exactly({ title: text(), value: text() }), { minItems: 1 }),
});

// https://adaptivecards.io/explorer/AdaptiveCard.html, and
// https://learn.microsoft.com/microsoftteams/platform/task-modules-and-cards/cards/universal-actions-for-adaptive-cards/work-with-universal-actions-for-adaptive-cards:
// at most 60 people are refreshed by themselves, none of them with an empty list.
const card = exactly({
  $schema: Type.Literal('http://adaptivecards.io/schemas/adaptive-card.json'),
  type: Type.Literal('AdaptiveCard'),
  version: Type.Literal('1.5'),
  body: Type.Array(Type.Union([element, choiceSet]), { minItems: 1 }),
  actions: Type.Array(Type.Union([execute, openUrl])),
  refresh: Type.Optional(
    exactly({ action: execute, userIds: Type.Array(text(), { maxItems: 60 }) }),
  ),
  msteams: ofTeams,
});

const activity = {
  type: Type.Literal('message'),
  summary: text(),
  attachments: Type.Array(
    exactly({
      contentType: Type.Literal('application/vnd.microsoft.card.adaptive'),
      content: card,
    }),
    { minItems: 1, maxItems: 1 },
  ),
};
const message = exactly(activity);
const bot = exactly({ id: Type.String({ pattern: '^28:' }) });

/** By what is requested of the connector. */
const requests: Readonly<Record<string, TSchema>> = {
  // https://learn.microsoft.com/microsoftteams/platform/bots/how-to/conversations/send-proactive-messages: the
  // channel stands in channelData, and the conversation begins with the activity.
  'a post': exactly({
    isGroup: Type.Literal(true),
    bot,
    tenantId: uuid,
    channelData: exactly({ channel: exactly({ id: channelId }) }),
    activity: message,
  }),
  'a chat': exactly({
    isGroup: Type.Literal(false),
    bot,
    tenantId: uuid,
    members: Type.Array(exactly({ id: Type.String({ pattern: '^29:' }) }), {
      minItems: 1,
      maxItems: 1,
    }),
    channelData: exactly({ tenant: exactly({ id: uuid }) }),
  }),
  // https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-api-reference
  'a reply': message,
  'an update': exactly({ id: text(), ...activity }),
};

/** https://learn.microsoft.com/adaptive-cards/authoring-cards/universal-action-model#response-format */
const invokeAnswer = Type.Union([
  exactly({
    statusCode: Type.Literal(200),
    type: Type.Literal('application/vnd.microsoft.card.adaptive'),
    value: card,
  }),
  exactly({
    statusCode: Type.Literal(200),
    type: Type.Literal('application/vnd.microsoft.activity.message'),
    value: text(),
  }),
]);

const member = exactly({ id: Type.String({ pattern: '^2[89]:' }), name: Type.Optional(text()) });

// https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-api-reference#activity-object
const inbound = {
  id: text(),
  timestamp: text(),
  serviceUrl: Type.String({ pattern: '^https?://.+/$' }),
  channelId: Type.Literal('msteams'),
  from: exactly({ id: text(), name: Type.Optional(text()), aadObjectId: Type.Optional(uuid) }),
  conversation: exactly({
    id: text(),
    isGroup: Type.Optional(Type.Boolean()),
    conversationType: oneOf('channel', 'personal'),
    tenantId: uuid,
  }),
  recipient: exactly({ id: Type.String({ pattern: '^28:' }), name: text() }),
  channelData: exactly({
    channel: Type.Optional(exactly({ id: text() })),
    team: Type.Optional(exactly({ id: text(), name: Type.Optional(text()) })),
    tenant: exactly({ id: uuid }),
    eventType: Type.Optional(
      oneOf(
        'teamMemberAdded',
        'teamMemberRemoved',
        'channelCreated',
        'channelDeleted',
        'teamUnarchived',
      ),
    ),
  }),
};

const activities: Readonly<Record<string, TSchema>> = {
  invoke: exactly({
    ...inbound,
    type: Type.Literal('invoke'),
    name: Type.Literal('adaptiveCard/action'),
    replyToId: text(),
    value: exactly({
      action: exactly({
        type: Type.Literal('Action.Execute'),
        title: text(),
        verb: text(),
        data: exactly({ handle: Type.Optional(text()) }),
      }),
      trigger: oneOf('manual', 'automatic'),
    }),
  }),
  message: exactly({
    ...inbound,
    type: Type.Literal('message'),
    text: Type.String(),
    textFormat: Type.Literal('plain'),
    entities: Type.Array(
      exactly({
        type: Type.Literal('mention'),
        text: text(),
        mentioned: exactly({ id: text(), name: text() }),
      }),
    ),
  }),
  conversationUpdate: exactly({
    ...inbound,
    type: Type.Literal('conversationUpdate'),
    membersAdded: Type.Optional(Type.Array(member)),
    membersRemoved: Type.Optional(Type.Array(member)),
  }),
};

export const teamsBotContract = {
  tokenProblem: (fields: object) => problemWith('a request of a token', tokenRequest, fields),
  requestProblem: (what: string, body: object) =>
    problemWith(what, requests[what] ?? Type.Never(), body) ??
    sizeProblem(body) ??
    publishedCards(body) ??
    publishedRequest(what, body),
  invokeAnswerProblem: (answer: object) =>
    problemWith('an answer to an invoke', invokeAnswer, answer) ??
    sizeProblem(answer) ??
    ('value' in answer && typeof answer.value === 'object'
      ? publishedProblem(answer.value)
      : undefined),
  activityProblem: (sent: { readonly type: string }) =>
    problemWith(`an activity ${sent.type}`, activities[sent.type] ?? Type.Never(), sent),
};

const sizeProblem = (body: object): string | undefined => {
  const bytes = Buffer.byteLength(JSON.stringify(body));
  return bytes > messageBytesMax ? `it has ${bytes} bytes` : undefined;
};

function publishedCards(body: object): string | undefined {
  type Sent = { attachments?: [{ content: object }]; activity?: Sent };
  const sent = body as Sent;
  const [attachment] = sent.attachments ?? sent.activity?.attachments ?? [];
  return attachment && publishedProblem(attachment.content);
}

let connector: ((what: string, body: object) => string | undefined) | undefined;

/** What is wrong with it in the published description of the connector, if anything. */
function publishedRequest(what: string, body: object): string | undefined {
  connector ??= readConnector();
  return connector(what, body);
}

function readConnector() {
  const file = published('contracts/botframework/ConnectorAPI.json');
  if (file === null) return () => undefined;
  const { definitions } = JSON.parse(readFileSync(file, 'utf8'));
  const ajv = new Ajv({ strict: false, logger: false, validateFormats: false });
  const validators = ['ConversationParameters', 'Activity'].map((name) =>
    ajv.compile({ definitions, $ref: `#/definitions/${name}` }),
  );
  const [ofConversation, ofActivity] = validators;
  return (what: string, body: object) => {
    const validate = what === 'a post' || what === 'a chat' ? ofConversation : ofActivity;
    return !validate || validate(body) ? undefined : problemsIn(validate.errors);
  };
}
