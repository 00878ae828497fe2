// What a jump of the clock by which incidents wait does to them: their waits go on as if it had not
// jumped. What people or sources gave as a time stays: mutes, and until when an alert holds.
import { durationText } from './duration-text.ts';
import {
  type Escalation,
  entry,
  type Incident,
  isOpen,
  type Outcome,
  only,
  type Reporting,
} from './incident.ts';

export type Jump = {
  /** Negative: back. */
  readonly ms: number;
  /**
   * It may be time that passed, while a server was stopped or its machine paused: what pages comes no
   * later for it. What ends something does, since nobody could report anything.
   */
  readonly mayBeTime: boolean;
  /** No server ran, and the machine was started since: nothing speaks for a jump of the clock. */
  readonly isStop?: true;
};

/** Null: nothing of it waits by the clock. */
export function afterJump(incident: Incident, jump: Jump, now: Temporal.Instant): Outcome | null {
  if (!isOpen(incident)) return null;
  const { escalation } = incident;
  const ends = movedEnds(escalation, jump.ms);
  const pages = jump.mayBeTime ? {} : movedPages(escalation, jump.ms);
  const waits = { ...ends.waits, ...pages };
  if (Object.values(waits).every((at) => at == null)) return null;
  const counted = jump.mayBeTime ? {} : movedCounts(escalation, jump.ms);
  const moved = { ...escalation, ...ends.waits, ...ends.heard, ...pages, ...counted };
  const alerts = incident.alerts?.map((one) => ({
    ...one,
    reporting: movedReporting(one.reporting, jump),
  }));
  const details = { ms: jump.ms, may_be_time: jump.mayBeTime };
  return only(
    { ...incident, ...(alerts && { alerts }), escalation: moved, updated_at: now },
    entry(incident, 'clock_jumped', entryText(jump), { details }),
  );
}

function entryText({ ms, mayBeTime, isStop }: Jump): string {
  const by = durationText(Math.abs(ms));
  if (isStop)
    return `Pager was stopped for ${by}. Steps, repeats and the acknowledgement timeout keep their times. The automatic resolution moves ${by} later`;
  if (mayBeTime)
    return `The database’s clock moved forward by ${by} more than Pager measured, perhaps because Pager or its machine was paused. Steps, repeats and the acknowledgement timeout keep their times. The automatic resolution moves ${by} later`;
  return `The database’s clock was set ${ms < 0 ? 'back' : 'forward'} by ${by}. The timers of this incident were moved by the same amount`;
}

/** Instants that are absent or null stay so. */
function moved<Waits extends Readonly<Record<string, Temporal.Instant | null | undefined>>>(
  waits: Waits,
  milliseconds: number,
): Partial<Waits> {
  const present = Object.entries(waits).flatMap(([name, at]) =>
    at == null ? [] : [[name, at.add({ milliseconds })]],
  );
  return Object.fromEntries(present);
}

/** The next step, a repeat, the acknowledgement timeout; a first step that is put off. */
const movedPages = (escalation: Escalation, ms: number): Partial<Escalation> => {
  const { stepAt, takenBy, ackTimeoutAt, putOffUntil } = escalation;
  return moved({ stepAt, takenBy, ackTimeoutAt, putOffUntil }, ms);
};

/** What resolves it, and since when its tool has been silent. */
function movedEnds(escalation: Escalation, ms: number) {
  const { resolveAt, expiresAt, quietAt, heardAt, suppressedAt } = escalation;
  return {
    waits: moved({ resolveAt, expiresAt, quietAt }, ms),
    heard: { ...moved({ heardAt }, ms), suppressedAt: suppressedAt.map((at) => at + ms) },
  };
}

/** The same of one of several alerts. */
function movedReporting(reporting: Reporting, { ms, mayBeTime }: Jump): Reporting {
  const { expiresAt, quietAt, heardAt, recentTriggers, storm, senders } = reporting;
  const milliseconds = ms;
  return {
    ...reporting,
    ...moved({ expiresAt, quietAt, heardAt }, ms),
    ...(!mayBeTime && {
      recentTriggers: recentTriggers.map((at) => at + ms),
      storm: storm && { ...storm, until: storm.until.add({ milliseconds }) },
      ...(senders && { senders: senders.map((one) => ({ ...one, aheadMs: one.aheadMs - ms })) }),
    }),
  };
}

/** What is counted within some minutes, and the clocks of servers that are compared with this one. */
function movedCounts(escalation: Escalation, ms: number): Partial<Escalation> {
  const { recentTriggers, repeatedAt, storm, stormNotifiedAt, senders } = escalation;
  return {
    recentTriggers: recentTriggers.map((at) => at + ms),
    repeatedAt: repeatedAt.map((at) => at + ms),
    storm: storm && { ...storm, until: storm.until.add({ milliseconds: ms }) },
    stormNotifiedAt: stormNotifiedAt?.add({ milliseconds: ms }) ?? null,
    ...(senders && {
      senders: senders.map((one) => ({ ...one, aheadMs: one.aheadMs - ms })),
    }),
  };
}
