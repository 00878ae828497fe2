// Handles the rest of a body that was refused, so that its sender stops and can read the answer.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { httpLimits } from '../../limits/http.ts';
import { announcedBy } from './sent-body.ts';

const CHECK_MS = 100;

/** With the refusal. The connection is kept where little is left, and ends where much may be. */
export function passOver(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = request;
  const announced = announcedBy(request);
  if (raw.complete || (announced !== null && announced <= httpLimits.refusedBody)) return;
  reply.header('connection', 'close');
  // Node calls it when such an answer is out, and would close at once. Whoever is closed on while
  // it sends may never read the answer, and some clients read none before all is sent.
  raw.socket.destroySoon = () => {
    raw.socket.end();
    linger(request);
  };
}

function linger({ raw }: FastifyRequest): void {
  const { socket } = raw;
  const bytesMax = socket.bytesRead + httpLimits.refusedBytes;
  const endsAt = performance.now() + httpLimits.refusedTime;
  const timer = setInterval(() => {
    if (performance.now() >= endsAt || socket.bytesRead > bytesMax) socket.destroy();
  }, CHECK_MS);
  socket.once('close', () => clearInterval(timer));
  if (socket.destroyed) clearInterval(timer);
  raw.resume();
}
