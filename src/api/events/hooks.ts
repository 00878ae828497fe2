// Receives events over HTTP at {public url}/hooks/<token>/...

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { integrationTypes } from '../../alerts/index.ts';
import type { IntegrationType } from '../../alerts/integration-type.ts';
import type { SnsClient } from '../../alerts/sns.ts';
import type { full, IntakeAnswer } from '../../engine/intake/answer.ts';
import type { Arrival } from '../../engine/intake/arrival.ts';
import type { Intake } from '../../engine/intake/intake.ts';
import type { Refusals } from '../../engine/intake/refusals.ts';
import type { Log } from '../../engine/log.ts';
import { eventsLimits } from '../../limits/events.ts';
import { httpLimits } from '../../limits/http.ts';
import { queryLimits } from '../../limits/queries.ts';
import { Refusal } from '../failures.ts';
import { decompressed } from '../http/compressed-body.ts';
import type { SecretLookup } from '../http/guesses.ts';
import { announcedBy, bodyOf } from '../http/sent-body.ts';
import { firstBlock, joined } from '../http/sent-bytes.ts';
import { noteRefused } from './refused-events.ts';
import { bounded, queryOf } from './sent-request.ts';
import { comesThroughSns, receiveFromSns } from './sns.ts';

/** The integration that a token belongs to. */
export type RecognisedIntegration = Pick<
  Arrival,
  'organizationId' | 'integrationId' | 'slug' | 'integrationName' | 'mapping'
>;

type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply };

type HookOptions = {
  readonly intake: Pick<Intake, 'enter' | 'receive'>;
  readonly recognise: SecretLookup<RecognisedIntegration>;
  /** By the slug of an integration, and the path of an event. */
  readonly typeOf: (slug: string, path?: string) => IntegrationType | undefined;
  readonly sns: SnsClient;
  readonly log: Log;
  readonly refusals: Pick<Refusals, 'note'>;
};

const methods = ['POST', 'PUT'] as const;
const tokenForm = /^[0-9a-f]{40}$/;
const incomplete = 'The address is incomplete. Send events by POST to /hooks/<token>/push-events.';

const byPost = () =>
  new Refusal('method_not_allowed', { message: 'Send events by POST.', allow: methods });

export function mountHooks(app: FastifyInstance, options: HookOptions): void {
  void app.register((hooks, _options, done) => {
    leaveBodies(hooks);
    const handle = (request: FastifyRequest, reply: FastifyReply) =>
      receive(options, { request, reply });
    hooks.route({
      method: [...methods],
      url: '/hooks/:token/*',
      // No browser shows these answers, and there are many: the headers for browsers stay away.
      helmet: false,
      handler: handle,
    });
    // Who opens or previews a link sends no event. Of tools that send by GET, the names of their own
    // fields in the query tell what they send from that.
    hooks.route({
      method: ['GET', 'HEAD'],
      url: '/hooks/:token/*',
      helmet: false,
      config: { refuses: true },
      handler: async (request, reply) => receiveByGet(options, { request, reply }),
    });
    // How a service asks whether it may send events; others that ask learn what is taken.
    hooks.route({
      method: 'OPTIONS',
      url: '/hooks/:token/*',
      helmet: false,
      config: { refuses: true },
      async handler(request, reply) {
        const recognised = await recognisedBy(options, request);
        const answered = shakeHands(options, { request, reply }, { recognised });
        if (answered !== undefined) return answered;
        throw byPost();
      },
    });
    // The token is not checked here: only the full address says whether it is valid.
    hooks.route({
      method: ['GET', 'HEAD', ...methods],
      url: '/hooks/:token',
      helmet: false,
      config: { refuses: true },
      async onRequest() {
        throw new Refusal('unknown_route', { message: incomplete });
      },
      handler: async () => undefined,
    });
    done();
  });
}

function receiveByGet(options: HookOptions, exchange: Exchange) {
  const { request } = exchange;
  if (request.method === 'GET' && isOfQuery(request)) return receive(options, exchange);
  throw byPost();
}

/** Whether a query is what some tool sends by GET: no token is looked up for anything else. */
const isOfQuery = (request: FastifyRequest): boolean =>
  integrationTypes.some((type) => type.isOfQuery?.(new URLSearchParams(queryOf(request))));

/** The body is read as bytes, once there is room for it; the integration type parses it. */
export function leaveBodies(hooks: FastifyInstance): void {
  hooks.removeAllContentTypeParsers();
  hooks.addContentTypeParser('*', (_request, stream, done) => done(null, stream));
  // Fastify refuses what names no type at all (`json`); it counts as unsaid, and the body decides.
  hooks.addHook('onRequest', (request, _reply, done) => {
    if (request.mediaType === undefined) delete request.headers['content-type'];
    done();
  });
}

async function recognisedBy(
  { recognise }: HookOptions,
  request: FastifyRequest,
): Promise<RecognisedIntegration> {
  const { token } = request.params as { token: string };
  const recognised = tokenForm.test(token) ? await recognise(token, request.ip) : null;
  if (recognised === 'too_many') throw new Refusal('rate_limited', { retryAfterSeconds: 1 });
  if (recognised === null)
    throw new Refusal('not_found', { message: 'No integration has this token.' });
  return recognised;
}

async function receive(options: HookOptions, exchange: Exchange) {
  const { request } = exchange;
  const recognised = await recognisedBy(options, request);
  const type = options.typeOf(recognised.slug);
  const isByQuery = type?.isOfQuery?.(new URLSearchParams(queryOf(request))) === true;
  if (request.method === 'GET' && !isByQuery) throw byPost();
  const taken = await take(options, recognised, exchange).catch(async (error: unknown) => {
    await noteRefused(options.refusals, recognised, { error, request });
    throw error;
  });
  if (!('accepted' in taken)) return taken;
  const { accepted, finish } = taken;
  if (accepted.type === 'accepted') await finish?.();
  const { '*': rest } = request.params as { '*': string };
  return answer(exchange.reply, accepted, statusFor(`/${rest}`, type));
}

async function take(
  options: HookOptions,
  recognised: RecognisedIntegration,
  { request, reply }: Exchange,
) {
  const { token, '*': rest } = request.params as { token: string; '*': string };
  const announced = announcedBy(request);
  const type = options.typeOf(recognised.slug);
  const noRoom = () => noRoomFor(type);
  const expected = { announced, bytesMax: httpLimits.eventBody };
  using place = options.intake.enter(recognised.integrationId, firstBlock(expected));
  if (place === null) throw noRoom();
  const reading = { ...expected, resize: place.resize, noRoom };
  const blocks = await bodyOf(request, reading);
  const body = blocks && joined(await decompressed(request, blocks, reading));
  const sent = { recognised, ...(body && { body }) };
  const answered = shakeHands(options, { request, reply }, sent);
  if (answered !== undefined) return answered;
  const isWrapped = comesThroughSns(type, body);
  const wrapping = isWrapped ? await receiveFromSns(options, recognised, body ?? nothing) : null;
  const query = withoutToken(queryOf(request), token);
  const headers = wrapping ? { ...request.headers, ...wrapping.headers } : request.headers;
  const arrival: Arrival = {
    ...recognised,
    source: 'http',
    path: bounded(withoutToken(`/${rest}`, token), eventsLimits.pathLength),
    sent: { method: request.method, query, headers },
    // Tools that can only call an address carry the event in its query, whatever type they name.
    contentType: body === null ? '' : bounded(contentTypeOf(request), queryLimits.textLength),
    body: body === null ? Buffer.from(query) : maskedBody(wrapping?.body ?? body, token),
  };
  const accepted = await options.intake.receive(arrival, place);
  if (accepted.type === 'full') throw noRoom();
  return { accepted, finish: wrapping?.finish };
}

/** vmalert counts all but 200 as failed, as Alertmanager's own API answers. */
const statusFor = (path: string, type: IntegrationType | undefined): number =>
  /\/api\/v[12]\/alerts\/?$/.test(path) ? 200 : (type?.status ?? 202);

const nothing = Buffer.alloc(0);

export const noRoomFor = (type?: IntegrationType) =>
  new Refusal('rate_limited', {
    message: 'Too many events are waiting. Send the event again.',
    retryAfterSeconds: 1,
    status: type?.busy,
  });

type Question = { readonly recognised: RecognisedIntegration; readonly body?: Buffer };

/** Undefined: it is an event. */
function shakeHands(
  { typeOf, log }: HookOptions,
  { request, reply }: Exchange,
  { recognised, body = nothing }: Question,
): FastifyReply | undefined {
  const { method, headers } = request;
  const type = typeOf(recognised.slug);
  const answer = type?.handshake?.({ method, headers, body });
  if (answer === undefined) return undefined;
  log.info({ integration_id: recognised.integrationId }, 'a handshake was answered');
  return reply.headers(answer.headers ?? {}).send(answer.json);
}

const contentTypeOf = ({ headers }: FastifyRequest): string => headers['content-type'] ?? '';

/** Whoever reads the log of events is not to learn where to send more. */
const withoutToken = (text: string, token: string) => text.replaceAll(token, '***');

/** Its bytes stay as they came but for that, also in UTF-16; most bodies are not copied. */
function maskedBody(body: Buffer, token: string): Buffer {
  const wide = Array.from(token).join('\0');
  if (!body.includes(token) && !body.includes(wide)) return body;
  const masked = withoutToken(body.toString('latin1'), token).replaceAll(wide, '*\0*\0*');
  return Buffer.from(masked, 'latin1');
}

function answer(reply: FastifyReply, accepted: Exclude<IntakeAnswer, typeof full>, status: number) {
  switch (accepted.type) {
    case 'accepted':
      return reply.code(status).send({
        ok: true,
        event_id: accepted.eventId,
        alerts: accepted.alerts,
        ...(accepted.note !== undefined && { note: accepted.note }),
      });
    case 'unreadable':
      throw new Refusal('unreadable', {
        message: `The event was logged but could not be read: ${accepted.reason}`,
      });
    case 'archived':
      throw new Refusal('gone');
  }
}
