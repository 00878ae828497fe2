// What a task asks, while it runs, of the thread that started it: so it needs no database, and large
// things come in portions, each when the task is ready for it. One question at a time.
import { once } from 'node:events';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { packed, unpacked } from './clone.ts';
import { moved } from './moved.ts';

/** By the name of the question; asked and answered is what can be cloned. */
export type Answers = { readonly [question: string]: (asked: never) => Promise<unknown> };

type Question = { readonly name: string; readonly asked: unknown };
type Answer = { readonly value: unknown } | { readonly failed: true };

/** The side of the thread that knows; the task has a port, until this is disposed. */
export class Answering implements Disposable {
  readonly #port: MessagePort;
  readonly #own: MessagePort;
  readonly #answers: Answers;
  #failure: { readonly error: unknown } | null = null;

  constructor(answers: Answers) {
    const { port1, port2 } = new MessageChannel();
    this.#answers = answers;
    this.#port = port2;
    this.#own = port1.on('message', (question: Question) => void this.#answer(question));
  }

  /** The input of the one task that may ask. */
  withPort<Input extends object>(input: Input): Input & { readonly port: MessagePort } {
    return moved(packed({ ...input, port: this.#port }), [this.#port]);
  }

  /** A task that could not be answered fails with what kept the answer from it. */
  async during<Value>(task: Promise<Value>): Promise<Value> {
    try {
      return await task;
    } catch (error) {
      throw this.#failure === null ? error : this.#failure.error;
    }
  }

  async #answer({ name, asked }: Question): Promise<void> {
    this.#own.postMessage(await this.#answerTo(name, asked));
  }

  async #answerTo(name: string, asked: unknown): Promise<Answer> {
    try {
      const answer = this.#answers[name] as (asked: unknown) => Promise<unknown>;
      return { value: packed(await answer(unpacked(asked))) };
    } catch (error) {
      this.#failure ??= { error };
      return { failed: true };
    }
  }

  [Symbol.dispose](): void {
    this.#own.close();
    this.#port.close();
  }
}

/** How a task asks. */
export type Ask<A extends Answers> = <Name extends keyof A & string>(
  name: Name,
  asked: Parameters<A[Name]>[0],
) => ReturnType<A[Name]>;

/** The side of the task. */
export function asking<A extends Answers>(port: MessagePort): Ask<A> {
  const ask = async (name: string, asked: unknown): Promise<unknown> => {
    const answered = once(port, 'message');
    port.postMessage({ name, asked: packed(asked) } satisfies Question);
    const [answer]: Answer[] = await answered;
    if (answer === undefined || 'failed' in answer) throw new Error(`${name} was not answered`);
    return unpacked(answer.value);
  };
  // Whoever answers has the answers by these names.
  return ask as Ask<A>;
}
