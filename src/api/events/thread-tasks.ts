// The tasks of the threads that read events. Nothing that is imported here may open files or
// connections.

import { packed, unpacked } from '../../workers/clone.ts';
import { lowerPriority } from '../../workers/lower-priority.ts';
import { transferred } from '../../workers/transfer.ts';
import { arriving, stored } from './reading-tasks.ts';

lowerPriority();

export const readArriving = (input: Parameters<typeof arriving>[0]) => {
  const read = arriving(unpacked(input));
  return transferred(packed(read), read.body === null ? [read.lines] : [read.lines, read.body]);
};

export const readStored = (input: Parameters<typeof stored>[0]) => {
  const lines = stored(unpacked(input));
  return transferred(lines, [lines]);
};
