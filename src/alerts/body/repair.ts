import { spend } from '../effort.ts';

/** Of one step, however it looks ahead. */
const STEP_WORK = 30;

/**
 * JSON as home-made templates break it, made valid where that is plain: raw control characters,
 * stray quotes and lone backslashes inside strings, trailing commas, values that are bare words
 * (NaN). What is broken otherwise stays so. Each character is read a bounded number of times.
 */
export function repair(text: string): string {
  const parts: string[] = [];
  const open: string[] = [];
  let isKey = false;
  let at = 0;
  while (at < text.length) {
    spend(STEP_WORK);
    const token = matchAt(TOKEN, text, at);
    at += token.length;
    if (token === '"') {
      const place =
        open.length === 0 ? 'root' : isKey ? 'key' : open.at(-1) === '{' ? 'member' : 'item';
      at = repairString(text, at, CLOSING[place], parts);
      continue;
    }
    if (token === '{' || token === '[') open.push(token);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ',' && matchAt(END_OF_LIST, text, at) !== '') continue;
    if (token === '{' || token === ',') isKey = open.at(-1) === '{';
    else if (token === ':' || token === '[') isKey = false;
    parts.push(BARE_WORD.test(token) ? `"${token}"` : token);
  }
  return parts.join('');
}

const TOKEN = /["{}[\],:]|[\w$.+-]+|[^"{}[\],:\w$.+-]+/y;
const END_OF_LIST = /\s*[}\]]/y;
const BARE_WORD = /^-?(?!(?:true|false|null)$)[A-Za-z_$][\w$]*$/;

const KEY = String.raw`"(?:[^"\\]|\\.){0,256}"\s*:`;
/** After the object or list that a string ends; another one is a second text, which stays broken. */
const CLOSED = String.raw`\s*(?:[,}\]]|$|[{[]\s*["{[])`;

/** What follows a quote that ends a string, by where the string stands. */
const CLOSING = {
  root: /\s*$/y,
  key: /\s*:/y,
  member: new RegExp(String.raw`\s*(?:$|\}${CLOSED}|,\s*(?:${KEY}|\}))`, 'y'),
  item: new RegExp(String.raw`\s*(?:$|\]${CLOSED}|,\s*(?:["{[\]]|-?\d|true|false|null))`, 'y'),
};
/** After a backslash and a quote: the backslash was the last character of a path, say. */
const CLOSING_ESCAPED = new RegExp(String.raw`[\s}\]]*(?:$|,[\s{[]*${KEY})`, 'y');

const CONTROLS = /[\u0000-\u001f]+/y;
const PLAIN = /[^"\\\u0000-\u001f]+/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;

/** Adds the string that begins at `at`, behind its quote, and answers where it ends. */
function repairString(text: string, start: number, closing: RegExp, parts: string[]): number {
  parts.push('"');
  let at = start;
  while (at < text.length) {
    spend(STEP_WORK);
    const plain = matchAt(PLAIN, text, at);
    parts.push(plain);
    at += plain.length;
    const character = text.charAt(at);
    if (character === '"') {
      at += 1;
      if (isAt(closing, text, at)) return close(parts, at);
      parts.push('\\"');
    } else if (character === '\\') {
      const escaped = matchAt(ESCAPE, text, at);
      at += escaped.length || 1;
      if (escaped === '\\"' && isAt(CLOSING_ESCAPED, text, at)) {
        parts.push('\\\\');
        return close(parts, at);
      }
      parts.push(escaped || '\\\\');
    } else if (character !== '') {
      const controls = matchAt(CONTROLS, text, at);
      at += controls.length;
      parts.push(JSON.stringify(controls).slice(1, -1));
    }
  }
  return at;
}

function close(parts: string[], at: number): number {
  parts.push('"');
  return at;
}

/** What a sticky expression matches at a place; empty where it does not. */
function matchAt(expression: RegExp, text: string, at: number): string {
  expression.lastIndex = at;
  return expression.exec(text)?.[0] ?? '';
}

function isAt(expression: RegExp, text: string, at: number): boolean {
  expression.lastIndex = at;
  return expression.test(text);
}
