// The mail servers of connections, whose open SMTP connections are kept for the next mail.
import type { Log } from '../../engine/log.ts';
import { memoryLimits } from '../../limits/memory.ts';
import { type SmtpSettings, smtpPortOf } from '../../resources/connections/smtp.ts';
import type { MailTransport } from '../mail-transport.ts';
import type { Outbound } from '../outbound.ts';
import { namesOfConnection } from '../smtp-error.ts';
import { createSmtpTransport, type SmtpServer, type SmtpTimes } from '../smtp-transport.ts';
import type { Connection } from '../vendor.ts';

type Parts = {
  readonly outbound: Outbound;
  readonly log: Log;
  readonly times?: SmtpTimes;
};

export const transportTo = (
  { outbound, log, times }: Parts,
  connection: Connection,
): MailTransport =>
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

type Kept = {
  /** What it was made of: a connection that was changed gets another one. */
  readonly madeOf: string;
  readonly transport: MailTransport;
  users: number;
};

export class KeptTransports implements AsyncDisposable {
  readonly #parts: Parts;
  /** By connection; the one used last is the last. */
  readonly #kept = new Map<string, Kept>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** How many mails are being sent by a connection. */
  usersOf({ id }: Connection): number {
    return this.#kept.get(id)?.users ?? 0;
  }

  async use<Result>(
    connection: Connection,
    work: (transport: MailTransport) => Promise<Result>,
  ): Promise<Result> {
    const kept = this.#take(connection);
    kept.users += 1;
    try {
      return await work(kept.transport);
    } finally {
      kept.users -= 1;
      if (kept.users === 0 && this.#kept.get(connection.id) !== kept) kept.transport.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const id of [...this.#kept.keys()]) this.#drop(id);
  }

  #take(connection: Connection): Kept {
    const { id, settings, secrets } = connection;
    const madeOf = JSON.stringify([settings, secrets]);
    const before = this.#kept.get(id);
    if (before?.madeOf === madeOf) {
      this.#kept.delete(id);
      this.#kept.set(id, before);
      return before;
    }
    this.#drop(id);
    const kept = { madeOf, transport: transportTo(this.#parts, connection), users: 0 };
    this.#kept.set(id, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > memoryLimits.mailServers && oldest !== undefined) this.#drop(oldest);
    return kept;
  }

  /** One that still sends is closed once it has sent. */
  #drop(id: string): void {
    const kept = this.#kept.get(id);
    this.#kept.delete(id);
    if (kept?.users === 0) kept.transport.close();
  }
}
