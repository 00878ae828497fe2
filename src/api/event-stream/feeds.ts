// Who follows what changes. Nothing here is on the way of an alert: a commit leaves the ids of its
// incidents in memory, and only if somebody listens; all else is read by a loop, on the connections
// of the API, for all readers at once.
import { Room } from '../../admission/room.ts';
import type { Clock } from '../../engine/clock.ts';
import type { Ids } from '../../engine/ids.ts';
import { dueWithin } from '../../engine/loop.ts';
import { eventStreamLimits } from '../../limits/event-stream.ts';
import type { Queries } from '../../storage/database/database.ts';
import {
  type ChangedIncident,
  changedRecords,
  configurationVersion,
  incidentHints,
} from '../../storage/organizations/hints.ts';
import { Refusal } from '../failures.ts';
import type { Caller } from '../route.ts';
import { Feed, type Reader } from './feed.ts';

type FeedsParts = {
  readonly sql: Queries;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Those of these callers who may still read, as they would be known now. */
  readonly stillCallers: (callers: readonly Caller[]) => Promise<readonly Caller[]>;
};

export class Feeds {
  readonly #parts: FeedsParts;
  readonly #feeds = new Map<string, Feed>();
  readonly #room = new Room({ slots: eventStreamLimits.streams, bytes: 0 });
  readonly #streamsOf = new Map<string, number>();
  #readAt: Temporal.Instant;
  #confirmedAt: Temporal.Instant;
  #isOwnChange = false;
  #isConfirmDue = false;
  #isOver = false;
  /** Called when there may be something to read before its time. */
  poke: () => void = () => {};

  constructor(parts: FeedsParts) {
    this.#parts = parts;
    this.#readAt = parts.clock.now();
    this.#confirmedAt = this.#readAt;
  }

  get streams(): number {
    return this.#readers().length;
  }

  /** A place for a stream, until it is disposed of. Throws the refusal when there are too many. */
  enter({ kind, id, sessionId, organizationId }: Caller): Disposable {
    const one = `${kind} ${sessionId ?? id}`;
    const own = this.#streamsOf.get(one) ?? 0;
    const slot = own < eventStreamLimits.streamsOfOne && this.#room.enter(organizationId, 0);
    if (!slot)
      throw new Refusal('rate_limited', {
        message: 'Too many event streams are open. Close one, or try again later.',
        retryAfterSeconds: eventStreamLimits.heartbeat,
      });
    this.#streamsOf.set(one, own + 1);
    return {
      [Symbol.dispose]: () => {
        slot[Symbol.dispose]();
        const left = (this.#streamsOf.get(one) ?? 1) - 1;
        if (left > 0) this.#streamsOf.set(one, left);
        else this.#streamsOf.delete(one);
      },
    };
  }

  /** The feed of an organization, from now on followed. */
  async follow(organizationId: string): Promise<Feed> {
    const known = this.#feeds.get(organizationId);
    if (known) return known;
    const version = await configurationVersion(this.#parts.sql, organizationId);
    const feed = this.#feeds.get(organizationId) ?? new Feed(this.#parts.ids.next(), version);
    feed.emptySince ??= this.#parts.clock.now();
    this.#feeds.set(organizationId, feed);
    return feed;
  }

  begin(feed: Feed, reader: Reader, lastEventId: string | undefined): void {
    if (this.#isOver) reader.end('stop');
    else feed.begin(reader, lastEventId);
    this.poke();
  }

  leave(feed: Feed, reader: Reader): void {
    feed.leave(reader, this.#parts.clock.now());
  }

  /** After a commit of this server, or of another that told of it. */
  incidentsChanged(incidents: Iterable<ChangedIncident>): void {
    if (this.#feeds.size === 0) return;
    for (const { organizationId, id } of incidents) {
      const feed = this.#feeds.get(organizationId);
      if (feed === undefined) continue;
      feed.changed(id);
      this.#isOwnChange = true;
    }
    if (this.#isOwnChange) this.poke();
  }

  /** After a request that may have changed something. */
  recordsChanged(): void {
    if (this.#feeds.size === 0) return;
    this.#isOwnChange = true;
    this.#isConfirmDue = true;
    this.poke();
  }

  /** What other servers told may be lost; of all organizations, or one. */
  lost(organizationId?: string): void {
    for (const [id, feed] of this.#feeds)
      if (organizationId === undefined || id === organizationId) feed.isLost = true;
    this.#isOwnChange = this.#feeds.size > 0;
    if (this.#isOwnChange) this.poke();
  }

  /** Null: nobody listens. */
  nextRead(): Temporal.Instant | null {
    if (this.#feeds.size === 0) return null;
    const { interval, ownInterval } = this.#intervals();
    const milliseconds = this.#isOwnChange ? ownInterval : interval;
    const now = this.#parts.clock.now();
    return dueWithin(this.#readAt.add({ milliseconds }), { milliseconds }, now);
  }

  /** Answers how much there was to do: it is never done. */
  async read(): Promise<0> {
    const now = this.#parts.clock.now();
    this.#readAt = now;
    this.#isOwnChange = false;
    for (const [id, { emptySince }] of this.#feeds)
      if (emptySince && isOver(emptySince, eventStreamLimits.rememberedTime, now))
        this.#feeds.delete(id);
    this.#keepAlive(now);
    if (this.#isConfirmDue || isOver(this.#confirmedAt, eventStreamLimits.readersInterval, now))
      await this.#confirm(now);
    const feeds = [...this.#feeds].filter(
      ([, { restsUntil }]) => !restsUntil || Temporal.Instant.compare(restsUntil, now) <= 0,
    );
    if (feeds.length > 0) await this.#publish(new Map(feeds), now);
    return 0;
  }

  /** All streams end; no others begin. */
  close(): void {
    this.#isOver = true;
    for (const reader of this.#readers()) reader.end('stop');
  }

  /** A write to each reader takes time that alerts would have: of many there are fewer. */
  #intervals() {
    const interval = eventStreamLimits.interval;
    const ownInterval = Math.max(eventStreamLimits.ownInterval, this.streams);
    return { interval, ownInterval: Math.min(ownInterval, interval) };
  }

  #readers(): readonly Reader[] {
    return [...this.#feeds.values()].flatMap(({ readers }) => [...readers]);
  }

  /** Heartbeats; and streams that have lasted long enough end. */
  #keepAlive(now: Temporal.Instant): void {
    for (const reader of this.#readers()) {
      if (isOver(reader.beganAt, eventStreamLimits.time * 60, now)) reader.end('time');
      else if (isOver(reader.sentAt, eventStreamLimits.heartbeat, now)) {
        reader.sentAt = now;
        reader.send(':\n\n');
      }
    }
  }

  async #confirm(now: Temporal.Instant): Promise<void> {
    this.#isConfirmDue = false;
    this.#confirmedAt = now;
    const readers = this.#readers();
    if (readers.length === 0) return;
    const still = await this.#parts.stillCallers(readers.map(({ caller }) => caller));
    const known = new Set(still.map(identityOf));
    for (const reader of readers)
      if (!known.has(identityOf(reader.caller))) reader.end('not_allowed');
  }

  async #publish(feeds: ReadonlyMap<string, Feed>, now: Temporal.Instant): Promise<void> {
    const max = eventStreamLimits.hints;
    const followed = [...feeds].map(([organizationId, { version }]) => ({
      organizationId,
      version,
    }));
    const changed = [...feeds].flatMap(([organizationId, { incidents }]) =>
      [...incidents].map((id) => ({ organizationId, id })),
    );
    const taken = new Map([...feeds].map(([id, feed]) => [id, [...feed.incidents]]));
    // Taken before they are read: what changes meanwhile is told the next time.
    for (const feed of feeds.values()) feed.incidents.clear();
    try {
      const records = await changedRecords(this.#parts.sql, followed, max);
      const incidents =
        changed.length === 0 ? new Map() : await incidentHints(this.#parts.sql, changed);
      for (const [id, feed] of feeds) {
        const recordHints = records.get(id);
        const hints = [...(recordHints?.hints ?? []), ...(incidents.get(id) ?? [])];
        feed.version = recordHints?.version ?? feed.version;
        if (feed.isLost || recordHints?.isMore || hints.length > max) {
          feed.reset();
          feed.restsUntil = now.add({ seconds: eventStreamLimits.resetPause });
        } else if (hints.length > 0) feed.publish(hints);
      }
    } catch (error) {
      for (const [id, feed] of feeds) for (const one of taken.get(id) ?? []) feed.changed(one);
      throw error;
    }
  }
}

const identityOf = ({ kind, id, sessionId, role }: Caller): string =>
  [kind, id, sessionId ?? '', role].join(' ');

const isOver = (since: Temporal.Instant, seconds: number, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(since.add({ seconds }), now) <= 0;
