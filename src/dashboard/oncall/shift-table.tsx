import { Button } from '../ui/button.tsx';
import { useNow } from '../ui/now.ts';
import { PersonMark } from '../ui/person-mark.tsx';
import type { Axis } from './axis.ts';
import type { Bar } from './bar.ts';
import { barText } from './bar-text.ts';
import { nameIn, type People } from './bars.ts';
import { onBothClocks } from './both-clocks.ts';
import { spanText } from './times.ts';
import { coverWords, scheduleWords as words } from './words.ts';

type ShiftTableProps = {
  axis: Axis;
  bars: readonly Bar[];
  people: People;
  /** On whose clock times are shown, too. */
  ownZone: string | null;
  layerOf: (bar: Bar) => string;
  cover?: (bar: Bar) => void;
};

/** The same as the lane of who is paged, to be read. */
export function ShiftTable({ axis, bars, people, ownZone, layerOf, cover }: ShiftTableProps) {
  const now = useNow();
  if (bars.length === 0) return <p className="text-ink2">{words.nothing}</p>;
  return (
    <table className="w-full border-collapse text-start">
      <thead className="hidden md:table-header-group">
        <tr className="text-sm text-ink2">
          {[words.who, words.when, words.why].map((text) => (
            <th key={text} scope="col" className="py-1.5 pe-4 text-start font-normal">
              {text}
            </th>
          ))}
          <td />
        </tr>
      </thead>
      <tbody>
        {bars.map((bar) => (
          <tr
            key={bar.key}
            aria-current={bar.start <= now && now < bar.end ? 'time' : undefined}
            className={`relative grid grid-cols-[minmax(0,1fr)_auto] items-center border-t border-line py-2 aria-[current]:border-s-2 aria-[current]:border-s-iris aria-[current]:ps-2 md:table-row ${bar.end <= now ? 'text-ink3' : ''}`}
          >
            <td className="min-w-0 pe-4 md:py-2">
              {bar.userId === undefined ? (
                <span
                  className={`font-medium ${bar.kind === 'by design' ? 'text-ink2' : 'text-red'}`}
                >
                  {bar.full}
                </span>
              ) : (
                <span className="flex min-w-0 items-center gap-2 font-medium">
                  <PersonMark
                    id={bar.userId}
                    name={nameIn(people, bar.userId)}
                    hue={people.hues.get(bar.userId)}
                  />
                  <bdi className="min-w-0">{bar.full}</bdi>
                </span>
              )}
            </td>
            <td className="col-start-1 pe-4 text-ink2 md:py-2">
              {onBothClocks(
                axis.zone,
                bar.whole.start,
                (zone) => spanText(zone, bar.whole, now),
                ownZone,
              )}
            </td>
            <td className="col-start-1 pe-4 text-sm text-ink3 md:text-ink2">{layerOf(bar)}</td>
            <td className="col-start-2 row-span-3 row-start-1 text-end md:py-1">
              {cover && bar.end > now && (
                <Button
                  aria-label={`${coverWords.short}: ${barText(bar, axis.zone, now)}`}
                  onClick={() => cover(bar)}
                >
                  {coverWords.short}
                </Button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
