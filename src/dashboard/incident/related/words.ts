import { once } from '../../../resources/once.ts';
import type { Age } from '../../ui/age.ts';

export const words = {
  changes: 'Recent changes',
  changesFailed: 'Recent changes could not be loaded',
  moreChanges: 'Only the latest changes are shown.',
  /** Of the opening; null: less than a minute. */
  before: (age: Age | null) => (age === null ? 'Just before' : `${spanOf(age)} before`),
  after: (age: Age | null) => (age === null ? 'Just after' : `${spanOf(age)} after`),
  sameKey: 'Same key',
  suppressed: (count: number) =>
    count === 1
      ? '1 more alert arrived while it was open.'
      : `${count} more alerts arrived while it was open.`,
  repeats: (count: number) =>
    count === 1 ? '1 earlier incident had this key.' : `${count} earlier incidents had this key.`,
} as const;

const short = (unit: Age['unit']) =>
  once(() => new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'short' }));
const spans = {
  minute: short('minute'),
  hour: short('hour'),
  day: short('day'),
  week: short('week'),
};

const spanOf = ({ unit, count }: Age) => spans[unit]().format(count);
