// iCalendar (RFC 5545) as text, and only what our calendars need of it.
import { blockOf } from './words/wording.ts';

const LINE_OCTETS_MAX = 75;
const ASCII = /^[\x20-\x7e]*$/;

export type Component = {
  readonly name: string;
  /** Names, with their parameters, and values as the format writes them. */
  readonly properties: Readonly<Record<string, string>>;
  readonly components?: readonly Component[];
};

/** A component as the text of a file. */
export function icalendarOf(component: Component): string {
  return linesOf(component)
    .map((line) => `${folded(line)}\r\n`)
    .join('');
}

/** Any text as a value; what would end the line or the value is escaped. */
export function textValue(text: string): string {
  return blockOf(text)
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n');
}

/** An instant as a value, in UTC; the format knows whole seconds only. */
export function timeValue(at: Temporal.Instant): string {
  return at.toString({ smallestUnit: 'second' }).replace(/[-:]/g, '');
}

function linesOf({ name, properties, components = [] }: Component): readonly string[] {
  return [
    `BEGIN:${name}`,
    ...Object.entries(properties).map(([property, value]) => `${property}:${value}`),
    ...components.flatMap(linesOf),
    `END:${name}`,
  ];
}

/** A long line goes on in the next one, behind a space; never in the middle of a character. */
function folded(line: string): string {
  if (line.length <= LINE_OCTETS_MAX && ASCII.test(line)) return line;
  let written = '';
  let octets = 0;
  for (const character of line) {
    const more = octetsOf(character);
    if (octets + more > LINE_OCTETS_MAX) {
      written += '\r\n ';
      octets = 1;
    }
    written += character;
    octets += more;
  }
  return written;
}

/** In UTF-8. */
function octetsOf(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}
