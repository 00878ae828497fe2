// Remote calls of a running task to the thread that started it. A task needs no database so, and
// large results come in portions, each when the task is ready for it. One call at a time.
import { once } from 'node:events';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { packed, unpacked } from './clone.ts';
import { transferred } from './transfer.ts';

/** By name; parameters and results can be cloned. */
export type RpcMethods = { readonly [request: string]: (params: never) => Promise<unknown> };

type Request = { readonly name: string; readonly params: unknown };
type Response = { readonly value: unknown } | { readonly failed: true };

/** The side of the thread that started the task; its port is open until it is disposed of. */
export class RpcServer implements Disposable {
  readonly #port: MessagePort;
  readonly #own: MessagePort;
  readonly #methods: RpcMethods;
  #failure: { readonly error: unknown } | null = null;

  constructor(methods: RpcMethods) {
    const { port1, port2 } = new MessageChannel();
    this.#methods = methods;
    this.#port = port2;
    this.#own = port1.on('message', (request: Request) => void this.#respond(request));
  }

  /** The input of the one task that may call, with its port. */
  withPort<Input extends object>(input: Input): Input & { readonly port: MessagePort } {
    return transferred(packed({ ...input, port: this.#port }), [this.#port]);
  }

  /** A task that fails because one of its calls failed rejects with the error of that call. */
  async during<Value>(task: Promise<Value>): Promise<Value> {
    try {
      return await task;
    } catch (error) {
      throw this.#failure === null ? error : this.#failure.error;
    }
  }

  async #respond({ name, params }: Request): Promise<void> {
    this.#own.postMessage(await this.#responseTo(name, params));
  }

  async #responseTo(name: string, params: unknown): Promise<Response> {
    try {
      const response = this.#methods[name] as (params: unknown) => Promise<unknown>;
      return { value: packed(await response(unpacked(params))) };
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

/** Calls a method by its name. */
export type RpcClient<A extends RpcMethods> = <Name extends keyof A & string>(
  name: Name,
  params: Parameters<A[Name]>[0],
) => ReturnType<A[Name]>;

/** The side of the task. */
export function rpcClient<A extends RpcMethods>(port: MessagePort): RpcClient<A> {
  const call = async (name: string, params: unknown): Promise<unknown> => {
    const arrival = once(port, 'message');
    port.postMessage({ name, params: packed(params) } satisfies Request);
    const [response]: Response[] = await arrival;
    if (response === undefined || 'failed' in response) throw new Error(`${name} was not answered`);
    return unpacked(response.value);
  };
  // The server has the methods of these names.
  return call as RpcClient<A>;
}
