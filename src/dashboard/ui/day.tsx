import { once } from '../../resources/once.ts';

const day = once(() => new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }));
const whole = once(
  () => new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' }),
);

/** A date with its year, and the time behind it. */
export const Day = ({ at }: { at: string }) => (
  <time dateTime={at} title={whole().format(new Date(at))} className="whitespace-nowrap">
    {day().format(new Date(at))}
  </time>
);
