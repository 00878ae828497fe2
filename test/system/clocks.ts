// Clocks of machines that a test sets, and what a server reports about clocks.
import type { Machine } from '../../src/engine/clock.ts';
import type { Log } from '../../src/engine/log.ts';
import { request } from './api-client.ts';
import type { InProcess } from './in-process.ts';

/** Its own clock is ahead by so many seconds, and it was started at another time. */
export const machineAhead = (seconds: number): Machine => ({
  read: () => ({
    wall: Date.now() + seconds * 1_000,
    steady: performance.now() - seconds,
    up: performance.now() + Math.abs(seconds) * 1_000,
  }),
  steady: () => performance.now() - seconds,
});

/**
 * A machine that has been up for more time, or less, than the database's clock shows: as if that clock
 * had been set. Its own clock is set with it, or is not.
 */
export function settableMachine() {
  let passed = 0;
  let wall = 0;
  const machine: Machine = {
    read: () => ({
      wall: Date.now() + wall,
      steady: performance.now(),
      up: performance.now() + passed,
    }),
    steady: () => performance.now(),
  };
  return {
    machine,
    setDatabase(seconds: number, isOnThisMachine = true): void {
      passed -= seconds * 1_000;
      if (!isOnThisMachine) wall -= seconds * 1_000;
    },
  };
}

export function recordingLog() {
  const lines: string[] = [];
  const keep = (_fields: object, message: string) => lines.push(message);
  const log: Log = { info: keep, warn: keep, error: keep };
  return { log, lines };
}

/** Of clocks, what stands above the list of incidents. */
export async function clockFacts({ api }: InProcess): Promise<string[]> {
  const { body } = await api.send('GET /attention');
  return body.data
    .filter(({ type }: { type: string }) => type === 'clock')
    .map(({ reason }: { reason: string }) => reason);
}

export async function metric({ url }: InProcess, name: string): Promise<number> {
  const { body } = await request(`${url}/metrics`);
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(body)?.[1]);
}
