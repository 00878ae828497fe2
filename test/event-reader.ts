// Reads events as a server does, with the work of its threads done in this one.
import { createEventReader, type ReadingTasks } from '../src/api/events/event-reader.ts';
import { arriving, stored } from '../src/api/events/reading-tasks.ts';
import { StoredReadings } from '../src/engine/intake/stored-readings.ts';
import { silentLog } from '../src/engine/log.ts';
import { packed, unpacked } from '../src/workers/clone.ts';
import type { Pool } from '../src/workers/pool.ts';

type Run = Pick<Pool<ReadingTasks>, 'run'>['run'];

const run = async (_requester: unknown, name: string, input: never) => {
  const work: (input: never) => unknown = name === 'readArriving' ? arriving : stored;
  return { value: packed(work(unpacked(input))) };
};

/** In place of a pool of threads. */
export const inThisThread = { run: run as Run };

export const eventReader = createEventReader({ pool: inThisThread, log: silentLog });

/** For what decides stored events too. */
export const reading = {
  reader: eventReader,
  apart: new StoredReadings({ reader: eventReader, ready() {} }),
};
