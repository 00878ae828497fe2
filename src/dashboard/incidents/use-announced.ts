import { useEffect, useRef, useState } from 'react';
import { arrivedIn } from './arrivals.ts';
import type { Incident } from './incident.ts';

/** Between two announcements: a storm is not read out incident by incident. */
const PAUSE_MS = 5_000;

type Pages = readonly { readonly incidents: readonly Incident[] }[];
type Announced = { readonly count: number; readonly turn: number };

/** How many have arrived in a list that is not held, to be said to who does not see them. */
export function useAnnounced(pages: Pages | undefined, of: string, isHeld: boolean): Announced {
  const before = useRef<{ of: string; rows: readonly Incident[] }>(undefined);
  const [announced, announce] = useState<Announced>({ count: 0, turn: 0 });
  const count = useRef(0);
  const last = useRef(Number.NEGATIVE_INFINITY);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (pages === undefined) return;
    const rows = pages.flatMap(({ incidents }) => incidents);
    const known = before.current;
    before.current = { of, rows };
    if (known?.of !== of || isHeld) return;
    count.current += arrivedIn(known.rows, rows);
    if (count.current === 0 || timer.current !== undefined) return;
    const ms = Math.max(0, last.current + PAUSE_MS - Date.now());
    timer.current = setTimeout(() => {
      const arrived = count.current;
      timer.current = undefined;
      last.current = Date.now();
      count.current = 0;
      announce(({ turn }) => ({ count: arrived, turn: turn + 1 }));
    }, ms);
  }, [pages, of, isHeld]);
  return announced;
}
