// What the answer to a preview has on schedules, for programs: an older or newer server may lack
// parts of it.
import type { Fields } from '../../client/answer.ts';
import { isObject } from '../../resources/declaration/is-object.ts';
import { type Notified, nobody, type ScheduleEffects } from './change-effects.ts';

type Named = Pick<ScheduleEffects, 'name' | 'timezone'>;

/** `own`: the schedule that is previewed; null if it is another record. */
export function schedulesIn(preview: Fields, own: Named | null): readonly ScheduleEffects[] {
  if (own !== null) return [scheduleIn(preview, own)];
  // Of a person who is deactivated.
  return objectsIn(preview['schedules']).map((one) =>
    scheduleIn(one, { name: String(one['name']), timezone: 'UTC' }),
  );
}

function scheduleIn(preview: Fields, { name, timezone }: Named): ScheduleEffects {
  const onCall = isObject(preview['on_call']) ? preview['on_call'] : {};
  const isNew = !Array.isArray(onCall['before']);
  const [before, after] = [onCall['before'], onCall['after']].map(idsAndNames);
  const isOther = !isNew && before?.ids !== after?.ids;
  const notices = objectsIn(preview['notices']);
  return {
    name,
    timezone,
    isNew,
    onCall: isOther && before && after ? { before: before.names, after: after.names } : null,
    gaps: objectsIn(preview['gaps']).map(({ from, to }) => ({
      from: String(from),
      to: typeof to === 'string' ? to : null,
    })),
    gapsCount: countIn(preview['gaps_count']),
    moves: objectsIn(preview['moved_shifts']).map((move) => ({
      before: idsAndNames(move['before']).names,
      after: idsAndNames(move['after']).names,
    })),
    movesCount: countIn(preview['moved_shifts_count']),
    notified: notifiedIn(notices),
    noticesAreCut: countIn(preview['notices_count']) > notices.length,
  };
}

const objectsIn = (list: unknown): readonly Fields[] =>
  Array.isArray(list) ? list.filter(isObject) : [];

const countIn = (count: unknown): number => (typeof count === 'number' ? count : 0);

function idsAndNames(people: unknown): { readonly ids: string; readonly names: string } {
  const all = objectsIn(people);
  return {
    ids: all.map(({ id }) => String(id)).join(),
    names: all.map(({ name }) => String(name)).join(', ') || nobody,
  };
}

/** Each person once: one channel that works is enough. */
function notifiedIn(notices: readonly Fields[]): readonly Notified[] {
  const people = new Map<string, Notified>();
  for (const { user_id, recipient, reason } of notices) {
    if (typeof user_id !== 'string') continue;
    const isReached = reason === undefined || people.get(user_id)?.isReached === true;
    people.set(user_id, { id: user_id, name: String(recipient ?? user_id), isReached });
  }
  return [...people.values()];
}
