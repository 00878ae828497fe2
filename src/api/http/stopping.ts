// A server that is about to stop still serves what arrives. Each answer ends its connection, so that
// the next request of a balancer or a client goes to another server.
import type { FastifyInstance, FastifyReply } from 'fastify';

export function endConnections(app: FastifyInstance, stopping: AbortSignal): void {
  // Event streams are answered without the second of these.
  app.addHook('onRequest', (_request, reply, done) => {
    endConnection(reply, stopping);
    done();
  });
  app.addHook('onSend', (_request, reply, _payload, done) => {
    endConnection(reply, stopping);
    done();
  });
}

export function endConnection(reply: FastifyReply, stopping: AbortSignal | undefined): void {
  if (stopping?.aborted) reply.header('connection', 'close');
}
