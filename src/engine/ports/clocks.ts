// Clocks of servers, and what moves when the database's clock jumps.
import type { Jump } from '../../incidents/clock-jump.ts';
import type { Incident } from '../../incidents/incident.ts';
import type { ChangeWriter } from './changes.ts';
import type { IncidentKey } from './incidents.ts';

/** What a server noted of clocks when it last saw them agree. */
export type NotedClock = {
  /** Of the server. */
  readonly id: string;
  readonly host: string;
  /** Names one start of its machine. */
  readonly boot: string;
  /** When that was, by the database's clock. */
  readonly booted_at: Temporal.Instant;
  /** What the machine's own clock is ahead of the database's. */
  readonly ahead_ms: number;
  /** When it was noted, by the database's clock. */
  readonly read_at: Temporal.Instant;
};

/** `boot`: of the machine on which it was seen. */
export type RecordedJump = Jump & { readonly incidents: number; readonly boot: string };

/** `last`: of those looked at; null: there were none. */
export type OpenIncidents = {
  readonly incidents: readonly Incident[];
  readonly last: IncidentKey | null;
};

export type ClockTx = ChangeWriter & {
  /** Locks them, so that one server at a time moves what waits. */
  notedClocks(): Promise<readonly NotedClock[]>;
  noteClock(noted: NotedClock): Promise<void>;
  /** Locks the next open incidents in the order of their ids; unreadable ones are left out. */
  openIncidents(after: IncidentKey | null, limit: number): Promise<OpenIncidents>;
  /** Moves all else that waits by the clock, and what servers noted; stores that it jumped. */
  recordJump(jump: RecordedJump, now: Temporal.Instant): Promise<void>;
};
