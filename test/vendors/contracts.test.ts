// The contracts refuse what is not in them: a fake that takes everything proves nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { discordContract, discordProblem } from './discord-contract.ts';
import { answerProblem } from './event-contracts.ts';
import { teamsBotContract } from './msteams-contract.ts';
import { ntfyProblem } from './ntfy-contract.ts';
import { slackContract } from './slack-contract.ts';
import { teamsProblem } from './teams-contract.ts';
import { telegramContract } from './telegram-contract.ts';
import { twilioContract } from './twilio-contract.ts';
import { whatsAppCloudContract } from './whatsapp-cloud-contract.ts';

type Members = Readonly<Record<string, unknown>>;

/** A request that is right, without which member it is wrong, and a value that is out of bounds. */
type Case = {
  readonly problem: (value: Members) => string | null | undefined;
  readonly right: Members;
  readonly required: string;
  readonly wrong: Members;
};

const sid = '0123456789abcdef0123456789abcdef';
const call = { To: '+4915112345678', From: '+15005550006', Twiml: '<Response/>' };
const key = {
  CallSid: `CA${sid}`,
  AccountSid: `AC${sid}`,
  From: '+15005550006',
  To: '+4915112345678',
  Called: '+4915112345678',
  Caller: '+15005550006',
  CallStatus: 'in-progress',
  ApiVersion: '2010-04-01',
  Direction: 'outbound-api',
  Digits: '4',
  msg: 'Gather End',
  FinishedOnKey: '',
};

const whatsAppEntry = {
  id: '102290129340398',
  changes: [
    {
      field: 'messages',
      value: {
        messaging_product: 'whatsapp',
        metadata: { display_phone_number: '15550783881', phone_number_id: '106540352242922' },
      },
    },
  ],
};

const cases: Readonly<Record<string, Case>> = {
  'a post in Slack': {
    problem: (value) => slackContract.requestProblem('chat.postMessage', value),
    right: { channel: 'C0ALERTS', text: 'Disk full', unfurl_links: false },
    required: 'channel',
    wrong: { channel: '#alerts' },
  },
  'an answer in Slack': {
    problem: slackContract.responseProblem,
    right: { response_type: 'ephemeral', replace_original: false, text: 'Done' },
    required: 'replace_original',
    wrong: { response_type: 'in_channel' },
  },
  'a message in Telegram': {
    problem: (value) => telegramContract.requestProblem('sendMessage', value),
    right: { chat_id: '42', text: 'Disk full', link_preview_options: { is_disabled: true } },
    required: 'chat_id',
    wrong: { chat_id: '@ada' },
  },
  'a poll of Telegram': {
    problem: (value) => telegramContract.requestProblem('getUpdates', value),
    right: { offset: 1, limit: 10, timeout: 25, allowed_updates: ['message'] },
    required: '',
    wrong: { limit: 101 },
  },
  'a call of Twilio': {
    problem: (value) => twilioContract.requestProblem('POST /Calls.json', value as typeof call),
    right: { ...call, Timeout: '25', StatusCallbackEvent: ['ringing', 'completed'] },
    required: 'Twiml',
    wrong: { Timeout: '601' },
  },
  'a key that Twilio reports': {
    problem: (value) => twilioContract.callbackProblem('a pressed key', value as typeof key),
    right: key,
    required: 'Digits',
    wrong: { CallSid: 'CA1' },
  },
  'a message to ntfy': {
    problem: (value) => ntfyProblem(Buffer.from(JSON.stringify(value))),
    right: { topic: 'ops', title: 'Pager', message: 'Disk full', priority: 5, actions: [] },
    required: 'topic',
    wrong: { message: 'é'.repeat(2_049) },
  },
  'a message in WhatsApp': {
    problem: (value) => whatsAppCloudContract.messageProblem(value),
    right: {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '+4915112345678',
      type: 'text',
      text: { body: 'Disk full', preview_url: false },
    },
    required: 'messaging_product',
    wrong: { to: 'ada' },
  },
  'what Meta sends': {
    problem: (value) => whatsAppCloudContract.webhookProblem(value),
    right: { object: 'whatsapp_business_account', entry: [whatsAppEntry] },
    required: 'entry',
    wrong: { object: 'page' },
  },
  'a message to Discord': {
    problem: discordProblem,
    right: {
      content: 'Disk full',
      embeds: [],
      allowed_mentions: { parse: [], users: [], roles: [] },
    },
    required: 'content',
    wrong: { content: 'x'.repeat(2_001) },
  },
  'a request of a token of Microsoft': {
    problem: teamsBotContract.tokenProblem,
    right: {
      grant_type: 'client_credentials',
      client_id: '11111111-2222-4333-8444-555555555555',
      client_secret: 'secret',
      scope: 'https://api.botframework.com/.default',
    },
    required: 'client_secret',
    wrong: { scope: 'https://graph.microsoft.com/.default' },
  },
  'a chat of a bot in Teams': {
    problem: (value) => teamsBotContract.requestProblem('a chat', value),
    right: {
      isGroup: false,
      bot: { id: '28:1' },
      tenantId: 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee',
      members: [{ id: '29:ada' }],
      channelData: { tenant: { id: 'aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee' } },
    },
    required: 'members',
    wrong: { members: [] },
  },
  'an answer to a press in Teams': {
    problem: teamsBotContract.invokeAnswerProblem,
    right: {
      statusCode: 200,
      type: 'application/vnd.microsoft.activity.message',
      value: 'Acknowledged: INC-42.',
    },
    required: 'value',
    wrong: { type: 'text/plain' },
  },
  'a post of a bot in Discord': {
    problem: (value) => discordContract.requestProblem('POST /channels/:id/messages', value),
    right: {
      content: 'Disk full',
      embeds: [],
      components: [],
      allowed_mentions: { parse: [], users: [], roles: [] },
      nonce: 'x'.repeat(25),
      enforce_nonce: true,
    },
    required: 'allowed_mentions',
    wrong: { nonce: 'x'.repeat(26) },
  },
  'an answer to a client of PagerDuty': {
    problem: (value) => answerProblem('PagerDuty v1 success', value),
    right: { status: 'success', message: 'Event processed', incident_key: 'disk' },
    required: 'incident_key',
    wrong: { status: 'ok' },
  },
};

for (const [what, { problem, right, required, wrong }] of Object.entries(cases))
  test(`the contract of ${what} takes what is right, and nothing else`, () => {
    assert.ok(!problem(right), String(problem(right)));
    assert.match(problem({ ...right, colour: 'red' }) ?? '', /has no colour/);
    assert.ok(problem({ ...right, ...wrong }), JSON.stringify(wrong));
    const { [required]: _, ...rest } = right;
    if (required !== '') assert.match(problem(rest) ?? '', new RegExp(required));
  });

test('what is no method or operation is refused', () => {
  assert.match(slackContract.requestProblem('chat.delete', {}) ?? '', /no such method/);
  assert.match(whatsAppCloudContract.messageProblem({ type: 'sticker' }) ?? '', /no such type/);
  assert.match(discordContract.requestProblem('GET /users/:id', {}) ?? '', /no such route/);
  assert.match(telegramContract.requestProblem('sendPhoto', {}) ?? '', /no such method/);
  assert.match(twilioContract.requestProblem('GET /Queues.json', {}) ?? '', /no such operation/);
});

test('the contract of Teams takes cards of rich text, and no other elements', () => {
  const message = (element: object) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.5',
          body: [element],
          actions: [],
          msteams: { width: 'Full', entities: [] },
        },
      },
    ],
  });
  const run = { type: 'TextRun', text: 'Disk full' };
  assert.equal(teamsProblem(message({ type: 'RichTextBlock', inlines: [run] })), undefined);
  assert.ok(teamsProblem(message({ type: 'Image', url: 'https://a.example.com/1.png' })));
  assert.ok(teamsProblem(message({ type: 'RichTextBlock', inlines: [{ ...run, colour: 'red' }] })));
});
