// Files of settings, read as systemd reads an `EnvironmentFile`: the operator's command has the same
// settings as the service then. A shell would take `&`, `$` and spaces in them as its own.
import { readFile } from 'node:fs/promises';
import { messageOf } from './engine/log.ts';

const FLAG = '--env-file';

type Environment = Readonly<Record<string, string | undefined>>;
type Settings = Readonly<Record<string, string>>;

/** The words without the flag, and what its file sets. A text: why it cannot be used. */
export async function takeEnvFile(
  words: readonly string[],
  environment: Environment,
): Promise<{ readonly words: readonly string[]; readonly settings: Settings } | string> {
  const at = words.findIndex((word) => word === FLAG || word.startsWith(`${FLAG}=`));
  if (at < 0) return { words, settings: {} };
  const isOneWord = words[at] !== FLAG;
  const file = isOneWord ? words[at]?.slice(FLAG.length + 1) : words[at + 1];
  if (!file || (!isOneWord && file.startsWith('--')))
    return `${FLAG} needs a file, such as /etc/pager/pager.env.`;
  const settings = await settingsIn(file);
  if (typeof settings === 'string') return settings;
  const differing = Object.keys(settings).filter(
    (name) => name.startsWith('PAGER_') && (environment[name] ?? settings[name]) !== settings[name],
  );
  if (differing.length > 0)
    return `${differing.join(', ')}: the environment and ${file} have different values. Unset it in the environment.`;
  return { words: words.toSpliced(at, isOneWord ? 1 : 2), settings };
}

async function settingsIn(file: string): Promise<Settings | string> {
  try {
    const read = parseEnvFile(await readFile(file, 'utf8'));
    return typeof read === 'string' ? `${file}: ${read}` : read;
  } catch (error) {
    return `${file} cannot be read: ${messageOf(error)}`;
  }
}

const NAME = /^[a-z_][a-z0-9_]*$/i;
const BLANK = /[ \t]/;
/** Before which a backslash in double quotes means something. */
const ESCAPED = new Set(['"', '\\', '`', '$']);

/**
 * Comments begin with `#` or `;`, quotes only where a value begins, and a backslash stands before
 * what is taken as it is. A text: what is wrong. systemd skips such lines with a warning.
 */
export function parseEnvFile(text: string): Settings | string {
  const settings: Record<string, string> = {};
  const reader = new Reader(text.replaceAll('\r\n', '\n'));
  while (reader.skipBlank()) {
    if (reader.isComment()) {
      reader.skipLine();
      continue;
    }
    const line = reader.line;
    const name = reader.readName();
    if (name === null || !NAME.test(name)) return `line ${line} is not NAME=value`;
    const value = reader.readValue();
    if (value === null) return `line ${line}: the quote of ${name} is not closed`;
    settings[name] = value;
  }
  return settings;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get line(): number {
    return this.#text.slice(0, this.#at).split('\n').length;
  }

  get #next(): string | undefined {
    return this.#text[this.#at];
  }

  #take(): string | undefined {
    this.#at += 1;
    return this.#text[this.#at - 1];
  }

  /** To what begins a line; false: there is no more. */
  skipBlank(): boolean {
    while (this.#next !== undefined && (this.#next === '\n' || BLANK.test(this.#next)))
      this.#take();
    return this.#next !== undefined;
  }

  isComment = (): boolean => this.#next === '#' || this.#next === ';';

  /** A comment goes on where its line ends with a backslash. */
  skipLine(): void {
    for (let one = this.#take(); one !== undefined && one !== '\n'; one = this.#take())
      if (one === '\\') this.#take();
  }

  /** Null: there is no `=` on this line. */
  readName(): string | null {
    let name = '';
    for (let one = this.#take(); one !== '='; one = this.#take()) {
      if (one === undefined || one === '\n') return null;
      name += one;
    }
    return name.trimEnd();
  }

  /** Null: a quote is never closed. */
  readValue(): string | null {
    let value = '';
    for (;;) {
      while (this.#next !== undefined && BLANK.test(this.#next)) this.#take();
      const quote = this.#next;
      if (quote !== "'" && quote !== '"') return value + this.#readBare();
      this.#take();
      const quoted = this.#readQuoted(quote);
      if (quoted === null) return null;
      value += quoted;
    }
  }

  /** To the end of the line. Blanks before it do not count. */
  #readBare(): string {
    let value = '';
    let length = 0;
    for (let one = this.#take(); one !== undefined && one !== '\n'; one = this.#take()) {
      const escaped = one === '\\' ? (this.#take() ?? '') : null;
      if (escaped !== null) value += escaped === '\n' ? '' : escaped;
      else value += one;
      if (escaped !== null || !BLANK.test(one)) length = value.length;
    }
    return value.slice(0, length);
  }

  #readQuoted(quote: string): string | null {
    let value = '';
    for (let one = this.#take(); one !== quote; one = this.#take()) {
      if (one === undefined) return null;
      if (quote === "'" || one !== '\\') {
        value += one;
        continue;
      }
      const next = this.#take() ?? '';
      if (ESCAPED.has(next)) value += next;
      else if (next !== '\n') value += `\\${next}`;
    }
    return value;
  }
}
