// Who waits for a worker, and whose turn it is: organisations take turns, none has all the workers
// while others could come, and no caller has more than its share under way.
import { createFairQueue } from '../admission/fair-queue.ts';

export type TaskQueueLimits = {
  /** Of all callers. */
  readonly waitingMax: number;
  /** Waiting and running, of one caller. */
  readonly perCallerMax: number;
  /** Running, of one organisation. */
  readonly runningPerOrganizationMax: number;
  /** Who waited longer is told to come back, for by then nobody may be listening any more. */
  readonly waitMsMax: number;
};

/** On whose behalf: a key, a person, an integration; of which organisation. */
export type Requester = { readonly organizationId: string; readonly caller: string };

/** Everybody is kept waiting, or this caller has enough under way. */
export type Refusal = 'busy' | 'caller_busy';

export type Turn<T> = {
  readonly item: T;
  readonly requester: Requester;
  /** Waited too long: it is not to be run. */
  readonly isLate: boolean;
};

type Waiting<T> = Omit<Turn<T>, 'isLate'> & { readonly since: number };

/** `now` is of any clock that only goes forward, in milliseconds. */
export class TaskQueue<T> {
  readonly #limits: TaskQueueLimits;
  readonly #waiting = createFairQueue<Waiting<T>>();
  readonly #ofCaller = new Counts();
  readonly #running = new Counts();

  constructor(limits: TaskQueueLimits) {
    this.#limits = limits;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Null: it waits. */
  enter(requester: Requester, item: T, now: number): Refusal | null {
    if (this.#ofCaller.of(keyOf(requester)) >= this.#limits.perCallerMax) return 'caller_busy';
    if (this.#waiting.size >= this.#limits.waitingMax) return 'busy';
    this.#ofCaller.add(keyOf(requester), 1);
    this.#waiting.push(requester.organizationId, { item, requester, since: now });
    return null;
  }

  /** Whoever is next runs until it is said to be `done`; null: nobody may now. */
  next(now: number): Turn<T> | null {
    const atMost = this.#running.atLeast(this.#limits.runningPerOrganizationMax);
    const [first] = this.#waiting.take(1, atMost);
    if (!first) return null;
    const { item, requester, since } = first;
    this.#running.add(requester.organizationId, 1);
    return { item, requester, isLate: now - since > this.#limits.waitMsMax };
  }

  done(requester: Requester): void {
    this.#running.add(requester.organizationId, -1);
    this.#ofCaller.add(keyOf(requester), -1);
  }
}

const keyOf = ({ organizationId, caller }: Requester): string => `${organizationId} ${caller}`;

/** Of names; those that come to nothing are forgotten. */
class Counts {
  readonly #counts = new Map<string, number>();

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  add(name: string, count: number): void {
    const sum = this.of(name) + count;
    if (sum > 0) this.#counts.set(name, sum);
    else this.#counts.delete(name);
  }

  atLeast(count: number): ReadonlySet<string> {
    return new Set([...this.#counts].flatMap(([name, of]) => (of >= count ? [name] : [])));
  }
}
