// Called by each file of tasks after its imports: pages come before what a thread computes. Until it
// is loaded a thread keeps the server's priority, since on a busy machine the first computation
// would else wait half a minute for that.
import { getPriority, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';

/** In units of `nice`. */
const LOW = 10;

/** Of this thread, if it is a worker; except on Linux it would be that of the whole process. */
export function lowerPriority(): void {
  if (isMainThread || process.platform !== 'linux') return;
  setPriority(Math.max(LOW, getPriority()));
}
