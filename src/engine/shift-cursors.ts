// Advances the shift cursors of schedules that are due after a handoff or an edit: shifts that have
// started or ended since are recorded and announced, in one transaction.
import { configurationIn } from '../incidents/configuration.ts';
import { advanceCursor, isAnnounced, type ShiftEvent } from '../shifts/advance.ts';
import { announce } from '../shifts/announce.ts';
import type { Clock } from './clock.ts';
import { type Batch, bisectFailures } from './faults.ts';
import type { Ids } from './ids.ts';
import { organizationsOf } from './intake/decide.ts';
import type { Transactor } from './ledger.ts';
import type { Log } from './log.ts';
import type { DueShiftCursor, ScheduleKey, ShiftChanges, ShiftTx } from './ports/shifts.ts';

export type ShiftCursorOptions = {
  readonly ledger: Transactor<ShiftTx>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Called with each event after it is committed. */
  readonly recorded: (event: ShiftEvent, secondsLate: number) => void;
  /** Called for each schedule whose cursor could not be advanced. */
  readonly failed: () => void;
};

const batch = 500;
/** Announcements later than this mean that no engine was running. */
const awaySeconds = 10;

type Round = {
  readonly now: Temporal.Instant;
  /** How many schedules were due. */
  readonly cursors: number;
  readonly changes: readonly ShiftChanges[];
  /** Events that were recorded before. */
  readonly repeated: number;
};

/** Advances the cursors that are due, in one transaction; returns how many there were. */
export async function advanceDueCursors(options: ShiftCursorOptions): Promise<number> {
  const { ledger, clock, failed } = options;
  const round = await bisectFailures<ScheduleKey, Round>({
    limitMax: batch,
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
  { limit, selected }: Batch<ScheduleKey>,
): Promise<Round> {
  const now = options.clock.now();
  const due = await tx.dueShiftCursors(now, limit);
  if (due.length === 0) return { now, cursors: 0, changes: [], repeated: 0 };
  selected(due.map(keyOf));
  const changes = await advanceCursors(tx, due, { ...options, now });
  return { now, cursors: due.length, changes, repeated: await tx.saveShifts(changes, now) };
}

const keyOf = ({ schedule: { organization_id, id } }: DueShiftCursor): ScheduleKey => ({
  organization_id,
  id,
});

type AdvanceContext = ShiftCursorOptions & { readonly now: Temporal.Instant };

/** A fault in one schedule does not stop the others; its cursor is postponed. */
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
    const { history, cursor: shiftCursor, schedule } = one;
    try {
      const advance = advanceCursor(shiftCursor, { history, now, newId });
      const configuration = configurationIn(configurations, schedule.organization_id);
      changes.push({
        schedule,
        advanced: advance,
        intents: announce(advance, schedule, configuration),
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
  const events = changes.flatMap(({ advanced: advance }) => advance.events);
  const lateness = (event: ShiftEvent) => event.at.until(now).total('seconds');
  for (const event of events) recorded(event, lateness(event));
  if (repeated > 0) log.error({ repeated }, 'shift events were already recorded');
  const late = events.filter((event) => isAnnounced(event) && lateness(event) > awaySeconds);
  if (late.length > 0)
    log.warn(
      { seconds: Math.round(Math.max(...late.map(lateness))), announced: late.length },
      'shifts are announced late: Pager was down or too busy',
    );
}
