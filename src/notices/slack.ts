import { type Notice, wordsOf } from './notice.ts';
import { fit, headingOf, type Link, lineOf } from './words/wording.ts';

// A section of an incoming webhook takes 3,000 characters; what is in one stays under it together.
const LEAD_LENGTH_MAX = 300;
const TITLE_LENGTH_MAX = 300;
const FACTS_LENGTH_MAX = 1000;
const TITLE_LINK_LENGTH_MAX = 1000;
const DETAILS_LENGTH_MAX = 2800;
const MENTION_LENGTH_MAX = 200;
const LINKS_LENGTH_MAX = 3000;

type Text = { readonly type: 'mrkdwn'; readonly text: string; readonly verbatim: true };
type Block =
  | { readonly type: 'section'; readonly text: Text }
  | { readonly type: 'context'; readonly elements: readonly Text[] };

export type SlackMessage = { readonly text: string; readonly blocks: readonly Block[] };

/** The body for a Slack incoming webhook: `text` is what a phone's lock screen shows. */
export function slackMessageOf(notice: Notice): SlackMessage {
  const words = wordsOf(notice);
  const link = escapeSlack(words.url ?? '');
  const mention = mentionOf(notice.mention);
  const lead = fit(words.lead, LEAD_LENGTH_MAX, escapeSlack);
  const title = headingOf(words, fit(words.title, TITLE_LENGTH_MAX, escapeSlack));
  const details = fit(fenceable(words.details), DETAILS_LENGTH_MAX, escapeSlack);
  const facts = words.facts.map(
    ({ name, value, at }) => `${name}: ${at ? slackTime(at, 'date', value) : escapeSlack(value)}`,
  );
  const footer = [words.why, words.organization].filter((part) => part !== '');
  const head = [
    mention ? `${mention} *${lead}*` : `*${lead}*`,
    link && link.length <= TITLE_LINK_LENGTH_MAX ? `*<${link}|${title}>*` : `*${title}*`,
    fit(facts.join('  ·  '), FACTS_LENGTH_MAX),
  ];
  return {
    text: [mention, `${lead}: ${title}`].filter((part) => part !== '').join(' '),
    blocks: [
      section(head.filter((part) => part !== '').join('\n')),
      ...(details ? [section(`\`\`\`\n${details}\n\`\`\``)] : []),
      ...linkSection(words.actions, '  ·  '),
      ...linkSection(words.links, '\n'),
      { type: 'context', elements: [text(escapeSlack(footer.join('  ·  ')) || 'Pager')] },
    ],
  };
}

const timeFormats = { date: '{date_num} {time_secs}', time: '{time}' } as const;

/** On the clock of whoever reads it. `otherwise`: where Slack does not know that. */
export const slackTime = (
  at: Temporal.Instant,
  format: keyof typeof timeFormats,
  otherwise: string,
): string => {
  const seconds = Math.floor(at.epochMilliseconds / 1_000);
  return `<!date^${seconds}^${timeFormats[format]}|${escapeSlack(otherwise)}>`;
};

// Links and not buttons: Slack marks a button of a webhook with a warning, because it reports
// every click to an application and a webhook has none that listens.
function linkSection(links: readonly Link[], between: string): readonly Block[] {
  const written: string[] = [];
  for (const { href, text } of links) {
    const next = `<${escapeSlack(href)}|${escapeSlack(text)}>`;
    if ([...written, next].join(between).length <= LINKS_LENGTH_MAX) written.push(next);
  }
  return written.length > 0 ? [section(written.join(between))] : [];
}

function section(words: string): Block {
  return { type: 'section', text: text(words) };
}

// Verbatim keeps Slack from turning an "@here" in somebody's alert into a mention.
function text(words: string): Text {
  return { type: 'mrkdwn', text: words, verbatim: true };
}

function fenceable(details: string): string {
  return details.replaceAll('```', "'''");
}

export function mentionOf(mention = ''): string {
  const words = lineOf(mention).split(' ').map(mentionWord).join(' ');
  return words.length <= MENTION_LENGTH_MAX ? words : '';
}

function mentionWord(word: string): string {
  if (/^@?(channel|here|everyone)$/.test(word)) return `<!${word.replace('@', '')}>`;
  const isMention = /^<(@[A-Z0-9]+|!subteam\^[A-Z0-9]+|!channel|!here|!everyone)>$/.test(word);
  return isMention ? word : escapeSlack(word);
}

export function escapeSlack(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const escaped: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' };

/** In one pass: what is unescaped is not read again. */
export function unescapeSlack(words: string): string {
  return words.replace(/&(amp|lt|gt);/g, (entity, name: string) => escaped[name] ?? entity);
}
