// Replays past events with the saved and with proposed rules, and compares the results.
import type { Reading } from '../alerts/alert.ts';
import type { StoredEvent } from '../engine/ports/events.ts';
import { queryLimits } from '../limits/queries.ts';
import { type Differences, differencesOf } from './differences.ts';
import type { MemoryLedgerOptions } from './memory/ledger.ts';
import { Side } from './side.ts';

export type ReplayParams = {
  readonly saved: MemoryLedgerOptions;
  readonly proposed: MemoryLedgerOptions;
  readonly from: Temporal.Instant;
  readonly to: Temporal.Instant;
  /** In the order in which they arrived. */
  readonly events: AsyncIterable<{ readonly event: StoredEvent; readonly reading: Reading }>;
};

export type ReplayResult = Differences & {
  readonly eventsRead: number;
  readonly unreadable: number;
  /** Those of which only a part is stored. */
  readonly cut: number;
  /** Alerts that joined an open incident, on either side. */
  readonly joined: { readonly saved: number; readonly proposed: number };
  /** Of those of the proposed side, the ones that were worse than what pages showed, and quiet. */
  readonly quietThoughWorse: number;
  /** Where it stopped because of too many notices; null: it reached the end. */
  readonly stoppedAt: Temporal.Instant | null;
};

export async function replay({
  saved,
  proposed,
  from,
  to,
  events,
}: ReplayParams): Promise<ReplayResult> {
  const before = new Side(saved, from);
  const after = new Side(proposed, from);
  const sides = [before, after];
  let [eventsRead, unreadable, cut] = [0, 0, 0];
  let stoppedAt: Temporal.Instant | null = null;
  for await (const { event, reading } of events) {
    if (sides.some(({ noticeCount }) => noticeCount >= queryLimits.replayNotices)) {
      stoppedAt = event.received_at;
      break;
    }
    eventsRead += 1;
    if ('unreadable' in reading) unreadable += 1;
    if (event.cut_from != null) cut += 1;
    for (const side of sides) {
      await follow(side, event.received_at);
      if ('alerts' in reading) await side.receive(event, reading.alerts);
    }
  }
  for (const side of sides) await follow(side, stoppedAt ?? to);
  return {
    ...differencesOf(before, after),
    joined: { saved: before.joined, proposed: after.joined },
    quietThoughWorse: after.quietThoughWorse(),
    eventsRead,
    unreadable,
    cut,
    stoppedAt,
  };
}

async function follow(side: Side, until: Temporal.Instant): Promise<void> {
  while (side.noticeCount < queryLimits.replayNotices && (await side.runNext(until)));
}
