// A load generator that costs little: raw sockets, one request in flight on each, latencies kept.
import { connect, type Socket } from 'node:net';

export type Load = {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** The next request's bytes. */
  readonly next: () => string;
  /** Requests a second over all connections; absent: as fast as answers come. */
  readonly perSecond?: number;
  /** No more than these in all. */
  readonly requests?: number;
};

export type Loaded = {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
};

export function request(path: string, body: string): string {
  return `POST ${path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

export async function load(options: Load): Promise<Loaded> {
  const latencies: number[] = [];
  const statuses: Record<string, number> = {};
  const begins = performance.now();
  const ends = begins + options.seconds * 1_000;
  let sent = 0;

  /** Milliseconds until the next request may leave. */
  const wait = (now: number) =>
    options.perSecond === undefined ? 0 : begins + (sent / options.perSecond) * 1_000 - now;

  async function runConnection(): Promise<void> {
    const socket = connect({ port: options.port, host: '127.0.0.1', noDelay: true });
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve).once('error', reject);
    });
    const answers = answersOf(socket);
    for (;;) {
      const now = performance.now();
      if (now >= ends || sent >= (options.requests ?? Infinity)) break;
      const ms = wait(now);
      if (ms > 0) {
        await new Promise((resolve) => setTimeout(resolve, Math.min(ms, ends - now)));
        continue;
      }
      sent += 1;
      const started = performance.now();
      socket.write(options.next());
      const status = await answers();
      latencies.push(performance.now() - started);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    socket.destroy();
  }

  await Promise.all(Array.from({ length: options.connections }, runConnection));
  const took = (performance.now() - begins) / 1_000;
  latencies.sort((a, b) => a - b);
  return {
    requests: latencies.length,
    perSecond: latencies.length / took,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    statuses,
  };
}

export const quantile = (sorted: readonly number[], at: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? Number.NaN;

/** Waits for one whole answer; understands only answers with a content-length. */
function answersOf(socket: Socket): () => Promise<string> {
  let buffered = '';
  let waiting: { resolve: (status: string) => void; reject: (error: Error) => void } | null = null;
  function readAnswer(): void {
    const end = buffered.indexOf('\r\n\r\n');
    if (end < 0 || !waiting) return;
    const length = Number(/content-length: (\d+)/i.exec(buffered.slice(0, end))?.[1] ?? 0);
    if (buffered.length < end + 4 + length) return;
    const status = buffered.slice(9, 12);
    buffered = buffered.slice(end + 4 + length);
    const { resolve } = waiting;
    waiting = null;
    resolve(status);
  }
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    buffered += text;
    readAnswer();
  });
  let isClosed = false;
  const lost = () => new Error('the server closed the connection');
  socket.on('close', () => {
    isClosed = true;
    waiting?.reject(lost());
  });
  return () =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(lost());
      waiting = { resolve, reject };
      readAnswer();
    });
}
