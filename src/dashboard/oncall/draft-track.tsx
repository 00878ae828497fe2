import { useQuery } from '@tanstack/react-query';
import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useNow } from '../ui/now.ts';
import { huesOf } from '../ui/person.ts';
import { axisIn, type Span } from './axis.ts';
import { finalBars } from './bars.ts';
import { draggedTo, type Edge, type EdgeMove, steppedTo, viewAround, viewFor } from './drafting.ts';
import { timelineQuery } from './queries.ts';
import { fullText } from './times.ts';
import { AxisRow, BarItem, Days, styleOf } from './track.tsx';
import { coverWords as words } from './words.ts';

type DraftTrackProps = {
  id: string;
  timezone: string;
  draft: Span;
  change: (draft: Span) => void;
};

const keys: Readonly<Record<string, EdgeMove>> = {
  ArrowLeft: 'earlier',
  ArrowRight: 'later',
  ArrowDown: 'earlier',
  ArrowUp: 'later',
  PageDown: 'earlier handoff',
  PageUp: 'later handoff',
};

/** Within which a handoff is meant. */
const NEAR_PX = 8;

/** Who is on call around what is to be covered; its edges are dragged, or moved by keys. */
export function DraftTrack({ id, timezone, draft, change }: DraftTrackProps) {
  const now = useNow();
  const track = useRef<HTMLDivElement>(null);
  const [isDragging, setDragging] = useState(false);
  const [shown, setShown] = useState(() => viewAround(draft));
  const view = isDragging ? shown : viewFor(shown, draft);
  if (view !== shown) setShown(view);
  const { data } = useQuery(timelineQuery(id, view));
  const axis = useMemo(
    () => axisIn({ ...view, zone: timezone, days: [] }, timezone),
    [view, timezone],
  );
  const bars = useMemo(() => {
    const names = data?.names ?? {};
    return data ? finalBars(data, { names, hues: huesOf(Object.keys(names)) }) : [];
  }, [data]);
  const handoffs = bars.flatMap(({ whole: { start, end } }) => [start, end ?? []].flat());
  const around = { handoffs, now };
  const onPointerMove = (edge: Edge) => (event: PointerEvent<HTMLElement>) => {
    const box = track.current?.getBoundingClientRect();
    if (!event.currentTarget.hasPointerCapture(event.pointerId) || box === undefined) return;
    const fromStart = document.dir === 'rtl' ? box.right - event.clientX : event.clientX - box.left;
    const msPerPx = (view.end - view.start) / box.width;
    const at = view.start + Math.min(Math.max(fromStart, 0), box.width) * msPerPx;
    change(draggedTo(draft, { edge, at, nearMs: NEAR_PX * msPerPx }, around));
  };
  const onKeyDown = (edge: Edge) => (event: KeyboardEvent) => {
    const move = keys[event.key];
    if (move === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    change(steppedTo(draft, { edge, move }, around));
  };
  return (
    <div className="draft-track">
      <AxisRow axis={axis} />
      <div ref={track} className="relative">
        <Days axis={axis} />
        <div className="track">
          <ul aria-hidden="true">
            {bars.map((bar) => (
              <BarItem key={bar.key} bar={bar} axis={axis} now={now} />
            ))}
          </ul>
          <div className="drag" style={styleOf(axis, draft) as CSSProperties}>
            {(['start', 'end'] as const).map((edge) => (
              <div
                key={edge}
                role="slider"
                tabIndex={0}
                className="drag-edge"
                data-edge={edge}
                aria-label={words.edges[edge]}
                aria-valuemin={view.start}
                aria-valuemax={view.end}
                aria-valuenow={draft[edge]}
                aria-valuetext={fullText(timezone, draft[edge], now)}
                onKeyDown={onKeyDown(edge)}
                onPointerDown={(event) => {
                  event.currentTarget.setPointerCapture(event.pointerId);
                  setDragging(true);
                }}
                onPointerMove={onPointerMove(edge)}
                onPointerUp={() => setDragging(false)}
                onPointerCancel={() => setDragging(false)}
              />
            ))}
          </div>
        </div>
      </div>
      <p className="mt-2 hidden text-sm text-ink3 md:block">{words.edgesHelp}</p>
    </div>
  );
}
