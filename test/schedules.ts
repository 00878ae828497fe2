// Schedules as tests write them down.
import { timelineOf } from '../src/oncall/layer-precedence.ts';
import type { Restriction } from '../src/oncall/restriction.ts';
import { anchorOf } from '../src/oncall/rotation.ts';
import type { Layer, Override, Revision, Schedule } from '../src/oncall/schedule.ts';

const berlin = 'Europe/Berlin';
export const instant = (text: string) => Temporal.Instant.from(text);

/** From when on the schedules of tests are in force: a monday, at 10:00 in Berlin. */
export const made = instant('2026-03-02T09:00:00Z');

type LayerFields = Partial<Layer> & Pick<Layer, 'users'>;

/** A layer made at `generated_at`, named after its users; turns of a week unless said otherwise. */
export function layer(fields: LayerFields, timezone = berlin): Layer {
  const rotation = fields.rotation ?? ({ length: 1, unit: 'weeks' } as const);
  const generated_at = fields.generated_at ?? made;
  const anchor = anchorOf(rotation, timezone, generated_at);
  return { id: fields.users.join('-'), anchor, generated_at, ...fields, rotation };
}

export function revision(layers: readonly Layer[], fields: Partial<Revision> = {}): Revision {
  return { from: made, archived: false, timezone: berlin, layers, ...fields };
}

/** A schedule of one revision. */
export function schedule(layers: readonly Layer[], overrides: readonly Override[] = []): Schedule {
  return { revisions: [revision(layers)], overrides };
}

type OverrideFields = Omit<Override, 'id' | 'start' | 'end'> & { readonly id?: string };

/** An override from one ISO text to another. */
export function override(start: string, end: string, fields: OverrideFields): Override {
  return { id: 'override', ...fields, start: instant(start), end: instant(end) };
}

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** Windows of one hour, every other hour of the week: the even ones, or the odd ones. */
export const everyOtherHour = (first: 0 | 1): Restriction => ({
  type: 'weekly',
  windows: weekdays.flatMap((from_day, index) =>
    Array.from({ length: 12 }, (_, nth) => {
      const hour = 2 * nth + first;
      const isLast = hour === 23;
      return {
        from_day,
        from_time: `${String(hour).padStart(2, '0')}:00`,
        to_day: isLast ? (weekdays[(index + 1) % 7] ?? '') : from_day,
        to_time: isLast ? '00:00' : `${String(hour + 1).padStart(2, '0')}:00`,
      };
    }),
  ),
});

/** Counts the stretches that are asked of a schedule from now on: what its walks cost. */
export function countStretches(subject: Schedule): { readonly count: number } {
  const timeline = timelineOf(subject);
  const { effectiveAt } = timeline;
  const stretches = { count: 0 };
  Object.assign(timeline, {
    effectiveAt(at: number) {
      stretches.count += 1;
      return effectiveAt(at);
    },
  });
  return stretches;
}
