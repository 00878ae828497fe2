// The clock of all servers of one database: docs/decisions/0085-database-clock.md.
import { type Clock, instantsOf, type Machine, type MachineTime } from './clock.ts';

/** What the database's clock showed at some moment between two of this machine. */
export type Reading = {
  readonly database: number;
  readonly before: MachineTime;
  readonly after: MachineTime;
};

/**
 * The database's clock, as last read, moved on by a clock of this machine that nobody sets. So what
 * a server decides does not depend on how its own clock is set.
 */
export class DatabaseClock implements Clock {
  readonly #machine: Machine;
  readonly #instantOf = instantsOf();
  /** What the database's clock is ahead of the machine's steady one. */
  #ahead: number;
  #machineAhead: number;

  constructor(machine: Machine, reading: Reading) {
    this.#machine = machine;
    const { least, most } = boundsOf(reading, 'steady');
    this.#ahead = (least + most) / 2;
    this.#machineAhead = machineAheadOf(reading);
  }

  now(): Temporal.Instant {
    return this.#instantOf(this.#machine.read().steady + this.#ahead);
  }

  /** What the machine's own clock is ahead of the database's, in milliseconds, at least. */
  get machineAhead(): number {
    return this.#machineAhead;
  }

  /** A reading changes the clock only by what its round trip cannot explain. */
  take(reading: Reading): void {
    const { least, most } = boundsOf(reading, 'steady');
    this.#ahead = Math.min(Math.max(this.#ahead, least), most);
    this.#machineAhead = machineAheadOf(reading);
  }
}

/** Between which two values the database's clock is ahead of a clock of the machine. */
function boundsOf({ database, before, after }: Reading, clock: keyof MachineTime) {
  return { least: database - after[clock], most: database - before[clock] };
}

/** As near to zero as the round trip allows. */
const machineAheadOf = ({ database, before, after }: Reading): number =>
  Math.min(Math.max(0, before.wall - database), after.wall - database);
