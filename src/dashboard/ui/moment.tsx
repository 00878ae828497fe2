import { useNow } from './now.ts';

const styles = {
  minute: { hour: '2-digit', minute: '2-digit' },
  second: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
} as const;
const formats = {
  minute: new Intl.DateTimeFormat(undefined, styles.minute),
  second: new Intl.DateTimeFormat(undefined, styles.second),
};
const day = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const absolute = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' });

type MomentProps = { at: string; to?: keyof typeof formats; isDayKnown?: boolean };

/** A time of day where the reader is; with the day, unless it is today. */
export function Moment({ at, to = 'minute', isDayKnown = false }: MomentProps) {
  const now = useNow();
  const date = new Date(at);
  const time = formats[to].format(date);
  const isToday = isDayKnown || date.toDateString() === new Date(now).toDateString();
  return (
    <time dateTime={at} title={absolute.format(date)} className="whitespace-nowrap">
      {isToday ? time : `${day.format(date)}, ${time}`}
    </time>
  );
}
