// The tables of reports as CSV files.
import { verdicts } from '../../resources/verdicts.ts';
import { Csv, csvLine } from '../http/csv.ts';

type Cell = string | number | null | undefined;
type Row = Readonly<Record<string, Cell>>;
type Table = { readonly columns: readonly string[]; readonly rows: readonly Row[] };

type Seconds = { readonly median: number; readonly p90: number };
type Week = {
  readonly date: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly opened: number;
  readonly acknowledged: number;
  readonly acknowledge_seconds?: Seconds;
  readonly resolved: number;
  readonly resolve_seconds?: Seconds;
};

const weekColumns = [
  'date',
  'from',
  'to',
  'opened',
  'acknowledged',
  'acknowledge_seconds_median',
  'acknowledge_seconds_p90',
  'resolved',
  'resolve_seconds_median',
  'resolve_seconds_p90',
] as const;

const keyColumns = [
  'integration_id',
  'integration',
  'dedup_key',
  'opened',
  'unacknowledged',
  'suppressed',
  'incident_number',
  'incident_title',
] as const;

const verdictColumns = ['ended', 'answered', ...verdicts];

type Verdicts = Readonly<Record<'integrations' | 'rules' | 'keys', readonly Row[]>>;
type WithVerdicts = { readonly verdicts: Verdicts };

export const incidentTables = {
  weeks: ({ weeks }: { readonly weeks: readonly Week[] }): Table => ({
    columns: weekColumns,
    rows: weeks.map(({ acknowledge_seconds: first, resolve_seconds: last, ...week }) => ({
      ...week,
      acknowledge_seconds_median: first?.median,
      acknowledge_seconds_p90: first?.p90,
      resolve_seconds_median: last?.median,
      resolve_seconds_p90: last?.p90,
    })),
  }),
  hours: ({ hours }: { readonly hours: readonly Row[] }): Table => ({
    columns: ['weekday', 'hour', 'opened'],
    rows: hours,
  }),
  keys: ({ keys }: { readonly keys: readonly Row[] }): Table => ({
    columns: keyColumns,
    rows: keys,
  }),
  verdicts_by_integration: ({ verdicts: { integrations } }: WithVerdicts): Table => ({
    columns: ['integration_id', 'integration', ...verdictColumns],
    rows: integrations,
  }),
  verdicts_by_rule: ({ verdicts: { rules } }: WithVerdicts): Table => ({
    columns: ['rule_id', 'rule', ...verdictColumns],
    rows: rules,
  }),
  verdicts_by_key: ({ verdicts: { keys } }: WithVerdicts): Table => ({
    columns: [
      ...(['integration_id', 'integration', 'dedup_key'] as const),
      ...verdictColumns,
      ...(['incident_number', 'incident_title'] as const),
    ],
    rows: keys,
  }),
};

export const pageTables = {
  people: ({ people }: { readonly people: readonly Row[] }): Table => ({
    columns: ['user_id', 'name', 'pages', 'night'],
    rows: people,
  }),
  channels: ({ channels }: { readonly channels: readonly Row[] }): Table => ({
    columns: ['channel', 'pending', 'sent', 'failed', 'cancelled'],
    rows: channels,
  }),
};

/** Named after its report and table. */
export function tableCsv(report: string, name: string, { columns, rows }: Table): Csv {
  const lines = rows.map((row) => csvLine(columns.map((column) => row[column])));
  return new Csv([csvLine(columns), ...lines].join(''), null, `${report}-${name}`);
}
