import { clock } from './clock-time.ts';

const day = { weekday: 'short', day: 'numeric', month: 'short' } as const;

type DateTimeProps = {
  at: string;
  /** Absent: the browser's. */
  zone?: string | undefined;
  isTimeOnly?: boolean;
};

/** Day and time as people of that zone say them. */
export const DateTime = ({ at, zone, isTimeOnly = false }: DateTimeProps) => {
  const format = new Intl.DateTimeFormat(undefined, {
    ...(isTimeOnly ? clock : { ...day, ...clock }),
    ...(zone !== undefined && { timeZone: zone }),
  });
  return (
    <time dateTime={at} className="whitespace-nowrap">
      {format.format(new Date(at))}
    </time>
  );
};
