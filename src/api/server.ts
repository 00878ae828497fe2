// The HTTP server: mounts routes, identifies callers, and answers every refusal in one form.

import { setTimeout as pause } from 'node:timers/promises';
import helmet from '@fastify/helmet';
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Clock } from '../engine/clock.ts';
import type { Ids } from '../engine/ids.ts';
import type { Log } from '../engine/log.ts';
import { httpLimits } from '../limits/http.ts';
import { mayAct } from '../resources/roles.ts';
import type { IdempotentAnswers } from '../storage/records/idempotent-answers.ts';
import { type Compute, JsonText, requesterOf } from './computing/computer.ts';
import { StreamBody } from './event-stream/stream-body.ts';
import { Refusal } from './failures.ts';
import { readCall } from './http/call.ts';
import { refuseUnreadable } from './http/client-error.ts';
import { compressAnswers } from './http/compression.ts';
import { limitConnections } from './http/connections.ts';
import { Csv, csvHeaders } from './http/csv.ts';
import { errorAnswer } from './http/error-answer.ts';
import { runIdempotent } from './http/idempotency.ts';
import { createJsonBodies } from './http/json-bodies.ts';
import type { Body } from './http/large-body.ts';
import { type MethodsOf, noteMethods } from './http/methods.ts';
import { type Proxies, trustOf } from './http/network.ts';
import { RateLimit } from './http/rate-limit.ts';
import { passOver } from './http/refused-body.ts';
import {
  explainUnknown,
  type FindIds,
  type ResolvedBody,
  resolveNames,
} from './http/resolve-names.ts';
import { endConnection, endConnections } from './http/stopping.ts';
import { openApi } from './openapi/document.ts';
import { mountDocs } from './openapi/reference.ts';
import { isForBrowser, refusalPage } from './pages/refusal.ts';
import { mountPageStyle } from './pages/style.ts';
import { type Answer, API_PREFIX, type Call, type Caller, type Route, withAgain } from './route.ts';

/** Whether requests and their headers take too long. */
const CONNECTIONS_CHECK_MILLISECONDS = 5_000;

/** Tells who sent a request; null: nobody we know. May throw a `Refusal` of its own. */
export type Identify = (request: FastifyRequest) => Promise<Caller | null>;

export type Metrics = {
  readonly contentType: string;
  /** As Prometheus reads them. */
  text(): Promise<string>;
  /** A connection that was one too many. */
  connectionRefused?(listener: 'http'): void;
  answered?(request: { method: string; route: string; status: number; seconds: number }): void;
};

export type ApiParts = {
  readonly routes: readonly Route[];
  readonly identify: Identify;
  readonly log: Log;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly answers: IdempotentAnswers;
  readonly compute: Compute;
  readonly findIds: FindIds;
  /** Whether events can be accepted now. */
  readonly ready: () => Promise<boolean>;
  /** Aborted when the server is about to stop. */
  readonly stopping?: AbortSignal;
  readonly metrics?: Metrics;
  /** Absent: none is in front. */
  readonly trustProxy?: Proxies;
  readonly requestsPerSecond?: number;
  readonly requestBurst?: number;
  readonly connectionsMax?: number;
  /** For somebody who follows a link to no page. Null: nothing was sent. */
  readonly lostPage?: (
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<FastifyReply | null>;
};

/** Not listening yet; other routes (hooks, pages) are registered on it like on any Fastify. */
export async function createApi(parts: ApiParts): Promise<FastifyInstance> {
  const app = Fastify({
    bodyLimit: httpLimits.anyBody,
    trustProxy: trustOf(parts.trustProxy ?? 0),
    requestTimeout: httpLimits.requestTime,
    // What arrives while the server stops is served like any other request.
    return503OnClosing: false,
    http: {
      headersTimeout: httpLimits.headersTime,
      connectionsCheckingInterval: CONNECTIONS_CHECK_MILLISECONDS,
      highWaterMark: httpLimits.readAhead,
    },
    routerOptions: { maxParamLength: httpLimits.pathPart },
    schemaController: { compilersFactory: noCompilers },
    clientErrorHandler: (error, socket) => refuseUnreadable(error, socket, parts.ids.next()),
    genReqId: (request) => requestIdOf(request.headers['x-request-id']) ?? parts.ids.next(),
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      endConnection(reply, parts.stopping);
      return fail(parts, { error, request, reply });
    },
  });
  limitConnections(app.server, {
    log: parts.log,
    proxies: parts.trustProxy ?? 0,
    refused: () => parts.metrics?.connectionRefused?.('http'),
    ...(parts.connectionsMax !== undefined && { max: parts.connectionsMax }),
  });
  if (parts.stopping) endConnections(app, parts.stopping);
  const methodsOf = noteMethods(app);
  await app.register(helmet, security);
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done(request.is404 ? unrouted(request, methodsOf) : undefined);
  });
  if (parts.metrics?.answered) observe(app, parts.metrics);
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    const page = isLost(error, request) && (await parts.lostPage?.(request, reply));
    return page || fail(parts, { error, request, reply });
  });
  app.setNotFoundHandler((request, reply) =>
    fail(parts, { error: new Refusal('unknown_route'), request, reply }),
  );
  mountHealth(app, parts);
  const mount = (api: FastifyInstance, _options: object, done: () => void) => {
    mountRoutes(api, parts);
    done();
  };
  await app.register(mount, { prefix: API_PREFIX });
  mountPageStyle(app);
  mountDocs(app, () => openApi(parts.routes));
  return app;
}

/** Routes declare no schema to Fastify, whose own compilers take a quarter of a second to load. */
function noCompiler(): never {
  throw new Error('requests and answers are checked by the project itself');
}
const noCompilers = { buildValidator: noCompiler, buildSerializer: noCompiler };

/** Pages may load only what this server serves; a page that needs more says so on its route. */
const security = {
  hsts: false,
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      imgSrc: ["'self'", 'data:'],
      styleSrc: ["'self'", "'unsafe-inline'"],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
};

const requestIdOf = (sent: string | string[] | undefined): string | undefined =>
  typeof sent === 'string' && /^[\x21-\x7e]{1,128}$/.test(sent) ? sent : undefined;

/** Of a request that no route takes: its path takes other methods, or there is no such path. */
function unrouted({ method, url }: FastifyRequest, methodsOf: MethodsOf): Refusal {
  const [path = ''] = url.split('?');
  const below = path.startsWith(`${API_PREFIX}/`) ? path.slice(API_PREFIX.length) : path;
  const allow = methodsOf(path);
  if (allow.length === 0)
    return new Refusal('unknown_route', { message: `Unknown route: ${method} ${below}` });
  const message = `${below} does not support ${method}. Use ${allow.join(', ')}.`;
  return new Refusal('method_not_allowed', { message, allow });
}

/** Programs that call the API are told so by its own answer. */
const isLost = (error: Error, request: FastifyRequest): boolean =>
  error instanceof Refusal &&
  error.code === 'unknown_route' &&
  request.method === 'GET' &&
  !request.url.startsWith('/api/') &&
  isForBrowser(request);

type Failed = { error: unknown; request: FastifyRequest; reply: FastifyReply };

function fail({ log }: ApiParts, { error, request, reply }: Failed): FastifyReply {
  const answer = errorAnswer(error, request.id);
  if (answer.isOurs) log.error({ err: error, request_id: request.id }, 'a request failed');
  reply.code(answer.status).headers(answer.headers);
  passOver(request, reply);
  return isForBrowser(request) ? refusalPage(reply, request, answer) : reply.send(answer.body);
}

function observe(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', (request, reply, done) => {
    metrics.answered?.({
      method: request.method,
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1_000,
    });
    done();
  });
}

function mountHealth(app: FastifyInstance, { ready, stopping, metrics }: ApiParts): void {
  app.get('/healthz', async () => ({ ok: true }));
  app.get('/readyz', async (_request, reply) => {
    const isReady = stopping?.aborted !== true && (await ready().catch(() => false));
    return reply.code(isReady ? 200 : 503).send({ ready: isReady });
  });
  if (metrics === undefined) return;
  app.get('/metrics', async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.text()),
  );
}

function mountRoutes(api: FastifyInstance, parts: ApiParts): void {
  const {
    requestsPerSecond = httpLimits.requestsPerSecond,
    requestBurst = httpLimits.requestBurst,
  } = parts;
  const limit = new RateLimit({ perSecond: requestsPerSecond, burst: requestBurst });
  readsJsonOnly(api);
  compressAnswers(api);
  const readBody = createJsonBodies(parts.compute);
  api.addHook('onRequest', async (_request, reply) => {
    reply.header('cache-control', 'no-store');
  });
  for (const route of parts.routes.map((one) => withAgain(one, parts.routes)))
    api.route({
      method: route.method,
      url: route.path,
      // Before the body is read: strangers do not get to send one.
      onRequest: async (request) => {
        const caller = await parts.identify(request);
        if (caller === null) throw new Refusal('unauthorized');
        const wait = limit.take(`${caller.kind}:${caller.id}`, parts.clock.now());
        if (wait > 0)
          throw await heldBack(new Refusal('rate_limited', { retryAfterSeconds: wait }));
        admit(caller, route);
        const busy =
          route.computes && parts.compute.refuseEarly(requesterOf(caller), route.computes);
        if (busy) throw await heldBack(busy);
        callers.set(request, caller);
      },
      handler: async (request, reply) => {
        const caller = callers.get(request);
        if (caller === undefined) throw new Refusal('unauthorized');
        using body = await readBody(request, { caller, route });
        const signal = whenGone(reply);
        const named = await withNamed(body, { caller, route, findIds: parts.findIds });
        const about = { caller, route, body: named, now: parts.clock.now(), signal };
        const call = readCall(request, about);
        const answered = await answer(route, { call, request, parts }).catch((error) => {
          throw explainUnknown(error, named);
        });
        reply.code(answered.status);
        if (answered.body instanceof StreamBody) return startStream(request, reply, answered.body);
        if (answered.body instanceof Csv)
          return reply.headers(csvHeaders(route.path, answered.body)).send(answered.body.text);
        if (!(answered.body instanceof JsonText)) return reply.send(answered.body);
        return reply.type('application/json; charset=utf-8').send(answered.body.text);
      },
    });
}

function startStream({ method }: FastifyRequest, reply: FastifyReply, body: StreamBody) {
  reply.hijack();
  // A proxy that gathers what it passes on would hold hints back.
  reply.headers({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
  reply.raw.writeHead(reply.statusCode);
  if (method === 'HEAD') reply.raw.end();
  else body.start(reply.raw);
}

/** A client that does not wait before its next request would keep the server busy with refusals. */
async function heldBack(refusal: Refusal): Promise<Refusal> {
  await pause(httpLimits.refusalDelay, undefined, { ref: false });
  return refusal;
}

/** Comes when the connection ends, also after the answer. */
function whenGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return gone.signal;
}

type Naming = { readonly caller: Caller; readonly route: Route; readonly findIds: FindIds };

/** A large body has been read, and takes ids only. */
async function withNamed(
  body: Body,
  { caller, route, findIds }: Naming,
): Promise<Body & ResolvedBody> {
  const { body: schema } = route;
  if (schema === undefined || body.sha256 !== undefined) return { ...body, unknown: new Map() };
  return { ...body, ...(await resolveNames(body.value, { caller, schema }, findIds)) };
}

const callers = new WeakMap<FastifyRequest, Caller>();

function admit(caller: Caller, route: Route): void {
  if (route.keysRefused !== undefined && caller.kind === 'key')
    throw new Refusal(route.keysRefused);
  if (!mayAct(caller, route.role))
    throw new Refusal('forbidden', { message: `You need the role ${route.role} or above.` });
}

type Answering = { call: Call; request: FastifyRequest; parts: ApiParts };

function answer(route: Route, { call, request, parts }: Answering): Promise<Answer> {
  const { idempotencyKey: key } = call;
  if (key === undefined) return route.handle(call);
  const [path = ''] = request.url.split('?');
  return runIdempotent(route, { answers: parts.answers, call, key, path });
}

/** The body is left unread until it is known who sends it, and that there is room. */
function readsJsonOnly(api: FastifyInstance): void {
  api.removeAllContentTypeParsers();
  api.addContentTypeParser(
    /^application\/(merge-patch\+)?json\s*(;|$)/i,
    (_request, stream, done) => done(null, stream),
  );
}
