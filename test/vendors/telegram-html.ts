// Telegram's reading of messages in HTML: what its users see, and what it refuses.

export type Entity = {
  readonly type: string;
  readonly offset: number;
  readonly length: number;
  readonly url?: string;
};

export type Formatted = { readonly text: string; readonly entities: readonly Entity[] };

const TYPES: Readonly<Record<string, string>> = {
  b: 'bold',
  strong: 'bold',
  i: 'italic',
  em: 'italic',
  u: 'underline',
  ins: 'underline',
  s: 'strikethrough',
  strike: 'strikethrough',
  del: 'strikethrough',
  'tg-spoiler': 'spoiler',
  a: 'text_link',
  code: 'code',
  pre: 'pre',
  blockquote: 'blockquote',
};
const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };
const ENTITIES_READ = 100;
const TAG = /^<(\/?)([a-z-]+)((?:\s+[a-z-]+(?:=(?:"[^"]*"|'[^']*'|[^\s>"']*))?)*)\s*>/i;

type Open = { readonly tag: string; readonly offset: number; readonly url?: string };

/** A text: the words with which Telegram refuses it. */
export function readTelegramHtml(html: string): Formatted | string {
  const open: Open[] = [];
  const entities: Entity[] = [];
  let text = '';
  let at = 0;
  while (at < html.length) {
    const rest = html.slice(at);
    const start = at;
    const here = () => `at byte offset ${Buffer.byteLength(html.slice(0, start))}`;
    if (rest.startsWith('<')) {
      const [tag, slash, name = '', attributes = ''] = TAG.exec(rest) ?? [];
      if (tag === undefined) return `Unclosed start tag ${here()}`;
      const lower = name.toLowerCase();
      at += tag.length;
      if (slash === '/') {
        const last = open.pop();
        if (!last) return `Unexpected end tag ${here()}`;
        if (last.tag !== lower)
          return `Unmatched end tag ${here()}, expected "</${last.tag}>", found "</${lower}>"`;
        const entity = entityOf(last, text);
        if (entity) entities.push(entity);
        continue;
      }
      if (TYPES[lower] === undefined) return `Unsupported start tag "${lower}" ${here()}`;
      const href = /\shref=(?:"([^"]*)"|'([^']*)'|([^\s>"']*))/i.exec(attributes);
      const url = decoded(href?.[1] ?? href?.[2] ?? href?.[3] ?? '');
      open.push({ tag: lower, offset: text.length, ...(lower === 'a' ? { url } : {}) });
      continue;
    }
    const written = /^(?:&(?:#\d+|#x[0-9a-f]+|[a-z]+);|&|[^<&]+)/i.exec(rest)?.[0] ?? rest;
    text += decoded(written);
    at += written.length;
  }
  const last = open.at(-1);
  if (last) return `Can't find end tag corresponding to start tag "${last.tag}"`;
  return trimmed(text, [...entities, ...detectedIn(text, entities)].slice(0, ENTITIES_READ));
}

/** A message without markup, in which Telegram still finds mentions and commands. */
export function readTelegramText(text: string): Formatted {
  return trimmed(text, detectedIn(text, []));
}

/** None for an empty one, and for a link to what has no public name: its text is shown alone. */
function entityOf({ tag, offset, url }: Open, text: string): Entity | undefined {
  const type = TYPES[tag];
  const length = text.length - offset;
  if (type === undefined || length === 0) return undefined;
  if (tag !== 'a') return { type, offset, length };
  const parsed = URL.parse(url ?? '');
  if (!parsed || !/^https?:$/.test(parsed.protocol) || !parsed.hostname.includes('.'))
    return undefined;
  return { type, offset, length, url: parsed.href };
}

function detectedIn(text: string, entities: readonly Entity[]): readonly Entity[] {
  const closed = entities.filter(({ type }) => ['pre', 'code', 'text_link'].includes(type));
  const patterns = [
    ['mention', /(?<![\w@])@\w{2,32}/g],
    ['bot_command', /(?<![\w/<>])\/\w{1,64}(?:@\w{3,32})?/g],
  ] as const;
  return patterns.flatMap(([type, pattern]) =>
    Array.from(text.matchAll(pattern), ({ index, 0: { length } }) => ({
      type,
      offset: index,
      length,
    })).filter(
      ({ offset, length }) =>
        !closed.some((one) => offset < one.offset + one.length && one.offset < offset + length),
    ),
  );
}

function trimmed(text: string, entities: readonly Entity[]): Formatted {
  const start = text.length - text.trimStart().length;
  const whole = text.trim();
  return {
    text: whole,
    entities: entities
      .map((one) => {
        const offset = Math.max(0, one.offset - start);
        const end = Math.min(whole.length, one.offset + one.length - start);
        return { ...one, offset, length: end - offset };
      })
      .filter(({ length }) => length > 0),
  };
}

function decoded(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|([a-z]+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[name] ?? whole;
    const point = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
}
