// Requests and mails that are refused although their integration is known. The first of a kind is
// logged at once, those of the next minute in one row. What is refused because there is no room is
// only counted at first.
import type { EventSource } from '../../alerts/alert.ts';
import type { Refused } from '../../alerts/refused.ts';
import type { Spell } from '../../incidents/deaf.ts';
import type { Clock } from '../clock.ts';
import { failureOf, type Log } from '../log.ts';
import type { Arrival } from './arrival.ts';

export type RefusedArrival = Pick<
  Arrival,
  'organizationId' | 'integrationId' | 'slug' | 'integrationName'
> &
  Pick<Refused, 'status' | 'reason' | 'isLost'> & { readonly source: EventSource };

type Options = {
  readonly clock: Clock;
  readonly log: Log;
  /** Resolves when it is stored. */
  readonly record: (arrival: Arrival) => Promise<unknown>;
  /** Notes a time in which the events of an integration were refused. */
  readonly recordDeaf?: (refusing: Refusing) => Promise<void>;
};

/** From the first refusal to the next event that was taken, or to the last refusal so far. */
export type Refusing = Spell & {
  readonly organizationId: string;
  readonly integrationId: string;
};

type Counted = { readonly refused: RefusedArrival; times: number; dueAt: Temporal.Instant };

const PAUSE = { minutes: 1 } as const;

/** Of these the sender tries again, and there is no room to log each. */
const crowded: ReadonlySet<number> = new Set([429, 451, 500, 503]);
/** While these are answered, the tool cannot report anything. */
const deafening: ReadonlySet<number> = new Set([429, 451, 503]);

export class Refusals {
  readonly #options: Options;
  readonly #counted = new Map<string, Counted>();
  /** By integration; `isOver`: an event of it was taken again. */
  readonly #refusing = new Map<string, Refusing & { readonly isOver: boolean }>();
  #flushing: Promise<number> | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Resolves when it is in the log, unless it is only counted for now. It never rejects. */
  async note(refused: RefusedArrival): Promise<void> {
    if (deafening.has(refused.status)) this.#deafen(refused);
    const name = `${refused.integrationId} ${refused.status}`;
    const known = this.#counted.get(name);
    if (known !== undefined) {
      known.times += 1;
      return;
    }
    const now = this.#options.clock.now();
    const dueAt = crowded.has(refused.status) ? now.add(PAUSE) : now;
    this.#counted.set(name, { refused, times: 1, dueAt });
    if (dueAt === now) await this.flush();
  }

  #deafen({ organizationId, integrationId }: RefusedArrival): void {
    const to = this.#options.clock.now();
    const known = this.#refusing.get(integrationId);
    // One that is over and not stored yet goes on: there is room for one of each.
    const from = known?.from ?? to;
    this.#refusing.set(integrationId, { organizationId, integrationId, from, to, isOver: false });
  }

  /** An event of the integration was taken. */
  taken(integrationId: string): void {
    const known = this.#refusing.get(integrationId);
    if (known === undefined || known.isOver) return;
    const over = { ...known, to: this.#options.clock.now(), isOver: true };
    this.#refusing.set(integrationId, over);
    void this.#storeDeaf(over);
  }

  async #storeDeaf(one: Refusing & { readonly isOver: boolean }): Promise<void> {
    const { isOver, ...refusing } = one;
    try {
      await this.#options.recordDeaf?.(refusing);
      // Only if it has not gone on meanwhile.
      if (isOver && this.#refusing.get(one.integrationId) === one)
        this.#refusing.delete(one.integrationId);
    } catch (error) {
      const reason = failureOf(error);
      const { integrationId: integration_id } = one;
      this.#options.log.warn({ integration_id, reason }, 'a time of refusals is not stored yet');
    }
  }

  /** When the next row is due; null: nothing was refused. */
  get dueAt(): Temporal.Instant | null {
    const [next] = [...this.#counted.values()]
      .map(({ dueAt }) => dueAt)
      .sort(Temporal.Instant.compare);
    return next ?? null;
  }

  /** Logs what is due; answers how many rows. What cannot be stored is logged later. */
  flush(): Promise<number> {
    this.#flushing ??= this.#flush().finally(() => {
      this.#flushing = null;
    });
    return this.#flushing;
  }

  async #flush(): Promise<number> {
    const { clock, log, record } = this.#options;
    let stored = 0;
    for (const one of this.#refusing.values()) await this.#storeDeaf(one);
    for (const [name, counted] of this.#counted) {
      const now = clock.now();
      if (Temporal.Instant.compare(counted.dueAt, now) > 0) continue;
      const { refused, times } = counted;
      if (times === 0) {
        this.#counted.delete(name);
        continue;
      }
      counted.dueAt = now.add(PAUSE);
      counted.times = 0;
      try {
        await record(arrivalOf(refused, times));
        stored += 1;
      } catch (error) {
        counted.times += times;
        log.warn(
          { integration_id: refused.integrationId, reason: failureOf(error) },
          'what was refused could not be logged yet',
        );
      }
    }
    return stored;
  }
}

const nothing = new Uint8Array();

const arrivalOf = ({ status, reason, isLost, ...of }: RefusedArrival, times: number): Arrival => ({
  ...of,
  ...{ path: '', contentType: '', body: nothing },
  refused: { status, reason, times, isLost },
});
