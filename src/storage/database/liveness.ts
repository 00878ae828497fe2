// Finds connections whose server is gone without a word. A slow statement looks the same, so the
// server is asked on a fresh connection: one that lives ends its slow statements by itself.
import type { Socket } from 'node:net';
import type { Log } from '../../engine/log.ts';
import { databaseLimits } from '../../limits/database.ts';
import { MessageCounter } from './message-counter.ts';
import type { Place } from './sockets.ts';

/** Null: nobody answered. Which server it was may be unknown, as when it refuses to talk. */
export type Answered = { readonly server: string | null } | null;

export type Liveness = {
  /** From now on; `patience` is how many seconds a statement may take before its server ends it. */
  follow(socket: Socket, session: { readonly place: Place; readonly patience: number }): void;
  /** The server that was met there, by when it started. */
  met(place: Place, server: string): void;
};

type LivenessOptions = {
  /** Asks whoever is there now; must settle within the time. */
  readonly probe: (place: Place, seconds: number) => Promise<Answered>;
  readonly log: Log;
  /** What counts as a second. */
  readonly secondMilliseconds?: number;
};

type Followed = {
  readonly socket: Socket;
  readonly where: string;
  readonly patience: number;
  /** Seconds without a byte. */
  quiet: number;
  /** Of these, since something was requested; null: all of it is answered. */
  unanswered: number | null;
};

type Spot = {
  readonly place: Place;
  server: string | null;
  /** Whether a probe has answered, even if the server did not say which one it is. */
  isIdentified: boolean;
  isProbed: boolean;
  /** What came of the last probe, and how many seconds ago. */
  isSilent: boolean | null;
  age: number;
};

class Silent extends Error {
  readonly code = 'CONNECTION_SILENT';

  constructor() {
    super('nothing came from the database, and the connection was given up');
  }
}

/**
 * Seconds are counted by the timer, not read from a clock: while the process is stopped, or busy,
 * none pass, for what came meanwhile has not been read yet.
 */
export function createLiveness(options: LivenessOptions): Liveness {
  const { probe, log, secondMilliseconds = 1_000 } = options;
  const { silenceTime } = databaseLimits;
  const probedAfter = Math.ceil(silenceTime / 2);
  const followed = new Set<Followed>();
  const spots = new Map<string, Spot>();
  let timer: NodeJS.Timeout | undefined;

  function spotOf(place: Place): Spot {
    const where = whereOf(place);
    const spot = spots.get(where) ?? {
      place,
      server: null,
      isIdentified: false,
      isProbed: false,
      isSilent: null,
      age: 0,
    };
    spots.set(where, spot);
    return spot;
  }

  function second(): void {
    for (const one of followed) {
      if (one.socket.isPaused()) continue;
      one.quiet += 1;
      if (one.unanswered === null) continue;
      one.unanswered += 1;
      if (one.unanswered > one.patience) giveUp([one]);
    }
    for (const [where, spot] of spots) {
      spot.age += 1;
      assess(where, spot);
    }
  }

  /** Until the next probe. A refused connection is answered at once. */
  const rest = ({ isSilent }: Spot) => (isSilent === null ? 0 : isSilent ? 1 : probedAfter);

  const at = (where: string) => [...followed].filter((one) => one.where === where);

  function assess(where: string, spot: Spot): void {
    const own = at(where);
    const longest = Math.max(0, ...own.map(({ unanswered }) => unanswered ?? 0));
    if (longest < probedAfter) {
      spot.isSilent = null;
      // Which server it is must be known before it is replaced.
      if (!spot.isIdentified && !spot.isProbed && spot.age >= probedAfter)
        void probeAgain(where, spot);
      return;
    }
    // The host is gone for all: whoever used one of the others next would wait as long again.
    if (spot.isSilent && longest >= silenceTime) {
      giveUp(own.filter(({ quiet }) => quiet >= probedAfter));
      spot.isSilent = null;
    } else if (!spot.isProbed && spot.age >= rest(spot)) void probeAgain(where, spot);
  }

  async function probeAgain(where: string, spot: Spot): Promise<void> {
    spot.isProbed = true;
    const known = at(where);
    const seconds = ((silenceTime - probedAfter) * secondMilliseconds) / 1_000;
    const answered = await probe(spot.place, seconds);
    spot.isProbed = false;
    spot.isSilent = answered === null;
    spot.isIdentified ||= answered !== null;
    spot.age = 0;
    const server = answered?.server ?? null;
    // Another one is there now, and knows nothing of what the one before was asked.
    if (server !== null && spot.server !== null && server !== spot.server)
      giveUp(known.filter(({ unanswered }) => (unanswered ?? 0) >= probedAfter));
    spot.server = server ?? spot.server;
    assess(where, spot);
  }

  function giveUp(lost: readonly Followed[]): void {
    const closing = lost.filter((one) => followed.delete(one));
    if (closing.length === 0) return;
    log.warn(
      { database: closing[0]?.where, connections: closing.length },
      'nothing comes from the database: its connections are given up and opened again',
    );
    for (const { socket } of closing) socket.destroy(new Silent());
  }

  return {
    follow(socket, { place, patience }) {
      spotOf(place);
      const one: Followed = { socket, where: whereOf(place), patience, quiet: 0, unanswered: null };
      followed.add(one);
      timer ??= setInterval(second, secondMilliseconds).unref();
      const requests = new MessageCounter(['Q', 'S'], { isClient: true });
      const answers = new MessageCounter(['Z'], { isClient: false });
      // The session itself is ready once it is opened.
      let awaited = 1;
      socket.on('data', (data: Buffer) => {
        one.quiet = 0;
        awaited -= answers.count(data);
        // A notification comes unrequested.
        if (one.unanswered !== null) one.unanswered = awaited > 0 ? 0 : null;
      });
      const write = socket.write.bind(socket) as (...args: unknown[]) => boolean;
      socket.write = (...args: unknown[]) => {
        const [data] = args;
        if (data instanceof Uint8Array) awaited += requests.count(data);
        one.unanswered ??= 0;
        return write(...args);
      };
      socket.once('close', () => {
        followed.delete(one);
        // The next connection may lead to another server.
        if (at(one.where).length === 0) spots.delete(one.where);
        if (followed.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      });
    },
    met(place, server) {
      const spot = spots.get(whereOf(place));
      if (spot === undefined) return;
      spot.server ??= server;
      spot.isIdentified = true;
    },
  };
}

const whereOf = ({ host, port, ip }: Place) => `${ip ?? host}:${port}`;
