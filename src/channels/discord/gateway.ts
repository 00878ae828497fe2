// The gateway: Discord sends what people do over a socket that Pager opens, so that it needs no public
// address. A session goes on over another socket, with what was missed meanwhile.
// https://discord.com/developers/docs/events/gateway
import type { Ended } from '../../engine/listening/listen.ts';
import { sendingLimits } from '../../limits/sending.ts';
import { lineOf } from '../../notices/words/wording.ts';
import { HeldSocket } from '../held-socket.ts';
import { membersOf, parsedJson } from '../json.ts';
import type { DiscordClient } from './client.ts';
import { discordFaultOf } from './failure.ts';

/** What is needed to go on with a session. */
export type GatewaySession = { readonly id: string; readonly url: string; seq: number | null };

export type GatewayOptions = {
  readonly client: Pick<DiscordClient, 'gateway'>;
  readonly botToken: string;
  /** The one to go on with; what comes of it is kept here, for the next socket. */
  readonly sessions: { current: GatewaySession | null };
  /** An interaction. Never throws. */
  readonly handle: (interaction: unknown) => Promise<void>;
  readonly greeted: () => void;
  readonly signal: AbortSignal;
  /** When the first heartbeat is sent, as a part of the interval. */
  readonly random?: () => number;
};

const QUERY = '/?v=10&encoding=json';
const op = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  resume: 6,
  reconnect: 7,
  invalid: 9,
  hello: 10,
  acknowledged: 11,
} as const;

/** With this one Discord ends the session. */
const STOP = 1_000;
const nameLength = 100;

/** Discord takes back none of these by itself: to begin anew at once would be in vain. */
const refusals: Readonly<Record<number, string>> = {
  4004: 'the bot token is not valid: reset it, and set bot_token to the new one',
  4010: 'the shard is not valid',
  4011: 'the bot is in more servers than one session allows',
  4012: 'the version of the gateway is no longer supported',
  4013: 'the intents are not valid',
  4014: 'the intents are not allowed',
};

/** After these the session is over, and another begins. */
const over: readonly number[] = [1_000, 1_001, 4007, 4009];

/** Until the socket ends. Never throws. */
export async function holdGateway(options: GatewayOptions): Promise<Ended> {
  const { sessions, signal } = options;
  const { current } = sessions;
  const target = current === null ? await newSession(options.client) : { url: current.url };
  if (signal.aborted) return { ok: true };
  if ('ok' in target) return target;
  const gateway = new Gateway(target.url, options);
  const ended = await gateway.ended;
  await gateway.idle();
  return ended;
}

async function newSession(
  client: GatewayOptions['client'],
): Promise<{ readonly url: string } | Extract<Ended, { readonly ok: false }>> {
  const answer = await client.gateway();
  if (!answer.ok) {
    const { reason, retryAfterSeconds } = discordFaultOf(answer.failure);
    return { ok: false, reason, ...(retryAfterSeconds && { retryAfterSeconds }) };
  }
  const { url, remaining, resetAfterSeconds } = answer.result;
  if (remaining > sendingLimits.gatewaySessions) return { url };
  const reason = `Discord: the bot has begun too many sessions today (${remaining} are left): check which other programs use its token`;
  return { ok: false, reason, retryAfterSeconds: Math.max(resetAfterSeconds, 1) };
}

class Gateway {
  readonly ended: Promise<Ended>;
  readonly #options: GatewayOptions;
  readonly #socket: HeldSocket;
  /** Whether it goes on with a session, and has not shown yet that it may. */
  readonly #isResumed: boolean;
  #isOpen = false;
  #isOrderly = false;
  /** Whether the last heartbeat was acknowledged. */
  #isAlive = true;
  #beating: NodeJS.Timeout | undefined;

  constructor(url: string, options: GatewayOptions) {
    this.#options = options;
    this.#isResumed = options.sessions.current !== null;
    this.#socket = new HeldSocket({
      url: `${url.replace(/\/+$/, '')}${QUERY}`,
      signal: options.signal,
      received: (text) => this.#receive(text),
      stopCode: STOP,
    });
    this.ended = this.#end();
  }

  idle(): Promise<void> {
    return this.#socket.idle();
  }

  async #end(): Promise<Ended> {
    const { signal, sessions } = this.#options;
    const code = await this.#socket.closed;
    clearTimeout(this.#beating);
    // Where it could not go on, another begins where Discord says that all do.
    if (signal.aborted || over.includes(code) || (this.#isResumed && !this.#isOpen))
      sessions.current = null;
    if (signal.aborted || this.#isOrderly) return { ok: true };
    const refusal = refusals[code];
    if (refusal !== undefined) sessions.current = null;
    const closing = code >= 4_000 ? `${this.#socket.reason} (${code})` : this.#socket.reason;
    const reason = `Discord: ${refusal === undefined ? closing : `${refusal} (${code})`}`;
    const wasOpen = this.#isOpen && refusal === undefined;
    return { ok: false, reason, ...(wasOpen && { wasOpen }) };
  }

  #receive(text: string): void {
    const { sessions } = this.#options;
    const { op: code, d, s, t } = membersOf(parsedJson(text));
    if (typeof s === 'number' && sessions.current !== null) sessions.current.seq = s;
    switch (code) {
      case op.hello:
        this.#greet(membersOf(d)['heartbeat_interval']);
        break;
      case op.dispatch:
        this.#dispatch(t, d, s);
        break;
      case op.heartbeat:
        this.#beat();
        break;
      case op.acknowledged:
        this.#isAlive = true;
        break;
      case op.reconnect:
        this.#leave('asked for another socket');
        break;
      case op.invalid:
        if (d !== true) sessions.current = null;
        // A session that could not begin is not begun again at once.
        if (this.#isOpen || this.#isResumed) this.#leave('the session is over');
        else this.#socket.cut('no session could begin');
        break;
    }
  }

  #greet(interval: unknown): void {
    const { botToken, sessions, random = Math.random } = this.#options;
    const ms = typeof interval === 'number' && interval > 0 ? interval : 45_000;
    const next = () => {
      if (!this.#isAlive) {
        this.#socket.cut('the socket no longer responds');
        return;
      }
      this.#isAlive = false;
      this.#beat();
      this.#beating = setTimeout(next, ms);
    };
    clearTimeout(this.#beating);
    this.#beating = setTimeout(next, ms * random());
    const { current } = sessions;
    if (current !== null)
      this.#send(op.resume, { token: botToken, session_id: current.id, seq: current.seq });
    else
      this.#send(op.identify, {
        token: botToken,
        // Nothing but interactions, which need none.
        intents: 0,
        properties: { os: process.platform, browser: 'pager', device: 'pager' },
      });
  }

  #dispatch(type: unknown, data: unknown, seq: unknown): void {
    const { sessions, greeted, handle } = this.#options;
    if (type === 'READY') {
      const { session_id: id, resume_gateway_url: url } = membersOf(data);
      if (typeof id === 'string' && typeof url === 'string')
        sessions.current = { id, url, seq: typeof seq === 'number' ? seq : null };
    }
    if (type === 'READY' || type === 'RESUMED') {
      this.#isOpen = true;
      greeted();
    } else if (type === 'INTERACTION_CREATE') this.#socket.handle(handle(data));
  }

  #beat(): void {
    this.#send(op.heartbeat, this.#options.sessions.current?.seq ?? null);
  }

  #send(code: number, d: unknown): void {
    this.#socket.send({ op: code, d });
  }

  /** To be opened anew at once. Cut, and not closed, for the session goes on. */
  #leave(reason: string): void {
    this.#isOrderly = true;
    this.#socket.cut(lineOf(reason).slice(0, nameLength));
  }
}
