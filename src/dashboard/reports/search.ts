// What a report is about, as its address has it, and which of its lists is open.
import { verdicts } from '../../resources/verdicts.ts';
import { weekdays } from '../oncall/hours.ts';

export { weekdays };
export type Weekday = (typeof weekdays)[number];

/** The days of a period that ends today. */
export const periods = [7, 28, 90] as const;
const DEFAULT_DAYS = 28;

const listedVerdicts = [...verdicts, 'answered', 'ended'] as const;
export type ListedVerdict = (typeof listedVerdicts)[number];

export type ReportSearch = {
  readonly days?: (typeof periods)[number];
  /** Days where the reader is; the last one is part of the period. */
  readonly from?: string;
  readonly to?: string;
  readonly service?: string;
  readonly integration?: string;
  /** The incidents of a figure: of an hour, of a week by its Monday, of a key, or all. */
  readonly weekday?: Weekday;
  readonly hour?: number;
  readonly week?: string;
  readonly key?: string;
  readonly source?: string;
  /** Of those only what a person acknowledged, or what nobody did. */
  readonly acknowledged?: boolean;
  /** Of what has ended: with a verdict, with any, or all; of a rule, an integration or a key. */
  readonly verdicts?: ListedVerdict;
  readonly rule?: string;
  readonly list?: 'all';
};

const DAY = /^\d{4}-\d\d-\d\d$/;
const isDay = (text: unknown): text is string =>
  typeof text === 'string' && DAY.test(text) && !Number.isNaN(Date.parse(text));
const isId = (text: unknown): text is string =>
  typeof text === 'string' && /^[0-9a-f]{24}$/.test(text);

/** What is not understood narrows nothing. */
export function reportSearch(search: Record<string, unknown>): ReportSearch {
  const { from, to, service, integration, week, key, source, rule } = search;
  const days = periods.find((one) => one === Number(search['days']));
  const weekday = weekdays.find((one) => one === search['weekday']);
  const listed = listedVerdicts.find((one) => one === search['verdicts']);
  const hour = Number(search['hour'] ?? Number.NaN);
  return {
    ...(days && { days }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
    ...(isId(service) && { service }),
    ...(isId(integration) && { integration }),
    ...(weekday && Number.isInteger(hour) && hour >= 0 && hour < 24 && { weekday, hour }),
    ...(isDay(week) && { week }),
    ...(key !== undefined && isId(source) && { key: String(key), source }),
    ...(typeof search['acknowledged'] === 'boolean' && { acknowledged: search['acknowledged'] }),
    ...(listed && {
      verdicts: listed,
      ...(isId(source) && { source }),
      ...(isId(rule) && { rule }),
    }),
    ...(search['list'] === 'all' && { list: 'all' }),
  };
}

/** The report that a list is of. */
export function withoutList(search: ReportSearch): ReportSearch {
  const {
    weekday: _,
    hour: __,
    week: ___,
    key: ____,
    source: _____,
    acknowledged: ______,
    verdicts: _______,
    rule: ________,
    list: _________,
    ...rest
  } = search;
  return rest;
}

export const hasList = ({ weekday, week, key, verdicts: listed, list }: ReportSearch): boolean =>
  [weekday, week, key, listed, list].some((one) => one !== undefined);

export const defaultDays = DEFAULT_DAYS;
