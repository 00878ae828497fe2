import { spend } from '../effort.ts';
import { storable } from '../text.ts';

const FIELD_WORK = 50;

export type Fields = Readonly<Record<string, string>>;

/** The fields of an encoded form; of a repeated one the last. */
export const formFields = (text: string): Fields =>
  fieldsOf(
    text
      .split('&')
      .filter((field) => field !== '')
      .map(decodedField),
  );

/** One by one: the time that URLSearchParams takes for all grows with the square of their number. */
function decodedField(field: string): readonly [string, string] {
  spend(FIELD_WORK);
  if (/[%+]/.test(field)) return [...new URLSearchParams(`&${field}`)][0] ?? ['', ''];
  const end = field.indexOf('=');
  return end < 0 ? [field, ''] : [field.slice(0, end), field.slice(end + 1)];
}

const PART = /^--[^\r\n]{1,200}\r?\ncontent-disposition:/i;

export const isMultipart = (text: string, contentType: string): boolean =>
  PART.test(text) || (/multipart\//i.test(contentType) && /^--\S/.test(text));

/** The fields of a form in parts, with the files that are text. */
export const multipartFields = (text: string): Fields => fieldsOf([...partsIn(text)]);

/** The same one by one, as they are sent. */
export function* partsIn(text: string): Generator<readonly [name: string, value: string]> {
  const [, boundary = ''] = /^--([^\r\n]*)/.exec(text) ?? [];
  const mark = `\n--${boundary.trimEnd()}`;
  let end = -1;
  do {
    const start = end + mark.length;
    end = text.indexOf(mark, start);
    const field = fieldOf(text.slice(start, end < 0 ? undefined : end));
    if (field !== null) yield field;
  } while (end >= 0);
}

function fieldOf(part: string): readonly [string, string] | null {
  spend(FIELD_WORK);
  const blank = /\r?\n\r?\n/.exec(part);
  if (blank === null) return null;
  const head = part.slice(0, blank.index);
  const name = /;\s*name=(?:"([^"]*)"|([^\s;"]+))/i.exec(head);
  const value = part.slice(blank.index + blank[0].length).replace(/\r$/, '');
  const isBinary = /;\s*filename\*?=/i.test(head) && /[\0\ufffd]/.test(value);
  return name === null || isBinary ? null : [name[1] ?? name[2] ?? '', value];
}

const fieldsOf = (entries: readonly (readonly [string, string])[]): Fields =>
  Object.fromEntries(entries.map(([name, value]) => [storable(name), storable(value)]));
