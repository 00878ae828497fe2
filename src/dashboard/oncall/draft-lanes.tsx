import { useNow } from '../ui/now.ts';
import type { Axis } from './axis.ts';
import type { Bar } from './bar.ts';
import { AxisRow, BarItem, Days } from './track.tsx';

type DraftLanesProps = {
  axis: Axis;
  lanes: readonly { readonly label: string; readonly bars: readonly Bar[] }[];
};

/** Lanes to be looked at only. */
export function DraftLanes({ axis, lanes }: DraftLanesProps) {
  const now = useNow();
  return (
    <div className="lanes">
      <span />
      <AxisRow axis={axis} />
      {lanes.map(({ label, bars }) => (
        <div key={label} className="lane">
          <h3 className="lane-label font-medium">{label}</h3>
          <div className="lane-track">
            <Days axis={axis} />
            <div className="track">
              <ul aria-label={label}>
                {bars.map((bar) => (
                  <BarItem key={bar.key} bar={bar} axis={axis} now={now} />
                ))}
              </ul>
            </div>
          </div>
        </div>
      ))}
    </div>
  );
}
