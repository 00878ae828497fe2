// Sessions at once: a network has no more than it leaves for the others, so whoever comes next
// always finds one. One that is refused is answered 421 and closed.
import type { Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { mailLimits } from '../../limits/mail.ts';
import { networkOf } from '../http/network.ts';

type Shares = {
  readonly sessionsMax: number;
  /** Told of each that is refused. */
  readonly refused: (address: string) => void;
};

export class SharedServer extends SMTPServer {
  readonly #shares: Shares;

  constructor(options: SMTPServerOptions, shares: Shares) {
    super(options);
    this.#shares = shares;
  }

  override connect(...[socket, ...more]: Parameters<SMTPServer['connect']>): void {
    const address = socket.remoteAddress ?? '';
    if (this.#hasShare(address)) super.connect(socket, ...more);
    else {
      this.#shares.refused(address);
      leave(socket);
    }
  }

  /** As they stand now: of a session that asked for TLS, its socket does not say when it ends. */
  #hasShare(address: string): boolean {
    const network = networkOf(address);
    const ofNetwork = [...this.connections].filter(
      ({ remoteAddress }) => networkOf(remoteAddress) === network,
    );
    return ofNetwork.length + 1 <= this.#shares.sessionsMax - this.connections.size;
  }
}

function leave(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), mailLimits.leavingTime).unref();
  socket.on('error', () => {}).once('close', () => clearTimeout(timer));
  // What is not read keeps the end of the other side from being seen.
  socket.resume().end('421 Too many sessions from your network, try again in a moment\r\n');
}
