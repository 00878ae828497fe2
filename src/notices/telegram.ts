import type { ActionTaken } from './kinds/incident.ts';
import { type Notice, wordsOf } from './notice.ts';
import { escapedAsIs } from './words/html.ts';
import { phrasesOf } from './words/of-notice.ts';
import { takenLine } from './words/taken.ts';
import { fit, headingOf, type Link, type Words } from './words/wording.ts';

// Telegram takes 4,096 characters after it has read the markup. The details get what the other
// parts, which have limits of their own, leave.
const MESSAGE_LENGTH_MAX = 4096;
const LINE_LENGTH_MAX = 300;
const FACTS_LENGTH_MAX = 1000;

/** What a button of a message does. */
export type TelegramVerb = 'acknowledge' | 'resolve' | 'escalate';

/** What a press of that button sends back: 1 to 64 bytes. */
export type HandleFor = (verb: TelegramVerb) => string;

type Button = { readonly text: string; readonly callback_data: string };

/** What sending and editing have in common. */
export type TelegramMessage = {
  readonly text: string;
  readonly parse_mode?: 'HTML';
  readonly link_preview_options: { readonly is_disabled: true };
  readonly reply_markup?: { readonly inline_keyboard: readonly (readonly Button[])[] };
};

/** What was done to the incident stands on top, the buttons are those of now. */
export function telegramMessageOf(notice: Notice, handleFor?: HandleFor): TelegramMessage {
  return messageOf(notice, handleFor, html);
}

/** Without markup, for when Telegram cannot read ours. */
export function plainTelegramMessageOf(notice: Notice, handleFor?: HandleFor): TelegramMessage {
  return messageOf(notice, handleFor, plain);
}

/** How the parts of a message are written. */
type Markup = {
  readonly parse_mode?: 'HTML';
  readonly text: (text: string) => string;
  readonly bold: (text: string) => string;
  readonly link: (href: string, text: string) => string;
  readonly block: (text: string) => string;
};

// No button has an address: Telegram refuses whole messages for one without a public name.
const html: Markup = {
  parse_mode: 'HTML',
  text: escapedAsIs,
  bold: (text) => `<b>${text}</b>`,
  link: (href, text) => `<a href="${escapedAsIs(href)}">${text}</a>`,
  block: (text) => `<pre>${text}</pre>`,
};

const plain: Markup = {
  text: (text) => text,
  bold: (text) => text,
  link: (_href, text) => text,
  block: (text) => text,
};

function messageOf(
  notice: Notice,
  handleFor: HandleFor | undefined,
  markup: Markup,
): TelegramMessage {
  const top = notice.about === 'incident' && notice.taken ? takenText(notice, notice.taken) : '';
  const keyboard = keyboardOf(notice, handleFor);
  const words = wordsOf(keyboard.length > 0 || handleFor ? withoutAnswers(notice) : notice);
  return {
    text: textOf(words, top, markup),
    ...(markup.parse_mode ? { parse_mode: markup.parse_mode } : {}),
    link_preview_options: { is_disabled: true },
    ...(keyboard.length > 0 ? { reply_markup: { inline_keyboard: keyboard } } : {}),
  };
}

function textOf(words: Words, top: string, markup: Markup): string {
  const { text, bold, link, block } = markup;
  const line = (part: string) => fit(inert(part), LINE_LENGTH_MAX);
  const lead = line(words.lead);
  const heading = headingOf(words, line(words.title));
  const facts = fit(
    inert(words.facts.map(({ name, value }) => `${name}: ${value}`).join('\n')),
    FACTS_LENGTH_MAX,
  );
  const footer = [words.why, words.organization].filter((part) => part !== '').map(line);
  const others = [top, lead, heading, facts, ...footer, ...textsOf([words.actions, words.links])];
  // With what stands between them.
  const spent = others.reduce((sum, part) => sum + part.length + 5, 0);
  // A block is inert by itself, and people copy from it.
  const written = markup.parse_mode ? words.details : inert(words.details);
  const details = fit(written, MESSAGE_LENGTH_MAX - spent, text);
  const linked = (links: readonly Link[], between: string) =>
    links.map((one) => link(one.href, text(inert(one.text)))).join(between);
  const title = bold(text(heading));
  return [
    top && `${bold(text(top))}\n`,
    bold(text(lead)),
    words.url ? link(words.url, title) : title,
    text(facts),
    details && block(details),
    linked(words.actions, '  ·  '),
    linked(words.links, '\n'),
    text(footer.join('  ·  ')),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

const textsOf = (links: readonly (readonly Link[])[]) =>
  links.flat().map(({ text }) => inert(text));

/** Telegram turns "@name" into a mention and "/word" into a command that a tap sends to the bot. */
function inert(text: string): string {
  return text.replace(/(?:@|(?<![\w/])\/)(?=\w)/g, '$&\u200b');
}

const takenText = (notice: Notice, taken: ActionTaken): string => inert(takenLine(notice, taken));

/** Where buttons stand, the links that do the same are left out. */
function withoutAnswers(notice: Notice): Notice {
  if (notice.about !== 'incident') return notice;
  const { links: _answers, gotIt: _answer, ...rest } = notice;
  return rest;
}

function keyboardOf(
  notice: Notice,
  handleFor: HandleFor | undefined,
): readonly (readonly Button[])[] {
  if (notice.about !== 'incident') return [];
  const words = phrasesOf(notice).button;
  if (notice.gotIt) return [[{ text: words.gotIt, callback_data: notice.gotIt.handle }]];
  if (handleFor === undefined || notice.readOnlyRole !== undefined) return [];
  const button = (text: string, verb: TelegramVerb): Button => ({
    text,
    callback_data: handleFor(verb),
  });
  switch (notice.incident.status) {
    case 'triggered':
      return [
        [button(words.acknowledge, 'acknowledge'), button(words.resolve, 'resolve')],
        [button(words.escalate, 'escalate')],
      ];
    case 'acknowledged':
      return [[button(words.resolve, 'resolve')]];
    case 'resolved':
      return [];
  }
}
