// How many connections at once: a network has no more than it leaves for the others, so whoever
// comes next always finds some.
import type { Server } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import { Room } from '../../admission/room.ts';
import type { Log } from '../../engine/log.ts';
import { httpLimits } from '../../limits/http.ts';
import { networkOf, type Proxies, plainAddress } from './network.ts';
import { atMostEvery } from './rate-limit.ts';

/** How often it is logged that some are refused. */
const LOGGED_EVERY_MS = 60_000;

type Limits = {
  readonly log: Log;
  /** What comes from them is of many networks. */
  readonly proxies: Proxies;
  readonly refused: () => void;
  readonly max?: number;
};

/**
 * Those over the limit are closed without a word. None that is open is closed for them: a sender may
 * be about to use it again.
 */
export function limitConnections(server: Server, limits: Limits): void {
  const { log, proxies, refused, max = httpLimits.connections } = limits;
  const room = new Room({ slots: max, bytes: 0 });
  const isProxy = proxyTest(proxies);
  const mayLog = atMostEvery(LOGGED_EVERY_MS);
  let count = 0;
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress ?? '');
    count += 1;
    const place = room.enter(isProxy(address) ? `proxied ${count}` : networkOf(address), 0);
    if (place) socket.once('close', () => place[Symbol.dispose]());
    else {
      socket.destroy();
      refused();
      if (mayLog())
        log.warn({ address, max }, 'connections are refused because there are too many');
    }
  });
}

function proxyTest(proxies: Proxies): (address: string) => boolean {
  if (typeof proxies === 'number') return () => proxies > 0;
  const list = new BlockList();
  for (const network of proxies) {
    const [address = '', length] = network.split('/');
    const family = familyOf(address);
    list.addSubnet(address, Number(length ?? (family === 'ipv4' ? 32 : 128)), family);
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
