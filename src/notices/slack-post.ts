// What a Slack app posts about a notice. Whatever comes from outside stands in plain text or in a
// preformatted block, which Slack reads no markup and no mentions in.
import {
  type AnswerVerb,
  answersTo,
  CHOICES_MAX,
  type HandleFor,
  listsFor,
  takenOf,
  withoutAnswers,
} from './answers.ts';
import type { ActionTaken, AlertsJoined } from './kinds/incident.ts';
import { type Notice, wordsOf } from './notice.ts';
import { escapeSlack, mentionOf, slackTime } from './slack.ts';
import { joinedLine } from './words/joined.ts';
import { takenAt, takenBy, takenLine } from './words/taken.ts';
import { fit, headingOf, type Link, type Words } from './words/wording.ts';

// What Slack takes, and less where the parts of a message share one limit.
const HEADER_LENGTH_MAX = 150;
const FIELDS_MAX = 10;
const LINE_LENGTH_MAX = 300;
const DETAILS_LENGTH_MAX = 2800;
const LINKS_LENGTH_MAX = 2800;
const CONTEXT_LENGTH_MAX = 1000;
const OPTION_LENGTH_MAX = 75;

type Plain = { readonly type: 'plain_text'; readonly text: string; readonly emoji: false };
type Markup = { readonly type: 'mrkdwn'; readonly text: string; readonly verbatim: true };
type Button = {
  readonly type: 'button';
  readonly action_id: AnswerVerb;
  readonly text: Plain;
  readonly value: string;
  readonly style?: 'primary';
};
type Option = { readonly text: Plain; readonly value: string };
type Menu = {
  readonly type: 'overflow';
  readonly action_id: 'menu';
  readonly options: readonly Option[];
};
type Select = {
  readonly type: 'static_select';
  readonly action_id: 'choose';
  readonly placeholder: Plain;
  readonly options: readonly Option[];
};
type Preformatted = {
  readonly type: 'rich_text_preformatted';
  readonly elements: readonly [{ readonly type: 'text'; readonly text: string }];
};

export type PostBlock =
  | { readonly type: 'header'; readonly text: Plain }
  | { readonly type: 'section'; readonly text: Markup }
  | { readonly type: 'section'; readonly fields: readonly (Plain | Markup)[] }
  | { readonly type: 'rich_text'; readonly elements: readonly [Preformatted] }
  | { readonly type: 'actions'; readonly elements: readonly (Button | Menu | Select)[] }
  | { readonly type: 'context'; readonly elements: readonly (Plain | Markup)[] };

export type SlackPost = {
  /** For lock screens and screen readers. */
  readonly text: string;
  /** Empty where the text is all there is. */
  readonly blocks: readonly PostBlock[];
};

/** A notice as a post of its own, which is edited when its subject changes. */
export function slackPostOf(notice: Notice, handleFor?: HandleFor): SlackPost {
  const words = wordsOf(handleFor ? withoutAnswers(notice) : notice);
  const mention = mentionOf(notice.mention);
  const heading = headingOf(words, words.title);
  const top = takenOf(notice);
  return {
    text: textOf(notice, words),
    blocks: [
      { type: 'header', text: plain(fit(heading, HEADER_LENGTH_MAX)) },
      section([mention, leadOf(words), openLink(words)]),
      ...(top ? [section([takenText(notice, top)])] : []),
      ...fieldsOf(words),
      ...detailsOf(words),
      ...buttonsOf(notice, handleFor),
      ...linksOf(handleFor ? [] : words.actions),
      ...linksOf(words.links),
      contextOf(words),
    ],
  };
}

/** A notice about what stands in the channel already, for the thread below it. */
export function slackReplyOf(notice: Notice): SlackPost {
  const words = wordsOf(withoutAnswers(notice));
  const mention = mentionOf(notice.mention);
  return {
    text: textOf(notice, words),
    blocks: [
      section([mention, leadOf(words), openLink(words)]),
      { type: 'context', elements: [plain(fit(headingOf(words, words.title), LINE_LENGTH_MAX))] },
      contextOf(words),
    ],
  };
}

/** What was done, for the thread: an edit alone is overlooked. */
export const slackTakenOf = (notice: Notice, taken: ActionTaken): SlackPost => ({
  text: takenText(notice, taken),
  blocks: [],
});

/** Which alerts joined, for the thread. Titles from outside are no links there. */
export function slackJoinedOf(notice: Notice, joined: AlertsJoined): SlackPost {
  const line = joinedLine(notice, joined);
  return { text: inert(line), blocks: [{ type: 'context', elements: [plain(line)] }] };
}

/** For when Slack refuses the blocks: the text and the buttons alone. */
export function plainSlackPostOf(notice: Notice, handleFor?: HandleFor): SlackPost {
  const text = textOf(notice, wordsOf(notice));
  const buttons = buttonsOf(notice, handleFor);
  return { text, blocks: buttons.length === 0 ? [] : [section([text]), ...buttons] };
}

/** A list of which whoever reads it chooses one. */
export function slackChoicesOf(
  text: string,
  choices: readonly { readonly text: string; readonly handle: string }[],
): SlackPost {
  const options = choices
    .slice(0, CHOICES_MAX)
    .map((one) => option(fit(one.text, OPTION_LENGTH_MAX), one.handle));
  const select: Select = {
    type: 'static_select',
    action_id: 'choose',
    placeholder: plain('Choose one'),
    options,
  };
  const first = choices.length > CHOICES_MAX ? `Only the first ${CHOICES_MAX} are shown.` : '';
  return { text, blocks: [section([text, first]), { type: 'actions', elements: [select] }] };
}

/** Words of our own, with what others wrote in them, as Slack shows them unchanged. */
export const slackTextOf = (text: string): string => inert(text);

const plain = (text: string): Plain => ({ type: 'plain_text', text: text || ' ', emoji: false });

const option = (text: string, value: string): Option => ({ text: plain(text), value });

// Verbatim keeps Slack from turning an "@here" in somebody's alert into a mention.
const markup = (text: string): Markup => ({ type: 'mrkdwn', text, verbatim: true });

const section = (parts: readonly string[]): PostBlock => ({
  type: 'section',
  text: markup(parts.filter((part) => part !== '').join(' ')),
});

/** No markup begins or ends in it. */
const inert = (text: string): string => escapeSlack(text).replace(/[*_~`]/g, '\u200b$&\u200b');

const leadOf = ({ lead }: Words): string => `*${fit(lead, LINE_LENGTH_MAX, inert)}*`;

/** Of what was edited, it says who did what, as the blocks do: it is all that screen readers read. */
function textOf(notice: Notice, words: Words): string {
  const mention = mentionOf(notice.mention);
  const taken = takenOf(notice);
  const lead = taken ? takenLine(notice, taken) : words.lead;
  const title = fit(headingOf(words, words.title), LINE_LENGTH_MAX, inert);
  const text = `${fit(lead, LINE_LENGTH_MAX, inert)}: ${title}`;
  return mention ? `${mention} ${text}` : text;
}

const takenText = (notice: Notice, taken: ActionTaken): string =>
  `${inert(takenBy(taken))}, ${slackTime(taken.at, 'time', takenAt(notice, taken))}`;

const openLink = ({ url }: Words): string =>
  url !== undefined && url.length <= LINE_LENGTH_MAX ? `<${escapeSlack(url)}|Open in Pager>` : '';

function fieldsOf({ facts }: Words): readonly PostBlock[] {
  const fields = facts
    .slice(0, FIELDS_MAX)
    .map(({ name, value, at }) =>
      at === undefined
        ? plain(fit(`${name}: ${value}`, LINE_LENGTH_MAX))
        : markup(`${name}: ${slackTime(at, 'date', value)}`),
    );
  return fields.length === 0 ? [] : [{ type: 'section', fields }];
}

function detailsOf({ details }: Words): readonly PostBlock[] {
  if (details === '') return [];
  const text = fit(details, DETAILS_LENGTH_MAX);
  const block: Preformatted = {
    type: 'rich_text_preformatted',
    elements: [{ type: 'text', text }],
  };
  return [{ type: 'rich_text', elements: [block] }];
}

function linksOf(links: readonly Link[]): readonly PostBlock[] {
  const written: string[] = [];
  for (const { href, text } of links) {
    const next = `<${escapeSlack(href)}|${inert(text)}>`;
    if ([...written, next].join('\n').length <= LINKS_LENGTH_MAX) written.push(next);
  }
  return written.length === 0 ? [] : [{ type: 'section', text: markup(written.join('\n')) }];
}

function contextOf({ why, organization }: Words): PostBlock {
  const text = [why, organization].filter((part) => part !== '').join('  ·  ');
  return { type: 'context', elements: [plain(fit(text || 'Pager', CONTEXT_LENGTH_MAX))] };
}

function buttonsOf(notice: Notice, handleFor?: HandleFor): readonly PostBlock[] {
  const buttons = answersTo(notice, handleFor).map(
    ({ verb, text, handle }): Button => ({
      type: 'button',
      action_id: verb,
      text: plain(text),
      value: handle,
      ...(verb === 'acknowledge' && { style: 'primary' }),
    }),
  );
  if (buttons.length === 0) return [];
  return [{ type: 'actions', elements: [...buttons, ...menuOf(notice, handleFor)] }];
}

function menuOf(notice: Notice, handleFor?: HandleFor): readonly Menu[] {
  const options = listsFor(notice, handleFor).map(({ text, handle }) => option(text, handle));
  // Slack takes no menu of one.
  return options.length < 2 ? [] : [{ type: 'overflow', action_id: 'menu', options }];
}
