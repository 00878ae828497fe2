// The mail servers of connections, whose open SMTP connections are kept for the next mail.
import type { Log } from '../../engine/log.ts';
import { memoryLimits } from '../../limits/memory.ts';
import { type SmtpSettings, smtpPortOf } from '../../resources/connections/smtp.ts';
import type { Outbound } from '../outbound.ts';
import { namesOfConnection } from '../smtp-error.ts';
import {
  createSmtpTransport,
  type SmtpServer,
  type SmtpTimes,
  type SmtpTransport,
} from '../smtp-transport.ts';
import type { Connection } from '../vendor.ts';

type Parts = {
  readonly outbound: Outbound;
  readonly log: Log;
  readonly times?: SmtpTimes;
};

export const transportTo = (
  { outbound, log, times }: Parts,
  connection: Connection,
): SmtpTransport =>
  createSmtpTransport({
    server: serverOf(connection, outbound),
    names: namesOfConnection,
    log,
    ...times,
  });

function serverOf(connection: Connection, outbound: Outbound): SmtpServer {
  const { organization_id: organizationId, secrets } = connection;
  const { host, security, username } = settingsOf(connection);
  const { password } = secrets;
  const port = smtpPortOf(connection.settings);
  const isSignedIn = username !== undefined && password !== undefined;
  return {
    host,
    port,
    security,
    signIn: isSignedIn ? { user: username, pass: password } : null,
    connect: () => outbound.connect({ requester: { organizationId, kind: 'page' }, host, port }),
  };
}

/** Storage has held them to what is declared. */
export const settingsOf = ({ settings }: Pick<Connection, 'settings'>): SmtpSettings =>
  settings as SmtpSettings;

type Cached = {
  /** What it was made of: a connection that was changed gets another one. */
  readonly madeOf: string;
  readonly transport: SmtpTransport;
  users: number;
};

export class TransportCache implements AsyncDisposable {
  readonly #parts: Parts;
  /** By connection; the one used last is the last. */
  readonly #cached = new Map<string, Cached>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** How many mails are being sent by a connection. */
  usersOf({ id }: Connection): number {
    return this.#cached.get(id)?.users ?? 0;
  }

  async use<Result>(
    connection: Connection,
    work: (transport: SmtpTransport) => Promise<Result>,
  ): Promise<Result> {
    const cached = this.#take(connection);
    cached.users += 1;
    try {
      return await work(cached.transport);
    } finally {
      cached.users -= 1;
      if (cached.users === 0 && this.#cached.get(connection.id) !== cached)
        cached.transport.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const id of [...this.#cached.keys()]) this.#drop(id);
  }

  #take(connection: Connection): Cached {
    const { id, settings, secrets } = connection;
    const madeOf = JSON.stringify([settings, secrets]);
    const before = this.#cached.get(id);
    if (before?.madeOf === madeOf) {
      this.#cached.delete(id);
      this.#cached.set(id, before);
      return before;
    }
    this.#drop(id);
    const cached = { madeOf, transport: transportTo(this.#parts, connection), users: 0 };
    this.#cached.set(id, cached);
    const [oldest] = this.#cached.keys();
    if (this.#cached.size > memoryLimits.mailServers && oldest !== undefined) this.#drop(oldest);
    return cached;
  }

  /** One that still sends is closed once it has sent. */
  #drop(id: string): void {
    const cached = this.#cached.get(id);
    this.#cached.delete(id);
    if (cached?.users === 0) cached.transport.close();
  }
}
