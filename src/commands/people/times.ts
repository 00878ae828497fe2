// Times as people at a terminal read them.

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
