// Pages as rows of a spreadsheet. The attempts are one cell with their number: JSON has each.
import { csvLine } from '../http/csv.ts';

const columns = [
  'created_at',
  'finished_at',
  'incident_number',
  'incident_title',
  'service',
  'step',
  'kind',
  'recipient',
  'route',
  'user_id',
  'channel',
  'contact',
  'connection',
  'state',
  'awaits_receipt',
  'receipt',
  'reason',
  'attempts',
] as const;

export const csvHead = csvLine(columns);

type Attempt = {
  readonly contact: string | null;
  readonly connection: { readonly name: string } | null;
  readonly receipt: { readonly state: string } | null;
};

type Row = Readonly<Record<string, unknown>> & { readonly attempts?: readonly Attempt[] };

/** As the API answers them. */
export const csvOf = (pages: readonly Row[]): string =>
  pages.map(({ attempts = [], ...page }) => csvLine(cellsOf(page, attempts))).join('');

function cellsOf(page: Row, attempts: readonly Attempt[]) {
  const last = attempts.at(-1);
  const cells: Row = {
    ...page,
    contact: last?.contact,
    connection: last?.connection?.name,
    receipt: last?.receipt?.state,
  };
  const values = { ...cells, attempts: attempts.length } as Readonly<
    Record<string, string | number | boolean | null | undefined>
  >;
  return columns.map((name) => values[name]);
}
