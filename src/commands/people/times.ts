// Times as people at a terminal read and write them: in their own zone, with its offset.

/** `2026-11-22 10:20 +01:00`. */
export function timeText(at: unknown, zone: string): string {
  if (typeof at !== 'string') return '-';
  const local = Temporal.Instant.from(at).toZonedDateTimeISO(zone);
  const [date, time] = local.toPlainDateTime().toString({ smallestUnit: 'minute' }).split('T');
  return `${date} ${time} ${local.offset}`;
}

const units = [
  { name: 'd', seconds: 86_400 },
  { name: 'h', seconds: 3_600 },
  { name: 'm', seconds: 60 },
  { name: 's', seconds: 1 },
] as const;

/** In its two largest units: `3d 4h`, `12m`. */
export function durationText(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const first = units.findIndex((unit) => whole >= unit.seconds);
  if (first === -1) return '0s';
  let rest = whole;
  const parts = units.slice(first, first + 2).map(({ name, seconds: size }) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? '' : `${count}${name}`;
  });
  return parts.filter(Boolean).join(' ');
}

export const secondsBetween = (from: unknown, to: Temporal.Instant): number =>
  typeof from === 'string' ? (to.epochMilliseconds - Date.parse(from)) / 1_000 : 0;

/** With an offset or a Z as it says, without one in their zone; null: it is no time. */
export function readTime(text: string, zone: string): string | null {
  try {
    const hasOffset = /(?:z|[+-]\d\d:?\d\d)$/i.test(text);
    const instant = hasOffset
      ? Temporal.Instant.from(text)
      : Temporal.PlainDateTime.from(text).toZonedDateTime(zone).toInstant();
    return instant.toString();
  } catch {
    return null;
  }
}
