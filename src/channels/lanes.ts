// How a channel keeps to the pace at which a vendor takes messages: by lanes, one of an account and
// one of each place that it writes to. What waits in one holds up no other.
import type { Attempt, Delivery, ReportedDelivery } from '../engine/sending/channel.ts';
import { sendingLimits } from '../limits/sending.ts';
import { undelivered, type VendorFault } from './vendor-fault.ts';

export type Connected = { readonly organization_id: string; readonly id: string };

export type Lane = {
  /** Of those of a connection. */
  readonly name: string;
  readonly perSecond: number;
  /** For some time after the vendor has refused something: one that has a reserve has none then. */
  readonly perSecondOnceRefused?: number;
};

export type LaneTurn =
  /** `isFirst`: nothing was sent in the last of the lanes for some time before. */
  | { readonly isFree: true; readonly isFirst: boolean; readonly hasWaited: boolean }
  | { readonly isFree: false; readonly inSeconds: number };

export type LanePort = {
  /** Resolves when it is its turn in all lanes, or once that is known to be too late. */
  readonly turn: (
    connection: Connected,
    lanes: readonly Lane[],
    until: Temporal.Instant | 'soon',
  ) => Promise<LaneTurn>;
  /** The vendor wants nothing more there for that time. */
  readonly hold: (connection: Connected, lane: string, seconds?: number) => Promise<void>;
};

/** For what is sent alone. */
export const noLanes: LanePort = {
  turn: async () => ({ isFree: true, isFirst: false, hasWaited: false }),
  hold: async () => undefined,
};

/** As long as a page may be told to wait. */
const longestHold = sendingLimits.retryAfterMinutes * 60;

/** Has the others wait where a vendor said for how long it wants nothing more. */
export async function holdAfter(
  { hold }: LanePort,
  connection: Connected,
  lane: string,
  { blame, retryAfterSeconds }: Pick<VendorFault<string>, 'blame' | 'retryAfterSeconds'>,
): Promise<void> {
  if (blame === 'later' && retryAfterSeconds !== undefined)
    await hold(connection, lane, Math.min(retryAfterSeconds, longestHold));
}

type Withheld = Extract<ReportedDelivery, { readonly outcome: 'withheld' }>;
type NotSent = { readonly unsent: Withheld | VendorFault<never> };

/** Of a notice that no other connection may send. */
export const notSent = ({ unsent }: NotSent) =>
  'outcome' in unsent ? unsent : undelivered([unsent], '');

type Free = Extract<LaneTurn, { readonly isFree: true }>;

/** Waits a moment for the turn of an edit, which has another try. */
export async function turnOfEdit(
  { turn }: LanePort,
  connection: Connected,
  lanes: readonly Lane[],
): Promise<Free | { readonly unsent: Delivery }> {
  const taken = await turn(connection, lanes, 'soon');
  if (taken.isFree) return taken;
  return { unsent: { outcome: 'no_answer', reason: 'too many messages are waiting there' } };
}

/** Waits for the turn of a notice; it may not be wanted any more when that comes. */
export async function turnOf(
  { turn }: LanePort,
  connection: Connected & { readonly name?: string },
  { lanes, attempt }: { readonly lanes: readonly Lane[]; readonly attempt: Attempt | undefined },
): Promise<Free | NotSent> {
  // It ends before another server may send the notice, also if it is written once more, plainly.
  const end = attempt?.until.subtract({ milliseconds: 2 * sendingLimits.vendorCallTime });
  const until = end ?? 'soon';
  const taken = await turn(connection, lanes, until);
  if (!taken.isFree) {
    const reason = `${connection.name ?? 'it'}: too many messages are waiting there`;
    const turnInSeconds = taken.inSeconds;
    return { unsent: { blame: 'later', reason, maybeExecuted: false, turnInSeconds } };
  }
  if (taken.hasWaited && attempt !== undefined && !(await attempt.isWanted()))
    return {
      unsent: { outcome: 'withheld', reason: 'the incident has changed since then', forSeconds: 0 },
    };
  return taken;
}
