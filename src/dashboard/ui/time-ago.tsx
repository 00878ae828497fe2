import { once } from '../../resources/once.ts';
import { type Age, ageOf } from './age.ts';
import { useNow } from './now.ts';
import { words } from './words.ts';

const absolute = once(
  () => new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' }),
);

type TimeAgoProps = { at: string; className?: string; isSpelledOut?: boolean };

/** How long ago, with the time itself behind it. */
export function TimeAgo({ at, className, isSpelledOut = false }: TimeAgoProps) {
  const age = ageOf(Date.parse(at), useNow());
  return (
    <time dateTime={at} title={absolute().format(new Date(at))} className={className}>
      {age === null ? words.now : textOf(age, isSpelledOut)}
    </time>
  );
}

const narrow = (unit: string) =>
  once(() => new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'narrow' }));
const units = {
  minute: narrow('minute'),
  hour: narrow('hour'),
  day: narrow('day'),
  week: narrow('week'),
};

const relative = once(() => new Intl.RelativeTimeFormat(undefined, { style: 'short' }));

const textOf = (age: Age, isSpelledOut: boolean) =>
  isSpelledOut ? relative().format(-age.count, age.unit) : ageText(age);

export const ageText = ({ unit, count }: Age): string => units[unit]().format(count);
