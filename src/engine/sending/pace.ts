// How many notices are sent to one recipient at once: few, as it may be slow; more while its answers
// are quick. The capacity left for other recipients does not change.
import { memoryLimits } from '../../limits/memory.ts';
import { sendingLimits } from '../../limits/sending.ts';
import { Counts } from '../claims/rooms.ts';

export class Pace {
  readonly #few: number;
  readonly #inFlight = new Counts();
  /** Quick answers since the last slow one, by recipient. */
  readonly #quick = new Map<string, number>();

  constructor(perRecipient: number = sendingLimits.ofRecipient) {
    this.#few = perRecipient;
  }

  begin(recipient: string): void {
    this.#inFlight.add(recipient, 1);
  }

  end(recipient: string): void {
    this.#inFlight.add(recipient, -1);
  }

  answered(
    recipient: string,
    answer: { readonly ms: number; readonly isDelivered: boolean },
  ): void {
    const streak = this.#quick.get(recipient) ?? 0;
    this.#quick.delete(recipient);
    if (!answer.isDelivered || answer.ms > sendingLimits.quickTime) return;
    // Set last, so that the recipient that answered longest ago is removed first.
    this.#quick.set(recipient, Math.min(streak + 1, sendingLimits.quickAnswers));
    const [oldest] = this.#quick.keys();
    if (this.#quick.size > memoryLimits.recipients && oldest !== undefined)
      this.#quick.delete(oldest);
  }

  /** Recipients that get nothing now, the limit for the others, and those with a higher limit. */
  shares(): {
    readonly busy: readonly string[];
    readonly perRecipient: number;
    readonly shares: ReadonlyMap<string, number>;
  } {
    const quick = [...this.#quick]
      .filter(([, streak]) => streak >= sendingLimits.quickAnswers)
      .map(([name]) => name);
    const each =
      this.#few +
      Math.min(
        sendingLimits.ofQuickRecipient - this.#few,
        this.#room() / Math.max(1, quick.length),
      );
    const shares = new Map(
      quick.map((name) => [name, Math.max(this.#few, Math.floor(each)) - this.#inFlight.of(name)]),
    );
    const isBusy = ([name, count]: readonly [string, number]) =>
      shares.has(name) ? (shares.get(name) ?? 0) <= 0 : count >= this.#few;
    const busy = this.#inFlight
      .entries()
      .filter(isBusy)
      .map(([name]) => name);
    return { busy, perRecipient: this.#few, shares };
  }

  /** What is left of the extra capacity, which recipients that have become slow may still use. */
  #room(): number {
    const slow = this.#inFlight
      .entries()
      .filter(([name]) => (this.#quick.get(name) ?? 0) < sendingLimits.quickAnswers);
    const used = slow.reduce((sum, [, count]) => sum + Math.max(0, count - this.#few), 0);
    return Math.max(0, sendingLimits.extra - used);
  }
}
