import { useMemo, useRef, useState } from 'react';
import { merge } from './arrivals.ts';
import type { Incident, ListedIncident } from './incident.ts';
import { unpagedFirst } from './paging-counts.ts';

type Pages = readonly { readonly incidents: readonly Incident[] }[];
type Holding = {
  /** Which list it is: another one begins anew. */
  readonly of: string;
  readonly isHeld: boolean;
  /** Whether the most urgent are first, and not the newest. */
  readonly isByUrgency: boolean;
  /** What has been resolved: rows that are held say so. */
  readonly resolved: readonly Incident[];
};

const nothing: readonly ListedIncident[] = [];

/** The rows to show, with what is held back and how to show that too. */
export function useRows(pages: Pages | undefined, { of, isHeld, isByUrgency, resolved }: Holding) {
  const before = useRef({ of, rows: nothing });
  const [, renderAgain] = useState(0);
  if (before.current.of !== of) before.current = { of, rows: nothing };
  const latest = useMemo(() => {
    const rows = placed((pages ?? []).flatMap(({ incidents }) => incidents));
    return isByUrgency ? unpagedFirst(rows) : rows;
  }, [pages, isByUrgency]);
  const left = useMemo(() => placed(resolved), [resolved]);
  const shown = merge(before.current.rows, latest, isHeld, left);
  before.current.rows = shown.rows;
  return {
    ...shown,
    showAll() {
      before.current.rows = nothing;
      renderAgain((count) => count + 1);
    },
  };
}

const placed = (incidents: readonly Incident[]): readonly ListedIncident[] =>
  incidents.map((incident) => ({ ...incident, group: incident.status }));
