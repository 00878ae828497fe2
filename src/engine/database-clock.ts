// The clock of all servers of one database: docs/decisions/0085-database-clock.md.
import { databaseLimits } from '../limits/database.ts';
import { type Clock, instantsOf, type Machine, type MachineTime } from './clock.ts';

/** What the database's clock showed at some moment between two of this machine. */
export type Reading = {
  readonly database: number;
  readonly before: MachineTime;
  readonly after: MachineTime;
};

/**
 * Whether the database's clock has moved as time has passed. `doubtful`: it has not, which is to be seen
 * once more; `jumped`: it was seen twice.
 */
export type Seen = 'agrees' | 'doubtful' | 'jumped';

/** Whether clocks that differ by as much do not agree. */
export const isOff = (ms: number): boolean => Math.abs(ms) > databaseLimits.clockOff;

/** Between two readings that see the same jump, at least, in milliseconds. */
const AGAIN_MS = 500;

/** Longer than this nothing is held up by a clock that shows something else each time. */
const LONGEST_DOUBT_MS = 10_000;

/** On the steady clock: since when this jump is seen, and since when any is. */
type Doubt = { readonly since: number; readonly began: number; readonly jumpMs: number };

/**
 * The database's clock, as last read, moved on by a clock of this machine that nobody sets. So what
 * a server decides does not depend on how its own clock is set.
 */
export class DatabaseClock implements Clock {
  readonly #machine: Machine;
  readonly #instantOf = instantsOf();
  /** What the database's clock is ahead of the machine's steady one. */
  #ahead: number;
  /** When the machine was started, by the database's clock: it changes only if that clock jumps. */
  #bootedAt: number;
  /** By the database's clock. */
  #agreedAt: number;
  /** The last reading, and the last that agreed. */
  #reading: Reading;
  #agreed: Reading;
  #doubt: Doubt | null = null;

  /** `jumpedMs`: what it is known to have jumped by since it was last read by any server. */
  constructor(machine: Machine, reading: Reading, jumpedMs = 0) {
    this.#machine = machine;
    this.#reading = reading;
    this.#agreed = reading;
    this.#ahead = middleOf(boundsOf(reading, 'steady'));
    this.#bootedAt = middleOf(boundsOf(reading, 'up')) - jumpedMs;
    this.#agreedAt = reading.database - jumpedMs;
  }

  now(): Temporal.Instant {
    return this.#instantOf(this.#machine.steady() + this.#ahead);
  }

  /** What the machine's own clock is ahead of the database's, in milliseconds, at least. */
  get machineAhead(): number {
    return machineAheadOf(this.#reading);
  }

  get reading(): Reading {
    return this.#reading;
  }

  get agreed(): Reading {
    return this.#agreed;
  }

  get bootedAt(): number {
    return this.#bootedAt;
  }

  /** When the two last agreed. */
  get agreedAt(): number {
    return this.#agreedAt;
  }

  /**
   * A reading changes the clock only by what its round trip cannot explain. If that is a jump, the
   * clock goes on as before until it is settled.
   */
  take(reading: Reading): Seen {
    this.#reading = reading;
    const jumpMs = jumpMsOf(this.#bootedAt, reading);
    if (!isOff(jumpMs)) {
      this.#follow(reading);
      return 'agrees';
    }
    const { steady } = reading.after;
    const before = this.#doubt;
    const isSame = before !== null && !isOff(before.jumpMs - jumpMs);
    const doubt: Doubt = isSame
      ? before
      : { since: steady, jumpMs, began: before?.began ?? steady };
    this.#doubt = doubt;
    const isSeenAgain = steady - doubt.since >= AGAIN_MS;
    return isSeenAgain || steady - doubt.began >= LONGEST_DOUBT_MS ? 'jumped' : 'doubtful';
  }

  /**
   * What waits by this clock has been moved by that reading, which it shows from now on. Another jump may
   * have been read since.
   */
  settle(reading: Reading): void {
    this.#follow(reading);
  }

  #follow(reading: Reading): void {
    this.#doubt = null;
    this.#agreed = reading;
    this.#agreedAt = reading.database;
    this.#ahead = within(this.#ahead, boundsOf(reading, 'steady'));
    this.#bootedAt = within(this.#bootedAt, boundsOf(reading, 'up'));
  }
}

type Bounds = { readonly least: number; readonly most: number };

/** Between which two values the database's clock is ahead of a clock of the machine. */
const boundsOf = ({ database, before, after }: Reading, clock: keyof MachineTime): Bounds => ({
  least: database - after[clock],
  most: database - before[clock],
});

const middleOf = ({ least, most }: Bounds): number => (least + most) / 2;

const within = (value: number, { least, most }: Bounds): number =>
  Math.min(Math.max(value, least), most);

/** What the database's clock has jumped by since the machine was started then, at least. */
export const jumpMsOf = (bootedAt: number, reading: Reading): number =>
  within(bootedAt, boundsOf(reading, 'up')) - bootedAt;

/** What the machine's own clock is ahead: as near to zero as the round trip allows. */
export const machineAheadOf = ({ database, before, after }: Reading): number =>
  Math.min(Math.max(0, before.wall - database), after.wall - database);
