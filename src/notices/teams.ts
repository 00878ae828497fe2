import { type Notice, wordsOf } from './notice.ts';
import { fit, headingOf, lineOf, type Words } from './words/wording.ts';

// A Workflows webhook refuses bodies over 28 KB; three bytes a character leave room for the rest.
const TITLE_LENGTH_MAX = 300;
const DETAILS_LENGTH_MAX = 2500;
const DETAILS_LINES_MAX = 25;
const MENTION_LENGTH_MAX = 200;

export type Run = {
  readonly type: 'TextRun';
  readonly text: string;
  readonly isSubtle?: true;
  readonly weight?: 'Bolder';
  readonly size?: 'Large' | 'Small';
  readonly color?: 'Attention' | 'Good' | 'Warning' | 'Accent';
  readonly fontType?: 'Monospace';
};
export type Element =
  | { readonly type: 'TextBlock'; readonly text: string; readonly wrap: true }
  | { readonly type: 'RichTextBlock'; readonly inlines: readonly Run[]; readonly spacing?: 'None' };
export type Mention = {
  readonly type: 'mention';
  readonly text: string;
  readonly mentioned: { readonly id: string; readonly name: string };
};
type Card = {
  readonly $schema: 'http://adaptivecards.io/schemas/adaptive-card.json';
  readonly type: 'AdaptiveCard';
  readonly version: '1.5';
  readonly body: readonly Element[];
  readonly actions: readonly {
    readonly type: 'Action.OpenUrl';
    readonly title: string;
    readonly url: string;
  }[];
  readonly msteams: { readonly width: 'Full'; readonly entities: readonly Mention[] };
};

export const teamsCardType = 'application/vnd.microsoft.card.adaptive';

export type TeamsMessage = {
  readonly type: 'message';
  readonly attachments: readonly {
    readonly contentType: typeof teamsCardType;
    readonly contentUrl: null;
    readonly content: Card;
  }[];
};

const COLORS = {
  alarm: 'Attention',
  good: 'Good',
  news: 'Accent',
  warning: 'Warning',
} as const satisfies Record<Words['tone'], Run['color']>;

/** The body for a Teams Workflows webhook, whose flow posts the card. */
export function teamsMessageOf(notice: Notice): TeamsMessage {
  const words = wordsOf(notice);
  const mention = mentionOf(notice.mention);
  const content: Card = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.5',
    body: [...mention.elements, ...bodyOf(words)],
    actions: [...words.actions, ...words.links].map(({ href, text }) => ({
      type: 'Action.OpenUrl',
      title: text,
      url: href,
    })),
    msteams: { width: 'Full', entities: mention.entities },
  };
  const contentType = teamsCardType;
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] };
}

// Rich text and not text blocks for all that came from outside: it knows no markup to escape.
export function bodyOf(words: Words): readonly Element[] {
  const title = headingOf(words, fit(words.title, TITLE_LENGTH_MAX));
  const facts = words.facts.flatMap(({ name, value }, index): readonly Run[] => [
    { type: 'TextRun', text: `${index > 0 ? '   ' : ''}${name} `, isSubtle: true },
    { type: 'TextRun', text: value },
  ]);
  return [
    leadOf(words),
    rich([{ type: 'TextRun', text: title, weight: 'Bolder', size: 'Large' }]),
    ...(facts.length > 0 ? [rich(facts)] : []),
    ...detailsOf(words),
    footerOf(words),
  ];
}

export const leadOf = ({ lead, tone }: Words): Element =>
  rich([{ type: 'TextRun', text: lead, weight: 'Bolder', color: COLORS[tone] }]);

export function footerOf({ why, organization }: Words): Element {
  const text = [why, organization].filter((part) => part !== '').join(' · ') || 'Pager';
  return rich([{ type: 'TextRun', text, isSubtle: true, size: 'Small' }]);
}

function detailsOf(words: Words): readonly Element[] {
  const details = fit(words.details, DETAILS_LENGTH_MAX);
  if (details === '') return [];
  const lines = details.split('\n');
  const visible = lines.length > DETAILS_LINES_MAX ? lines.slice(0, DETAILS_LINES_MAX - 1) : lines;
  const ended = visible.length < lines.length ? [...visible, '…'] : visible;
  return ended.map((line, index) => ({
    // An empty run would be drawn without height.
    ...rich([{ type: 'TextRun', text: line || ' ', fontType: 'Monospace' }]),
    ...(index > 0 ? { spacing: 'None' } : {}),
  }));
}

export function rich(inlines: readonly Run[]): Extract<Element, { type: 'RichTextBlock' }> {
  return { type: 'RichTextBlock', inlines };
}

/** A sign-in address or object id becomes a real mention; anything else is only shown. */
export function mentionOf(mention = ''): {
  elements: readonly Element[];
  entities: readonly Mention[];
} {
  const id = lineOf(mention).replace(/^@(?=\S+@)/, '');
  if (id === '') return { elements: [], entities: [] };
  const isPerson = /^([\w.+-]+@[\w-]+(\.[\w-]+)+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;
  if (id.length > MENTION_LENGTH_MAX || !isPerson.test(id)) {
    return {
      elements: [rich([{ type: 'TextRun', text: fit(id, MENTION_LENGTH_MAX) }])],
      entities: [],
    };
  }
  const text = `<at>${id}</at>`;
  return {
    elements: [{ type: 'TextBlock', text, wrap: true }],
    entities: [{ type: 'mention', text, mentioned: { id, name: id } }],
  };
}
