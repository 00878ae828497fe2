const MINUTE = 60_000;
const MORNING = 8;

export type Mute =
  | { readonly type: 'minutes' | 'hours'; readonly count: number; readonly until: Date }
  | { readonly type: 'until'; readonly until: Date }
  | { readonly type: 'forGood'; readonly until: null };

/** How long one may want peace: until the morning, where the reader is. */
export function mutesFrom(now: Date): readonly Mute[] {
  const after = (minutes: number) => new Date(now.getTime() + minutes * MINUTE);
  const morning = new Date(now);
  morning.setHours(MORNING, 0, 0, 0);
  if (morning <= now) morning.setDate(morning.getDate() + 1);
  return [
    { type: 'minutes', count: 30, until: after(30) },
    { type: 'hours', count: 1, until: after(60) },
    { type: 'hours', count: 4, until: after(240) },
    { type: 'until', until: morning },
    { type: 'forGood', until: null },
  ];
}
