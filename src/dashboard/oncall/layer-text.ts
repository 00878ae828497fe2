import type { Layer } from './queries.ts';
import { scheduleWords as words } from './words.ts';

/** When its turns change, such as `Weekly Mon 09:00`. */
export const rotationText = ({
  rotation: { length, unit, handoff = '00:00', handoff_day },
}: Pick<Layer, 'rotation'>): string =>
  words.rotation({ length, unit, handoff, day: handoff_day ?? 'monday' });
