import type { Notice } from './notice.ts';
import {
  actionsOf,
  blockOf,
  factsOf,
  fit,
  type Link,
  labelOf,
  leadOf,
  lineOf,
  linksOf,
  organizationOf,
  titleOf,
  urlOf,
  whyOf,
} from './wording.ts';

// Discord's limits: content 2,000, embed title 256, description 4,096, field value 1,024,
// all of an embed 6,000. The parts below add up to less.
const TITLE_LENGTH_MAX = 240;
const DETAILS_LENGTH_MAX = 2000;
const MENTION_LENGTH_MAX = 200;
const FIELD_LENGTH_MAX = 1024;
const MENTIONS_MAX = 100;

const COLORS = {
  page: 0xd92d20,
  all_clear: 0x079455,
  assigned: 0x1570ef,
  responder_added: 0x1570ef,
  nobody_paged: 0xdc6803,
  storm: 0xdc6803,
} as const satisfies Record<Notice['kind'], number>;

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
    readonly timestamp: string;
  }[];
  readonly allowed_mentions: {
    readonly parse: readonly 'everyone'[];
    readonly users: readonly string[];
    readonly roles: readonly string[];
  };
};

/** The body for a Discord webhook: nothing pings but the mention of the target. */
export function discordMessageOf(notice: Notice): DiscordMessage {
  const mention = fit(lineOf(notice.mention ?? ''), MENTION_LENGTH_MAX);
  const title = fit(titleOf(notice), TITLE_LENGTH_MAX);
  const url = urlOf(notice);
  const content = [
    mention,
    `${escapeDiscord(leadOf(notice))}: ${labelOf(notice)}`,
    fit(titleOf(notice), TITLE_LENGTH_MAX, escapeDiscord),
  ];
  return {
    content: content.filter((part) => part !== '').join(' '),
    embeds: [
      {
        title: fit(`${labelOf(notice)} ${title}`, 256, escapeDiscord),
        ...(url ? { url } : {}),
        description: descriptionOf(notice),
        color: COLORS[notice.kind],
        fields: fieldsOf(notice),
        footer: { text: fit(`${whyOf(notice)} · ${organizationOf(notice)}`, 450) },
        timestamp: notice.incident.created_at.toString(),
      },
    ],
    allowed_mentions: allowedBy(mention),
  };
}

function descriptionOf(notice: Notice): string {
  const details = blockOf(notice.incident.details).replaceAll('```', "'''");
  return details ? `\`\`\`\n${fit(details, DETAILS_LENGTH_MAX)}\n\`\`\`` : '';
}

function fieldsOf(notice: Notice): readonly Field[] {
  const facts = factsOf(notice).map(({ name, value }) => ({
    name,
    value: fit(value, 200, escapeDiscord),
    inline: true,
  }));
  return [
    ...facts,
    ...linkField('Actions', actionsOf(notice)),
    ...linkField('Links', linksOf(notice)),
  ];
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
