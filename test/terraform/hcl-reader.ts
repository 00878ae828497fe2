// Reads the part of Terraform's language that the export writes, by its specification.
import assert from 'node:assert/strict';
import type { Attributes, Expression } from '../../src/terraform/export/hcl.ts';

export function readAttributes(text: string): Attributes {
  const reader = new Reader(text);
  const attributes = reader.members('');
  assert.equal(reader.rest(), '');
  return attributes;
}

const bareName = /[a-z_][a-z0-9_]*/y;
const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  rest(): string {
    return this.#text.slice(this.#at);
  }

  /** Up to that closing mark; each on a line of its own, or with commas. */
  members(end: string): Attributes {
    const members: (readonly [string, Expression])[] = [];
    while (!this.#isAt(end)) {
      const name = this.#isAt('"') ? this.#string() : this.#match(bareName);
      this.#take(/ *= /y);
      members.push([name, this.#expression()]);
      this.#skip(/,? |\n/y);
    }
    return members;
  }

  #expression(): Expression {
    this.#skip(/ +/y);
    if (this.#isAt('"')) return this.#string();
    if (this.#skip(/\[\n?/y)) return { list: this.#closed(']', () => this.#list()) };
    if (this.#skip(/\{\n?/y)) return { object: this.#closed('}', () => this.members('}')) };
    const word = this.#match(/-?[\w.]+/y);
    if (word === 'true' || word === 'false') return word === 'true';
    return /^-?\d+$/.test(word) ? Number(word) : { address: word };
  }

  #list(): readonly Expression[] {
    const list: Expression[] = [];
    while (!this.#isAt(']')) {
      list.push(this.#expression());
      this.#skip(/, |,\n/y);
    }
    return list;
  }

  #closed<Value>(end: string, read: () => Value): Value {
    const value = read();
    assert.ok(this.#isAt(end));
    this.#at += 1;
    return value;
  }

  #string(): string {
    const written = this.#match(/"(?:[^"\\\n]|\\.)*"/y).slice(1, -1);
    assert.doesNotMatch(written, /(?<!\$)\$\{|(?<!%)%\{/);
    return written
      .replace(/\$\$\{|%%\{/g, (marked) => marked.slice(1))
      .replace(/\\(?:u(\w{4})|(.))/g, (_, code, short) =>
        code ? String.fromCharCode(Number.parseInt(code, 16)) : (escapes[short] ?? short),
      );
  }

  /** After blanks. An empty mark stands for the end of the text. */
  #isAt(mark: string): boolean {
    this.#skip(/ +/y);
    return mark === '' ? this.rest() === '' : this.#text.startsWith(mark, this.#at);
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const [match] = pattern.exec(this.#text) ?? [];
    this.#at += match?.length ?? 0;
    return match !== undefined;
  }

  #match(pattern: RegExp): string {
    const from = this.#at;
    assert.ok(this.#skip(pattern), `${pattern} at ${this.rest()}`);
    return this.#text.slice(from, this.#at);
  }

  #take(pattern: RegExp): void {
    this.#match(pattern);
  }
}
