// The Adaptive Card that a Teams bot posts about a notice. Whatever comes from outside stands in rich text,
// which knows no markup and no mentions.
import {
  answersTo,
  CHOICES_MAX,
  type HandleFor,
  listsFor,
  takenOf,
  withoutAnswers,
} from './answers.ts';
import type { ActionTaken, AlertsJoined } from './kinds/incident.ts';
import { type Notice, wordsOf } from './notice.ts';
import {
  bodyOf,
  type Element,
  footerOf,
  leadOf,
  type Mention,
  mentionOf,
  type Run,
  rich,
} from './teams.ts';
import { joinedLine } from './words/joined.ts';
import { takenLine } from './words/taken.ts';
import { blockOf, fit, headingOf, type Link, lineOf, type Words } from './words/wording.ts';

// A message takes 28 KB in all.
const LINKS_LENGTH_MAX = 4000;
const LINE_LENGTH_MAX = 300;
const CHOICE_LENGTH_MAX = 75;

type Execute = {
  readonly type: 'Action.Execute';
  readonly title: string;
  readonly verb: string;
  /** Of a choice, the input adds the handle. */
  readonly data: { readonly handle?: string };
  readonly style?: 'positive';
  readonly mode?: 'secondary';
};
type OpenUrl = {
  readonly type: 'Action.OpenUrl';
  readonly title: string;
  readonly url: string;
  readonly mode?: 'secondary';
};
type ChoiceSet = {
  readonly type: 'Input.ChoiceSet';
  readonly id: 'handle';
  readonly label: string;
  readonly isRequired: true;
  readonly errorMessage: string;
  readonly choices: readonly { readonly title: string; readonly value: string }[];
};

export type TeamsCard = {
  readonly $schema: 'http://adaptivecards.io/schemas/adaptive-card.json';
  readonly type: 'AdaptiveCard';
  readonly version: '1.5';
  readonly body: readonly (Element | ChoiceSet)[];
  readonly actions: readonly (Execute | OpenUrl)[];
  /** People refresh it by its menu. Nobody’s client does so by itself. */
  readonly refresh?: { readonly action: Execute; readonly userIds: readonly [] };
  readonly msteams: { readonly width: 'Full'; readonly entities: readonly Mention[] };
};

/** What an answer to somebody shows above the message that they used. */
export type TeamsAnswer = { readonly text: string; readonly link?: Link };

type CardParts = Pick<TeamsCard, 'body'> &
  Partial<Pick<TeamsCard, 'actions' | 'refresh'>> & { readonly mentions?: readonly Mention[] };

const cardOf = ({ body, actions = [], refresh, mentions = [] }: CardParts): TeamsCard => ({
  $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
  type: 'AdaptiveCard',
  version: '1.5',
  body,
  actions,
  ...(refresh && { refresh }),
  msteams: { width: 'Full', entities: mentions },
});

/** A notice as a message of its own, which is edited when its subject changes. */
export function teamsCardOf(
  notice: Notice,
  handleFor?: HandleFor,
  answer?: TeamsAnswer,
): TeamsCard {
  const words = wordsOf(handleFor ? withoutAnswers(notice) : notice);
  const mention = mentionOf(notice.mention);
  const taken = takenOf(notice);
  const refresh = refreshOf(notice, handleFor);
  return cardOf({
    body: [
      ...(answer ? [line(answer.text)] : []),
      ...mention.elements,
      ...(taken ? [line(takenLine(notice, taken))] : []),
      ...bodyOf(words),
    ],
    actions: [
      ...(answer?.link ? [openUrl(answer.link)] : []),
      ...buttonsOf(notice, handleFor),
      ...openLink(words),
      ...[...words.actions, ...fitting(words.links)].map((one) => ({
        ...openUrl(one),
        mode: 'secondary' as const,
      })),
    ],
    ...(refresh && { refresh }),
    mentions: mention.entities,
  });
}

/** A notice about what stands in the channel already, for the thread below it. */
export function teamsReplyOf(notice: Notice): TeamsCard {
  const words = wordsOf(withoutAnswers(notice));
  const mention = mentionOf(notice.mention);
  const title = fit(headingOf(words, words.title), LINE_LENGTH_MAX);
  return cardOf({
    body: [
      ...mention.elements,
      leadOf(words),
      rich([{ type: 'TextRun', text: title }]),
      footerOf(words),
    ],
    actions: openLink(words),
    mentions: mention.entities,
  });
}

/** What was done, for the thread: an edit alone is overlooked. */
export const teamsTakenOf = (notice: Notice, taken: ActionTaken): TeamsCard =>
  cardOf({ body: [line(takenLine(notice, taken))] });

/** Which alerts joined, for the thread. */
export const teamsJoinedOf = (notice: Notice, joined: AlertsJoined): TeamsCard =>
  cardOf({ body: [rich([{ type: 'TextRun', text: joinedLine(notice, joined) }])] });

/** What somebody is answered, in lines. */
export const teamsAnswerOf = ({ text, link }: TeamsAnswer): TeamsCard =>
  cardOf({
    body: blockOf(text)
      .split('\n')
      .map((each) => rich([{ type: 'TextRun', text: each || ' ' }])),
    ...(link && { actions: [openUrl(link)] }),
  });

/** A list of which whoever reads it chooses one. */
export function teamsChoicesOf(
  text: string,
  choices: readonly { readonly text: string; readonly handle: string }[],
): TeamsCard {
  const shown = choices.slice(0, CHOICES_MAX);
  const first = shown.length < choices.length ? ` Only the first ${CHOICES_MAX} are shown.` : '';
  const input: ChoiceSet = {
    type: 'Input.ChoiceSet',
    id: 'handle',
    label: 'Choose one',
    isRequired: true,
    errorMessage: 'Choose one.',
    choices: shown.map((one) => ({
      title: fit(lineOf(one.text), CHOICE_LENGTH_MAX) || '…',
      value: one.handle,
    })),
  };
  return cardOf({
    body: [line(`${text}${first}`), input],
    actions: [{ type: 'Action.Execute', title: 'Run', verb: 'choose', data: {} }],
  });
}

/** For lock screens and lists of chats. */
export function teamsSummaryOf(notice: Notice): string {
  const words = wordsOf(notice);
  const taken = takenOf(notice);
  const lead = taken ? takenLine(notice, taken) : words.lead;
  return fit(`${lead}: ${headingOf(words, words.title)}`, LINE_LENGTH_MAX);
}

const line = (text: string): Element => {
  const run: Run = {
    type: 'TextRun',
    text: fit(lineOf(text), 2 * LINE_LENGTH_MAX) || ' ',
    weight: 'Bolder',
  };
  return rich([run]);
};

const openUrl = ({ href, text }: Link): OpenUrl => ({
  type: 'Action.OpenUrl',
  title: text,
  url: href,
});

const openLink = ({ url }: Words): readonly OpenUrl[] =>
  url === undefined ? [] : [openUrl({ href: url, text: 'Open in Pager' })];

function fitting(links: readonly Link[]): readonly Link[] {
  let room = LINKS_LENGTH_MAX;
  return links.filter(({ href, text }) => {
    const length = href.length + text.length;
    if (length > room) return false;
    room -= length;
    return true;
  });
}

const execute = (title: string, verb: string, handle: string): Execute => ({
  type: 'Action.Execute',
  title,
  verb,
  data: { handle },
});

const buttonsOf = (notice: Notice, handleFor?: HandleFor): readonly Execute[] => [
  ...answersTo(notice, handleFor).map(
    ({ verb, text, handle }): Execute => ({
      ...execute(text, verb, handle),
      ...(verb === 'acknowledge' && { style: 'positive' }),
    }),
  ),
  ...listsFor(notice, handleFor).map(
    ({ verb, text, handle }): Execute => ({ ...execute(text, verb, handle), mode: 'secondary' }),
  ),
];

/** Any handle of the incident says which one is to be shown. */
function refreshOf(notice: Notice, handleFor?: HandleFor): TeamsCard['refresh'] {
  if (notice.about !== 'incident' || notice.incident.status === 'resolved') return undefined;
  const handle = handleFor?.('resolve') ?? '';
  return handle === '' ? undefined : { action: execute('Refresh', 'refresh', handle), userIds: [] };
}
