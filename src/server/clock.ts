// The clock of this server: the database's. What the machine's own clock differs by is noted, logged
// and shown.
import { type Clock, type Machine, thisMachine } from '../engine/clock.ts';
import { clockProblems, type Problem } from '../engine/clock-differences.ts';
import { DatabaseClock } from '../engine/database-clock.ts';
import type { Log } from '../engine/log.ts';
import { asUnavailable, DatabaseUnavailable, type Sql } from '../storage/database.ts';
import { noteServerClock, readDatabaseClock, readServerClocks } from '../storage/server-clocks.ts';

export type ServerTime = {
  readonly clock: Clock;
  /** Clocks that nobody sets. */
  readonly machine: Machine;
  /** What the machine's own clock is ahead of the database's, in milliseconds. */
  readonly machineAhead: () => number;
  /** Reads the database's clock: before each claim, and every second. */
  readonly measure: () => Promise<void>;
};

type Opening = {
  /** In place of the database's clock, for tests. */
  readonly clock?: Clock | undefined;
  readonly machine?: Machine | undefined;
};

export async function openServerTime(sql: Sql, opening: Opening): Promise<ServerTime> {
  const { clock: stated, machine = stated ? machineOn(stated) : thisMachine } = opening;
  if (stated)
    return { clock: stated, machine, machineAhead: () => 0, measure: () => Promise.resolve() };
  const clock = new DatabaseClock(machine, await readDatabaseClock(sql, machine));
  return {
    ...{ clock, machine },
    machineAhead: () => clock.machineAhead,
    measure: async () => clock.take(await readDatabaseClock(sql, machine)),
  };
}

const machineOn = (clock: Clock): Machine => ({
  read() {
    const ms = clock.now().epochMilliseconds;
    return { wall: ms, steady: ms };
  },
});

const NOTED_EVERY = { seconds: 10 } as const;

type Watch = ServerTime & {
  readonly sql: Sql;
  readonly log: Log;
  /** This server. */
  readonly id: string;
  /** Of its machine. */
  readonly host: string;
};

/** For a loop: measures whenever the loop looks, and notes what the machine's clock differs by. */
export function watchClocks(watch: Watch) {
  const { clock, machineAhead, measure, sql, log, id, host } = watch;
  let noteAt = clock.now();
  let known: ReadonlyMap<string, Problem> = new Map();
  return {
    async next() {
      // A loop that reports it is enough.
      const isMeasured = await measure().then(() => true, isLost);
      return isMeasured ? noteAt : null;
    },
    async work() {
      const now = clock.now();
      await noteServerClock(sql, { id, host, ahead_ms: Math.round(machineAhead()), now });
      const problems = clockProblems(await readServerClocks(sql, now));
      const own = problems.filter(({ about }) => about === null || about === host);
      logChanges(log, known, own);
      known = new Map(own.map((problem) => [`${problem.about}`, problem]));
      noteAt = clock.now().add(NOTED_EVERY);
      return 1;
    },
  };
}

function isLost(error: unknown): false {
  if (asUnavailable(error) instanceof DatabaseUnavailable) return false;
  throw error;
}

function logChanges(log: Log, known: ReadonlyMap<string, Problem>, now: readonly Problem[]): void {
  for (const { about, text, ...differences } of now)
    if (!known.has(`${about}`)) log.warn(differences, text);
  if (known.size > 0 && now.length === 0)
    log.info({}, 'the clocks of this server and of the database agree again');
}
