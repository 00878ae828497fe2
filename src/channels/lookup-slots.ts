// Slots for DNS lookups under way. A dead name occupies one until it times out: neither all webhooks
// together nor one organisation may occupy all of them.
import { sendingLimits } from '../limits/sending.ts';

/** On whose behalf a name is looked up, and whether it is for a page. */
export type Requester = { readonly organizationId: string; readonly kind: 'page' | 'webhook' };

type Waiting = { readonly requester: Requester; readonly enter: (slot: Disposable) => void };

export class LookupSlots {
  readonly #underWay: Requester[] = [];
  #waiting: Waiting[] = [];

  /** Waits for a slot; rejects when the signal aborts. */
  async enter(requester: Requester, signal: AbortSignal): Promise<Disposable> {
    if (this.#isFree(requester)) return this.#occupy(requester);
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Disposable>();
    const waiting: Waiting = { requester, enter: resolve };
    this.#waiting.push(waiting);
    const leave = () => {
      this.#waiting = this.#waiting.filter((one) => one !== waiting);
      reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    return promise.finally(() => signal.removeEventListener('abort', leave));
  }

  #isFree({ organizationId, kind }: Requester): boolean {
    const ofKind = this.#underWay.filter((one) => one.kind === kind);
    const own = ofKind.filter((one) => one.organizationId === organizationId);
    return (
      this.#underWay.length < sendingLimits.lookups &&
      own.length < sendingLimits.lookupsOfOne &&
      (kind === 'page' || ofKind.length < sendingLimits.lookupsOfWebhooks)
    );
  }

  #occupy(requester: Requester): Disposable {
    this.#underWay.push(requester);
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#underWay.splice(this.#underWay.indexOf(requester), 1);
        this.#letIn();
      },
    };
  }

  /** Gives a free slot to the first that may have it; pages go before webhooks. */
  #letIn(): void {
    const inTurn = this.#waiting.toSorted((a, b) =>
      a.requester.kind.localeCompare(b.requester.kind),
    );
    const next = inTurn.find(({ requester }) => this.#isFree(requester));
    if (!next) return;
    this.#waiting = this.#waiting.filter((one) => one !== next);
    next.enter(this.#occupy(next.requester));
  }
}
