// The world outside: where notices arrive, or do not, or arrive while their receipt is lost.
import type {
  Channel,
  Delivery,
  NoticeChannel,
  ReportedDelivery,
} from '../../src/engine/sending/channel.ts';
import { Carrier } from './carrier.ts';
import type { Luck } from './luck.ts';

type Answer = { readonly give: () => void };

const unreachable = { outcome: 'no_answer', reason: 'network is unreachable' } as const;

/** Longer than any step waits. */
const retryAfterMax = 3_600;

export class Outside {
  /** Keys of the notices that reached somebody, as often as they did. */
  readonly rings: string[] = [];
  readonly dead = new Set<string>();
  calm = false;
  /** Nothing reaches the world, and every try fails at once. */
  isAway = false;
  readonly carrier: Carrier;
  readonly #luck: Luck;
  #slow: Answer[] = [];

  constructor(luck: Luck) {
    this.#luck = luck;
    this.carrier = new Carrier(luck);
  }

  get waiting(): number {
    return this.#slow.length;
  }

  /** The way out for one server process. */
  channel<Sent extends { readonly key: string }>(): Channel<Sent> {
    return {
      send: async (notice, address) =>
        this.isAway ? unreachable : this.#perhapsSlowly(this.#deliver(notice.key, address)),
    };
  }

  /** The same by a vendor that reports later. */
  reportedChannel(): NoticeChannel {
    const { send } = this.carrier.channel((delivery) =>
      this.#perhapsSlowly<ReportedDelivery>(delivery),
    );
    return {
      send: async (notice, address, attempt) =>
        this.isAway ? unreachable : send(notice, address, attempt),
    };
  }

  #perhapsSlowly<Answered>(delivery: Answered): Promise<Answered> {
    if (this.calm || !this.#luck.chance(0.2)) return Promise.resolve(delivery);
    return new Promise((resolve) => this.#slow.push({ give: () => resolve(delivery) }));
  }

  /** One slow receiver answers at last. */
  answer(): void {
    const index = this.#luck.below(this.#slow.length);
    const [slow] = this.#slow.splice(index, 1);
    slow?.give();
  }

  answerAll(): void {
    for (const { give } of this.#slow.splice(0)) give();
  }

  #deliver(key: string, address: string): Delivery {
    if (this.dead.has(address)) return { outcome: 'no_answer', reason: 'connection refused' };
    if (!this.calm && this.#luck.chance(0.1)) return { outcome: 'failed', reason: 'no such user' };
    if (!this.calm && this.#luck.chance(0.1))
      return {
        outcome: 'no_answer',
        reason: 'busy',
        retryAfterSeconds: this.#luck.below(retryAfterMax),
      };
    this.rings.push(key);
    return { outcome: 'delivered' };
  }
}
