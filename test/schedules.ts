// Schedules as tests write them down.
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
