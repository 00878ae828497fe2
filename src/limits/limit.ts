// Declares the limits that the code keeps; docs/operating.md is generated from the same objects
// (docs/decisions/0033-limits.md).

type Unit =
  | 'count'
  | 'percent'
  | 'bytes'
  | 'milliseconds'
  | 'seconds'
  | 'minutes'
  | 'hours'
  | 'days';

export type Limit = {
  readonly value: number;
  readonly unit: Unit;
  /** What is limited. */
  readonly of: string;
  /** What happens beyond it. */
  readonly beyond: string;
};

/** One group of docs/operating.md, by the names in the code. */
export type Limits = Readonly<Record<string, Limit>>;

/** The numbers alone, for the code that keeps them. */
export const valuesOf = <Declared extends Limits>(
  declared: Declared,
): { readonly [Name in keyof Declared]: number } =>
  // Its keys are those of what is declared.
  Object.fromEntries(Object.entries(declared).map(([name, { value }]) => [name, value])) as never;

const limitIn =
  (unit: Unit) =>
  (value: number, of: string, beyond: string): Limit => ({ value, unit, of, beyond });

export const count = limitIn('count');
export const percent = limitIn('percent');
export const bytes = limitIn('bytes');
export const milliseconds = limitIn('milliseconds');
export const seconds = limitIn('seconds');
export const minutes = limitIn('minutes');
export const hours = limitIn('hours');
export const days = limitIn('days');

export const KIB = 1_024;
export const MIB = 1_024 * KIB;
