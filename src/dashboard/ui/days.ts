/** So many days after a day such as `2026-11-30`; empty: it is no day. */
export function dayAfter(day: string, count: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + count);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10);
}
