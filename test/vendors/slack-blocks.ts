// Slack's reading of a message: what it refuses, and what it takes for a mention.

type Members = Readonly<Record<string, unknown>>;

export type SlackOption = {
  readonly of: 'overflow' | 'static_select';
  readonly actionId: string;
  readonly text: string;
  readonly value: string;
};

export type ReadMessage = {
  /** All that people see, in order. */
  readonly shown: string;
  readonly buttons: readonly { readonly text: string; readonly value: string }[];
  /** Of its menus and selects. */
  readonly options: readonly SlackOption[];
  /** As `<!channel>`. */
  readonly mentions: readonly string[];
};

const BLOCKS_MAX = 50;

/** A time, shown here as to whoever has no clock of their own. */
const dates = /<!date\^\d+\^[^|>]*\{[a-z_]+\}[^|>]*\|([^>]*)>/g;

/** A text: the error with which Slack refuses it. */
export function readSlackMessage({ text, blocks = [] }: Members): ReadMessage | string {
  if (!Array.isArray(blocks)) return 'invalid_blocks_format';
  if (typeof text !== 'string' && blocks.length === 0) return 'no_text';
  if (String(text).length > 40_000) return 'msg_too_long';
  if (blocks.length > BLOCKS_MAX) return 'invalid_blocks';
  const read = blocks.map((block: Members) => readBlock(block));
  if (read.includes(null)) return 'invalid_blocks';
  const parts = read.flatMap((part) => part ?? []);
  const ids = parts.flatMap(({ actionId }) => actionId ?? []);
  if (new Set(ids).size < ids.length) return 'invalid_blocks';
  const markup = blocks.length === 0 ? [String(text)] : parts.flatMap((part) => part.markup ?? []);
  const shown = blocks.length === 0 ? [String(text)] : parts.map((part) => part.shown);
  return {
    shown: shown.join('\n').replace(dates, '$1'),
    buttons: parts.flatMap(({ shown: label, value }) =>
      value === undefined ? [] : [{ text: label, value }],
    ),
    options: parts.flatMap(({ options }) => options ?? []),
    mentions: [...markup, String(text)].flatMap(
      (part) => part.match(/<(?:@|!(?!date\^))[^>]+>/g) ?? [],
    ),
  };
}

type Part = {
  readonly shown: string;
  readonly markup?: string;
  readonly value?: string;
  readonly actionId?: string;
  readonly options?: readonly SlackOption[];
};

/** Null: Slack refuses it. */
function readBlock(block: Members): readonly Part[] | null {
  switch (block['type']) {
    case 'header':
      return partsOf([textIn(block['text'], { max: 150, only: 'plain_text' })]);
    case 'section': {
      const { text, fields } = block;
      if (text === undefined && !Array.isArray(fields)) return null;
      const all = Array.isArray(fields) ? fields : [];
      if (all.length > 10) return null;
      return partsOf([
        ...(text === undefined ? [] : [textIn(text, { max: 3000 })]),
        ...all.map((field) => textIn(field, { max: 2000 })),
      ]);
    }
    case 'context':
      return listIn(block['elements'], 10, (one) => textIn(one, { max: 3000 }));
    case 'actions':
      return listIn(block['elements'], 25, interactiveIn);
    case 'rich_text':
      return listIn(block['elements'], 50, preformattedIn);
    default:
      return null;
  }
}

const partsOf = (parts: readonly (Part | null)[]): readonly Part[] | null =>
  parts.includes(null) ? null : parts.flatMap((part) => part ?? []);

function listIn(value: unknown, max: number, read: (one: Members) => Part | null) {
  if (!Array.isArray(value) || value.length < 1 || value.length > max) return null;
  return partsOf(value.map(read));
}

type TextRule = { readonly max: number; readonly only?: string };

function textIn(value: unknown, { max, only }: TextRule): Part | null {
  const { type, text, ...rest } = (value ?? {}) as Members;
  const isMarkup = type === 'mrkdwn';
  if (!isMarkup && type !== 'plain_text') return null;
  if (only !== undefined && type !== only) return null;
  const allowed = isMarkup ? ['verbatim'] : ['emoji'];
  if (Object.keys(rest).some((name) => !allowed.includes(name))) return null;
  if (typeof text !== 'string' || text.length < 1 || text.length > max) return null;
  return { shown: text, ...(isMarkup && { markup: text }) };
}

const interactiveIn = (element: Members): Part | null =>
  element['type'] === 'button' ? buttonIn(element) : listOfOptionsIn(element);

const optionRules = { overflow: { min: 2, max: 5 }, static_select: { min: 1, max: 100 } } as const;

function listOfOptionsIn(element: Members): Part | null {
  const { type, action_id: actionId, options, placeholder, ...rest } = element;
  if (type !== 'overflow' && type !== 'static_select') return null;
  const { min, max } = optionRules[type];
  if (typeof actionId !== 'string' || actionId.length < 1 || actionId.length > 255) return null;
  if (Object.keys(rest).length > 0) return null;
  if (type === 'overflow' && placeholder !== undefined) return null;
  const label =
    placeholder === undefined
      ? { shown: '' }
      : textIn(placeholder, { max: 150, only: 'plain_text' });
  if (label === null || !Array.isArray(options)) return null;
  if (options.length < min || options.length > max) return null;
  const read = options.map((option: Members) => optionIn(option, { of: type, actionId }));
  const values = read.map((option) => option?.value);
  if (read.includes(null) || new Set(values).size < values.length) return null;
  return { ...label, actionId, options: read.flatMap((option) => option ?? []) };
}

function optionIn(
  { text, value, ...rest }: Members,
  where: Pick<SlackOption, 'of' | 'actionId'>,
): SlackOption | null {
  const label = textIn(text, { max: 75, only: 'plain_text' });
  if (label === null || Object.keys(rest).length > 0) return null;
  // Older references of Slack have 75, newer ones 150.
  if (typeof value !== 'string' || value.length < 1 || value.length > 75) return null;
  return { ...where, text: label.shown, value };
}

function buttonIn({
  type,
  text,
  action_id: actionId,
  value,
  style,
  ...rest
}: Members): Part | null {
  const label = textIn(text, { max: 75, only: 'plain_text' });
  if (type !== 'button' || label === null || Object.keys(rest).length > 0) return null;
  if (typeof actionId !== 'string' || actionId.length > 255) return null;
  if (typeof value !== 'string' || value.length > 2000) return null;
  if (style !== undefined && style !== 'primary' && style !== 'danger') return null;
  return { ...label, actionId, value };
}

function preformattedIn({ type, elements }: Members): Part | null {
  if (type !== 'rich_text_preformatted' || !Array.isArray(elements)) return null;
  const texts = elements.map((one: Members) => (one['type'] === 'text' ? one['text'] : null));
  return texts.every((text) => typeof text === 'string' && text !== '')
    ? { shown: texts.join('') }
    : null;
}
