// What a Discord bot posts about a notice, and shows people who press its buttons.
import {
  type Answer,
  answersTo,
  CHOICES_MAX,
  type HandleFor,
  listsFor,
  takenOf,
  withoutAnswers,
} from './answers.ts';
import {
  type AllowedMentions,
  allowedBy,
  type DiscordMessage,
  escapeDiscord,
  factText,
  mentionOf,
  writtenMessage,
} from './discord.ts';
import type { ActionTaken, AlertsJoined } from './kinds/incident.ts';
import { type Notice, wordsOf } from './notice.ts';
import { joinedLine } from './words/joined.ts';
import { takenBy, takenLine } from './words/taken.ts';
import { blockOf, fit, headingOf } from './words/wording.ts';

// What Discord takes: content of 2,000 characters, rows of five buttons, menus of 25 options.
const CONTENT_LENGTH_MAX = 2000;
const LINE_LENGTH_MAX = 300;
const LINK_LENGTH_MAX = 600;
const OPTION_LENGTH_MAX = 100;
const OPTIONS_MAX = 25;
const THREAD_NAME_LENGTH_MAX = 100;

type Button = {
  readonly type: 2;
  readonly style: 1 | 2;
  readonly label: string;
  /** 100 characters at most, as the values of options. */
  readonly custom_id: string;
};
type Select = {
  readonly type: 3;
  readonly custom_id: string;
  readonly placeholder: string;
  readonly options: readonly { readonly label: string; readonly value: string }[];
};
type Row = { readonly type: 1; readonly components: readonly (Button | Select)[] };

export type DiscordPost = DiscordMessage & { readonly components: readonly Row[] };

/** A notice as a post of its own, which is edited when its subject changes. */
export function discordPostOf(notice: Notice, handleFor?: HandleFor): DiscordPost {
  const words = wordsOf(handleFor ? withoutAnswers(notice) : notice);
  const taken = takenOf(notice);
  const message = writtenMessage(notice, words, {
    // Of what was edited it says who did what, as the embed does: it is all that lock screens show.
    lead: taken ? takenLine(notice, taken) : words.lead,
    top: taken && `**${takenText(taken)}**`,
    actions: handleFor ? [] : words.actions,
    factOf: ({ value, at }) => (at ? discordTime(at, 'f') : factText(value)),
  });
  return { ...message, components: buttonsOf(notice, handleFor) };
}

/** For when Discord refuses the embed: the line and the buttons alone. */
export const plainDiscordPostOf = (notice: Notice, handleFor?: HandleFor): DiscordPost => ({
  ...discordPostOf(notice, handleFor),
  embeds: [],
});

/** A notice about what stands in the channel already, for the thread below it. */
export function discordReplyOf(notice: Notice): DiscordPost {
  const words = wordsOf(withoutAnswers(notice));
  const { lead, url, why, organization } = words;
  const mention = mentionOf(notice.mention);
  const line = `**${fit(lead, LINE_LENGTH_MAX, escapeDiscord)}**`;
  const heading = fit(headingOf(words, words.title), LINE_LENGTH_MAX, escapeDiscord);
  const open =
    url !== undefined && url.length <= LINK_LENGTH_MAX ? `[Open in Pager](<${url}>)` : '';
  const context = [why, organization].filter((part) => part !== '').join(' · ');
  const written = [mention, `${line}: ${heading}`, open].filter((part) => part !== '').join(' ');
  const small = context && `\n-# ${fit(context, LINE_LENGTH_MAX, escapeDiscord)}`;
  return { ...textOf(written + small), allowed_mentions: allowedBy(mention) };
}

/** What was done, for the thread: an edit alone is overlooked. */
export const discordTakenOf = (taken: ActionTaken): DiscordPost => textOf(takenText(taken));

/** Which alerts joined, for the thread. */
export const discordJoinedOf = (notice: Notice, joined: AlertsJoined): DiscordPost =>
  textOf(fit(joinedLine(notice, joined), CONTENT_LENGTH_MAX, escapeDiscord));

export function threadNameOf(notice: Notice): string {
  const words = wordsOf(notice);
  return fit(headingOf(words, words.title), THREAD_NAME_LENGTH_MAX) || 'Pager';
}

/** What one person alone is shown. Nothing of it is a mention, or markup. */
export function discordAnswerOf(
  text: string,
  link?: { readonly href: string; readonly text: string },
): DiscordPost {
  const linked = link ? ` [${escapeDiscord(link.text)}](<${link.href}>)` : '';
  return textOf(
    `${fit(blockOf(text), CONTENT_LENGTH_MAX - linked.length, escapeDiscord)}${linked}`,
  );
}

/** A list of which whoever reads it chooses one. */
export function discordChoicesOf(
  text: string,
  choices: readonly { readonly text: string; readonly handle: string }[],
): DiscordPost {
  const options = choices
    .slice(0, CHOICES_MAX)
    .map((one) => ({ label: fit(one.text, OPTION_LENGTH_MAX) || ' ', value: one.handle }));
  const menus = Array.from({ length: Math.ceil(options.length / OPTIONS_MAX) }, (_, nth): Row => {
    const select: Select = {
      type: 3,
      custom_id: `choose ${nth + 1}`,
      placeholder: nth === 0 ? 'Choose one' : 'Or choose one of these',
      options: options.slice(nth * OPTIONS_MAX, (nth + 1) * OPTIONS_MAX),
    };
    return { type: 1, components: [select] };
  });
  const first = choices.length > CHOICES_MAX ? ` Only the first ${CHOICES_MAX} are shown.` : '';
  return { ...discordAnswerOf(`${text}${first}`), components: menus };
}

const nobody: AllowedMentions = { parse: [], users: [], roles: [] };

const textOf = (content: string): DiscordPost => ({
  content,
  embeds: [],
  components: [],
  allowed_mentions: nobody,
});

/** On the clock of whoever reads it. */
const discordTime = (at: Temporal.Instant, format: 'f' | 't'): string =>
  `<t:${Math.floor(at.epochMilliseconds / 1_000)}:${format}>`;

const takenText = (taken: ActionTaken): string =>
  `${fit(takenBy(taken), LINE_LENGTH_MAX, escapeDiscord)}, ${discordTime(taken.at, 't')}`;

function buttonsOf(notice: Notice, handleFor?: HandleFor): readonly Row[] {
  const answers = answersTo(notice, handleFor);
  if (answers.length === 0) return [];
  const components = [...answers, ...listsFor(notice, handleFor)].map(buttonOf);
  return [{ type: 1, components }];
}

const buttonOf = ({ verb, text, handle }: Answer): Button => ({
  type: 2,
  style: verb === 'acknowledge' ? 1 : 2,
  label: text,
  custom_id: handle,
});
