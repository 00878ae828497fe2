import { uptime } from 'node:os';

/** The only source of the time: it is injected, and read once per unit of work. */
export type Clock = { now(): Temporal.Instant };

/** What the clocks of a machine show at one moment, in milliseconds. */
export type MachineTime = {
  /** Since 1970, as the machine is set. */
  readonly wall: number;
  /** Since some start: nobody sets it, and it is precise. It may stop while the machine sleeps. */
  readonly steady: number;
  /** Since it was started, time in which it slept included; nobody sets it. Less precise. */
  readonly up: number;
};

/** The clocks of the machine that a server runs on. */
export type Machine = {
  read(): MachineTime;
  /** That one alone, which is much faster. */
  steady(): number;
};

export const thisMachine: Machine = {
  read: () => ({ wall: Date.now(), steady: performance.now(), up: uptime() * 1_000 }),
  steady: () => performance.now(),
};

/** Creating an instant is slow, and under load the time is read several times a millisecond. */
export function instantsOf(): (milliseconds: number) => Temporal.Instant {
  let last = Temporal.Instant.fromEpochMilliseconds(0);
  return (milliseconds) => {
    const ms = Math.floor(milliseconds);
    if (last.epochMilliseconds !== ms) last = Temporal.Instant.fromEpochMilliseconds(ms);
    return last;
  };
}

const systemInstant = instantsOf();

/** The machine's clock in milliseconds, which is the precision that is stored and shown. */
export const systemClock: Clock = { now: () => systemInstant(Date.now()) };
