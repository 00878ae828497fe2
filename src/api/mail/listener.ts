// Receives mail by SMTP: events at <token>@<domain>, and what comes back of pages. It answers 250 only when the mail is durable.
import type { AddressInfo, Socket } from 'node:net';
import { pipeline } from 'node:stream';
import type {
  SMTPServer,
  SMTPServerDataStream,
  SMTPServerOptions,
  SMTPServerSession,
} from 'smtp-server';
import type { Slot } from '../../admission/room.ts';
import type { Mail } from '../../alerts/alert.ts';
import type { Log } from '../../engine/log.ts';
import { mailLimits } from '../../limits/mail.ts';
import { atMostEvery } from '../http/rate-limit.ts';
import { type Blocks, firstBlock, joined, readSent } from '../http/sent-bytes.ts';
import { CUT_HEADER, WithoutAttachments } from './attachments.ts';
import {
  type Certificate,
  type CertificateFiles,
  createRenewal,
  readCertificate,
} from './certificate.ts';
import { SharedServer } from './sessions.ts';

/** A mail for one address: its bytes without attachments, and what could be read of them. */
export type ReceivedMail = {
  /** The local part of the address, in lower case: of an integration, its token. */
  readonly token: string;
  /** Of the envelope; empty: nobody replies to it. */
  readonly sender: string;
  readonly raw: Uint8Array;
  readonly mail: Mail;
  /** Sent by Pager itself: must never open an incident. */
  readonly ours: boolean;
};

/**
 * Whether a mail is stored, must be sent again later, or is for an integration that is gone; or why nobody
 * may send it there.
 */
export type MailOutcome = 'stored' | 'busy' | 'gone' | { readonly refused: string };

export type MailListenerOptions = {
  readonly listen: { readonly host: string; readonly port: number };
  readonly domain: string;
  readonly log: Log;
  /** Offers STARTTLS with this certificate; without it mail arrives in the clear. */
  readonly certificate?: CertificateFiles | null;
  /** The form of the local parts of addresses that may be known, in lower case. */
  readonly forms: readonly RegExp[];
  /** Whether a token is an integration's, or of a page that was sent; busy: its network address guessed too often. */
  readonly find: (token: string, address: string) => Promise<'known' | 'unknown' | 'busy'>;
  /** Reserves memory for a mail of so many bytes, before it is read. */
  readonly enter: (token: string, bytes: number) => Promise<Slot | 'busy' | 'gone'>;
  /** A mail as it is understood, for those of its tokens that need most of it. */
  readonly read: (raw: Uint8Array, tokens: readonly string[]) => Promise<Mail>;
  /** Resolves when the mail is durable; a rejection asks the sender to try again. */
  readonly receive: (mail: ReceivedMail, place: Slot) => Promise<MailOutcome>;
  /** Told of each mail that is refused with this status although its token is known. */
  readonly noteRefused?: (token: string, status: 451 | 552, reason: string) => Promise<void>;
  /** Told of each session that is one too many. */
  readonly refused?: () => void;
  readonly limits?: Partial<MailListenerLimits>;
};

export type MailListenerLimits = {
  readonly mailBytes: number;
  /** Of these without attachments, which are not kept. */
  readonly storedBytes: number;
  readonly recipients: number;
  /** Sessions at once; a network has no more of them than it leaves for the others. */
  readonly clients: number;
  /** Without a byte from the client. */
  readonly idleMs: number;
  /** From connect to close, however busy. */
  readonly sessionMs: number;
  /** For mails under way when the listener closes. */
  readonly closeMs: number;
};

const defaultLimits: MailListenerLimits = {
  mailBytes: mailLimits.body,
  storedBytes: mailLimits.stored,
  recipients: mailLimits.recipients,
  clients: mailLimits.sessions,
  idleMs: mailLimits.idleTime,
  sessionMs: mailLimits.sessionTime,
  closeMs: mailLimits.closingTime,
};

export const tokenForm: RegExp = /^[0-9a-f]{40}$/;
/** How often it is logged that sessions are refused. */
const LOGGED_EVERY_MS = 60_000;

/** An answer other than 250. */
class Answer extends Error {
  readonly responseCode: number;

  constructor(responseCode: number, message: string) {
    super(message);
    this.responseCode = responseCode;
  }
}

export type MailListener = AsyncDisposable & {
  readonly port: number;
  /** Of the certificate that is shown from now on; null: there is none. */
  readonly certificateExpiresAt: () => Promise<Temporal.Instant | null>;
};

/** Listens for alert mail until disposed. */
export async function openMailListener(options: MailListenerOptions): Promise<MailListener> {
  const limits = { ...defaultLimits, ...options.limits };
  const certificate = options.certificate ? readCertificate(options.certificate) : null;
  const server = createServer(options, limits, certificate);
  const ending = endSessions(server, limits.sessionMs);
  const renew = certificate && renewCertificate(server, options, certificate);
  const port = await listening(server, options.listen);
  server.on('error', (error) => options.log.warn({ err: error }, 'a mail connection failed'));
  return {
    port,
    certificateExpiresAt: async () => (await renew?.())?.expiresAt ?? null,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => server.close(() => resolve()));
      ending[Symbol.dispose]();
    },
  };
}

/**
 * A client that keeps trickling bytes is never idle; its time ends all the same. Sockets are looked
 * at now and then: one that asked for TLS reports no close event.
 */
function endSessions(server: SMTPServer, sessionMs: number): Disposable {
  const sockets = new Map<Socket, number>();
  server.server.on('connection', (socket) => sockets.set(socket, performance.now() + sessionMs));
  const timer = setInterval(() => {
    for (const [socket, endsAt] of sockets) {
      if (!socket.destroyed && endsAt > performance.now()) continue;
      socket.destroy();
      sockets.delete(socket);
    }
  }, sessionMs / 10);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function createServer(
  options: MailListenerOptions,
  limits: MailListenerLimits,
  certificate: Certificate | null,
): SMTPServer {
  const guesses = new WeakMap<SMTPServerSession, number>();
  const settings: SMTPServerOptions = {
    name: options.domain,
    banner: 'Pager',
    ...(certificate && { cert: certificate.cert, key: certificate.key }),
    disabledCommands: certificate ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    authOptional: true,
    disableReverseLookup: true,
    size: limits.mailBytes,
    rejectOversized: true,
    maxRecipients: limits.recipients,
    socketTimeout: limits.idleMs,
    closeTimeout: limits.closeMs,
    // Sends what the promise settles with as the answer to the command.
    onRcptTo: ({ address }, session, answer) => {
      admit(options, guesses, { address, session }).then(
        () => answer(),
        answerWith(options.log, answer),
      );
    },
    onData: (stream, session, answer) => {
      take({ options, limits, stream, session }).then(
        () => answer(),
        answerWith(options.log, answer),
      );
    },
  };
  const isTime = atMostEvery(LOGGED_EVERY_MS);
  const refused = (address: string) => {
    options.refused?.();
    if (isTime())
      options.log.warn({ address }, 'mail sessions are refused because there are too many');
  };
  return new SharedServer(settings, { sessionsMax: limits.clients, refused });
}

function renewCertificate(
  server: SMTPServer,
  { certificate: files, log }: MailListenerOptions,
  current: Certificate,
) {
  if (!files) return null;
  const renewed = ({ cert, key }: Certificate) => server.updateSecureContext({ cert, key });
  const renew = createRenewal({ files, current, log, renewed });
  // Before a client asks for TLS, its first commands take longer than this.
  server.server.on('connection', () => void renew());
  return renew;
}

function listening(
  server: SMTPServer,
  { host, port }: MailListenerOptions['listen'],
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      // A listener on a host and a port has such an address.
      resolve((server.server.address() as AddressInfo).port);
    });
  });
}

function answerWith(log: Log, answer: (error: Error) => void): (error: unknown) => void {
  return (error) => {
    if (error instanceof Answer) return answer(error);
    log.error({ err: error }, 'a mail could not be received');
    answer(new Answer(451, 'Temporary failure, try again later'));
  };
}

type Admission = { readonly address: string; readonly session: SMTPServerSession };

async function admit(
  options: MailListenerOptions,
  guesses: WeakMap<SMTPServerSession, number>,
  { address, session }: Admission,
): Promise<void> {
  const token = tokenOf(address, options);
  const result = token && (await options.find(token, session.remoteAddress));
  if (result === 'known') return;
  if (result === 'busy') throw new Answer(451, 'Too many unknown addresses, try again later');
  const count = (guesses.get(session) ?? 0) + 1;
  guesses.set(session, count);
  if (count > mailLimits.guesses) throw new Answer(421, 'Too many unknown addresses');
  throw new Answer(550, 'No such address here');
}

function tokenOf(
  address: string,
  { domain, forms }: Pick<MailListenerOptions, 'domain' | 'forms'>,
): string | undefined {
  const [token = '', host, ...more] = address.toLowerCase().split('@');
  const isHere = host === domain.toLowerCase() && more.length === 0;
  return isHere && forms.some((form) => form.test(token)) ? token : undefined;
}

type Taking = {
  readonly options: MailListenerOptions;
  readonly limits: MailListenerLimits;
  readonly stream: SMTPServerDataStream;
  readonly session: SMTPServerSession;
};

async function take(taking: Taking): Promise<void> {
  using places = new DisposableStack();
  const tokens = taking.session.envelope.rcptTo.map(({ address }) =>
    tokenOf(address, taking.options),
  );
  const known = [...new Set(tokens)].filter((token) => token !== undefined);
  const entered = new Map<string, Slot>();
  const outcomes: MailOutcome[] = [];
  for (const token of known) {
    const place = await taking.options.enter(token, firstBlock(announcedBy(taking)));
    if (typeof place === 'string') outcomes.push(place);
    else entered.set(token, places.use(place));
  }
  const sent = await bytesOf(taking, [...entered.values()]);
  const note = async (status: 451 | 552, reason: string) => {
    for (const token of known) await taking.options.noteRefused?.(token, status, reason);
  };
  // The server answers 552 by itself.
  if (sent === 'too_large')
    return await note(552, `the mail is larger than ${taking.limits.mailBytes} bytes`);
  if (sent === 'no_room') outcomes.push('busy');
  else outcomes.push(...(await store(taking, entered, withoutTokens(joined(sent), known))));
  // Sent again, the mail reaches those that have it a second time: better than not at all.
  if (outcomes.includes('busy')) await note(451, 'too much mail was waiting');
  if (outcomes.includes('busy')) throw new Answer(451, 'Too much mail is waiting, try again later');
  if (outcomes.includes('stored')) return;
  const refused = outcomes.find((one) => typeof one === 'object');
  throw new Answer(550, refused?.refused ?? 'No such address here');
}

async function store(
  { options, session }: Taking,
  entered: ReadonlyMap<string, Slot>,
  raw: Uint8Array,
): Promise<readonly MailOutcome[]> {
  const tokens = [...entered.keys()];
  if (tokens.length === 0) return [];
  const mail = await options.read(raw, tokens);
  const ours = mail.headers['x-pager-notice'] !== undefined;
  const { mailFrom } = session.envelope;
  const sender = mailFrom === false ? '' : mailFrom.address;
  const settled = await Promise.allSettled(
    [...entered].map(([token, place]) =>
      options.receive({ token, sender, raw, mail, ours }, place),
    ),
  );
  const failed = settled.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
  return settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
}

/** Whoever reads the log of events, or an incident, is not to learn where to send more. */
function withoutTokens(sent: Buffer, tokens: readonly string[]): Buffer {
  const pattern = new RegExp(tokens.map((token) => RegExp.escape(token)).join('|'), 'gi');
  return Buffer.from(sent.toString('latin1').replace(pattern, '***'), 'latin1');
}

const announcedBy = ({ limits }: Taking) => ({ announced: null, bytesMax: limits.storedBytes });

const CUT = Buffer.from(`${CUT_HEADER}: yes\r\n`);

/** The mail without its attachments, as far as there is room. Refuses one that was cut short. */
async function bytesOf(
  taking: Taking,
  places: readonly Slot[],
): Promise<Blocks | 'too_large' | 'no_room'> {
  const { stream } = taking;
  const resize = (bytes: number) => places.every((place) => place.resize(bytes));
  const rest = new WithoutAttachments(taking.limits.storedBytes - CUT.length);
  // What fails is told by the stream that is read.
  pipeline(stream, rest, () => undefined);
  try {
    const isWanted = places.length > 0;
    const sent = isWanted ? await readSent(rest, { ...announcedBy(taking), resize }) : [];
    // The rest must still be read before it can be answered, but need not be kept.
    for await (const _ of rest);
    if (stream.sizeExceeded) return 'too_large';
    return rest.isCut && typeof sent !== 'string' ? [CUT, ...sent] : sent;
  } catch {
    throw new Answer(451, 'The mail was cut short');
  }
}
