// A jump of the database's clock: which server moves what waits, and by how much.
import { afterJump, type Jump } from '../incidents/clock-jump.ts';
import { durationText } from '../incidents/duration-text.ts';
import {
  type DatabaseClock,
  isOff,
  jumpMsOf,
  machineAheadOf,
  type Reading,
} from './database-clock.ts';
import { changesOf } from './intake/batch-state.ts';
import type { Transactor } from './ledger.ts';
import type { ClockTx, NotedClock } from './ports/clocks.ts';

/** A running server notes its clocks so often. */
export const notedEvery = { seconds: 2 } as const;
/** A note of another server so long after ours was made while we were paused. */
const LATER_MS = 3_000;
/** A server that noted its clocks so shortly before has not noted them since. */
const BEFORE_MS = 4_000;
/** If nobody noted anything for so long, no server ran. */
const STOPPED_MS = 30_000;

/** A server, and what it read. */
export type Observer = {
  readonly id: string;
  /** Names one start of its machine, and of the container within it. */
  readonly boot: string;
  readonly reading: Reading;
  /** When it last saw the clocks agree, in milliseconds by the database's clock; null: it has just started. */
  readonly agreedAt: number | null;
};

/** Containers of one machine stop together. */
const machineOf = (boot: string) => boot.split(' ')[0];

/** Null: there is none, or another server has moved what waits. */
export function jumpOf(noted: readonly NotedClock[], observer: Observer): Jump | null {
  const { id, boot, reading } = observer;
  const sameBoot = noted.filter((one) => one.boot === boot);
  const own = sameBoot.find((one) => one.id === id) ?? lastOf(sameBoot);
  if (own === undefined) return jumpSince(noted, reading);
  const ms = Math.round(jumpMsOf(own.booted_at.epochMilliseconds, reading));
  if (!isOff(ms)) return null;
  if (ms < 0) return { ms, mayBeTime: false };
  const agreedAt = Math.max(own.read_at.epochMilliseconds, observer.agreedAt ?? -Infinity);
  const others = noted
    .filter((one) => machineOf(one.boot) !== machineOf(boot))
    .map(({ read_at }) => read_at.epochMilliseconds - agreedAt);
  const isPaused = others.some((since) => since > LATER_MS && since <= ms + LATER_MS);
  if (isPaused) return null;
  // Of one machine alone nobody knows whether it was paused.
  const isSeenByOthers = others.some((since) => since >= -BEFORE_MS && since <= LATER_MS);
  const isOfMachine = !isOff(machineAheadOf(reading) - own.ahead_ms);
  return { ms, mayBeTime: !isSeenByOthers && !isOfMachine };
}

/** On a machine that was started since: how long it was stopped is not known. */
function jumpSince(noted: readonly NotedClock[], { database }: Reading): Jump | null {
  const last = lastOf(noted);
  const ms = last === undefined ? 0 : database - last.read_at.epochMilliseconds;
  if (ms > STOPPED_MS) return { ms, mayBeTime: true, isStop: true };
  return ms < 0 && isOff(ms) ? { ms, mayBeTime: false } : null;
}

const lastOf = (noted: readonly NotedClock[]): NotedClock | undefined =>
  noted.toSorted((a, b) => Temporal.Instant.compare(a.read_at, b.read_at)).at(-1);

export type Settling = Omit<Observer, 'reading' | 'agreedAt'> & {
  readonly ledger: Transactor<ClockTx>;
  readonly clock: DatabaseClock;
  readonly host: string;
};

/**
 * Whether a server that has just started sees what the last jump did to its own note: that jump was seen
 * by one whose machine was paused, and moving all waits back would go on for ever.
 */
export const undoes = (jump: Jump, last: { readonly ms: number } | undefined): boolean =>
  last !== undefined && !isOff(jump.ms + last.ms);

/** Moves what waits, unless another server has; answers the jump and how many incidents it touched. */
export async function settleJump(
  settling: Settling,
): Promise<(Jump & { readonly incidents: number }) | null> {
  const { ledger, clock } = settling;
  const { reading, agreedAt } = clock;
  const settled = await ledger.transact(async (tx) => {
    const noted = await tx.notedClocks();
    const jump = jumpOf(noted, { ...settling, reading, agreedAt });
    const now = Temporal.Instant.fromEpochMilliseconds(reading.database);
    const incidents = jump === null ? 0 : await moveIncidents(tx, jump, now);
    if (jump !== null) await tx.recordJump({ ...jump, incidents, boot: settling.boot }, now);
    const bootedAt = clock.bootedAt + jumpMsOf(clock.bootedAt, reading);
    await tx.noteClock(notedBy({ ...settling, reading, bootedAt }));
    return jump && { ...jump, incidents };
  });
  clock.settle(reading);
  return settled;
}

type Noting = Pick<NotedClock, 'id' | 'boot' | 'host'> & {
  readonly reading: Reading;
  readonly bootedAt: number;
};

export const notedBy = ({ id, boot, host, reading, bootedAt }: Noting): NotedClock => ({
  id,
  boot,
  host,
  ahead_ms: Math.round(machineAheadOf(reading)),
  booted_at: Temporal.Instant.fromEpochMilliseconds(Math.round(bootedAt)),
  read_at: Temporal.Instant.fromEpochMilliseconds(reading.database),
});

/** For its operator: what happened, what was done, what to do. */
export function jumpText({ ms, mayBeTime, isStop }: Jump, incidents: number): string {
  const by = durationText(Math.abs(ms));
  const touched = incidents === 1 ? '1 incident' : `${incidents} incidents`;
  const ntp = 'Synchronize the clock of the database’s machine with NTP.';
  if (isStop)
    return `Pager was stopped for ${by}. The automatic resolution of ${touched} moves ${by} later.`;
  if (mayBeTime)
    return `The clock of the database moved forward by ${by} more than Pager measured, perhaps because Pager or its machine was paused. Pages keep their times. The automatic resolution of ${touched} moves ${by} later. If Pager was running, check the clock of the database’s machine.`;
  return `The clock of the database was set ${ms < 0 ? 'back' : 'forward'} by ${by}. The timers of ${touched} were moved by the same amount. ${ntp}`;
}

const atOnce = 500;

async function moveIncidents(tx: ClockTx, jump: Jump, now: Temporal.Instant): Promise<number> {
  let incidents = 0;
  let open = await tx.openIncidents(null, atOnce);
  while (open.last !== null) {
    const outcomes = open.incidents.flatMap((incident) => afterJump(incident, jump, now) ?? []);
    const changed = outcomes.map(({ incident }) => incident);
    if (changed.length > 0) await tx.save(changesOf(outcomes, { opened: [], changed }), now);
    incidents += changed.length;
    open = await tx.openIncidents(open.last, atOnce);
  }
  return incidents;
}
