// The tasks that wait for a worker, and which is next. Organisations take turns, none gets all the
// workers, and each caller has a limited number of tasks.
import { createFairQueue } from '../admission/fair-queue.ts';
import { Counts } from '../engine/claims/rooms.ts';

export type TaskQueueLimits = {
  /** Of all callers. */
  readonly waitingMax: number;
  /** Waiting and running, of one caller. */
  readonly perCallerMax: number;
  /** Running, of one organisation. */
  readonly runningPerOrganizationMax: number;
  /** A task that waited longer is refused, for its caller may have gone by then. */
  readonly waitMsMax: number;
};

/** For whom a task runs: the organisation, and its key, person or integration. */
export type Requester = { readonly organizationId: string; readonly caller: string };

/** The queue is full, or this caller has its share in it. */
export type Refusal = 'busy' | 'caller_busy';

export type Turn<T> = {
  readonly item: T;
  readonly requester: Requester;
  /** It waited too long and must not run. */
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

  /** Null: a task would be accepted now. */
  refusal(requester: Requester): Refusal | null {
    if (this.#ofCaller.of(keyOf(requester)) >= this.#limits.perCallerMax) return 'caller_busy';
    return this.#waiting.size >= this.#limits.waitingMax ? 'busy' : null;
  }

  /** Null: the task was accepted. */
  enter(requester: Requester, item: T, now: number): Refusal | null {
    const refused = this.refusal(requester);
    if (refused !== null) return refused;
    this.#ofCaller.add(keyOf(requester), 1);
    this.#waiting.push(requester.organizationId, { item, requester, since: now });
    return null;
  }

  /** The next task, which runs until `done` is called; null: none may run now. */
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
