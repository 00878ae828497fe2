import { createContext, useMemo, useRef, useState } from 'react';
import { incidentRole } from '../../resources/roles.ts';
import { useMay } from '../api/use-may.ts';

export type Selection = {
  /** Whoever may not act on incidents selects none. */
  readonly isAllowed: boolean;
  readonly ids: ReadonlySet<string>;
  /** Also with none selected, once somebody without a mouse wants to. */
  readonly isOn: boolean;
  readonly begin: () => void;
  readonly toggle: (id: string) => void;
  readonly add: (some: readonly string[]) => void;
  readonly clear: () => void;
};

const none: ReadonlySet<string> = new Set();

export const Selecting = createContext<Selection>({
  isAllowed: false,
  ids: none,
  isOn: false,
  begin() {},
  toggle() {},
  add() {},
  clear() {},
});

/** Of one list: another one begins with nothing. */
export function useSelection(of: string): Selection {
  const [latest, setSelected] = useState({ of, ids: none, isOn: false });
  const list = useRef(of);
  list.current = of;
  const { ids, isOn } = latest.of === of ? latest : { ids: none, isOn: false };
  const isAllowed = useMay(incidentRole) === true;
  // The same while nothing of it changes, also for another list: all rows have it.
  return useMemo(() => {
    const set = (next: ReadonlySet<string>, isOn: boolean) =>
      setSelected({ of: list.current, ids: next, isOn });
    return {
      isAllowed,
      ids,
      isOn,
      begin: () => set(ids, true),
      toggle(id) {
        const next = new Set(ids);
        if (!next.delete(id)) next.add(id);
        set(next, next.size > 0);
      },
      add: (some) => set(new Set([...ids, ...some]), true),
      clear: () => set(none, false),
    };
  }, [isAllowed, ids, isOn]);
}
