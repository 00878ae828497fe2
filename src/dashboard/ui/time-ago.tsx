import { ageOf } from './age.ts';
import { useNow } from './now.ts';
import { words } from './words.ts';

const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' });

/** How long ago, with the time itself behind it. */
export function TimeAgo({ at, className }: { at: string; className?: string }) {
  const age = ageOf(Date.parse(at), useNow());
  return (
    <time dateTime={at} title={absolute.format(new Date(at))} className={className}>
      {age === null ? words.now : narrow(age.unit).format(age.count)}
    </time>
  );
}

const narrow = (unit: string) =>
  new Intl.NumberFormat(undefined, { style: 'unit', unit, unitDisplay: 'narrow' });
