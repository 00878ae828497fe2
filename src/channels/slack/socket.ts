// Socket Mode: Slack sends what people do over a socket that Pager opens, so that it needs no public
// address. Each envelope is acknowledged in time, whether or not it is handled by then.
import type { Ended } from '../../engine/listening/listen.ts';
import { sendingLimits } from '../../limits/sending.ts';
import { lineOf } from '../../notices/words/wording.ts';
import { HeldSocket } from '../held-socket.ts';
import { membersOf, parsedJson } from '../json.ts';
import type { SlackClient } from './client.ts';
import { slackFaultOf } from './failure.ts';

export type SlackEnvelope = {
  readonly id: string;
  readonly type: string;
  readonly payload: unknown;
};

export type SocketOptions = {
  readonly client: Pick<SlackClient, 'openSocket'>;
  /** Never throws. */
  readonly handle: (envelope: SlackEnvelope) => Promise<void>;
  /** Slack has greeted: what people do arrives from now on. */
  readonly greeted: () => void;
  readonly signal: AbortSignal;
  /** Slack shows whoever waits longer that the app does not answer. */
  readonly acknowledgeMs?: number;
  /** A socket that is silent for twice as long is dead. */
  readonly pingMs?: number;
};

const reasonLength = 100;

/** Why Slack closes a socket that it wants opened anew; a warning comes some seconds before. */
const orderly: readonly string[] = ['warning', 'refresh_requested'];

/** All others are refusals: to open another at once would be in vain. */
const refusals: Readonly<Record<string, string>> = {
  link_disabled: 'Socket Mode is turned off in the app’s settings',
  too_many_websockets:
    'the app already has as many open sockets as Slack allows: check which other servers use its app_token',
};

/** Until the socket ends. Never throws. */
export async function holdSlackSocket(options: SocketOptions): Promise<Ended> {
  const opened = await options.client.openSocket();
  if (options.signal.aborted) return { ok: true };
  if (!opened.ok) {
    const { reason, retryAfterSeconds } = slackFaultOf(opened.failure, 'app_token');
    return { ok: false, reason, ...(retryAfterSeconds && { retryAfterSeconds }) };
  }
  const socket = new SlackSocket(opened.result.url, options);
  const ended = await socket.ended;
  await socket.idle();
  return ended;
}

class SlackSocket {
  readonly ended: Promise<Ended>;
  readonly #options: SocketOptions;
  readonly #socket: HeldSocket;
  readonly #acknowledgements = new Set<() => void>();
  #isGreeted = false;
  #isAlive = true;
  /** Slack has announced that it closes the socket, to have it opened anew or not. */
  #left: 'orderly' | 'refused' | null = null;

  constructor(url: string, options: SocketOptions) {
    this.#options = options;
    this.#socket = new HeldSocket({
      url,
      signal: options.signal,
      received: (text) => this.#receive(text),
      seen: () => this.#seen(),
    });
    this.ended = this.#end();
  }

  /** Once all is handled that was received. */
  idle(): Promise<void> {
    return this.#socket.idle();
  }

  async #end(): Promise<Ended> {
    const { signal, pingMs = sendingLimits.socketPing } = this.#options;
    const pinging = setInterval(() => this.#ping(), pingMs);
    await this.#socket.closed;
    clearInterval(pinging);
    if (signal.aborted || (this.#isGreeted && this.#left === 'orderly')) return { ok: true };
    const wasOpen = this.#isGreeted && this.#left !== 'refused';
    const { reason } = this.#socket;
    return { ok: false, reason: `Slack: ${reason}`, ...(wasOpen && { wasOpen }) };
  }

  #seen(): void {
    this.#isAlive = true;
  }

  #ping(): void {
    if (!this.#isAlive) {
      this.#socket.cut('the socket no longer responds');
      return;
    }
    this.#isAlive = false;
    this.#socket.ping();
  }

  #receive(text: string): void {
    this.#seen();
    const { type, reason, envelope_id: id, payload } = membersOf(parsedJson(text));
    if (type === 'hello') {
      this.#isGreeted = true;
      this.#options.greeted();
    } else if (type === 'disconnect') this.#leave(String(reason));
    else if (typeof id === 'string' && typeof type === 'string') this.#take({ id, type, payload });
  }

  #leave(reason: string): void {
    this.#left = orderly.includes(reason) ? 'orderly' : 'refused';
    if (this.#left === 'refused') {
      const name = lineOf(reason).slice(0, reasonLength);
      this.#socket.reason = `${refusals[reason] ?? 'the socket was closed'} (${name})`;
    }
    for (const acknowledge of this.#acknowledgements) acknowledge();
    this.#socket.close();
  }

  #take(envelope: SlackEnvelope): void {
    const { handle, acknowledgeMs = sendingLimits.slackAcknowledge } = this.#options;
    const acknowledge = () => {
      if (this.#acknowledgements.delete(acknowledge))
        this.#socket.send({ envelope_id: envelope.id });
    };
    this.#acknowledgements.add(acknowledge);
    const late = setTimeout(acknowledge, acknowledgeMs);
    const handled = handle(envelope).finally(() => {
      clearTimeout(late);
      acknowledge();
    });
    this.#socket.handle(handled);
  }
}
