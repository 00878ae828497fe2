/**
 * Routing rules are evaluated here: compiled once, matched against what is known about an
 * incident, and explained condition by condition.
 */

import type { AlertEvent } from '../alerts/alert.ts';

/** What conditions read: an incident as it is when one of its events is evaluated. */
export type Facts = {
  readonly title: string;
  readonly details: unknown;
  readonly priority: string | null;
  readonly severity: string | null;
  /** How many alerts the incident has. */
  readonly alertsTotal: number;
  readonly integrationId: string | null;
  readonly serviceId: string;
  /** Earlier incidents of its key, and when the last of them were opened: epoch ms, oldest first. */
  readonly repeatCount: number;
  readonly repeatedAt: readonly number[];
  /** Events that were suppressed, the one that is evaluated included; the last of them likewise. */
  readonly suppressedCount: number;
  readonly suppressedAt: readonly number[];
  readonly now: Temporal.Instant;
  /** The event was suppressed: it opened no incident. */
  readonly isSuppressed: boolean;
};

type AlertFacts = Pick<AlertEvent, 'title' | 'details' | 'priority' | 'severity'>;

/** Of an alert as its tool sent it, which nothing has counted yet. */
export const factsOfAlert = (
  alert: AlertFacts,
  of: Pick<Facts, 'integrationId' | 'serviceId' | 'now'>,
): Facts => ({
  ...of,
  title: alert.title,
  details: alert.details ?? null,
  priority: alert.priority ?? null,
  severity: alert.severity ?? null,
  alertsTotal: 1,
  repeatCount: 0,
  repeatedAt: [],
  suppressedCount: 0,
  suppressedAt: [],
  isSuppressed: false,
});

/** A text as it is, and without the difference of case. */
export type Text = { readonly plain: string; readonly folded: string };

/** What many rules read of the same facts, computed once. */
type Memo = {
  readonly title: Text;
  readonly at: number;
  /** By path; null: absent. */
  readonly details: Map<string, Text | null>;
};

const memos = new WeakMap<Facts, Memo>();

export function memoOf(facts: Facts): Memo {
  const known = memos.get(facts);
  if (known) return known;
  const { epochMilliseconds: at } = facts.now;
  const memo = { title: textOf(facts.title), at, details: new Map() };
  memos.set(facts, memo);
  return memo;
}

export const textOf = (plain: string): Text => ({ plain, folded: folded(plain) });

/** Upper case, for lower case keeps apart what is one letter: two forms of the Greek sigma. */
export const folded = (text: string): string => text.toUpperCase();
