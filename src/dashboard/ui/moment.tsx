import { once } from '../../resources/once.ts';
import { momentText, type To } from './moment-text.ts';
import { useNow } from './now.ts';

const absolute = once(
  () => new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' }),
);

type MomentProps = { at: string; to?: To; isDayKnown?: boolean };

/** A time of day where the reader is; with the day, unless it is today. */
export function Moment({ at, to = 'minute', isDayKnown = false }: MomentProps) {
  const now = useNow();
  const date = new Date(at);
  return (
    <time dateTime={at} title={absolute().format(date)} className="whitespace-nowrap">
      {momentText(at, isDayKnown ? date.getTime() : now, to)}
    </time>
  );
}
