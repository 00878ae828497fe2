// Terraform's language, written as `terraform fmt` leaves it.

/** What stands on the right of an equals sign. */
export type Expression =
  | string
  | number
  | boolean
  /** Of something else in the configuration: `pager_service.shop.id`. */
  | { readonly address: string }
  | { readonly list: readonly Expression[] }
  | { readonly object: Attributes };

export type Attributes = readonly (readonly [name: string, value: Expression])[];

export type Block = {
  /** Lines above it. */
  readonly comments?: readonly string[];
  /** Its keyword, and the labels after it. */
  readonly head: readonly [keyword: string, ...labels: readonly string[]];
  readonly attributes: Attributes;
};

const COLUMNS_MAX = 100;

export function blockText({ comments = [], head, attributes }: Block): string {
  const [keyword, ...labels] = head;
  const commentLines = comments.map((line) => `# ${line}\n`).join('');
  const opening = [keyword, ...labels.map(quoted)].join(' ');
  return `${commentLines}${opening} {\n${attributesText(attributes, '  ')}}\n`;
}

/** The attributes, one below the other. */
export function attributesText(attributes: Attributes, indent = ''): string {
  const written = attributes.map(([name, value]) => ({
    name: nameText(name),
    value: expressionText(value, indent),
  }));
  return runsOf(written)
    .flatMap((run) => {
      const width = Math.max(...run.map(({ name }) => name.length));
      return run.map(({ name, value }) => `${indent}${name.padEnd(width)} = ${value}\n`);
    })
    .join('');
}

type Written = { readonly name: string; readonly value: string };

/** Their equals signs stand in one column; a value of several lines interrupts it. */
function runsOf(written: readonly Written[]): readonly (readonly Written[])[] {
  const isOneLine = ({ value }: Written) => !value.includes('\n');
  const runs: Written[][] = [];
  for (const each of written) {
    const run = runs.at(-1);
    if (run && [...run, each].every(isOneLine)) run.push(each);
    else runs.push([each]);
  }
  return runs;
}

/** Quoted where a bare name would be a keyword, or no name at all. */
function nameText(name: string): string {
  const isBare = /^[a-z_][a-z0-9_]*$/.test(name) && !/^(for|if|null|true|false)$/.test(name);
  return isBare ? name : quoted(name);
}

function expressionText(value: Expression, indent: string): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object') return String(value);
  if ('address' in value) return value.address;
  return 'list' in value ? listText(value.list, indent) : objectText(value.object, indent);
}

function listText(list: readonly Expression[], indent: string): string {
  const inner = `${indent}  `;
  const texts = list.map((one) => expressionText(one, inner));
  const line = `[${texts.join(', ')}]`;
  if (list.length === 0 || (list.every(isLeaf) && fits(line, indent))) return line;
  return `[\n${texts.map((text) => `${inner}${text},\n`).join('')}${indent}]`;
}

function objectText(object: Attributes, indent: string): string {
  if (object.length === 0) return '{}';
  const members = object.map(([name, one]) => `${nameText(name)} = ${expressionText(one, '')}`);
  const line = `{ ${members.join(', ')} }`;
  if (object.every(([, one]) => isLeaf(one)) && fits(line, indent)) return line;
  return `{\n${attributesText(object, `${indent}  `)}${indent}}`;
}

const isLeaf = (value: Expression) => typeof value !== 'object' || 'address' in value;
const fits = (line: string, indent: string) => indent.length + line.length <= COLUMNS_MAX;

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
// What cannot be seen, or changes the order of what is seen.
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff]/gu;

/** The text as a string of the language, whatever is in it. */
export function quoted(text: string): string {
  const escaped = text
    .replace(/["\\]/g, '\\$&')
    .replace(/[$%](?=\{)/g, '$&$&')
    .replace(unseen, (character) => short[character] ?? escapeOf(character));
  return `"${escaped}"`;
}

const escapeOf = (character: string) =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
