import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { discordContract, discordProblem } from '../../test/vendors/discord-contract.ts';
import { shownCard } from '../../test/vendors/msteams-card.ts';
import { teamsBotContract } from '../../test/vendors/msteams-contract.ts';
import { readSlackMessage } from '../../test/vendors/slack-blocks.ts';
import { messageBytesMax, teamsProblem } from '../../test/vendors/teams-contract.ts';
import { readTelegramHtml, readTelegramText } from '../../test/vendors/telegram-html.ts';
import { whatsAppCloudContract } from '../../test/vendors/whatsapp-cloud-contract.ts';
import { messageContent, templateContent } from '../channels/whatsapp-cloud/content.ts';
import type { Move } from '../oncall/schedule.ts';
import { discordMessageOf } from './discord.ts';
import {
  type DiscordPost,
  discordAnswerOf,
  discordChoicesOf,
  discordPostOf,
  discordReplyOf,
  discordTakenOf,
  plainDiscordPostOf,
  threadNameOf,
} from './discord-post.ts';
import { emailOf } from './email.ts';
import { type IncidentNotice, sampleNotice } from './kinds/incident.ts';
import { kinds } from './kinds/index.ts';
import { type ShiftNotice, sampleShiftNotice } from './kinds/shift.ts';
import { sampleUsageNotice } from './kinds/usage.ts';
import type { Notice } from './notice.ts';
import { mentionOf, slackMessageOf } from './slack.ts';
import {
  plainSlackPostOf,
  slackChoicesOf,
  slackPostOf,
  slackReplyOf,
  slackTakenOf,
} from './slack-post.ts';
import { smsOf } from './sms.ts';
import { speechOf } from './speech.ts';
import { teamsMessageOf } from './teams.ts';
import {
  teamsCardOf,
  teamsChoicesOf,
  teamsReplyOf,
  teamsSummaryOf,
  teamsTakenOf,
} from './teams-card.ts';
import { plainTelegramMessageOf, telegramMessageOf } from './telegram.ts';
import { whatsAppMessageOf, whatsAppVariablesOf } from './whatsapp.ts';
import { segmentsOf } from './words/gsm7.ts';

const hostile = [
  '\r\nBcc: x',
  '```',
  '<!channel>',
  '&',
  '*_~|',
  '\u202e',
  '\ud800',
  '🔥',
  '\0',
  '"\\',
  '<b>@ada /start',
];
const anyWords = (maxLength: number) =>
  fc.oneof(
    fc.string({ unit: 'binary', maxLength }),
    fc
      .tuple(fc.constantFrom(...hostile, 'é', '漢', 'a\n', ' '), fc.nat(maxLength))
      .map(([piece, length]) => piece.repeat(Math.ceil(length / piece.length))),
  );
const anyHref = fc.oneof(
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  anyWords(1500).map((path) => `https://example.com/${path}`),
  anyWords(50),
);
const anyIncidentNotice = fc
  .record({
    kind: fc.constantFrom<IncidentNotice['kind']>(
      'page',
      'all_clear',
      'assigned',
      'nobody_paged',
      'not_all_paged',
      'storm',
    ),
    key: anyWords(300),
    organization: fc.record({ id: fc.constant('o1'), name: anyWords(300) }),
    recipient: anyWords(300),
    mention: anyWords(300),
    why: anyWords(600),
    title: anyWords(600),
    details: anyWords(20_000),
    service: anyWords(300),
    resolved_by: anyWords(300),
    status: fc.constantFrom('triggered' as const, 'acknowledged' as const, 'resolved' as const),
    links: fc.array(fc.record({ href: anyHref, text: anyWords(300) }), { maxLength: 12 }),
  })
  .map(({ title, details, service, resolved_by, status, links, ...rest }) =>
    sampleNotice(rest, { title, details, service, resolved_by, status, links }),
  );
const anySpan = fc
  .tuple(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }), fc.nat(1e9))
  .map(([from, ms]) => {
    const start = Temporal.Instant.fromEpochMilliseconds(from.getTime());
    return { start, end: start.add({ milliseconds: ms }) };
  });
const anyMove = fc
  .tuple(anySpan, fc.constantFrom('gained' as const, 'lost' as const), fc.boolean())
  .map(([{ start, end }, type, ends]): Move => ({ type, start, end: ends ? end : null }));
const anyShiftNotice = fc
  .record({
    kind: fc.constantFrom<ShiftNotice['kind']>('shift_start', 'shift_end', 'shift_change'),
    key: anyWords(300),
    organization: fc.record({ id: fc.constant('o1'), name: anyWords(300) }),
    isPersonal: fc.boolean(),
    mention: anyWords(300),
    why: anyWords(600),
    url: anyHref,
    name: anyWords(600),
    timezone: fc.constantFrom('Etc/UTC', 'Asia/Kathmandu', 'America/Argentina/ComodRivadavia'),
    first_name: anyWords(300),
    other: anyWords(300),
    span: anySpan,
    changes: fc.array(anyMove, { maxLength: 20 }),
  })
  .map(({ name, timezone, first_name, other, span, changes, ...rest }) =>
    sampleShiftNotice(rest, {
      schedule: { id: 's1', name, timezone },
      user: { id: 'u1', first_name, last_name: '', email: 'ada@example.com' },
      shift: rest.kind === 'shift_change' ? null : { id: 'x1', ...span },
      other,
      changes,
    }),
  );
const anyUsageNotice = fc
  .record({ name: anyWords(300), why: anyWords(600), percent: fc.constantFrom(80, 100) })
  .map(({ name, why, percent }) => {
    const notice = sampleUsageNotice(percent);
    return { ...notice, why, organization: { ...notice.organization, name } };
  });
const anyNotice: fc.Arbitrary<Notice> = fc.oneof(anyIncidentNotice, anyShiftNotice, anyUsageNotice);
const samples: readonly Notice[] = kinds.map(({ sample }) => sample());

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

/** Everything at once as long as it may be, which luck alone would hardly draw. */
function longest(filling: string): Notice {
  const words = filling.repeat(20_000);
  const links = Array.from({ length: 12 }, () => ({
    href: `https://example.com/${'a'.repeat(400)}`,
    text: words,
  }));
  const incident = { title: words, details: words, service: words, links };
  const marks = { priority: words, severity: words };
  const organization = { id: 'o1', name: words };
  return sampleNotice({ why: words, mention: words, organization }, { ...incident, ...marks });
}

/** The same of shifts. */
function longestShift(filling: string): Notice {
  const words = filling.repeat(20_000);
  const { story } = sampleShiftNotice();
  const end = Temporal.Instant.from('2026-11-21T08:00:01Z');
  const changes = Array.from({ length: 20 }, () => ({ type: 'gained' as const, start: end, end }));
  const timezone = 'America/Argentina/ComodRivadavia';
  return sampleShiftNotice(
    {
      why: words,
      mention: words,
      organization: { id: 'o1', name: words },
      isPersonal: false,
      url: `https://example.com/${'&'.repeat(980)}`,
    },
    {
      schedule: { id: 's1', name: words, timezone },
      user: { ...story.user, first_name: words },
      other: words,
      changes,
    },
  );
}

const longestNotices = ['漢', '🔥', '*', '&', '"', '漢\n'].flatMap((filling) => [
  longest(filling),
  longestShift(filling),
]);

function everyNotice(claim: (notice: Notice) => void): void {
  for (const notice of [...samples, ...longestNotices]) claim(notice);
  fc.assert(fc.property(anyNotice, claim), { numRuns: 300 });
}

function assertClean(text: string): void {
  assert.ok(text.isWellFormed());
  assert.doesNotMatch(text, CONTROLS);
}

test('any notice makes a mail with one-line headers of bounded size', () => {
  everyNotice((notice) => {
    const mail = emailOf(notice, { from: 'pager@example.com', domain: 'example.com' });
    assert.ok(mail.subject.length <= 240);
    for (const value of [mail.subject, mail.messageId, ...Object.values(mail.headers)]) {
      assert.doesNotMatch(value, /[\r\n]/);
      assert.ok(value.length <= 300);
    }
    for (const text of [mail.subject, mail.text, mail.html]) assertClean(text);
    assert.ok(mail.html.length <= 100_000);
  });
});

test('any notice makes a Slack message within the limits of its blocks', () => {
  everyNotice((notice) => {
    const { text, blocks } = slackMessageOf(notice);
    assert.ok(text.length > 0 && text.length <= 4000);
    assert.ok(blocks.length <= 50);
    const texts = blocks.flatMap((block) =>
      block.type === 'section' ? [block.text] : block.elements,
    );
    for (const part of texts) {
      assert.ok(part.text.length > 0 && part.text.length <= 3000, String(part.text.length));
      assertClean(part.text);
    }
  });
});

test('any notice makes a Slack post that Slack takes, and mentions nobody by itself', () => {
  everyNotice((notice) => {
    const allowed = new Set(mentionOf(notice.mention).match(/<[!@][^>]+>/g));
    const at = Temporal.Instant.from('2026-11-21T05:49:53Z');
    const taken = { action: 'Acknowledged', by: notice.recipient ?? '', at };
    const posts = [
      slackPostOf(notice),
      slackPostOf(notice.about === 'incident' ? { ...notice, taken } : notice, String),
      plainSlackPostOf(notice, String),
      slackReplyOf(notice),
      slackTakenOf(notice, taken),
    ];
    for (const { text, blocks } of posts) {
      const read = readSlackMessage({ text, ...(blocks.length > 0 && { blocks }) });
      assert.ok(typeof read !== 'string', `${read}: ${JSON.stringify(blocks)}`);
      assert.deepEqual(
        read.mentions.filter((mention) => !allowed.has(mention)),
        [],
      );
      assertClean(text);
      assertClean(read.shown);
    }
  });
});

test('a list of any names is one that Slack takes, of as many as it takes', () => {
  const name = fc.string({ unit: 'binary', maxLength: 200 });
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 150 }), (names) => {
      const choices = names.map((text, at) => ({ text, handle: `handle ${at}` }));
      const read = readSlackMessage(slackChoicesOf('Which one?', choices));
      assert.ok(typeof read !== 'string', read as string);
      assert.equal(read.options.length, Math.min(names.length, 100));
      assert.equal(/The first 100 are listed/.test(read.shown), names.length > 100);
    }),
  );
});

test('any notice makes a Discord message within the limits of its embed', () => {
  everyNotice((notice) => {
    const { content, embeds } = discordMessageOf(notice);
    assert.ok(content.length > 0 && content.length <= 2000);
    assertClean(content);
    for (const { title, description, fields, footer } of embeds) {
      assert.ok(title.length <= 256 && description.length <= 4096 && footer.text.length <= 2048);
      assert.ok(fields.length <= 25);
      assert.ok(fields.every(({ value }) => value.length > 0 && value.length <= 1024));
      const parts = [title, description, footer.text, ...fields.flatMap((f) => [f.name, f.value])];
      assert.ok(parts.join('').length <= 6000);
      assertClean(parts.join(''));
    }
  });
});

test('any notice makes a Teams message of less than 28 KB', () => {
  everyNotice((notice) => {
    const body = JSON.stringify(teamsMessageOf(notice));
    assert.ok(Buffer.byteLength(body) < messageBytesMax, String(Buffer.byteLength(body)));
  });
});

test('any notice makes a card that Teams takes from a bot, and mentions nobody by itself', () => {
  const at = Temporal.Instant.from('2026-11-21T05:49:53Z');
  everyNotice((notice) => {
    const taken = { action: 'Acknowledged', by: notice.recipient ?? '', at };
    const edited = notice.about === 'incident' ? { ...notice, taken } : notice;
    const answer = { text: notice.why, link: { href: 'https://a.example', text: 'Link' } };
    const cards = [
      teamsCardOf(notice),
      teamsCardOf(edited, (verb) => verb.repeat(8), answer),
      teamsReplyOf(notice),
      teamsTakenOf(notice, taken),
    ];
    for (const content of cards) {
      const contentType = 'application/vnd.microsoft.card.adaptive';
      const message = {
        type: 'message',
        summary: teamsSummaryOf(edited),
        attachments: [{ contentType, content }],
      };
      assert.equal(teamsBotContract.requestProblem('a reply', message), undefined);
      const { shown, mentions } = shownCard(content);
      assertClean(shown);
      assertClean(message.summary);
      if (notice.mention === undefined) assert.deepEqual(mentions, []);
    }
  });
});

test('a list of any names is one that Teams takes', () => {
  const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(fc.array(name, { minLength: 1, maxLength: 150 }), (names) => {
      const choices = names.map((text, at) => ({ text, handle: `h${at}`.repeat(15) }));
      const card = teamsChoicesOf('Which one?', choices);
      const answer = {
        statusCode: 200,
        type: 'application/vnd.microsoft.card.adaptive',
        value: card,
      };
      assert.equal(teamsBotContract.invokeAnswerProblem(answer), undefined);
      assert.equal(shownCard(card).choices.length, Math.min(names.length, 100));
    }),
  );
});

test('any notice makes a Telegram message that can be read, within the limit and without mentions', () => {
  const at = Temporal.Instant.from('2026-11-21T02:12:59Z');
  const taken = { action: 'Acknowledged', by: '@ada <b>🔥'.repeat(100), at };
  everyNotice((notice) => {
    const edited = notice.about === 'incident' ? { ...notice, taken } : notice;
    for (const { text } of [telegramMessageOf(notice), telegramMessageOf(edited, String)])
      assertReadable(readTelegramHtml(text));
    assertReadable(readTelegramText(plainTelegramMessageOf(edited, String).text));
  });
});

function assertReadable(formatted: ReturnType<typeof readTelegramHtml>): void {
  assert.ok(typeof formatted !== 'string', String(formatted));
  const { text, entities } = formatted;
  assert.ok(text.length > 0 && text.length <= 4096, String(text.length));
  assertClean(text);
  assert.deepEqual(
    entities.filter(({ type }) => type === 'mention' || type === 'bot_command'),
    [],
  );
}

test('any notice makes an SMS of one segment, whose menu is its last', () => {
  const handles = { acknowledge: 'a', resolve: 'r', escalate: 'e' };
  everyNotice((notice) => {
    const answered = notice.about === 'incident' ? { ...notice, handles } : notice;
    for (const canReply of [true, false]) {
      const text = smsOf(answered, { canReply });
      assert.equal(segmentsOf(text), 1, text);
      assertClean(text);
      if (canReply && notice.about === 'incident' && notice.incident.status === 'triggered')
        assert.match(text, / - 4 42(?: ack, 6 42 resolve, 9 42 escalate|=ack)$/);
    }
  });
});

test('any notice makes a WhatsApp message and variables of a template that Meta takes', () => {
  const message = {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: '+4915112345678',
  };
  const settings = { template: 'pager_page', notice_template: 'pager_notice', language: 'en' };
  everyNotice((notice) => {
    const handles = { acknowledge: 'a', resolve: 'r', escalate: 'e' };
    for (const one of notice.about === 'incident' ? [notice, { ...notice, handles }] : [notice])
      for (const content of [
        messageContent(whatsAppMessageOf(one)),
        templateContent(whatsAppVariablesOf(one), settings),
      ])
        assert.equal(whatsAppCloudContract.messageProblem({ ...message, ...content }), undefined);
    assertClean(whatsAppMessageOf(notice).text);
    assert.ok(whatsAppMessageOf(notice).text.length <= 1_024);
    const variables = whatsAppVariablesOf(notice).variables.join('');
    assert.ok(variables.length <= 700, 'with its own words, a template has 1,024 characters');
  });
});

test('any notice can be read out within a minute', () => {
  everyNotice((notice) => {
    const { text } = speechOf(notice, { hasKeys: true });
    assertClean(text);
    assert.ok(text.length > 0 && text.length <= 800, String(text.length));
  });
});

test('any Teams message keeps to the contract of its webhooks', () => {
  everyNotice((notice) => assert.equal(teamsProblem(teamsMessageOf(notice)), undefined));
});

test('any Discord message keeps to the contract of its webhooks', () => {
  everyNotice((notice) => assert.equal(discordProblem(discordMessageOf(notice)), undefined));
});

const postProblem = (post: DiscordPost) =>
  discordContract.requestProblem('PATCH /channels/:id/messages/:id', post);

test('any notice makes a Discord post that Discord takes, and mentions nobody by itself', () => {
  const at = Temporal.Instant.from('2026-11-21T05:49:53Z');
  everyNotice((notice) => {
    const taken = { action: 'Acknowledged', by: notice.recipient ?? '', at };
    const posts = [
      discordPostOf(notice),
      discordPostOf(notice.about === 'incident' ? { ...notice, taken } : notice, String),
      plainDiscordPostOf(notice, String),
      discordReplyOf(notice),
      discordTakenOf(taken),
      discordAnswerOf(notice.organization.name || 'Done', {
        href: 'https://a.example',
        text: 'Link',
      }),
    ];
    for (const post of posts) {
      assert.equal(postProblem(post), undefined);
      assertClean(post.content);
      const [embed] = post.embeds;
      const parts = embed?.fields.flatMap(({ name, value }) => [name, value]) ?? [];
      const all = [embed?.title, embed?.description, embed?.footer.text, ...parts].join('');
      assert.ok(all.length <= 6_000, String(all.length));
    }
    const name = threadNameOf(notice);
    assert.ok(name.length > 0 && name.length <= 100);
    assert.deepEqual(discordTakenOf(taken).allowed_mentions.parse, []);
  });
});

test('a list of names is one that Discord takes, of 100 at most', () => {
  for (const length of [1, 25, 26, 100, 101]) {
    const choices = Array.from({ length }, (_, nth) => ({
      text: `*${nth}* ${'x'.repeat(200)}`,
      handle: `handle ${nth}`,
    }));
    const post = discordChoicesOf('Which one?', choices);
    assert.equal(postProblem(post), undefined);
    assert.equal(/Only the first 100 are shown/.test(post.content), length > 100);
  }
});
