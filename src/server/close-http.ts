// How an HTTP server ends, so that no request is lost that has reached it.
import type { Server } from 'node:http';
import { setImmediate as nextRound } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { runningLimits } from '../limits/running.ts';
import { withDeadline } from './with-deadline.ts';

/** Rounds of the event loop in which none came: the first may be one that had looked before. */
const QUIET_ROUNDS = 2;
/** Whoever connects without end is not waited for. */
const LAST_ROUND = 5_000;

/** Answers what has been asked; who does not send the rest of a request is not waited for. */
export async function closeHttpServer(app: FastifyInstance): Promise<void> {
  const { server } = app;
  await acceptWaiting(server);
  server.close();
  await withDeadline(runningLimits.requestsTime, app.close(), () => server.closeAllConnections());
}

/**
 * The kernel takes connections by itself, and resets those that Node does not have yet when the
 * listener closes. Node takes one in each round of its event loop.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let quiet = 0;
  const note = () => {
    quiet = -1;
  };
  server.on('connection', note);
  for (let round = 0; quiet < QUIET_ROUNDS && round < LAST_ROUND; round += 1) {
    await nextRound();
    quiet += 1;
  }
  server.off('connection', note);
}
