// Discord's gateway on loopback: sessions that begin, go on over another socket, and end, as
// https://discord.com/developers/docs/events/gateway has it. What does not keep to it is closed.
import type { Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { discordContract as contract } from './discord-contract.ts';

type Event = { readonly t: string; readonly d: object; readonly s: number };
type Session = { readonly id: string; readonly events: Event[]; socket: WebSocket | null };

export type FakeGateway = {
  /** How many sockets are open, and how many ever were. */
  readonly sockets: { readonly open: number; readonly opened: number };
  /** How sessions came to be open, in their order. */
  readonly begun: readonly ('identified' | 'resumed')[];
  readonly heartbeats: readonly (number | null)[];
  dispatch(t: string, d: object): void;
  /** Wants the socket to be opened anew, as every few hours. */
  reconnect(): void;
  invalidate(isResumable: boolean): void;
  closeWith(code: number): void;
  /** Breaks all sockets without a word. */
  drop(): void;
  /** Acknowledges no heartbeats from now on. */
  fallSilent(): void;
  wantHeartbeat(): void;
  /** Sessions that could go on are forgotten. */
  forgetSessions(): void;
  /** Once a session is open. */
  connected(): Promise<void>;
  stop(): void;
};

type GatewayOptions = {
  readonly server: Server;
  readonly token: () => string;
  readonly url: () => string;
  readonly heartbeatMs: number;
  readonly userId: string;
  readonly applicationId: string;
};

export function startFakeGateway(options: GatewayOptions): FakeGateway {
  const sessions = new Map<string, Session>();
  const open = new Set<WebSocket>();
  const begun: ('identified' | 'resumed')[] = [];
  const heartbeats: (number | null)[] = [];
  let opened = 0;
  let isSilent = false;
  let opening = Promise.withResolvers<void>();

  const wss = new WebSocketServer({ noServer: true });
  options.server.on('upgrade', (request, socket, head) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const isRight = searchParams.get('v') === '10' && searchParams.get('encoding') === 'json';
    if (pathname !== '/gateway/' || !isRight) return void socket.destroy();
    wss.handleUpgrade(request, socket, head, hold);
  });

  const send = (socket: WebSocket, payload: object) => socket.send(JSON.stringify(payload));

  function hold(socket: WebSocket): void {
    opened += 1;
    open.add(socket);
    let session: Session | null = null;
    socket.on('close', (code) => {
      open.delete(socket);
      if (session?.socket === socket) session.socket = null;
      // By these codes a client ends its session.
      if (session !== null && (code === 1_000 || code === 1_001)) sessions.delete(session.id);
    });
    socket.on('message', (data) => {
      const text = String(data);
      if (text.length > 4_096) return socket.close(4_002);
      const { op, d } = JSON.parse(text);
      if (contract.sentProblem(op, d) !== undefined) return socket.close(op > 11 ? 4_001 : 4_002);
      if (op === 1) {
        heartbeats.push(d);
        if (!isSilent) send(socket, { op: 11 });
        return;
      }
      if (session !== null) return socket.close(4_005);
      if (d.token !== options.token()) return socket.close(4_004);
      session = op === 2 ? identify(socket) : resume(socket, d);
    });
    send(socket, { op: 10, d: { heartbeat_interval: options.heartbeatMs } });
  }

  function identify(socket: WebSocket): Session {
    const session: Session = { id: `session-${sessions.size + begun.length}`, events: [], socket };
    sessions.set(session.id, session);
    const ready = {
      v: 10,
      user: { id: options.userId, username: 'pager' },
      guilds: [],
      session_id: session.id,
      resume_gateway_url: options.url(),
      application: { id: options.applicationId, flags: 0 },
    };
    emit(session, 'READY', ready);
    begun.push('identified');
    opening.resolve();
    return session;
  }

  function resume(
    socket: WebSocket,
    { session_id, seq }: { readonly session_id: string; readonly seq: number },
  ): Session | null {
    const session = sessions.get(session_id);
    if (session === undefined) {
      send(socket, { op: 9, d: false });
      return null;
    }
    session.socket = socket;
    for (const { t, d, s } of session.events.filter((one) => one.s > seq))
      send(socket, { op: 0, t, d, s });
    emit(session, 'RESUMED', {});
    begun.push('resumed');
    opening.resolve();
    return session;
  }

  function emit(session: Session, t: string, d: object): void {
    const event = { t, d, s: session.events.length + 1 };
    session.events.push(event);
    if (session.socket !== null) send(session.socket, { op: 0, ...event });
  }

  const toAll = (payload: object) => {
    for (const socket of open) send(socket, payload);
  };

  return {
    get sockets() {
      return { open: open.size, opened };
    },
    begun,
    heartbeats,
    dispatch(t, d) {
      if (sessions.size === 0) throw new Error('no session is open');
      for (const session of sessions.values()) emit(session, t, d);
    },
    reconnect: () => toAll({ op: 7, d: null }),
    invalidate(isResumable) {
      if (!isResumable) sessions.clear();
      toAll({ op: 9, d: isResumable });
    },
    closeWith(code) {
      for (const socket of open) socket.close(code);
    },
    drop() {
      opening = Promise.withResolvers<void>();
      for (const socket of open) socket.terminate();
    },
    fallSilent() {
      isSilent = true;
    },
    wantHeartbeat: () => toAll({ op: 1, d: null }),
    forgetSessions: () => sessions.clear(),
    connected: () => opening.promise,
    stop() {
      for (const socket of open) socket.terminate();
    },
  };
}
