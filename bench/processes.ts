// What a process and its children need of the machine, as Linux counts it.
import { readdirSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** Memory in megabytes, each shared page counted in parts. */
export const memoryOf = (pid: number): number =>
  treeOf(pid).reduce((sum, one) => sum + pssOf(one), 0) / 1_024;

/** Processor time so far, in seconds. */
const processorOf = (pid: number): number =>
  treeOf(pid).reduce((sum, one) => sum + ticksOf(one), 0) / ticksPerSecond;

export type Cost = { readonly cost: string };

/** Runs the work; answers the microseconds that each of its requests cost, of them all and of the main process. */
export async function costOf<T extends { readonly requests: number }>(
  pid: number,
  work: () => Promise<T>,
): Promise<T & Cost> {
  const before = { all: processorOf(pid), own: ticksOf(pid) / ticksPerSecond };
  const done = await work();
  const perRequest = (seconds: number) => Math.round((seconds * 1e6) / done.requests);
  const all = perRequest(processorOf(pid) - before.all);
  const own = perRequest(ticksOf(pid) / ticksPerSecond - before.own);
  return { ...done, cost: `${all} µs of processor each, ${own} of them its main process's` };
}

function treeOf(pid: number): readonly number[] {
  const all = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const childrenOf = Map.groupBy(all, parentOf);
  const withChildren = (one: number): readonly number[] => [
    one,
    ...(childrenOf.get(one) ?? []).flatMap(withChildren),
  ];
  return withChildren(pid);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // The process has ended meanwhile.
    return '';
  }
}

const parentOf = (pid: number) => Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1]);
const pssOf = (pid: number) =>
  Number(/^Pss:\s+(\d+)/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0);

/** Its own, and those of its children that have ended. */
function ticksOf(pid: number): number {
  // After the name, which may hold anything.
  const fields = read(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
  return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
}
