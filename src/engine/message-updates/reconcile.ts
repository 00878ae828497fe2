// Has messages that stand outside show their incidents as they now are. A message is claimed under a
// lease, so that one server at a time changes it and a dead one is stood in for; its own few at
// once, so that pages never wait for it.
import { countAlerts } from '../../incidents/incident-alerts.ts';
import type { Notice } from '../../notices/notice.ts';
import { InFlight } from '../claims/in-flight.ts';
import { leaseFrom } from '../claims/lease.ts';
import type { Clock } from '../clock.ts';
import type { Faults } from '../faults.ts';
import type { Report } from '../ports/sending.ts';
import type { Channel, Delivery, PostedMessage } from '../sending/channel.ts';
import type { ClaimedIncidentNotice } from '../sending/claimed.ts';
import { noWake, type Wake } from '../wake.ts';
import {
  decideUpdate,
  differenceOf,
  isNews,
  type Joined,
  type LastAction,
  type Post,
  type Result,
  resultOf,
  takenOf,
} from './decide-update.ts';
import { EditPace, type EditRooms, type Ended } from './pace.ts';

/** A message that this server may now change. */
export type ClaimedPost = Omit<Post, 'incident' | 'joined'> & {
  readonly organization_id: string;
  readonly key: string;
  readonly number: number;
  readonly posted: PostedMessage;
  /** How often its incident had changed when it was claimed. */
  readonly changes: number;
  /** When what was last said below it was done; null: nothing was said. */
  readonly commentedAt: Temporal.Instant | null;
  /** Alerts that joined until then are shown; null: until the message was decided. */
  readonly joinedAt: Temporal.Instant | null;
  readonly leaseUntil: Temporal.Instant;
};

/** What is needed to write it anew. */
export type PostStory = {
  readonly notice: ClaimedIncidentNotice;
  readonly last: LastAction | null;
  /** What has joined and is not shown yet. */
  readonly joined: Joined | null;
};

export type PostClaim = EditRooms & {
  readonly now: Temporal.Instant;
  readonly leaseUntil: Temporal.Instant;
  readonly limit: number;
};

export type PostStorage = {
  claim(request: PostClaim): Promise<readonly ClaimedPost[]>;
  /** The incident as it now is. It throws what makes it unreadable. */
  read(post: ClaimedPost): Promise<PostStory>;
  /**
   * False: the lease is over, and nothing is changed. What has changed meanwhile, or was sent anew as
   * the same message, is looked at in its turn.
   */
  settle(post: ClaimedPost, settled: Settled, now: Temporal.Instant): Promise<boolean>;
  /** When the next one is due, of those for which there is room. */
  next(rooms: EditRooms): Promise<Temporal.Instant | null>;
};

export type Settled =
  | (Extract<Result, { readonly type: 'shown' }> & {
      readonly commentedAt: Temporal.Instant | null;
    })
  | Extract<Result, { readonly type: 'retry' }>
  | { readonly type: 'wait'; readonly until: Temporal.Instant }
  | { readonly type: 'forget' }
  /** What the message was of, and why it stays as it is. */
  | { readonly type: 'failed'; readonly notice: ClaimedIncidentNotice; readonly reason: string };

export type ReconcileOptions = {
  readonly storage: PostStorage;
  readonly clock: Clock;
  readonly random: () => number;
  readonly channels: ReadonlyMap<string, Pick<Channel, 'show' | 'comment'>>;
  readonly compose: (claimed: ClaimedIncidentNotice) => Notice;
  readonly faults: Faults;
  readonly committed: (wake: Wake) => void;
  /** What a channel has found out about the attempt by changing its message. */
  readonly reported: (report: Report) => Promise<void>;
  readonly edited: (channel: string, outcome: Delivery['outcome']) => void;
};

/** As long as a message that cannot be read or recorded waits for its next try. */
const faultSeconds = 60;

const unedited: Ended = { isEdited: false, waitMs: 0 };

/** Of a message that shows its incident already. */
const asItIs: Delivery = { outcome: 'delivered' };

export class Reconciler {
  readonly #options: ReconcileOptions;
  readonly #pace = new EditPace();
  readonly #inFlight = new InFlight(() => this.underWay);

  constructor(options: ReconcileOptions) {
    this.#options = options;
  }

  get underWay(): number {
    return this.#pace.underWay;
  }

  /** `freed` is called when there may be room for more. */
  onFreed(freed: () => void): void {
    this.#inFlight.onFreed(freed);
  }

  /** Claims messages that are due and begins to change them; returns how many. */
  async claim(): Promise<number> {
    const { storage, clock, random } = this.#options;
    const limit = this.#pace.room;
    if (limit === 0) return 0;
    const now = clock.now();
    const leaseUntil = leaseFrom(now, random);
    const rooms = this.#pace.rooms(now);
    const claimed = await storage.claim({ now, leaseUntil, limit, ...rooms });
    for (const post of claimed) void this.#run(post);
    return claimed.length;
  }

  /** When a message is due for which there is room, or a pause ends. */
  async next(): Promise<Temporal.Instant | null> {
    if (this.#pace.room === 0) return null;
    const rooms = this.#pace.rooms(this.#options.clock.now());
    const pauseEnd = this.#pace.next();
    const next = await this.#options.storage.next(rooms);
    const all = [next, pauseEnd].filter((instant) => instant !== null);
    return all.toSorted(Temporal.Instant.compare)[0] ?? null;
  }

  /** Resolves when no message is being changed. */
  idle(): Promise<void> {
    return this.#inFlight.idle();
  }

  async #run(post: ClaimedPost): Promise<void> {
    const { clock, faults } = this.#options;
    const end = this.#pace.begin(post, clock.now());
    let ended: Ended = { isEdited: true, waitMs: 0 };
    try {
      ended = await this.#reconcile(post);
    } catch (error) {
      // Its lease ends, and it is looked at again.
      faults({ of: 'post', id: post.key, error });
    }
    end(ended, clock.now());
    this.#inFlight.ended();
  }

  async #reconcile(post: ClaimedPost): Promise<Ended> {
    const { storage, clock, random, committed, edited, faults } = this.#options;
    let story: PostStory;
    try {
      story = await storage.read(post);
    } catch (error) {
      faults({ of: 'post', id: post.key, error });
      const wakeAt = clock.now().add({ seconds: faultSeconds });
      await storage.settle(post, { type: 'retry', wakeAt }, clock.now());
      return unedited;
    }
    const { notice } = story;
    const { incident } = notice;
    const joined = this.#canComment(notice) ? story.joined : null;
    const known = { ...post, incident, joined };
    const wanted = decideUpdate(known, clock.now());
    if (wanted.type === 'wait' || wanted.type === 'forget') {
      await storage.settle(post, wanted, clock.now());
      return unedited;
    }
    const isEdit = wanted.type === 'show';
    const delivery = isEdit ? await this.#call('show', post, story) : asItIs;
    if (isEdit) edited(notice.channel, delivery.outcome);
    const now = clock.now();
    const isNaming = !isEdit || wanted.isNaming;
    const result = resultOf(known, delivery, { shows: wanted.shows, isNaming, now, random });
    const news = newsOf(post, story);
    await this.#report(post, delivery);
    const isSettled = await storage.settle(post, settledOf(result, notice, news), now);
    if (result.type === 'failed') committed({ ...noWake, notices: true });
    // Recorded before, so that each line is said once at most.
    const comments: Delivery[] = [];
    if (isSettled && result.type === 'shown') {
      const shown = { ...post, posted: result.insteadBy ?? post.posted };
      if (news !== null) comments.push(await this.#call('comment', shown, story));
      if (isNaming) comments.push(await this.#call('name', shown, story));
    }
    return { isEdited: true, waitMs: Math.max(...[delivery, ...comments].map(waitMsOf)) };
  }

  #canComment({ channel }: ClaimedIncidentNotice): boolean {
    return this.#options.channels.get(channel)?.comment !== undefined;
  }

  async #report(
    { organization_id, key, number: attempt, posted: { connectionId, messageId } }: ClaimedPost,
    delivery: Delivery,
  ): Promise<void> {
    if (delivery.outcome !== 'delivered' || !delivery.receipt || connectionId === null) return;
    const { receipt, connectionName } = delivery;
    const reportedBy = {
      connectionId,
      vendorId: messageId,
      ...(connectionName !== undefined && { connectionName }),
    };
    await this.#options.reported({ organization_id, key, attempt, reportedBy, receipt });
  }

  /** Of the two comments, one says who acted and one names alerts. */
  async #call(
    what: 'show' | 'comment' | 'name',
    { key, posted, shows }: ClaimedPost,
    { notice, last, joined }: PostStory,
  ): Promise<Delivery> {
    const { channels, compose, faults } = this.#options;
    const method = what === 'show' ? 'show' : 'comment';
    const channel = channels.get(notice.channel);
    if (channel?.[method] === undefined) return { outcome: 'failed', reason: 'channel not set up' };
    try {
      const composed = compose(notice);
      const { incident } = notice;
      if (what === 'name' && joined !== null && composed.about === 'incident') {
        const { count, titles } = joined;
        const { total } = countAlerts(incident);
        return await channel[method]({ ...composed, joined: { count, titles, total } }, posted);
      }
      const taken = takenOf(incident, last);
      const isStory = composed.about === 'incident' && taken !== undefined;
      const difference = differenceOf({ shows, incident }, taken);
      return await channel[method](isStory ? { ...composed, taken } : composed, posted, difference);
    } catch (error) {
      faults({ of: 'post', id: key, error });
      return { outcome: 'no_answer', reason: 'the channel failed unexpectedly' };
    }
  }
}

/** What is to be said below a message; null: nothing new. */
function newsOf({ commentedAt }: ClaimedPost, { notice, last }: PostStory): LastAction | null {
  if (last === null || takenOf(notice.incident, last) === undefined) return null;
  return isNews(last, { decidedAt: notice.created_at, commentedAt }) ? last : null;
}

function settledOf(
  result: Result,
  notice: ClaimedIncidentNotice,
  news: LastAction | null,
): Settled {
  switch (result.type) {
    case 'shown':
      return { ...result, commentedAt: news?.at ?? null };
    case 'retry':
      return result;
    case 'failed':
      return { ...result, notice };
  }
}

const waitMsOf = (delivery: Delivery): number =>
  delivery.outcome === 'no_answer' ? (delivery.retryAfterSeconds ?? 0) * 1_000 : 0;
