// Tables for eyes: aligned, within the terminal's width.
import { type Colour, coloured, harmless, type Terminal } from '../../terminal.ts';

export type Cell = string | { readonly text: string; readonly colour: Colour };

type Table = {
  readonly headings: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** What does not fit: cut, or in the last column continued on the next line. */
  readonly overflow?: 'cut' | 'wrap';
};

const GAP = '  ';
/** A column is not made narrower for the others. */
const NARROWEST = 8;

export function tableText({ headings, rows, overflow = 'cut' }: Table, terminal: Terminal): string {
  const cells = [headings.map(headingCell), ...rows.map((row) => row.map(oneLine))];
  const widths = fitting(
    headings.map((_, index) => Math.max(...cells.map((row) => widthOf(row[index]?.text ?? '')))),
    terminal.columns,
  );
  const lines = cells.flatMap((row) => {
    const last = row.at(-1);
    const wrapped = overflow === 'wrap' && last ? wrap(last.text, widths.at(-1) ?? 0) : null;
    if (wrapped === null || last === undefined) return [lineOf(row, widths, terminal)];
    return wrapped.map((text, index) => {
      const before = index === 0 ? row.slice(0, -1) : row.slice(0, -1).map(() => blank);
      return lineOf([...before, { ...last, text }], widths, terminal);
    });
  });
  return `${lines.join('\n')}\n`;
}

type RenderedCell = { readonly text: string; readonly colour: Colour | null };

const blank: RenderedCell = { text: '', colour: null };
const headingCell = (text: string): RenderedCell => ({ text, colour: 'gray' });

function oneLine(cell: Cell): RenderedCell {
  const { text, colour } = typeof cell === 'string' ? { text: cell, colour: null } : cell;
  return { text: textLine(text), colour };
}

/** What others wrote, as part of one line. */
export const textLine = (text: string): string => harmless(text.replaceAll(/\s+/g, ' ').trim());

function lineOf(
  row: readonly RenderedCell[],
  widths: readonly number[],
  { hasColours }: Terminal,
): string {
  const line = row.map(({ text, colour }, index) => {
    const width = widths[index] ?? 0;
    const fits = cut(text, width);
    const padding = index === row.length - 1 ? '' : ' '.repeat(width - widthOf(fits));
    return `${hasColours && colour !== null ? coloured(colour, fits) : fits}${padding}`;
  });
  return line.join(GAP).trimEnd();
}

/** The widest columns give way, one sign at a time. */
function fitting(wanted: readonly number[], columns: number | null): readonly number[] {
  const widths = [...wanted];
  const gaps = GAP.length * (widths.length - 1);
  let excess = columns === null ? 0 : sum(widths) + gaps - columns;
  for (; excess > 0; excess -= 1) {
    const widest = Math.max(...widths);
    if (widest <= NARROWEST) break;
    widths[widths.lastIndexOf(widest)] = widest - 1;
  }
  return widths;
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);

function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let fits = '';
  for (const sign of signsOf(text)) {
    if (widthOf(fits) + widthOf(sign) > width - 1) break;
    fits += sign;
  }
  return `${fits}…`;
}

/** In lines between words; a word that is longer than a line is cut. */
function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line === '' || widthOf(longer) <= width) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

const segmenter = new Intl.Segmenter();
const signsOf = (text: string) => [...segmenter.segment(text)].map(({ segment }) => segment);

/** Signs that terminals show in two columns. */
const wide =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Emoji_Presentation}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u;

const widthOf = (text: string): number =>
  /^[\x20-\x7e]*$/.test(text)
    ? text.length
    : sum(signsOf(text).map((sign) => (wide.test(sign) ? 2 : 1)));
