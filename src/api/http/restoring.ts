// What is answered for a server that waits: for its database, or while a backup is being restored.
import Fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import type { Ids } from '../../engine/ids.ts';
import { httpLimits } from '../../limits/http.ts';
import { Refusal } from '../failures.ts';
import { isForBrowser, refusalPage } from '../pages/refusal.ts';
import { mountPageStyle, styleAddress } from '../pages/style.ts';
import { errorAnswer } from './error-answer.ts';

const RETRY_AFTER_SECONDS = 5;
const served = ['/healthz', styleAddress];

/** Not listening yet. Nothing of a request is read but its head. */
export function createWaitingApi(ids: Ids, reason: 'restoring' | 'unavailable'): FastifyInstance {
  const app = Fastify({
    requestTimeout: httpLimits.requestTime,
    http: { headersTimeout: httpLimits.headersTime },
    genReqId: () => ids.next(),
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    if (!served.includes(request.url))
      throw new Refusal(reason, { retryAfterSeconds: RETRY_AFTER_SECONDS });
  });
  app.get('/healthz', async () => ({ ok: true }));
  mountPageStyle(app);
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const answer = errorAnswer(error, request.id);
    reply.code(answer.status).headers(answer.headers);
    return isForBrowser(request) ? refusalPage(reply, request, answer) : reply.send(answer.body);
  });
  return app;
}
