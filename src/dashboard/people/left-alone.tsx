import { Link } from '@tanstack/react-router';
import { coverOf } from '../oncall/covering.ts';
import { spanText } from '../oncall/times.ts';
import { buttonClass } from '../ui/button.tsx';
import { useNow } from '../ui/now.ts';
import { ownZone } from '../ui/zones.ts';
import { leftOf } from './left-alone.ts';
import type { ChangedSchedule } from './queries.ts';
import { words } from './words.ts';

/** When nobody, or somebody else, would be on call; what nobody has can be covered before. */
export const LeftAlone = ({ schedules }: { schedules: readonly ChangedSchedule[] }) => (
  <>
    <p className="mb-1 font-medium">{words.deactivateShifts}</p>
    <ul className="flex flex-col gap-3">
      {schedules.map((schedule) => (
        <li key={schedule.oncall_schedule_id}>
          <bdi className="font-medium">{schedule.name}</bdi>
          <Changes schedule={schedule} />
        </li>
      ))}
    </ul>
  </>
);

/** Which events page somebody else, or nobody. */
export const ChangedPages = ({ messages }: { messages: readonly string[] }) => (
  <>
    <p className="mb-1 font-medium">{words.deactivatePages}</p>
    <ul className="flex flex-col gap-1">
      {messages.map((message) => (
        <li key={message}>{message}</li>
      ))}
    </ul>
  </>
);

function Changes({ schedule }: { schedule: ChangedSchedule }) {
  const now = useNow();
  const { oncall_schedule_id: id } = schedule;
  const { stretches, more } = leftOf(schedule);
  return (
    <ul>
      {stretches.map(({ from, to, instead }) => {
        const start = Math.max(Date.parse(from), now);
        const end = to === null ? null : Date.parse(to);
        const span = spanText(ownZone(), { start: Date.parse(from), end }, now);
        return (
          <li
            key={from}
            className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line py-1.5 last:border-b-0"
          >
            <span className="min-w-0 flex-1">
              <span className="block">{span}</span>
              {instead === null ? (
                <span className="text-sm font-medium text-red">{words.deactivateNobody}</span>
              ) : (
                <span className="text-sm text-ink2">
                  <bdi>{words.deactivateInstead(instead)}</bdi>
                </span>
              )}
            </span>
            {instead === null && (
              <Link
                to="/on-calls/$id"
                params={{ id }}
                search={{ cover: coverOf({ start, end }) }}
                className={`${buttonClass()} shrink-0`}
                aria-label={words.findCoverFor(span)}
              >
                {words.findCover}
              </Link>
            )}
          </li>
        );
      })}
      {more > 0 && <li className="py-1.5 text-ink2">{words.deactivateMore(more)}</li>}
    </ul>
  );
}
