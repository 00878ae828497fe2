// The clock of this server: the database's. What the machine's own clock differs by, and jumps of the
// database's, are noted, logged and shown.
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, type Machine, thisMachine } from '../engine/clock.ts';
import { clockProblems, type Problem } from '../engine/clock-differences.ts';
import { jumpOf, jumpText, notedBy, notedEvery, settleJump, undoes } from '../engine/clock-jump.ts';
import { DatabaseClock, type Seen } from '../engine/database-clock.ts';
import type { Transactor } from '../engine/ledger.ts';
import type { Log } from '../engine/log.ts';
import type { ClockTx } from '../engine/ports/clocks.ts';
import { asUnavailable, DatabaseUnavailable, type Sql } from '../storage/database/database.ts';
import {
  readDatabaseClock,
  readLastJump,
  readNotedClocks,
  readRecentJump,
  readServerClocks,
} from '../storage/database/server-clocks.ts';

export type ServerTime = {
  readonly clock: Clock;
  /** Null: a test decides what time it is. */
  readonly database: DatabaseClock | null;
  /** Clocks that nobody sets. */
  readonly machine: Machine;
  /** What the machine's own clock is ahead of the database's, in milliseconds. */
  readonly machineAhead: () => number;
  /** Reads the database's clock. */
  readonly measure: () => Promise<Seen>;
  /** The last jump of the database's clock that this one has followed. */
  lastJump: number;
  readonly id: string;
  readonly boot: string;
};

type Opening = {
  readonly log: Log;
  /** In place of the database's clock, for tests. */
  readonly clock?: Clock | undefined;
  readonly machine?: Machine | undefined;
  readonly boot?: string | undefined;
};

/** `id`: of this server. */
export async function openServerTime(
  sql: Sql,
  opening: Opening,
  idOf: (clock: Clock) => string,
): Promise<ServerTime> {
  const { clock: stated, machine = stated ? machineOn(stated) : thisMachine } = opening;
  if (stated) {
    const own = { clock: stated, database: null, id: idOf(stated), boot: '', lastJump: 0 };
    return { ...own, machine, machineAhead: () => 0, measure: async () => 'agrees' };
  }
  const reading = await readDatabaseClock(sql, machine);
  const id = idOf(new DatabaseClock(machine, reading));
  const boot = opening.boot ?? (await bootName(id));
  const lastJump = await readLastJump(sql);
  const seen = jumpOf(await readNotedClocks(sql), { id, boot, reading, agreedAt: null });
  const now = Temporal.Instant.fromEpochMilliseconds(reading.database);
  const isUndone = seen !== null && undoes(seen, await readRecentJump(sql, now));
  const jump = isUndone ? null : seen;
  if (isUndone)
    opening.log.warn(
      { seconds: -seen.ms / 1_000 },
      'another server reported a jump of the database’s clock that this server does not see; waits stay as that server moved them',
    );
  const database = new DatabaseClock(machine, reading, jump?.ms);
  return {
    clock: database,
    database,
    machine,
    id,
    boot,
    lastJump,
    machineAhead: () => database.machineAhead,
    measure: async () => database.take(await readDatabaseClock(sql, machine)),
  };
}

const machineOn = (clock: Clock): Machine => ({
  read() {
    const ms = clock.now().epochMilliseconds;
    return { wall: ms, steady: ms, up: ms };
  },
  steady: () => clock.now().epochMilliseconds,
});

/**
 * Of a start of the machine. A container may count its time from its own start: then its first process
 * is another one. Where neither can be read, each server counts as on a machine of its own.
 */
async function bootName(id: string): Promise<string> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    const first = await readFile('/proc/1/stat', 'utf8');
    // The name of the process, in parentheses, may contain spaces.
    const startedAt = first.slice(first.lastIndexOf(')')).split(' ')[20];
    return `${boot.trim()} ${startedAt}`;
  } catch {
    return id;
  }
}

type Keeping = {
  readonly time: ServerTime;
  readonly sql: Sql;
  readonly ledger: Transactor<ClockTx> & { readonly alone: Transactor<ClockTx> };
  readonly log: Log;
  /** The name of the machine. */
  readonly host: string;
  /** Called by the server that moved what waits. */
  readonly jumped: () => void;
};

export type ClockKeeper = {
  /** Whether what is due may be claimed: not while the database's clock seems to have jumped. */
  readonly agrees: () => Promise<boolean>;
  /** Another server has moved what waits: this clock follows it. */
  readonly follow: () => Promise<void>;
  /** Of a jump that was not settled when the last server stopped. */
  readonly settled: () => Promise<void>;
  /** For a loop: measures whenever the loop looks, and notes what it finds. */
  readonly next: () => Promise<Temporal.Instant | null>;
  readonly work: () => Promise<number>;
};

const AGAIN_MS = 600;
/** So often it is tried to move what waits. */
const attemptsToMove = 3;

export function keepClock(keeping: Keeping): ClockKeeper {
  const { time, sql, ledger, log, host, jumped } = keeping;
  const { clock, database, measure, id, boot } = time;
  let settling: Promise<void> | null = null;
  let failures = 0;
  let noteAt = clock.now();
  let known: ReadonlyMap<string, Problem> = new Map();

  async function settle(): Promise<void> {
    if (database === null) return;
    const jump = await moveWaits(database);
    noteAt = clock.now();
    const last = await readLastJump(sql);
    // Else there was another one since.
    if ((await measure()) === 'agrees') time.lastJump = last;
    if (jump === null) return;
    const { ms, incidents, isStop } = jump;
    const line = [{ seconds: ms / 1_000, incidents }, jumpText(jump, incidents)] as const;
    if (isStop) return log.info(...line);
    jumped();
    log.warn(...line);
  }

  /** What cannot be moved holds up no page for long. */
  async function moveWaits(database: DatabaseClock) {
    try {
      const jump = await settleJump({ ledger: ledger.alone, clock: database, id, boot, host });
      failures = 0;
      return jump;
    } catch (error) {
      failures += 1;
      const isLost = asUnavailable(error) instanceof DatabaseUnavailable;
      if (isLost || failures < attemptsToMove) throw error;
      failures = 0;
      log.error(
        { err: error },
        'the clock of the database jumped, and waiting timers could not be moved',
      );
      database.settle(database.reading);
      return null;
    }
  }

  const settleOnce = (): Promise<void> => {
    settling ??= settle().finally(() => {
      settling = null;
    });
    return settling;
  };

  async function agrees(): Promise<boolean> {
    const seen = await measure();
    if (seen === 'jumped') await settleOnce();
    return seen === 'agrees';
  }

  return {
    agrees,
    async follow() {
      await measure();
      await settleOnce();
    },
    async settled() {
      const failed = (error: unknown): false => {
        if (asUnavailable(error) instanceof DatabaseUnavailable) throw error;
        log.error({ err: error }, 'waiting timers could not be moved; retrying');
        return false;
      };
      while (!(await agrees().catch(failed))) await pause(AGAIN_MS);
    },
    async next() {
      // A loop that reports it is enough.
      return (await agrees().catch(isLost)) ? noteAt : null;
    },
    async work() {
      const now = clock.now();
      if (database !== null) {
        // Within the transaction, which runs again by the new clock after a jump.
        await ledger.transact((tx) => {
          const { agreed: reading, bootedAt } = database;
          return tx.noteClock(notedBy({ id, boot, host, reading, bootedAt }));
        });
      }
      const problems = clockProblems(await readServerClocks(sql, now));
      const own = problems.filter(({ about }) => about === null || about === host);
      logChanges(log, known, own);
      known = new Map(own.map((problem) => [`${problem.about}`, problem]));
      noteAt = clock.now().add(notedEvery);
      return 1;
    },
  };
}

function isLost(error: unknown): false {
  if (asUnavailable(error) instanceof DatabaseUnavailable) return false;
  throw error;
}

function logChanges(log: Log, known: ReadonlyMap<string, Problem>, now: readonly Problem[]): void {
  for (const { about, text, aheadSeconds } of now)
    if (!known.has(`${about}`)) log.warn({ aheadSeconds }, text);
  if (known.size > 0 && now.length === 0)
    log.info({}, 'the clocks of this server and of the database agree again');
}
