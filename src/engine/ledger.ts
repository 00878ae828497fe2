// What the engine needs from storage, with one file for each concern in ports/. src/storage implements
// it on PostgreSQL, src/what-if and the simulation in memory; test/contracts checks that they behave the
// same.
import type { ActionTx, OpeningTx, SplittingTx } from './ports/actions.ts';
import type { ClockTx } from './ports/clocks.ts';
import type { TimerTx } from './ports/incidents.ts';
import type { BacklogTx, IntakeTx } from './ports/intake.ts';
import type { ReceiptTx, SendingTx } from './ports/sending.ts';
import type { ShiftTx } from './ports/shifts.ts';

/** One transaction: all of it is committed, or nothing. Each part of the engine takes only its own port. */
export type Tx = IntakeTx &
  BacklogTx &
  TimerTx &
  ActionTx &
  OpeningTx &
  SplittingTx &
  SendingTx &
  ReceiptTx &
  ShiftTx &
  ClockTx;

export type Transactor<Port> = {
  /** Runs the work in one transaction, again from its start when the database asks for that. */
  transact<T>(work: (tx: Port) => Promise<T>): Promise<T>;
};

export type Ledger = Transactor<Tx> & {
  /** The next instant at which an incident, a shift cursor or a notice is due. */
  nextIncident(): Promise<Temporal.Instant | null>;
  nextShiftCursor(): Promise<Temporal.Instant | null>;
  /** Without `after`, including what is due already. */
  nextNotice(after?: Temporal.Instant): Promise<Temporal.Instant | null>;
  /** Whether stored events wait to be decided. */
  hasBacklog(): Promise<boolean>;
};
