// How figures are shown: one line each while they come, and as rows of docs/performance.md.
import type { Loaded } from './load.ts';

export type Report = (what: string, figure: string, beside?: string) => void;

const rows: string[] = [];

export const report: Report = (what, figure, beside = '') => {
  rows.push(`| ${what} | ${figure} | ${beside} |`);
  process.stdout.write(`${what.padEnd(62)} ${figure.padEnd(34)} ${beside}\n`);
};

/** All figures so far, for docs/performance.md. */
export const tableOf = (): string =>
  ['| What | Figure | Beside it |', '|---|---|---|', ...rows].join('\n');

export const ms = (value: number): string => `${value.toFixed(1)} ms`;
export const rate = (value: number): string => `${Math.round(value).toLocaleString('en')}/s`;
export const share = (part: number, whole: number): string =>
  `${((part / whole) * 100).toFixed(0)} %`;
export const times = ({ p50, p99 }: Pick<Loaded, 'p50' | 'p99'>): string =>
  `p50 ${ms(p50)}, p99 ${ms(p99)}`;
