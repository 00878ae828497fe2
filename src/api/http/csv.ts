// Lists as CSV (RFC 4180), which spreadsheets open.

/** An answer that is a file. */
export class Csv {
  readonly text: string;
  /** Where the list continues; null: it ends. */
  readonly next: string | null;
  /** Of the file; absent: that of its route. */
  readonly name: string | undefined;

  constructor(text: string, next: string | null, name?: string) {
    this.text = text;
    this.next = next;
    this.name = name;
  }
}

export const csvHeaders = (path: string, { next, name = path.split('/').at(-1) }: Csv) => ({
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': `attachment; filename="${name}.csv"`,
  ...(next !== null && { link: `<${next}>; rel="next"` }),
});

type Cell = string | number | boolean | null | undefined;

export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellText).join(',')}\r\n`;

/** Spreadsheets would run a text that begins like a formula. */
const FORMULA = /^[=+\-@\t\r]/;

function cellText(cell: Cell): string {
  if (typeof cell === 'number' || typeof cell === 'boolean') return String(cell);
  const text = cell ?? '';
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
