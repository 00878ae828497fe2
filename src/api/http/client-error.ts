// What cannot be read as HTTP never becomes a request; it is answered here, in the form of all.
import type { Duplex } from 'node:stream';
import { failures } from '../failures.ts';

const REASONS: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request was sent too slowly.'],
};

/** Answers and closes the connection, of which nothing more can be understood. */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex, id: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] = REASONS[error.code ?? ''] ?? [
    `${failures.unreadable[0]} Bad Request`,
    'The request is not valid HTTP.',
  ];
  const body = JSON.stringify({ error: 'unreadable', message, issues: [], request_id: id });
  const head = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${id}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
