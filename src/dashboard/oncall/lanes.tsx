import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useNow } from '../ui/now.ts';
import { type Axis, axisIn, type Span, snapped, type Whole, wholeOf } from './axis.ts';
import type { Bar } from './bar.ts';
import { type Move, moved } from './lane-keys.ts';
import { spanText } from './times.ts';
import { AxisRow, BarItem, Days, marks, styleOf } from './track.tsx';
import { words as listWords, scheduleWords as words } from './words.ts';

export type LaneView = {
  readonly key: string;
  readonly label: string;
  readonly note: string;
  readonly bars: readonly Bar[];
  /** Who is paged: what is done here is done to the schedule. */
  readonly isFinal?: true;
  /** Of its own, such as a week of the month. */
  readonly axis?: Axis;
  /** Read aloud, where the label alone does not say it. */
  readonly name?: string;
};

type LanesProps = {
  axis: Axis;
  lanes: readonly LaneView[];
  /** A second axis on this clock. */
  ownZone: string | null;
  cover?: (bar: Bar) => void;
  drag?: (span: Whole) => void;
};

const keys: Readonly<Record<string, Move>> = {
  ArrowRight: 'next',
  ArrowLeft: 'previous',
  ArrowDown: 'down',
  ArrowUp: 'up',
  Home: 'first',
  End: 'last',
};

/** One stop for Tab; arrows move from shift to shift, and from lane to lane. */
export function Lanes({ axis, lanes, ownZone, cover, drag }: LanesProps) {
  const now = useNow();
  const element = useRef<HTMLDivElement>(null);
  const shown = useMemo(
    () =>
      lanes.map((lane) => ({
        ...lane,
        bars: lane.bars.filter((bar) => styleOf(lane.axis ?? axis, bar) !== null),
      })),
    [lanes, axis],
  );
  const [focused, setFocused] = useState('');
  const keyOf = (lane: LaneView, bar: Bar) => `${lane.key}/${bar.key}`;
  const all = shown.flatMap((lane) => lane.bars.map((bar) => keyOf(lane, bar)));
  const [running] = shown.flatMap((lane) =>
    lane.bars.filter(({ start, end }) => start <= now && now < end).map((bar) => keyOf(lane, bar)),
  );
  const current = all.includes(focused) ? focused : (running ?? all[0]);
  const withAxis = shown.find((lane) => lane.axis === undefined)?.key;
  const onKeyDown = (event: KeyboardEvent) => {
    const move = keys[event.key];
    if (move === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    const lane = shown.findIndex((one) => one.bars.some((bar) => keyOf(one, bar) === current));
    const index = shown[lane]?.bars.findIndex(
      (bar) => `${shown[lane]?.key}/${bar.key}` === current,
    );
    const next = moved(
      shown.map(({ bars }) => bars),
      { lane, index: index ?? 0 },
      move,
    );
    const target = next && shown[next.lane];
    const bar = target?.bars[next?.index ?? 0];
    if (!target || !bar) return;
    event.preventDefault();
    const key = keyOf(target, bar);
    setFocused(key);
    element.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the shifts inside
    <div ref={element} className="lanes" onKeyDown={onKeyDown}>
      {shown.map((lane) => (
        <div key={lane.key} className="lane" data-final={lane.isFinal}>
          {(lane.axis !== undefined || lane.key === withAxis) && (
            <AxisHead axis={lane.axis ?? axis} ownZone={ownZone} />
          )}
          <h3 className="lane-label">
            <span className={lane.isFinal ? 'font-bold' : 'font-medium'}>{lane.label}</span>
            {lane.note && (
              <span className="block text-sm font-normal text-pretty wrap-anywhere text-ink2">
                {lane.note}
              </span>
            )}
          </h3>
          <div className="lane-track">
            <Days axis={lane.axis ?? axis} />
            <Track
              axis={lane.axis ?? axis}
              now={now}
              {...(lane.isFinal && drag && { drag })}
              bars={lane.bars}
            >
              <ul aria-label={lane.name ?? lane.label}>
                {lane.bars.map((bar) => {
                  const key = keyOf(lane, bar);
                  const act = lane.isFinal && bar.end > now ? cover : undefined;
                  return (
                    <BarItem key={bar.key} bar={bar} axis={lane.axis ?? axis} now={now}>
                      {(text, label) => (
                        <button
                          type="button"
                          className="shift-bar"
                          data-key={key}
                          {...marks(bar)}
                          aria-label={label}
                          title={label}
                          aria-disabled={act === undefined}
                          tabIndex={key === current ? 0 : -1}
                          onFocus={() => setFocused(key)}
                          onClick={() => act?.(bar)}
                        >
                          {text}
                        </button>
                      )}
                    </BarItem>
                  );
                })}
              </ul>
            </Track>
          </div>
        </div>
      ))}
      <p className="sr-only">{words.help}</p>
    </div>
  );
}

/** The days, and the same on the reader's own clock. */
const AxisHead = ({ axis, ownZone }: { axis: Axis; ownZone: string | null }) => (
  <>
    <span className="self-center text-xs text-ink3">{ownZone && listWords.zone(axis.zone)}</span>
    <AxisRow axis={axis} />
    {ownZone && (
      <>
        <span className="self-center text-xs text-ink3">{listWords.zone(ownZone)}</span>
        <AxisRow axis={axisIn(axis, ownZone)} />
      </>
    )}
  </>
);

type TrackProps = {
  axis: Axis;
  now: number;
  bars: readonly Bar[];
  drag?: (span: Whole) => void;
  children: React.ReactNode;
};

/** Below which a press is a click. */
const DRAG_PX = 5;
/** Within which an edge of a shift is meant. */
const NEAR_PX = 8;

function Track({ axis, now, bars, drag, children }: TrackProps) {
  const element = useRef<HTMLDivElement>(null);
  const pressed = useRef<{ x: number; at: number } | null>(null);
  const dragged = useRef(false);
  const [span, setSpan] = useState<Span | null>(null);
  const atOf = (x: number) => {
    const { left, width } = element.current?.getBoundingClientRect() ?? { left: 0, width: 1 };
    const msPerPx = (axis.end - axis.start) / width;
    const isBackwards = document.dir === 'rtl';
    const px = Math.min(Math.max(isBackwards ? left + width - x : x - left, 0), width);
    const edges = bars.flatMap(({ start, end }) => [start, end]);
    return Math.max(snapped(axis.start + px * msPerPx, edges, NEAR_PX * msPerPx), now);
  };
  const onPointerDown = (event: PointerEvent) => {
    dragged.current = false;
    // With a finger this is how one scrolls.
    if (drag && event.pointerType !== 'touch' && event.button === 0)
      pressed.current = { x: event.clientX, at: atOf(event.clientX) };
  };
  const onPointerMove = (event: PointerEvent) => {
    const from = pressed.current;
    if (from === null || Math.abs(event.clientX - from.x) < DRAG_PX) return;
    if (!dragged.current) element.current?.setPointerCapture(event.pointerId);
    dragged.current = true;
    const at = atOf(event.clientX);
    setSpan({ start: Math.min(from.at, at), end: Math.max(from.at, at) });
  };
  const end = () => {
    pressed.current = null;
    setSpan(null);
  };
  const onPointerUp = () => {
    if (dragged.current && span && span.end > span.start) drag?.(wholeOf(axis, span, bars, now));
    end();
  };
  const place = span && styleOf(axis, span);
  return (
    <div
      ref={element}
      className="track"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={end}
      onClickCapture={(event) => {
        if (dragged.current) event.stopPropagation();
        dragged.current = false;
      }}
    >
      {children}
      {span && place && (
        <div className="drag" style={place as CSSProperties}>
          <span className="drag-text">
            {spanText(axis.zone, wholeOf(axis, span, bars, now), now)}
          </span>
        </div>
      )}
    </div>
  );
}
