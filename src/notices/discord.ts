import { type Notice, wordsOf } from './notice.ts';
import { fit, headingOf, type Link, lineOf, type Words } from './words/wording.ts';

// Discord's limits: content 2,000, embed title 256, description 4,096, field value 1,024,
// all of an embed 6,000. The parts below add up to less.
const TITLE_LENGTH_MAX = 240;
const DETAILS_LENGTH_MAX = 2000;
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

export type DiscordMessage = {
  readonly content: string;
  readonly embeds: readonly {
    readonly title: string;
    readonly url?: string;
    readonly description: string;
    readonly color: number;
    readonly fields: readonly Field[];
    readonly footer: { readonly text: string };
    readonly timestamp?: string;
  }[];
  readonly allowed_mentions: {
    readonly parse: readonly 'everyone'[];
    readonly users: readonly string[];
    readonly roles: readonly string[];
  };
};

/** The body for a Discord webhook: nothing pings but the mention of the target. */
export function discordMessageOf(notice: Notice): DiscordMessage {
  const words = wordsOf(notice);
  const { lead, label, url, at } = words;
  const mention = fit(lineOf(notice.mention ?? ''), MENTION_LENGTH_MAX);
  const title = fit(words.title, TITLE_LENGTH_MAX);
  const content = [
    mention,
    `${escapeDiscord(lead)}:`,
    label,
    fit(words.title, TITLE_LENGTH_MAX, escapeDiscord),
  ];
  return {
    content: content.filter((part) => part !== '').join(' '),
    embeds: [
      {
        title: fit(headingOf(words, title), 256, escapeDiscord),
        ...(url ? { url } : {}),
        description: descriptionOf(words),
        color: COLORS[words.tone],
        fields: fieldsOf(words),
        footer: { text: fit(`${words.why} · ${words.organization}`, 450) },
        ...(at ? { timestamp: at.toString() } : {}),
      },
    ],
    allowed_mentions: allowedBy(mention),
  };
}

function descriptionOf(words: Words): string {
  const details = words.details.replaceAll('```', "'''");
  return details ? `\`\`\`\n${fit(details, DETAILS_LENGTH_MAX)}\n\`\`\`` : '';
}

function fieldsOf({ facts, actions, links }: Words): readonly Field[] {
  const written = facts.map(({ name, value }) => ({
    name,
    value: fit(value, 200, escapeDiscord),
    inline: true,
  }));
  return [...written, ...linkField('Actions', actions), ...linkField('Links', links)];
}

function linkField(name: string, links: readonly Link[]): readonly Field[] {
  let value = '';
  for (const { href, text } of links) {
    const next = `${value && ' · '}[${escapeDiscord(text)}](${href})`;
    if (value.length + next.length <= FIELD_LENGTH_MAX) value += next;
  }
  return value ? [{ name, value, inline: false }] : [];
}

function allowedBy(mention: string): DiscordMessage['allowed_mentions'] {
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
function escapeDiscord(words: string): string {
  return words.replace(/[\\*_~`|<>[\]()#]/g, '\\$&').replaceAll('@', '@\u200b');
}
