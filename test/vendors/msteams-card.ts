// A card as somebody in Teams sees it.

type Members = Readonly<Record<string, unknown>>;

export type ShownCard = {
  readonly summary: string;
  /** Its text, line by line. */
  shown: string;
  buttons: readonly {
    readonly title: string;
    readonly verb: string;
    readonly data: Members;
    readonly isInMenu: boolean;
  }[];
  links: readonly { readonly title: string; readonly url: string }[];
  choices: readonly { readonly title: string; readonly value: string }[];
  /** Those whom it mentions. */
  mentions: readonly string[];
  /** What the entry of its menu sends; null: there is none. */
  refresh: Members | null;
};

type Element = {
  type: string;
  text?: string;
  inlines?: readonly { text: string }[];
  choices?: ShownCard['choices'];
};
type Action = {
  type: string;
  title: string;
  verb: string;
  data: Members;
  url: string;
  mode?: string;
};

/** Of one that keeps to the contract. */
export function shownCard(card: unknown, summary = ''): ShownCard {
  const { body, actions, refresh, msteams } = card as {
    body: readonly Element[];
    actions: readonly Action[];
    refresh?: { action: Action };
    msteams: { entities: readonly { text: string; mentioned: { id: string } }[] };
  };
  const lines = body.map(
    ({ text, inlines = [] }) => text ?? inlines.map((run) => run.text).join(''),
  );
  for (const { text } of msteams.entities)
    if (!lines.includes(text)) throw new Error(`the mention ${text} is nowhere in the card`);
  return {
    summary,
    shown: lines.join('\n'),
    buttons: actions
      .filter(({ type }) => type === 'Action.Execute')
      .map(({ title, verb, data, mode }) => ({
        title,
        verb,
        data,
        isInMenu: mode === 'secondary',
      })),
    links: actions
      .filter(({ type }) => type === 'Action.OpenUrl')
      .map(({ title, url }) => ({ title, url })),
    choices: body.flatMap(({ choices = [] }) => choices),
    mentions: msteams.entities.map(({ mentioned }) => mentioned.id),
    refresh: refresh === undefined ? null : actionOf(refresh.action),
  };
}

const actionOf = ({ title, verb, data }: Action): Members => ({ title, verb, data });
