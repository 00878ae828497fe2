// How a voice reads the units, signs and dates in texts from machines.

export const unitNames = [
  '%',
  '‰',
  'ns',
  'us',
  'µs',
  'ms',
  's',
  'sec',
  'm',
  'min',
  'h',
  'd',
  'B',
  'kB',
  'KB',
  'MB',
  'GB',
  'TB',
  'KiB',
  'MiB',
  'GiB',
  'TiB',
  'req',
  'Mbps',
  'Gbps',
  '°C',
  '°F',
] as const;
export type UnitName = (typeof unitNames)[number];

export type Sign =
  | 'atLeast'
  | 'atMost'
  | 'isNot'
  | 'to'
  | 'equals'
  | 'greater'
  | 'less'
  | 'and'
  | 'at'
  | 'number'
  | 'plus'
  | 'minus'
  | 'percent'
  | 'dash'
  | 'dot'
  | 'slash';

export type Pronunciation = {
  readonly signs: Readonly<Record<Sign, string>>;
  readonly units: Readonly<Record<UnitName, readonly [one: string, many: string]>>;
  readonly per: (quantity: string, unit: string) => string;
  readonly months: readonly string[];
  readonly date: (day: number, month: string, year: string) => string;
  /** What parts a whole number from its decimals. */
  readonly decimal: '.' | ',';
};
