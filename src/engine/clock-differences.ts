// Which clocks are wrong, where those of servers and of their database differ: for people.
import { durationText } from '../incidents/duration-text.ts';
import { isOff } from './database-clock.ts';

/** A server that runs, and what the clock of its machine is ahead of the database's. */
export type ServerClock = { readonly host: string; readonly ahead_ms: number };

export type Problem = {
  /** The host of the server; null: the database. */
  readonly about: string | null;
  /** What each host's clock is ahead of the database's. */
  readonly aheadSeconds: Readonly<Record<string, number>>;
  readonly text: string;
};

/** The clocks that are probably wrong: the database's, if no server agrees with it. */
export function clockProblems(servers: readonly ServerClock[]): readonly Problem[] {
  // Servers on one machine have one clock.
  const hosts = [...new Map(servers.map((server) => [server.host, server])).values()];
  const off = hosts.filter(({ ahead_ms }) => isOff(ahead_ms));
  if (off.length === 0) return [];
  return off.length < hosts.length ? off.map(ofServer) : [ofDatabase(off)];
}

const ofServer = ({ host, ahead_ms }: ServerClock): Problem => ({
  about: host,
  aheadSeconds: { [host]: ahead_ms / 1_000 },
  text: `The clock of the server ${host} is ${differenceText(ahead_ms)} that of the database. Pager uses the database’s clock. Synchronize the clock of ${host} with NTP.`,
});

/** One server alone cannot tell which of the two is wrong. */
function ofDatabase(servers: readonly ServerClock[]): Problem {
  const differences = servers.map(
    ({ host, ahead_ms }) => `${differenceText(-ahead_ms)} that of ${host}`,
  );
  const others = servers.length === 1 ? 'and of the server' : 'and check those of the servers';
  return {
    about: null,
    aheadSeconds: Object.fromEntries(
      servers.map(({ host, ahead_ms }) => [host, ahead_ms / 1_000] as const),
    ),
    text: `The clock of the database differs from that of every server: it is ${differences.join(' and ')}. Pager uses the database’s clock. Synchronize the clock of the database’s machine with NTP, ${others}.`,
  };
}

const differenceText = (ms: number): string =>
  `${durationText(Math.abs(ms))} ${ms > 0 ? 'ahead of' : 'behind'}`;
