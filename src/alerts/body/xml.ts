import { httpLimits } from '../../limits/http.ts';
import type { Json } from '../alert.ts';
import { spend } from '../effort.ts';

type Element = {
  readonly name: string;
  readonly attributes: readonly (readonly [string, string])[];
  readonly children: Map<string, Json[]>;
  text: string;
};

const NAME = String.raw`[A-Za-z_:\u0080-\uffff][\w:.\u0080-\uffff-]*`;
const OPENING = new RegExp(`<(${NAME})`, 'y');
const ATTRIBUTE = new RegExp(String.raw`\s+(${NAME})\s*=\s*(?:"([^"<]*)"|'([^'<]*)')`, 'y');
const END_OF_OPENING = /\s*(\/?)>/y;
const CLOSING = new RegExp(String.raw`</(${NAME})\s*>`, 'y');

/** Of a tag, an attribute, or what stands between. */
const PIECE_WORK = 40;

/**
 * XML as a plain object with its root as the only member: attributes as `@name`, text as `#text`,
 * an element of text alone as that text, repeated elements as a list. Null for what is not
 * well-formed or nested too deep, and for everything with a DOCTYPE: no entity is ever expanded
 * but the five of XML itself.
 */
export function parseXml(text: string): Json | null {
  spend(text.length);
  const top: Element = { name: '', attributes: [], children: new Map(), text: '' };
  const open = [top];
  let at = 0;
  while (at < text.length) {
    spend(PIECE_WORK);
    const parent = open.at(-1);
    if (parent === undefined) return null;
    const skipped = markupAt(text, at);
    if (skipped === 'broken') return null;
    if (skipped !== null) {
      parent.text += skipped.text;
      at = skipped.end;
    } else if (text.startsWith('</', at)) {
      const closing = execAt(CLOSING, text, at);
      if (closing?.[1] !== parent.name) return null;
      at = CLOSING.lastIndex;
      open.pop();
      addTo(open.at(-1), parent);
    } else if (text.startsWith('<', at)) {
      const opening = openingAt(text, at);
      if (opening === null || open.length > httpLimits.bodyDepth) return null;
      at = opening.end;
      if (opening.isEmpty) addTo(parent, opening.element);
      else open.push(opening.element);
    } else {
      const end = text.indexOf('<', at);
      const piece = text.slice(at, end < 0 ? text.length : end);
      parent.text += unescaped(piece);
      at += piece.length;
    }
  }
  const isWhole = open.length === 1 && top.text.trim() === '' && top.children.size === 1;
  const [[name, [root, ...others]] = ['', []]] = top.children;
  return isWhole && root !== undefined && others.length === 0
    ? Object.fromEntries([[name, root]])
    : null;
}

const markup = [
  { start: '<!--', end: '-->', isText: false },
  { start: '<![CDATA[', end: ']]>', isText: true },
  { start: '<?', end: '?>', isText: false },
] as const;

type Markup = { readonly text: string; readonly end: number };

/** A comment, an instruction or a section of text; null where there is none of them. */
function markupAt(text: string, at: number): Markup | 'broken' | null {
  const kind = markup.find(({ start }) => text.startsWith(start, at));
  if (kind === undefined) return null;
  const start = at + kind.start.length;
  const end = text.indexOf(kind.end, start);
  if (end < 0) return 'broken';
  return { text: kind.isText ? text.slice(start, end) : '', end: end + kind.end.length };
}

type Opening = { readonly element: Element; readonly isEmpty: boolean; readonly end: number };

function openingAt(text: string, start: number): Opening | null {
  const name = execAt(OPENING, text, start)?.[1];
  if (name === undefined) return null;
  const attributes: [string, string][] = [];
  let at = OPENING.lastIndex;
  for (;;) {
    spend(PIECE_WORK);
    const match = execAt(ATTRIBUTE, text, at);
    if (match === null) break;
    const [, attribute = '', double, single = ''] = match;
    attributes.push([`@${attribute}`, unescaped(double ?? single)]);
    at = ATTRIBUTE.lastIndex;
  }
  const end = execAt(END_OF_OPENING, text, at);
  if (end === null) return null;
  const element = { name, attributes, children: new Map(), text: '' };
  return { element, isEmpty: end[1] === '/', end: END_OF_OPENING.lastIndex };
}

function addTo(parent: Element | undefined, child: Element): void {
  const value = elementAsJson(child);
  const others = parent?.children.get(child.name);
  if (others) others.push(value);
  else parent?.children.set(child.name, [value]);
}

function elementAsJson({ attributes, children, text }: Element): Json {
  const own = text.trim();
  if (attributes.length === 0 && children.size === 0) return own;
  const members = [...children].map(([name, values]) => [
    name,
    values.length === 1 ? values[0] : values,
  ]);
  return Object.fromEntries([...attributes, ...members, ...(own === '' ? [] : [['#text', own]])]);
}

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
};

const unescaped = (text: string): string =>
  text.includes('&')
    ? text.replace(
        /&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([\dA-Fa-f]{1,6}));/g,
        (_, name: string | undefined, decimal: string | undefined, hex: string) =>
          name === undefined
            ? characterOf(decimal ? Number(decimal) : Number.parseInt(hex, 16))
            : (entities[name] ?? ''),
      )
    : text;

const LAST_CODE_POINT = 0x10ffff;

/** What no text may hold becomes the sign for that. */
const characterOf = (code: number): string =>
  code === 0 || code > LAST_CODE_POINT || (code >= 0xd800 && code <= 0xdfff)
    ? '\ufffd'
    : String.fromCodePoint(code);

function execAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(text);
}
