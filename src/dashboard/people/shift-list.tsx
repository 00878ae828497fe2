import { Link } from '@tanstack/react-router';
import { DateTime } from '../ui/date-time.tsx';
import type { OnCall, Shift } from './queries.ts';
import { words } from './words.ts';

const shownAtFirst = 6;

/** What runs stands first, in the colour of now. */
export function ShiftList({ onCall: { now, next } }: { onCall: OnCall }) {
  if (now.length + next.length === 0) return <p className="text-ink2">{words.noShifts}</p>;
  const more = next.slice(shownAtFirst);
  return (
    <>
      <Shifts now={now} next={next.slice(0, shownAtFirst)} />
      {more.length > 0 && (
        <details className="mt-2">
          <summary className="cursor-pointer py-1.5 text-ink2 hover:text-ink">
            {words.moreShifts(more.length)}
          </summary>
          <Shifts now={[]} next={more} />
        </details>
      )}
    </>
  );
}

const Shifts = ({ now, next }: OnCall) => (
  <ul>
    {now.map((shift) => (
      <ShiftRow key={`${shift.oncall_schedule_id} ${shift.start}`} shift={shift} isNow />
    ))}
    {next.map((shift) => (
      <ShiftRow key={`${shift.oncall_schedule_id} ${shift.start}`} shift={shift} />
    ))}
  </ul>
);

function ShiftRow({ shift, isNow = false }: { shift: Shift; isNow?: boolean }) {
  const { oncall_schedule_id, name, start, end } = shift;
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 border-b border-line py-2 last:border-b-0">
      {isNow ? (
        <span className="min-w-40 font-bold text-iris">{words.now}</span>
      ) : (
        <span className="min-w-40">
          <DateTime at={start} />
        </span>
      )}
      <span className="text-ink2">
        {words.until} <DateTime at={end} />
      </span>
      <Link
        to="/on-calls/$id"
        params={{ id: oncall_schedule_id }}
        className="ms-auto min-w-0 truncate font-medium underline decoration-line hover:decoration-ink"
      >
        <bdi>{name}</bdi>
      </Link>
    </li>
  );
}
