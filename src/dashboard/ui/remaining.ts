const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** `3:12` below an hour, then `2h`, `3d`: as short as it is still true. */
export function remaining(seconds: number): string {
  if (seconds < HOUR) {
    const rest = String(seconds % MINUTE).padStart(2, '0');
    return `${Math.floor(seconds / MINUTE)}:${rest}`;
  }
  if (seconds < DAY) return `${Math.floor(seconds / HOUR)}h`;
  return `${Math.floor(seconds / DAY)}d`;
}
