// Places for look-ups of names under way. A dead name holds one until it is given up: neither the
// webhooks of everybody nor one organisation may hold all of them.
import { sendingLimits } from '../limits/sending.ts';

/** On whose behalf a name is looked up, and whether people wait for what is sent. */
export type Asker = { readonly organizationId: string; readonly kind: 'page' | 'webhook' };

type Waiting = { readonly asker: Asker; readonly enter: (place: Disposable) => void };

export class LookUps {
  readonly #underWay: Asker[] = [];
  #waiting: Waiting[] = [];

  /** Waits for a place; rejects when the signal tells that nobody waits for it any more. */
  async enter(asker: Asker, signal: AbortSignal): Promise<Disposable> {
    if (this.#isFree(asker)) return this.#place(asker);
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Disposable>();
    const waiting: Waiting = { asker, enter: resolve };
    this.#waiting.push(waiting);
    const leave = () => {
      this.#waiting = this.#waiting.filter((one) => one !== waiting);
      reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    return promise.finally(() => signal.removeEventListener('abort', leave));
  }

  #isFree({ organizationId, kind }: Asker): boolean {
    const ofKind = this.#underWay.filter((one) => one.kind === kind);
    const own = ofKind.filter((one) => one.organizationId === organizationId);
    return (
      this.#underWay.length < sendingLimits.lookups &&
      own.length < sendingLimits.lookupsOfOne &&
      (kind === 'page' || ofKind.length < sendingLimits.lookupsOfWebhooks)
    );
  }

  #place(asker: Asker): Disposable {
    this.#underWay.push(asker);
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        this.#underWay.splice(this.#underWay.indexOf(asker), 1);
        this.#letIn();
      },
    };
  }

  /** Whoever waits longest and may; pages before webhooks. */
  #letIn(): void {
    const inTurn = this.#waiting.toSorted((a, b) => a.asker.kind.localeCompare(b.asker.kind));
    const next = inTurn.find(({ asker }) => this.#isFree(asker));
    if (!next) return;
    this.#waiting = this.#waiting.filter((one) => one !== next);
    next.enter(this.#place(next.asker));
  }
}
