// How many notices a receiver is given at once: few, for it may be slow; more while it has shown
// that it is not. The others' room is not touched by that.
import { memoryLimits } from '../../limits/memory.ts';
import { sendingLimits } from '../../limits/sending.ts';

export class Pace {
  readonly #few: number;
  readonly #inFlight = new Map<string, number>();
  /** How many quick answers came since the last slow one. */
  readonly #quick = new Map<string, number>();

  constructor(perRecipient: number = sendingLimits.ofRecipient) {
    this.#few = perRecipient;
  }

  begin(receiver: string): void {
    this.#inFlight.set(receiver, this.#of(receiver) + 1);
  }

  end(receiver: string): void {
    const left = this.#of(receiver) - 1;
    if (left > 0) this.#inFlight.set(receiver, left);
    else this.#inFlight.delete(receiver);
  }

  answered(receiver: string, answer: { readonly ms: number; readonly isDelivered: boolean }): void {
    const streak = this.#quick.get(receiver) ?? 0;
    this.#quick.delete(receiver);
    if (!answer.isDelivered || answer.ms > sendingLimits.quickTime) return;
    // Set last: whoever was heard of longest ago is forgotten first.
    this.#quick.set(receiver, Math.min(streak + 1, sendingLimits.quickAnswers));
    const [oldest] = this.#quick.keys();
    if (this.#quick.size > memoryLimits.recipients && oldest !== undefined)
      this.#quick.delete(oldest);
  }

  /** Who may be given nothing now, how many anybody else may, and which of them more. */
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
      quick.map((name) => [name, Math.max(this.#few, Math.floor(each)) - this.#of(name)]),
    );
    const isBusy = ([name, count]: readonly [string, number]) =>
      shares.has(name) ? (shares.get(name) ?? 0) <= 0 : count >= this.#few;
    const busy = [...this.#inFlight].filter(isBusy).map(([name]) => name);
    return { busy, perRecipient: this.#few, shares };
  }

  /** Of the extra, what is not in use by receivers that were quick and may be slow now. */
  #room(): number {
    const slow = [...this.#inFlight].filter(
      ([name]) => (this.#quick.get(name) ?? 0) < sendingLimits.quickAnswers,
    );
    const used = slow.reduce((sum, [, count]) => sum + Math.max(0, count - this.#few), 0);
    return Math.max(0, sendingLimits.extra - used);
  }

  #of(receiver: string): number {
    return this.#inFlight.get(receiver) ?? 0;
  }
}
