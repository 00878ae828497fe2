import { type Notice, wordsOf } from './notice.ts';
import { type Fact, fit, headingOf, type Link, lineOf, type Words } from './words/wording.ts';

// Discord's limits: content 2,000, embed title 256, description 4,096, field value 1,024,
// all of an embed 6,000. The parts below add up to less.
const TITLE_LENGTH_MAX = 240;
const DETAILS_LENGTH_MAX = 2000;
const LEAD_LENGTH_MAX = 300;
const FACT_LENGTH_MAX = 200;
const MENTION_LENGTH_MAX = 200;
const FIELD_LENGTH_MAX = 1024;
const MENTIONS_MAX = 100;

const COLORS = {
  alarm: 0xd92d20,
  good: 0x079455,
  news: 0x1570ef,
  warning: 0xdc6803,
} as const satisfies Record<Words['tone'], number>;

type Field = { readonly name: string; readonly value: string; readonly inline: boolean };

type Embed = {
  readonly title: string;
  readonly url?: string;
  readonly description: string;
  readonly color: number;
  readonly fields: readonly Field[];
  readonly footer: { readonly text: string };
  readonly timestamp?: string;
};

export type AllowedMentions = {
  readonly parse: readonly 'everyone'[];
  readonly users: readonly string[];
  readonly roles: readonly string[];
};

export type DiscordMessage = {
  readonly content: string;
  readonly embeds: readonly Embed[];
  readonly allowed_mentions: AllowedMentions;
};

/** The body for a Discord webhook: nothing pings but the mention of the target. */
export function discordMessageOf(notice: Notice): DiscordMessage {
  const words = wordsOf(notice);
  const { lead, actions } = words;
  return writtenMessage(notice, words, { lead, actions, factOf: ({ value }) => factText(value) });
}

export const factText = (value: string): string => fit(value, FACT_LENGTH_MAX, escapeDiscord);

/** What one message says otherwise than another about the same. */
export type DiscordStyle = {
  readonly lead: string;
  /** A line on top of the embed. */
  readonly top?: string | undefined;
  readonly actions: readonly Link[];
  readonly factOf: (fact: Fact) => string;
};

export function writtenMessage(
  { mention: wanted }: Pick<Notice, 'mention'>,
  words: Words,
  { lead, top, actions, factOf }: DiscordStyle,
): DiscordMessage {
  const { label, url, at } = words;
  const mention = mentionOf(wanted);
  const title = fit(words.title, TITLE_LENGTH_MAX);
  const content = [
    mention,
    `${fit(lead, LEAD_LENGTH_MAX, escapeDiscord)}:`,
    label,
    fit(words.title, TITLE_LENGTH_MAX, escapeDiscord),
  ];
  const facts = words.facts.map((fact) => ({ name: fact.name, value: factOf(fact), inline: true }));
  return {
    content: content.filter((part) => part !== '').join(' '),
    embeds: [
      {
        title: fit(headingOf(words, title), 256, escapeDiscord),
        ...(url ? { url } : {}),
        description: [top, detailsOf(words)].filter((part) => part).join('\n'),
        color: COLORS[words.tone],
        fields: [...facts, ...linkField('Actions', actions), ...linkField('Links', words.links)],
        footer: { text: fit(`${words.why} · ${words.organization}`, 450) },
        ...(at ? { timestamp: at.toString() } : {}),
      },
    ],
    allowed_mentions: allowedBy(mention),
  };
}

export const mentionOf = (mention = ''): string => fit(lineOf(mention), MENTION_LENGTH_MAX);

function detailsOf(words: Words): string {
  const details = words.details.replaceAll('```', "'''");
  return details ? `\`\`\`\n${fit(details, DETAILS_LENGTH_MAX)}\n\`\`\`` : '';
}

function linkField(name: string, links: readonly Link[]): readonly Field[] {
  let value = '';
  for (const { href, text } of links) {
    const next = `${value && ' · '}[${escapeDiscord(text)}](${href})`;
    if (value.length + next.length <= FIELD_LENGTH_MAX) value += next;
  }
  return value ? [{ name, value, inline: false }] : [];
}

export function allowedBy(mention: string): AllowedMentions {
  const idsOf = (pattern: RegExp) => [
    ...new Set(Array.from(mention.matchAll(pattern), ([, id = '']) => id).slice(0, MENTIONS_MAX)),
  ];
  return {
    parse: /@(everyone|here)\b/.test(mention) ? ['everyone'] : [],
    users: idsOf(/<@!?(\d{1,20})>/g),
    roles: idsOf(/<@&(\d{1,20})>/g),
  };
}

/** Shows markup as it is written, and breaks every "@" so that no title can ping. */
export function escapeDiscord(words: string): string {
  return words.replace(/[\\*_~`|<>[\]()#]/g, '\\$&').replaceAll('@', '@\u200b');
}
