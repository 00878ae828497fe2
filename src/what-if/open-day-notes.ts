// What whoever saves a schedule should know of turns that are counted in open days, or might be.
import { countedPerWeek, isCountedOpen, MIDNIGHT } from '../oncall/handoffs.ts';
import { isHandoffInWindow } from '../oncall/open-days.ts';
import type { Idle } from '../oncall/people-without-shifts.ts';
import type { Layer, Schedule } from '../oncall/schedule.ts';
import { DAYS_PER_WEEK, timeOfDay } from '../oncall/wall-clock.ts';

export function openDayNotes({ revisions }: Schedule, idle: readonly Idle[]): readonly string[] {
  const revision = revisions.at(-1);
  if (revision === undefined || revision.archived) return [];
  const unused = new Set(idle.flatMap(({ user_id, until }) => (until === null ? user_id : [])));
  return revision.layers.flatMap((layer, index) => {
    const { rotation, users } = layer;
    const hasIdle = users.some((user) => user !== null && unused.has(user));
    if (hasIdle && wouldShare(layer))
      return [
        `In layer ${index + 1}, set the rotation’s counts to open to share its days among everyone: turns then consist only of days on which the layer has hours.`,
      ];
    return splitsWindow(layer)
      ? [
          `In layer ${index + 1}, the handoff at ${rotation.handoff ?? MIDNIGHT} is inside a window: the person on call changes during that window.`,
        ]
      : [];
  });
}

/** Whether turns would fall on other days if only open ones counted; nobody planned their days. */
function wouldShare({ rotation, restriction, users }: Layer): boolean {
  if (rotation.unit !== 'days' || isCountedOpen(rotation) || users.includes(null)) return false;
  const counted = { ...rotation, counts: 'open' } as const;
  return countedPerWeek({ rotation: counted, restriction }) < DAYS_PER_WEEK;
}

const splitsWindow = ({ rotation, restriction }: Layer): boolean =>
  isCountedOpen(rotation) &&
  restriction !== undefined &&
  isHandoffInWindow(restriction, timeOfDay(rotation.handoff ?? MIDNIGHT));
