// The sockets to PostgreSQL. They are opened here and not by the driver, so that those whose other end
// is gone without a word can be found and closed: the kernel would wait for a quarter of an hour.
import { connect as connectPlain, isIP, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { messageOf } from '../../engine/log.ts';
import { isConnectionLost, ofDatabase } from './unavailable.ts';

/** What the driver reads of a database's address. */
export type Address = {
  readonly host: readonly string[];
  readonly port: readonly number[];
  /** Of a Unix socket. */
  readonly path: string | false;
  readonly ssl: unknown;
  readonly sslnegotiation: string | null;
  readonly target_session_attrs: string | null | undefined;
};

/** One of its hosts; or the same one at the address that its name had. */
export type Place = { readonly host: string; readonly port: number; readonly ip?: string };

type Opening = {
  readonly address: Address;
  readonly connectSeconds: number;
  /** With the address that the name has now. */
  readonly opened?: (socket: Socket, place: Place) => void;
  /** In place of its hosts. */
  readonly places?: readonly Place[];
  /** Ends what is being opened. */
  readonly signal?: AbortSignal;
};

const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);
/** A peer that restarted, or is gone while nothing was sent to it, is found by the kernel. */
const KEEP_ALIVE_MILLISECONDS = 10_000;

/**
 * What the driver calls whenever it connects. The host that accepted last is tried first, by a new look-up
 * of its name, and then the others in their order. Where only some hosts will do the driver decides, so it
 * gets another one each time.
 */
export function socketsTo(opening: Opening): () => Promise<Socket> {
  const { address, opened, places = placesOf(address) } = opening;
  let first = 0;
  return async () => {
    const order = [...places.slice(first), ...places.slice(0, first)];
    if (address.target_session_attrs) first = (first + 1) % places.length;
    let failure: unknown;
    for (const place of order) {
      try {
        const socket = await openSocket(place, opening);
        const { remoteAddress: ip } = socket;
        opened?.(socket, { ...place, ...(ip !== undefined && { ip }) });
        if (!address.target_session_attrs) first = places.indexOf(place);
        return socket;
      } catch (error) {
        failure = error;
      }
    }
    return failedSocket(failure);
  };
}

const placesOf = ({ host, port }: Address): readonly Place[] =>
  host.map((name, index) => ({ host: name, port: port[index] ?? 5432 }));

/** The driver forgets a connection whose socket it is not given, and never uses it again. */
function failedSocket(error: unknown): Socket {
  const socket = new Socket();
  setImmediate(() => socket.destroy(ofDatabase(error)));
  return socket;
}

/** Connected, and by TLS where the address requests it. */
async function openSocket(
  { host, port, ip }: Place,
  { address, connectSeconds, signal }: Opening,
): Promise<Socket> {
  const { path, ssl, sslnegotiation } = address;
  const raw = path ? connectPlain(path) : connectPlain({ host: ip ?? host, port });
  // Between two steps somebody must listen, or the process would end.
  raw.on('error', () => undefined);
  const timer = setTimeout(() => raw.destroy(new ConnectTimeout()), connectSeconds * 1_000);
  const abandon = () => void raw.destroy();
  signal?.addEventListener('abort', abandon);
  if (signal?.aborted) abandon();
  try {
    await happens(raw, 'connect');
    raw.setKeepAlive(true, KEEP_ALIVE_MILLISECONDS);
    const isSecure = ssl && !path;
    const socket = isSecure ? await secured(raw, { host, ssl, sslnegotiation }) : raw;
    refuseSilentEnd(socket);
    failAtClose(socket);
    // As the driver names it in its errors.
    return Object.assign(socket, { host, port });
  } catch (error) {
    raw.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abandon);
  }
}

class ConnectTimeout extends Error {
  readonly code = 'CONNECT_TIMEOUT';
}

class ClosedAtOnce extends Error {
  readonly code = 'ECONNRESET';

  constructor() {
    super('the connection was closed before it was answered');
  }
}

class TlsFailed extends Error {
  readonly code = 'CONNECT_TLS';

  constructor(cause: unknown) {
    super(`TLS failed: ${messageOf(cause)}`, { cause });
  }
}

/** Resolves with the data, if that is what happens. */
async function happens(
  socket: Socket,
  event: 'connect' | 'secureConnect' | 'data',
): Promise<Buffer | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>();
  const close = () => reject(new ClosedAtOnce());
  socket.once(event, resolve).once('error', reject).once('close', close);
  try {
    return await promise;
  } finally {
    socket.off(event, resolve).off('error', reject).off('close', close);
  }
}

/** As the driver would: only `verify-full`, `verify-ca` and `true` check whom they reach. */
async function secured(
  raw: Socket,
  {
    host,
    ssl,
    sslnegotiation,
  }: Pick<Address, 'ssl' | 'sslnegotiation'> & { readonly host: string },
): Promise<Socket> {
  const isDirect = sslnegotiation === 'direct';
  if (!isDirect) {
    raw.write(SSL_REQUEST);
    const answer = await happens(raw, 'data');
    if (answer?.toString('latin1') !== 'S') {
      if (ssl === 'prefer') return raw;
      throw new TlsFailed('the database does not offer it');
    }
  }
  const isAnybody = ssl === 'require' || ssl === 'allow' || ssl === 'prefer';
  const socket = connectTls({
    socket: raw,
    ...(isIP(host) === 0 && { servername: host }),
    ...(isDirect && { ALPNProtocols: ['postgresql'] }),
    ...(isAnybody && { rejectUnauthorized: false }),
  });
  await happens(socket, 'secureConnect').catch((error: unknown) => {
    // A database that goes away meanwhile does not refuse anybody.
    throw error instanceof ConnectTimeout || isConnectionLost(error) ? error : new TlsFailed(error);
  });
  return socket;
}

/** The driver connects again at once and for ever where a proxy closes what it has accepted. */
function refuseSilentEnd(socket: Socket): void {
  const end = () => socket.destroy(new ClosedAtOnce());
  socket.prependOnceListener('end', end);
  socket.once('data', () => socket.off('end', end));
}

/** A query that the driver is given between the two events would never be answered. */
function failAtClose(socket: Socket): void {
  const emit = socket.emit.bind(socket);
  let failure: unknown;
  socket.emit = (event: string, ...args: readonly unknown[]) => {
    if (event === 'error') {
      failure = ofDatabase(args[0]);
      return true;
    }
    if (event === 'close' && failure !== undefined) emit('error', failure);
    return emit(event, ...args);
  };
}
