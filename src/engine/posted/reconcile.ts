// Has messages that stand outside show their incidents as they now are. A message is claimed under a
// lease, so that one server at a time changes it and a dead one is stood in for; its own few at
// once, so that pages never wait for it.
import { sendingLimits } from '../../limits/sending.ts';
import type { Notice } from '../../notices/notice.ts';
import type { Clock } from '../clock.ts';
import type { Faults } from '../faults.ts';
import { noWake, type Wake } from '../ledger.ts';
import type { Channel, Delivery, Posted } from '../sending/channel.ts';
import type { ClaimedIncidentNotice } from '../sending/claimed.ts';
import {
  differenceOf,
  type LastAction,
  type Post,
  type Result,
  resultOf,
  takenOf,
  wantedOf,
} from './wanted.ts';

/** A message that this server may now change. */
export type ClaimedPost = Omit<Post, 'incident'> & {
  readonly organization_id: string;
  readonly key: string;
  readonly number: number;
  readonly posted: Posted;
  /** How often its incident had changed when it was claimed. */
  readonly changes: number;
  readonly leaseUntil: Temporal.Instant;
};

/** What is needed to write it anew. */
export type PostStory = {
  readonly notice: ClaimedIncidentNotice;
  readonly last: LastAction | null;
};

/** Places of which no message is claimed now; of every other place one is. */
export type Places = {
  /** One is being changed there. */
  readonly busy: readonly string[];
  /** One was, a moment ago: only those are changed that somebody has just acted on. */
  readonly paused: readonly string[];
};

export type PostClaim = Places & {
  readonly now: Temporal.Instant;
  readonly leaseUntil: Temporal.Instant;
  readonly limit: number;
};

export type PostStorage = {
  claim(request: PostClaim): Promise<readonly ClaimedPost[]>;
  /** The incident as it now is. It throws what makes it unreadable. */
  read(post: ClaimedPost): Promise<PostStory>;
  /**
   * Nothing is changed unless the lease lasts. What has changed meanwhile, or was sent anew as the
   * same message, is looked at in its turn.
   */
  settle(post: ClaimedPost, settled: Settled, now: Temporal.Instant): Promise<void>;
  /** When the next one is due, of those in other places. */
  next(places: Places): Promise<Temporal.Instant | null>;
};

export type Settled =
  | Exclude<Result, { readonly type: 'failed' }>
  | { readonly type: 'wait'; readonly until: Temporal.Instant }
  | { readonly type: 'forget' }
  /** What the message was of, and why it stays as it is. */
  | { readonly type: 'failed'; readonly notice: ClaimedIncidentNotice; readonly reason: string };

export type ReconcileOptions = {
  readonly storage: PostStorage;
  readonly clock: Clock;
  readonly random: () => number;
  readonly channels: ReadonlyMap<string, Pick<Channel, 'show'>>;
  readonly compose: (claimed: ClaimedIncidentNotice) => Notice;
  readonly faults: Faults;
  readonly committed: (wake: Wake) => void;
  readonly edited: (channel: string, outcome: Delivery['outcome']) => void;
};

/** As long as a message that cannot be read or recorded waits for its next try. */
const faultSeconds = 60;

const placeKey = ({ connectionId, place }: Posted): string => `${connectionId} ${place}`;

export class Reconciler {
  readonly #options: ReconcileOptions;
  /** Where a message is being changed. */
  readonly #busy = new Set<string>();
  /** Where one was, and until when further ones wait. */
  readonly #paused = new Map<string, Temporal.Instant>();
  #underWay = 0;
  #freed: () => void = () => {};
  #idle: (() => void)[] = [];

  constructor(options: ReconcileOptions) {
    this.#options = options;
  }

  get underWay(): number {
    return this.#underWay;
  }

  /** `freed` is called when there may be room for more. */
  onFreed(freed: () => void): void {
    this.#freed = freed;
  }

  /** Claims messages that are due and begins to change them; returns how many. */
  async claim(): Promise<number> {
    const { storage, clock } = this.#options;
    const limit = sendingLimits.edits - this.#underWay;
    if (limit <= 0) return 0;
    const now = clock.now();
    for (const [place, until] of this.#paused)
      if (Temporal.Instant.compare(until, now) <= 0) this.#paused.delete(place);
    const leaseUntil = now.add({ seconds: sendingLimits.editLease });
    const claimed = await storage.claim({ now, leaseUntil, limit, ...this.#places() });
    for (const post of claimed) void this.#run(post);
    return claimed.length;
  }

  /** When a message is due, or a place where one may be is free again. */
  async next(): Promise<Temporal.Instant | null> {
    if (this.#underWay >= sendingLimits.edits) return null;
    const ends = [...this.#paused.values()];
    const next = await this.#options.storage.next(this.#places());
    const all = next === null ? ends : [next, ...ends];
    return all.toSorted(Temporal.Instant.compare)[0] ?? null;
  }

  #places(): Places {
    return { busy: [...this.#busy], paused: [...this.#paused.keys()] };
  }

  /** Resolves when no message is being changed. */
  async idle(): Promise<void> {
    if (this.#underWay > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  async #run(post: ClaimedPost): Promise<void> {
    const { clock, faults } = this.#options;
    const place = placeKey(post.posted);
    this.#busy.add(place);
    this.#underWay += 1;
    let pauseMs = 0;
    try {
      pauseMs = await this.#reconcile(post);
    } catch (error) {
      // Its lease ends, and it is looked at again.
      faults({ of: 'post', id: post.key, error });
      pauseMs = sendingLimits.editDelay;
    }
    this.#busy.delete(place);
    if (pauseMs > 0) this.#paused.set(place, clock.now().add({ milliseconds: pauseMs }));
    this.#underWay -= 1;
    this.#freed();
    if (this.#underWay > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** For how long its place is to be left alone. */
  async #reconcile(post: ClaimedPost): Promise<number> {
    const { storage, clock, random, committed, edited, faults } = this.#options;
    let story: PostStory;
    try {
      story = await storage.read(post);
    } catch (error) {
      faults({ of: 'post', id: post.key, error });
      const wakeAt = clock.now().add({ seconds: faultSeconds });
      await storage.settle(post, { type: 'retry', wakeAt }, clock.now());
      return 0;
    }
    const { notice } = story;
    const { incident } = notice;
    const known = { ...post, incident };
    const wanted = wantedOf(known, clock.now());
    if (wanted.type !== 'show') {
      await storage.settle(post, wanted, clock.now());
      return 0;
    }
    const delivery = await this.#show(post, story);
    edited(notice.channel, delivery.outcome);
    const now = clock.now();
    const result = resultOf(known, delivery, { shows: wanted.shows, now, random });
    await storage.settle(post, result.type === 'failed' ? { ...result, notice } : result, now);
    if (result.type === 'failed') committed({ ...noWake, notices: true });
    return Math.max(
      sendingLimits.editDelay,
      delivery.outcome === 'retry' ? (delivery.retryAfterSeconds ?? 0) * 1_000 : 0,
    );
  }

  async #show({ key, posted, shows }: ClaimedPost, { notice, last }: PostStory): Promise<Delivery> {
    const { channels, compose, faults } = this.#options;
    const channel = channels.get(notice.channel);
    if (channel?.show === undefined) return { outcome: 'failed', reason: 'channel not set up' };
    try {
      const composed = compose(notice);
      const { incident } = notice;
      const taken = takenOf(incident, last);
      const isStory = composed.about === 'incident' && taken !== undefined;
      const difference = differenceOf({ shows, incident }, taken);
      return await channel.show(isStory ? { ...composed, taken } : composed, posted, difference);
    } catch (error) {
      faults({ of: 'post', id: key, error });
      return { outcome: 'retry', reason: 'the channel failed unexpectedly' };
    }
  }
}
