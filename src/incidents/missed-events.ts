// Time in which no server took the events of an integration. What its tool could not report then is
// no silence of the tool: docs/decisions/0079-deaf-time.md.
import { type Incident, isSooner, type Span, spanAfter } from './incident.ts';

/** From included, to excluded. */
export type Spell = { readonly from: Temporal.Instant; readonly to: Temporal.Instant };

/** Nothing that lasts longer is believed. */
const LONGEST_MS = 24 * 3_600_000;

/** Longer without any server is a spell; servers note far more often that they are there. */
export const absentAfter = { seconds: 30 } as const;

/** Longer than anything is counted from when it was last reported. */
export const spellsEndAfter = { hours: 24 * 400 } as const;

/** From when on spells count for the incident. */
export const spellsCountSince = (
  { escalation: { heardAt } }: Incident,
  now: Temporal.Instant,
): Temporal.Instant => heardAt ?? now.subtract({ milliseconds: LONGEST_MS });

/** How much of the time between the instants is in spells, which may overlap. */
export function deafMs(
  spells: readonly Spell[],
  from: Temporal.Instant,
  to: Temporal.Instant,
): number {
  const spans = spells
    .map((spell) => {
      const start = spell.from.epochMilliseconds;
      return { start, end: Math.min(spell.to.epochMilliseconds, start + LONGEST_MS) };
    })
    .sort((one, other) => one.start - other.start);
  let [sum, at] = [0, from.epochMilliseconds];
  for (const { start, end } of spans) {
    const last = Math.min(end, to.epochMilliseconds);
    if (last <= Math.max(start, at)) continue;
    sum += last - Math.max(start, at);
    at = last;
  }
  return sum;
}

/** An alert that was reported before an earlier release knew when: at least so long before its end. */
const REPEATED_MS = 4 * 60_000;

/** Until when the alert has to be silent, not counting the time in which nobody listened. */
export function expiryOf(
  { escalation: { expiresAt, heardAt, expiresAfterMs = REPEATED_MS } }: Incident,
  spells: readonly Spell[],
  now: Temporal.Instant,
): (Pick<Incident['escalation'], 'expiresAt'> & Required<Pick<Heard, 'heardAt'>>) | null {
  if (expiresAt === null) return null;
  const since = heardAt ?? expiresAt.subtract({ milliseconds: expiresAfterMs });
  const silent = expiresAfterMs + deafMs(spells, since, now);
  return { expiresAt: since.add({ milliseconds: silent }), heardAt: since };
}

/** The same for what resolves when it is quiet. */
export function quietUntil(
  { created_at, escalation: { quiet, heardAt = created_at, suppressedAt } }: Incident,
  spells: readonly Spell[],
  now: Temporal.Instant,
): Temporal.Instant | null {
  // A server of 0.1.0 counts repeats, and does not note when the alert was heard.
  const counted = Temporal.Instant.fromEpochMilliseconds(suppressedAt.at(-1) ?? 0);
  const since = isSooner(heardAt, counted) ? counted : heardAt;
  return spanAfter(since.add({ milliseconds: deafMs(spells, since, now) }), quiet ?? null);
}

type Heard = Pick<Incident['escalation'], 'expiresAt' | 'heardAt' | 'expiresAfterMs' | 'quietAt'>;

/** What a trigger changes: never shortened, and what was not to expire stays so. */
export function heard(
  { escalation }: Incident,
  expiresAt: Temporal.Instant | null,
  now: Temporal.Instant,
): Partial<Heard> {
  const { expiresAt: until, quiet } = escalation;
  return {
    ...(isOfInterest(escalation) && { heardAt: now }),
    ...(quiet != null && { quietAt: spanAfter(now, quiet) }),
    ...(until !== null &&
      expiresAt !== null && {
        expiresAt: isSooner(until, expiresAt) ? expiresAt : until,
        expiresAfterMs: expiresAt.epochMilliseconds - now.epochMilliseconds,
      }),
  };
}

/** Whether anything is counted from when the alert was last reported. */
const isOfInterest = ({ expiresAt, quiet }: Pick<Incident['escalation'], 'expiresAt' | 'quiet'>) =>
  expiresAt !== null || quiet != null;

/** The same of a new incident. */
export const heardFirst = (
  expiresAt: Temporal.Instant | null,
  quiet: Span | null,
  now: Temporal.Instant,
): Partial<Heard & { quiet: Span | null }> => ({
  ...(isOfInterest({ expiresAt, quiet }) && { heardAt: now }),
  ...(expiresAt !== null && {
    expiresAfterMs: expiresAt.epochMilliseconds - now.epochMilliseconds,
  }),
  ...(quiet !== null && { quiet, quietAt: spanAfter(now, quiet) }),
});
