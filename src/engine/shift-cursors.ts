// What handoffs and edits ask for: schedules that are due are looked at, and what has begun or
// ended since is recorded and announced, in one transaction.
import { configurationIn } from '../incidents/configuration.ts';
import { announce } from '../shifts/announce.ts';
import { isAnnounced, look, type ShiftEvent } from '../shifts/look.ts';
import type { Clock } from './clock.ts';
import { type Batch, bisectFailures } from './faults.ts';
import type { Ids } from './ids.ts';
import { organizationsOf } from './intake/decide.ts';
import type { DueShiftCursor, ScheduleKey, ShiftChanges, ShiftTx, Transactor } from './ledger.ts';
import type { Log } from './log.ts';

export type ShiftCursorOptions = {
  readonly ledger: Transactor<ShiftTx>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Told of each event once it is committed. */
  readonly recorded: (event: ShiftEvent, secondsLate: number) => void;
  /** Told of each schedule that could not be looked at. */
  readonly failed: () => void;
};

const batch = 500;
/** Whatever is announced so late, the engine was away. */
const awaySeconds = 10;

type Round = {
  readonly now: Temporal.Instant;
  /** How many schedules were due. */
  readonly cursors: number;
  readonly changes: readonly ShiftChanges[];
  /** Events that were recorded before. */
  readonly repeated: number;
};

/** Looks at what is due, in one transaction; answers how many schedules there were. */
export async function advanceDueCursors(options: ShiftCursorOptions): Promise<number> {
  const { ledger, clock, failed } = options;
  const round = await bisectFailures<ScheduleKey, Round>({
    most: batch,
    name: ({ id }) => id,
    work: (some) => ledger.transact((tx) => advanceBatch(tx, options, some)),
    async blame(id, error) {
      const now = clock.now();
      await ledger.transact((tx) => tx.postponeShiftCursor(id, { error, now }));
      failed();
      return { now, cursors: 1, changes: [], repeated: 0 };
    },
  });
  reportRound(round, options);
  return round.cursors;
}

async function advanceBatch(
  tx: ShiftTx,
  options: ShiftCursorOptions,
  { limit, selected: found }: Batch<ScheduleKey>,
): Promise<Round> {
  const now = options.clock.now();
  const due = await tx.dueShiftCursors(now, limit);
  if (due.length === 0) return { now, cursors: 0, changes: [], repeated: 0 };
  found(due.map(keyOf));
  const changes = await advanceCursors(tx, due, { ...options, now });
  return { now, cursors: due.length, changes, repeated: await tx.saveShifts(changes, now) };
}

const keyOf = ({ schedule: { organization_id, id } }: DueShiftCursor): ScheduleKey => ({
  organization_id,
  id,
});

type AdvanceContext = ShiftCursorOptions & { readonly now: Temporal.Instant };

/** A fault in one schedule stops neither the others nor, for longer than it is put off, that one. */
async function advanceCursors(
  tx: ShiftTx,
  due: readonly DueShiftCursor[],
  { now, ids, failed }: AdvanceContext,
): Promise<readonly ShiftChanges[]> {
  const newId = () => ids.next();
  const organizations = organizationsOf(due.map(({ schedule }) => schedule));
  const configurations = await tx.configurations(organizations, now);
  const changes: ShiftChanges[] = [];
  for (const one of due) {
    const { history, cursor: watch, schedule } = one;
    try {
      const looked = look(watch, { history, now, newId });
      const configuration = configurationIn(configurations, schedule.organization_id);
      changes.push({
        schedule,
        advanced: looked,
        intents: announce(looked, schedule, configuration),
      });
    } catch (error) {
      failed();
      await tx.postponeShiftCursor(keyOf(one), { error, now });
    }
  }
  return changes;
}

function reportRound({ now, changes, repeated }: Round, options: ShiftCursorOptions): void {
  const { log, recorded } = options;
  const events = changes.flatMap(({ advanced: looked }) => looked.events);
  const lateness = (event: ShiftEvent) => event.at.until(now).total('seconds');
  for (const event of events) recorded(event, lateness(event));
  if (repeated > 0) log.error({ repeated }, 'events of shifts were recorded before');
  const late = events.filter((event) => isAnnounced(event) && lateness(event) > awaySeconds);
  if (late.length > 0)
    log.warn(
      { seconds: Math.round(Math.max(...late.map(lateness))), announced: late.length },
      'the engine was away: shifts are announced late',
    );
}
