// The world outside: where notices arrive, or do not, or arrive while their receipt is lost.
import type { Channel, Delivery } from '../../src/engine/sending/channel.ts';
import type { Luck } from './luck.ts';

type Answer = { readonly delivery: Delivery; readonly give: (delivery: Delivery) => void };

/** Longer than any step waits. */
const retryAfterMax = 3_600;

export class Outside {
  /** Keys of the notices that reached somebody, as often as they did. */
  readonly rings: string[] = [];
  readonly dead = new Set<string>();
  calm = false;
  readonly #luck: Luck;
  #slow: Answer[] = [];

  constructor(luck: Luck) {
    this.#luck = luck;
  }

  get waiting(): number {
    return this.#slow.length;
  }

  /** The way out for one server process. */
  channel<Sent extends { readonly key: string }>(): Channel<Sent> {
    return {
      send: (notice, address) => {
        const delivery = this.#deliver(notice.key, address);
        if (this.calm || !this.#luck.chance(0.2)) return Promise.resolve(delivery);
        return new Promise((give) => this.#slow.push({ delivery, give }));
      },
    };
  }

  /** One slow receiver answers at last. */
  answer(): void {
    const index = this.#luck.below(this.#slow.length);
    const [slow] = this.#slow.splice(index, 1);
    slow?.give(slow.delivery);
  }

  answerAll(): void {
    for (const { give, delivery } of this.#slow.splice(0)) give(delivery);
  }

  #deliver(key: string, address: string): Delivery {
    if (this.dead.has(address)) return { outcome: 'retry', reason: 'connection refused' };
    if (!this.calm && this.#luck.chance(0.1)) return { outcome: 'failed', reason: 'no such user' };
    if (!this.calm && this.#luck.chance(0.1))
      return {
        outcome: 'retry',
        reason: 'busy',
        retryAfterSeconds: this.#luck.below(retryAfterMax),
      };
    this.rings.push(key);
    return { outcome: 'delivered' };
  }
}
