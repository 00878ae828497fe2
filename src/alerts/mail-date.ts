// The instants in a mail's headers: when it was written, and when the first server took it.
import type { Mail } from './alert.ts';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** As RFC 5322 has it, with the zones that it calls obsolete; what follows may be a comment. */
const form =
  /^\s*(?:[a-z]{3,9}\s*,\s*)?(\d{1,2})\s+([a-z]{3})[a-z]*\s+(\d{2,4})\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([+-]\d{4}|[a-z]{1,5})?/i;

const zones: Readonly<Record<string, string>> = {
  ut: '+0000',
  utc: '+0000',
  gmt: '+0000',
  z: '+0000',
  est: '-0500',
  edt: '-0400',
  cst: '-0600',
  cdt: '-0500',
  mst: '-0700',
  mdt: '-0600',
  pst: '-0800',
  pdt: '-0700',
};
const LONGEST = 200;

/** Undefined where it names no instant: without a zone that is known, it is some hour of the day. */
export function mailDate(text: string | undefined): Temporal.Instant | undefined {
  const [whole, day, name = '', year = '', hour, minute, second = '00', zone = ''] =
    form.exec((text ?? '').slice(0, LONGEST)) ?? [];
  const month = months.indexOf(name.toLowerCase()) + 1;
  const offset = /^[+-]/.test(zone) ? zone : zones[zone.toLowerCase()];
  if (whole === undefined || month === 0 || offset === undefined) return undefined;
  const century = year.length === 2 ? (Number(year) < 50 ? '20' : '19') : '';
  const date = `${century}${year}-${two(month)}-${two(day)}`;
  try {
    return Temporal.Instant.from(
      `${date}T${two(hour)}:${minute}:${second}${offset.slice(0, 3)}:${offset.slice(3)}`,
    );
  } catch {
    return undefined;
  }
}

const two = (part: string | number | undefined): string => String(part).padStart(2, '0');

/** When it was written; undefined if no server says so. */
export const writtenAt = ({ headers }: Pick<Mail, 'headers'>): Temporal.Instant | undefined =>
  mailDate(headers['date']);

/** When the first server on its way took it. */
export const firstTakenAt = ({ headers }: Pick<Mail, 'headers'>): Temporal.Instant | undefined =>
  mailDate(headers['received']?.split(';').at(-1));
