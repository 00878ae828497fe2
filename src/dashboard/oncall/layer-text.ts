import { clockTime } from '../ui/clock-time.ts';
import type { DraftLayer } from './draft.ts';
import { hoursText } from './hours-text.ts';
import type { Layer } from './queries.ts';
import { fullText } from './times.ts';
import { editWords, scheduleWords as words } from './words.ts';

/** When its turns change, such as `Weekly Mon 9:00 AM`. */
export const rotationText = ({
  rotation: { length, unit, handoff = '00:00', handoff_day, since, counts },
}: Pick<Layer, 'rotation'>): string =>
  [
    words.rotation({ length, unit, handoff: clockTime(handoff), day: handoff_day ?? 'monday' }),
    ...(counts === 'open' ? [words.countsOpen] : []),
    ...(since === undefined ? [] : [words.since(since)]),
  ].join(', ');

/** By its own name, or else by its place, from 0. */
export const layerTitle = (layer: Pick<Layer, 'name'> | undefined, index: number): string =>
  layer?.name || words.layer(index + 1);

/** Everything of a layer that an edit may change, with times on the clock of a zone. */
export function draftLayerText(
  layer: DraftLayer,
  { names, zone }: { names: ReadonlyMap<string, string>; zone: string },
): string {
  const { name, users, length, unit, handoff, handoff_day, since, counts } = layer;
  const { windows, starts_at, ends_at } = layer;
  const turns = users.map((user) => (user === null ? editWords.nobody : (names.get(user) ?? user)));
  const rotation = {
    length: Number(length),
    unit,
    handoff,
    handoff_day,
    counts,
    ...(since !== '' && { since }),
  };
  const at = (what: string, text: string | undefined) =>
    text === undefined ? [] : [`${what} ${fullText(zone, Date.parse(text), 0)}`];
  return [
    ...(name === '' ? [] : [name]),
    `${turns.join(', ')} (${rotationText({ rotation })})`,
    ...(windows === null ? [] : [hoursText(windows)]),
    ...at(editWords.startsAt, starts_at),
    ...at(editWords.endsAt, ends_at),
  ].join('; ');
}
