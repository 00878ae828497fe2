// A socket that Pager opens to a vendor and holds. It is read no faster than what came is handled.
import { WebSocket } from 'ws';
import { sendingLimits } from '../limits/sending.ts';

type HeldSocketOptions = {
  readonly url: string;
  readonly signal: AbortSignal;
  readonly received: (text: string) => void;
  /** Whatever shows that the other side lives. */
  readonly seen?: () => void;
  /** With which the socket is closed when it is to stop. Absent: it is cut. */
  readonly stopCode?: number;
};

export class HeldSocket {
  /** The code that the other side closed it with; 1006: none. */
  readonly closed: Promise<number>;
  /** Why it ends, as far as is known. */
  reason = 'the socket was closed';
  readonly #socket: WebSocket;
  readonly #handling = new Set<Promise<void>>();

  constructor({ url, signal, received, seen = () => undefined, stopCode }: HeldSocketOptions) {
    const socket = new WebSocket(url, {
      handshakeTimeout: sendingLimits.vendorCallTime,
      maxPayload: sendingLimits.vendorAnswerRead,
      perMessageDeflate: false,
    });
    this.#socket = socket;
    const { promise, resolve } = Promise.withResolvers<number>();
    socket.on('message', (data) => received(String(data)));
    socket.on('pong', seen);
    socket.on('ping', seen);
    socket.on('error', (error) => {
      this.reason = `the socket failed (${error.message.slice(0, 100)})`;
    });
    const stop = () => {
      if (stopCode !== undefined && this.isOpen) socket.close(stopCode);
      socket.terminate();
    };
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    socket.on('close', (code) => {
      signal.removeEventListener('abort', stop);
      resolve(code);
    });
    this.closed = promise;
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  send(message: object): void {
    if (this.isOpen) this.#socket.send(JSON.stringify(message));
  }

  ping(): void {
    if (this.isOpen) this.#socket.ping();
  }

  close(): void {
    this.#socket.close();
  }

  /** Without waiting for the other side, which takes the session as held for a while. */
  cut(reason: string): void {
    this.reason = reason;
    this.#socket.terminate();
  }

  /** `work` never throws. */
  handle(work: Promise<void>): void {
    const handled = work.finally(() => {
      this.#handling.delete(handled);
      if (this.#handling.size < sendingLimits.socketActions) this.#socket.resume();
    });
    this.#handling.add(handled);
    if (this.#handling.size >= sendingLimits.socketActions) this.#socket.pause();
  }

  /** Once all is handled that was received. */
  async idle(): Promise<void> {
    await Promise.all(this.#handling);
  }
}
