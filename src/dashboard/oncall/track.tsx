import type { CSSProperties, ReactNode } from 'react';
import { useNow } from '../ui/now.ts';
import { type Axis, placeOf, type Span, shareOf } from './axis.ts';
import type { Bar } from './bar.ts';
import { barText } from './bar-text.ts';
import { dayText, weekdayText } from './times.ts';
import { words } from './words.ts';

const percent = (share: number) => `${(share * 100).toFixed(4)}%`;

/** Where a span is on the axis, as a style; null where it is not on it. */
export function styleOf(axis: Axis, span: Span): CSSProperties | null {
  const place = placeOf(axis, span);
  return place && { insetInlineStart: percent(place.offset), width: percent(place.size) };
}

/** The days as columns, and the time that it is. */
export function Days({ axis }: { axis: Axis }) {
  return (
    <div className="track-days" aria-hidden="true">
      {axis.days.map((day) => (
        <div
          key={day.start}
          className="track-day"
          data-weekend={day.isWeekend || undefined}
          data-outside={day.isOutside}
          style={styleOf(axis, day) ?? {}}
        />
      ))}
      <NowLine axis={axis} />
    </div>
  );
}

function NowLine({ axis }: { axis: Axis }) {
  const now = useNow();
  if (now < axis.start || now >= axis.end) return null;
  return <div className="track-now" style={{ insetInlineStart: percent(shareOf(axis, now)) }} />;
}

/** The dates; where the clock moves, by how much. */
export function AxisRow({ axis, days = axis.days }: { axis: Axis; days?: Axis['days'] }) {
  const now = useNow();
  return (
    <div className="axis" aria-hidden="true">
      {days.map((day) => (
        <div
          key={day.start}
          className="axis-day"
          data-weekend={day.isWeekend || undefined}
          data-faint={day.isOutside || day.end <= now || undefined}
          data-today={(day.start <= now && now < day.end) || undefined}
          style={styleOf(axis, day) ?? {}}
        >
          <span className="axis-weekday">{weekdayText(axis.zone, day.start)}</span>
          <span className="axis-letter">{weekdayText(axis.zone, day.start, 'narrow')}</span>
          <span className="axis-number">{dayText(axis.zone, day.start)}</span>
          {day.clockMoves !== 0 && (
            <span className="axis-clock" title={words.clockMoves(day.clockMoves)}>
              {words.clock(day.clockMoves)}
            </span>
          )}
        </div>
      ))}
    </div>
  );
}

type BarProps = {
  bar: Bar;
  axis: Axis;
  now: number;
  /** Around the text of the bar. */
  children?: (text: ReactNode, label: string) => ReactNode;
};

export function BarItem({ bar, axis, now, children }: BarProps) {
  const style = styleOf(axis, bar);
  if (style === null) return null;
  const label = barText(bar, axis.zone, now);
  const text = (
    <>
      <span className="full">{bar.full}</span>
      <span className="short" data-text={bar.short} />
      <span className="initials" data-text={bar.initials} />
    </>
  );
  return (
    <li
      className="shift"
      data-past={bar.end <= now || undefined}
      style={{ ...style, '--hue': bar.hue ?? 0 } as CSSProperties}
    >
      {children ? (
        children(text, label)
      ) : (
        <div className="shift-bar" {...marks(bar)} title={label}>
          {text}
        </div>
      )}
    </li>
  );
}

export const marks = ({ kind }: Bar) => ({
  'data-override': kind === 'override' || undefined,
  'data-gap': kind === 'gap' || undefined,
  'data-by-design': kind === 'by design' || undefined,
});
