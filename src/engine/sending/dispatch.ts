// Sends notices: a due notice is claimed under a lease, evaluated against the incident as it is now,
// sent, and the answer recorded. At least once; never again after a recorded success.
import { setTimeout as sleep } from 'node:timers/promises';
import { isDue } from '../../incidents/incident.ts';
import { sendingLimits } from '../../limits/sending.ts';
import type { Unwanted } from '../../notices/kind.ts';
import { summaryOf } from '../../notices/kinds/summary.ts';
import type { Notice } from '../../notices/notice.ts';
import type { Call, CallContent } from '../../notices/webhooks/call.ts';
import { InFlight } from '../claims/in-flight.ts';
import { claimedAt, leaseFrom } from '../claims/lease.ts';
import type { Clock } from '../clock.ts';
import { bisectFailures, type Faults, isDatabaseAway } from '../faults.ts';
import type { Transactor } from '../ledger.ts';
import type { Log } from '../log.ts';
import type {
  AttemptResult,
  ClaimRequest,
  OutboxKey,
  RenderedCall,
  SendingTx,
  UnreadableNotice,
} from '../ports/sending.ts';
import type { Wake } from '../wake.ts';
import { attemptResult } from './attempt-result.ts';
import type { Channel, NoticeChannel, PostedMessage, ReportedDelivery } from './channel.ts';
import type {
  Claimed,
  ClaimedCall,
  ClaimedIncidentNotice,
  ClaimedPersonalNotice,
} from './claimed.ts';
import { evaluateNotice } from './evaluate-notice.ts';
import { Shares } from './fair-shares.ts';
import { deliveriesOf, type Fold, type Message, messagesOf } from './messages.ts';
import { onceOf } from './once.ts';
import { Pace } from './pace.ts';
import { recordFirst } from './record-attempts.ts';
import { notifyOfUnreadable, setAside } from './unreadable-notices.ts';
import { callOf } from './webhook-call.ts';

export type DispatchOptions = {
  readonly ledger: Transactor<SendingTx>;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
  /** This server, as its claims name it. */
  readonly claimant?: string | null;
  readonly channels: ReadonlyMap<string, NoticeChannel>;
  /** Turns a claimed notice into what a channel renders. */
  readonly compose: (claimed: ClaimedPersonalNotice) => Notice;
  /** Absent: each page is a message. */
  readonly fold?: Fold;
  /** What receipts of an attempt are recognised by. */
  readonly handleOf: (claimed: ClaimedPersonalNotice) => string;
  /** The message about the same incident that stands where this notice goes. */
  readonly threadOf?: (claimed: ClaimedIncidentNotice) => Promise<PostedMessage | null>;
  /** Whether it is still to be sent, as its incident is now. */
  readonly isWanted?: (claimed: ClaimedIncidentNotice) => Promise<boolean>;
  /** The way to outbound webhooks. */
  readonly webhooks: Channel<Call>;
  /** The content of a call; null if there is none. */
  readonly contentOf: (claimed: ClaimedCall) => CallContent | null;
  /** Called after attempts are recorded, with the loops that this may have given work to. */
  readonly committed: (wake: Wake) => void;
  readonly attempted: (attempt: AttemptResult) => void;
  /** Reports notices that can neither be sent nor cancelled. */
  readonly faults: Faults;
  /** Whether the monthly limit stops pages too. */
  readonly hardAlertLimit?: boolean;
  readonly inFlightMax?: number;
  readonly perRecipient?: number;
  /** How often recording is tried; after that the lease ends and the notice is sent again. */
  readonly receiptTries?: number;
  readonly pause?: (ms: number) => Promise<unknown>;
};

const receiptRetryMs = 1_000;
const lostClaim = 'the database was lost while the notice was claimed';

/** In one transaction. */
const claimedAtOnce = 128;

export class Dispatcher {
  readonly #options: DispatchOptions &
    Required<Pick<DispatchOptions, 'inFlightMax' | 'receiptTries'>>;
  readonly #pace: Pace;
  readonly #shares: Shares;
  readonly #finished: AttemptResult[] = [];
  readonly #inFlight = new InFlight(() => this.inFlight);
  #recording: Promise<void> | null = null;

  constructor(options: DispatchOptions) {
    this.#options = {
      inFlightMax: sendingLimits.underWay,
      receiptTries: sendingLimits.lease - 10,
      ...options,
    };
    this.#pace = new Pace(options.perRecipient);
    this.#shares = new Shares(this.#options.inFlightMax);
  }

  get inFlight(): number {
    return this.#shares.used;
  }

  /** `freed` is called when an attempt has been answered or recorded: there may be room for more. */
  onFreed(freed: () => void): void {
    this.#inFlight.onFreed(freed);
  }

  /** Claims due notices and starts sending them; returns how many it handled, cancelled included. */
  async claim(): Promise<number> {
    const { ledger, clock, random, claimant = null, inFlightMax } = this.#options;
    const limit = Math.min(inFlightMax - this.inFlight, claimedAtOnce);
    if (limit <= 0) return 0;
    const shares = { ...this.#pace.shares(), rooms: this.#shares.rooms() };
    let evaluated = 0;
    let until = clock.now();
    let made: readonly Claimed[] = [];
    const claiming = bisectFailures<OutboxKey, readonly Claimed[]>({
      limitMax: limit,
      name: ({ organization_id, key }) => `${organization_id} ${key}`,
      work: (batch) =>
        ledger.transact(async (tx) => {
          const now = clock.now();
          evaluated = 0;
          made = [];
          const leaseUntil = leaseFrom(now, random);
          until = leaseUntil;
          const unreadable: UnreadableNotice[] = [];
          const request: ClaimRequest = {
            now,
            claimant,
            leaseUntil,
            ...batch,
            ...shares,
            unreadable: (notice) => unreadable.push(notice),
          };
          const claimed = await tx.claim(request, (notice, limitReached) => {
            const verdict = this.#evaluate(notice, { now, limitReached });
            // A notice that is held until now waits for the end of the mute, which pokes the loop.
            if (!(verdict && 'holdUntil' in verdict && isDue(verdict.holdUntil, now)))
              evaluated += 1;
            return verdict;
          });
          await notifyOfUnreadable(tx, unreadable, now);
          made = claimed;
          return claimed;
        }),
      blame: async (key, error) => {
        await ledger.transact((tx) => setAside(tx, key, { error, now: clock.now() }));
        evaluated = 1;
        return [];
      },
    });
    const claimed = await claiming.catch((error: unknown) => {
      if (isDatabaseAway(error)) void this.#giveBack(made, until);
      throw error;
    });
    const messages = messagesOf(claimed, this.#options.fold);
    for (const message of messages) void this.#deliver(message, until);
    return evaluated;
  }

  /**
   * The answer to the commit was lost, so these may be claimed, and nobody sends them. They need not wait for
   * their lease: nothing was requested under these claims.
   */
  async #giveBack(claimed: readonly Claimed[], until: Temporal.Instant): Promise<void> {
    if (claimed.length === 0) return;
    for (const notice of claimed) this.#shares.begin(notice);
    const withheld = { outcome: 'withheld', forSeconds: 0, reason: lostClaim } as const;
    for (const notice of claimed)
      this.#finished.push({ ...this.#resultOf(notice, withheld, until), isUncertain: true });
    await this.#record();
    for (const notice of claimed) this.#shares.end(notice);
    this.#inFlight.ended();
  }

  #evaluate(
    notice: Claimed,
    at: { readonly now: Temporal.Instant; readonly limitReached: boolean },
  ): Unwanted | RenderedCall | null {
    const { hardAlertLimit = false } = this.#options;
    return evaluateNotice(notice, { ...at, hardAlertLimit }) ?? this.#render(notice);
  }

  /** A fault in rendering one call does not stop other notices. */
  #render(notice: Claimed): RenderedCall | null {
    if (notice.about !== 'call' || notice.content !== null) return null;
    try {
      const content = this.#options.contentOf(notice);
      return content && { content };
    } catch (error) {
      this.#options.faults({ of: 'call', id: notice.key, error });
      return null;
    }
  }

  /** Resolves when nothing is being sent or recorded. */
  idle(): Promise<void> {
    return this.#inFlight.idle();
  }

  async #deliver(message: Message, until: Temporal.Instant): Promise<void> {
    for (const claimed of message) {
      this.#shares.begin(claimed);
      this.#pace.begin(claimed.recipient_key);
    }
    const delivery = await this.#timed(message, until);
    // The recipient may get its next notice while this answer is being recorded.
    for (const { recipient_key } of message) this.#pace.end(recipient_key);
    this.#inFlight.freed();
    for (const { claimed, delivery: own } of deliveriesOf(message, delivery))
      this.#finished.push(this.#resultOf(claimed, own, until));
    await this.#record();
    for (const claimed of message) this.#shares.end(claimed);
    this.#inFlight.ended();
  }

  async #timed(message: Message, until: Temporal.Instant): Promise<ReportedDelivery> {
    const { clock } = this.#options;
    const began = clock.now().epochMilliseconds;
    const delivery = await this.#send(message, until);
    const ms = clock.now().epochMilliseconds - began;
    this.#pace.answered(message[0].recipient_key, {
      ms,
      isDelivered: delivery.outcome === 'delivered',
    });
    return delivery;
  }

  async #send(message: Message, until: Temporal.Instant): Promise<ReportedDelivery> {
    const [claimed, ...folded] = message;
    try {
      if (claimed.about === 'call') return await this.#call(claimed);
      const channel = this.#options.channels.get(claimed.channel);
      if (!channel) return { outcome: 'failed', reason: 'channel not set up' };
      const { address, earlier, unknownSince } = claimed;
      const handle = this.#options.handleOf(claimed);
      const isAlone = folded.length === 0;
      const thread = channel.threads && isAlone ? await this.#threadOf(claimed) : null;
      return await channel.send(this.#composed(claimed, folded), address, {
        handle,
        once: onceOf(claimed),
        earlier,
        thread,
        until,
        ...(unknownSince && { unknownSince }),
        ...((unknownSince || claimed.lostAnswers) && { maybeTaken: true }),
        isWanted: () => this.#isAnyWanted([claimed, ...folded]),
      });
    } catch (error) {
      // A channel must not throw; if it does, the notice is tried again.
      this.#options.faults({ of: 'notice', id: claimed.key, error });
      return { outcome: 'no_answer', reason: 'the channel failed unexpectedly' };
    }
  }

  /** One notice, or a summary of the pages that are folded. */
  #composed(claimed: ClaimedPersonalNotice, folded: readonly ClaimedIncidentNotice[]): Notice {
    const { compose } = this.#options;
    const first = compose(claimed);
    if (folded.length === 0 || first.about !== 'incident') return first;
    return summaryOf([first, ...folded.map(compose).filter((one) => one.about === 'incident')]);
  }

  async #isAnyWanted(message: readonly ClaimedPersonalNotice[]): Promise<boolean> {
    const wanted = await Promise.all(message.map((one) => this.#isWanted(one)));
    return wanted.includes(true);
  }

  /**
   * Only an incident changes while a notice about it is sent. What cannot be looked up is sent: it was
   * wanted when it was claimed.
   */
  async #isWanted(claimed: ClaimedPersonalNotice): Promise<boolean> {
    const { isWanted, faults } = this.#options;
    if (claimed.about !== 'incident' || isWanted === undefined) return true;
    try {
      return await isWanted(claimed);
    } catch (error) {
      faults({ of: 'notice', id: claimed.key, error });
      return true;
    }
  }

  /** Only what is about an incident is edited later, and so recorded. Without its thread, a page is posted alone. */
  async #threadOf(claimed: ClaimedPersonalNotice): Promise<PostedMessage | null> {
    const { threadOf, faults } = this.#options;
    if (claimed.about !== 'incident' || threadOf === undefined) return null;
    try {
      return await threadOf(claimed);
    } catch (error) {
      faults({ of: 'notice', id: claimed.key, error });
      return null;
    }
  }

  async #call(claimed: ClaimedCall): Promise<ReportedDelivery> {
    const call = callOf(claimed);
    if (call === null) return { outcome: 'failed', reason: 'the call has no content' };
    return await this.#options.webhooks.send(call, claimed.address);
  }

  #resultOf(
    claimed: Claimed,
    delivery: ReportedDelivery,
    leaseUntil: Temporal.Instant,
  ): AttemptResult {
    const { clock, random } = this.#options;
    const result = attemptResult(claimed, delivery, { now: clock.now(), random, leaseUntil });
    return { ...result, beganAt: claimedAt(leaseUntil) };
  }

  /** Results that arrive together are recorded in one transaction. */
  async #record(): Promise<void> {
    while (this.#recording !== null) await this.#recording;
    if (this.#finished.length === 0) return;
    const attempts = this.#finished.splice(0);
    this.#recording = this.#write(attempts);
    await this.#recording;
  }

  async #write(attempts: readonly AttemptResult[]): Promise<void> {
    const { log, committed, attempted, receiptTries, pause = sleep } = this.#options;
    const left = [...attempts];
    // After the last try their leases end, and they are sent a second time: better than never.
    for (let tries = 1; left.length > 0 && tries <= receiptTries; ) {
      try {
        const recorded = await recordFirst(this.#options, left);
        committed(recorded.wake);
        for (const attempt of recorded.attempts) attempted(attempt);
      } catch (error) {
        log.error(
          { err: error, receipts: left.length },
          'results of attempts could not be stored yet',
        );
        tries += 1;
        await pause(receiptRetryMs);
      }
    }
    this.#recording = null;
    for (const attempt of left) attempted(attempt);
  }
}
