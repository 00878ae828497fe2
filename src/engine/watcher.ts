// What handoffs and edits ask for: schedules that are due are looked at, and what has begun or
// ended since is recorded and announced, in one transaction.
import { configurationIn } from '../incidents/configuration.ts';
import { announce } from '../shifts/announce.ts';
import { isAnnounced, look, putOff, type ShiftEvent } from '../shifts/look.ts';
import type { Clock } from './clock.ts';
import { organizationsOf } from './deciding/decide.ts';
import type { Ids } from './ids.ts';
import type { DueWatch, ShiftChanges, ShiftTx, Transacting } from './ledger.ts';
import type { Log } from './log.ts';

export type WatcherOptions = {
  readonly ledger: Transacting<ShiftTx>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** Told of each event once it is committed. */
  readonly recorded: (event: ShiftEvent, secondsLate: number) => void;
  /** Told of each schedule that could not be looked at. */
  readonly failed: () => void;
};

const batch = 500;
const tryAgainMinutes = 1;
/** Whatever is announced so late, the engine was away. */
const awaySeconds = 10;

type Round = {
  readonly now: Temporal.Instant;
  readonly changes: readonly ShiftChanges[];
  /** Events that were recorded before. */
  readonly repeated: number;
};

/** Looks at what is due, in one transaction; answers how many schedules there were. */
export async function lookDue(options: WatcherOptions): Promise<number> {
  const { ledger, clock } = options;
  const round = await ledger.transact(async (tx): Promise<Round> => {
    const now = clock.now();
    const due = await tx.dueWatches(now, batch);
    if (due.length === 0) return { now, changes: [], repeated: 0 };
    const changes = await decided(tx, due, { ...options, now });
    return { now, changes, repeated: await tx.saveShifts(changes, now) };
  });
  tell(round, options);
  return round.changes.length;
}

type Deciding = WatcherOptions & { readonly now: Temporal.Instant };

async function decided(
  tx: ShiftTx,
  due: readonly DueWatch[],
  deciding: Deciding,
): Promise<readonly ShiftChanges[]> {
  const { now, ids } = deciding;
  const newId = () => ids.next();
  const looks = due.map((one) => ({
    due: one,
    changes: unlessFailing(one, deciding, () => {
      const { history, watch } = one;
      return { looked: look(watch, { history, now, newId }), intents: [] };
    }),
  }));
  const organizations = organizationsOf(due.map(({ schedule }) => schedule));
  const configurations = await tx.configurations(organizations, now);
  return looks.map(({ due: one, changes }) =>
    unlessFailing(one, deciding, () => {
      const { looked, schedule } = changes;
      const configuration = configurationIn(configurations, schedule.organization_id);
      return { looked, intents: announce(looked, schedule, configuration) };
    }),
  );
}

/** A fault in one schedule stops neither the others nor, for longer than a minute, that one. */
function unlessFailing(
  { schedule, watch }: DueWatch,
  { now, log, failed }: Deciding,
  work: () => Omit<ShiftChanges, 'schedule'>,
): ShiftChanges {
  try {
    return { schedule, ...work() };
  } catch (error) {
    failed();
    log.error({ err: error, schedule: schedule.id }, 'a schedule could not be looked at');
    const looked = putOff(watch, now.add({ minutes: tryAgainMinutes }));
    return { schedule, looked, intents: [] };
  }
}

function tell({ now, changes, repeated }: Round, options: WatcherOptions): void {
  const { log, recorded } = options;
  const events = changes.flatMap(({ looked }) => looked.events);
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
