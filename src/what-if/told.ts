// Whom a story tells, and whom it could not.
import type { Intent } from '../incidents/incident.ts';
import type { EntryRow, MemoryLedger } from './memory-ledger.ts';
import type { Past } from './rehearsal.ts';

export type Told = {
  readonly at: Temporal.Instant;
  readonly incidentId: string;
  readonly kind: Intent['kind'];
  /** Of the policy, from 1; null for what no step says. */
  readonly step: number | null;
  readonly channel: string;
  /** A person, a chat or a webhook. */
  readonly name: string;
  readonly userId: string | null;
  /** Why it does not reach them; null when it does. */
  readonly reason: string | null;
};

/** In the order of time, without what `past` has already. */
export function toldIn(
  { outbox }: MemoryLedger,
  { lines, past }: { readonly lines: readonly EntryRow[]; readonly past: Past },
): readonly Told[] {
  const before = new Set(past.notices.map(({ intent }) => intent.key));
  const told = [...outbox.values()].flatMap(({ intent, createdAt, reason }): Told[] =>
    'story' in intent || before.has(intent.key)
      ? []
      : [
          {
            at: createdAt,
            incidentId: intent.incident_id,
            kind: intent.kind,
            step: intent.step < 0 ? null : intent.step + 1,
            channel: intent.channel,
            name: intent.recipient ?? '',
            userId: intent.user_id,
            reason,
          },
        ],
  );
  return [...told, ...lines.flatMap(skippedIn)].sort((a, b) =>
    Temporal.Instant.compare(a.at, b.at),
  );
}

type Skipped = {
  readonly channel: string;
  readonly name: string;
  readonly user_id?: string | null;
  readonly reason: string;
};
type Details = { readonly step?: number; readonly skipped?: readonly Skipped[] } | null;

const kinds: ReadonlySet<string> = new Set<Intent['kind']>([
  ...(['nobody_paged', 'storm', 'assigned', 'responder_added'] as const),
]);

/** Whom an entry names as not reached, the way src/incidents/escalation.ts writes it. */
function skippedIn({ at, incident_id: incidentId, type, details }: EntryRow): Told[] {
  const isStep = type === 'step_fired' || type === 'step_skipped';
  if (!isStep && !kinds.has(type)) return [];
  // Written by us with these types of entry.
  const { step, skipped = [] } = (details ?? {}) as NonNullable<Details>;
  const kind = isStep ? 'page' : (type as Intent['kind']);
  return skipped.map(({ channel, name, user_id = null, reason }) => ({
    ...{ at, incidentId, kind, channel, name, userId: user_id, reason },
    step: step === undefined ? null : step + 1,
  }));
}
