// Other services' addresses, at the root and below /hooks: a tool that sends to one of them reaches
// this server when only its host name is changed.
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Room } from '../../admission/room.ts';
import type { JsonObject } from '../../alerts/alert.ts';
import { contentOf } from '../../alerts/body/content.ts';
import { within } from '../../alerts/effort.ts';
import type { SnsClient } from '../../alerts/sns.ts';
import { isObject } from '../../alerts/text.ts';
import type { Clock } from '../../engine/clock.ts';
import type { Ids } from '../../engine/ids.ts';
import type { Arrival } from '../../engine/intake/arrival.ts';
import type { Intake, IntakeOptions } from '../../engine/intake/intake.ts';
import type { Refusals } from '../../engine/intake/refusals.ts';
import type { Log } from '../../engine/log.ts';
import { eventsLimits } from '../../limits/events.ts';
import { httpLimits } from '../../limits/http.ts';
import { queryLimits } from '../../limits/queries.ts';
import type { Queries } from '../../storage/database/database.ts';
import { leaveBodies, noRoomFor, type RecognisedIntegration } from '../events/hooks.ts';
import { noteRefused } from '../events/refused-events.ts';
import { bounded, masked, maskedBytes, queryOf } from '../events/sent-request.ts';
import { comesThroughSns, receiveFromSns } from '../events/sns.ts';
import { Refusal } from '../failures.ts';
import { decompressed } from '../http/compressed-body.ts';
import { errorAnswer } from '../http/error-answer.ts';
import type { SecretLookup } from '../http/guesses.ts';
import { networkOf } from '../http/network.ts';
import { atMostEvery } from '../http/rate-limit.ts';
import { passOver } from '../http/refused-body.ts';
import { announcedBy, bodyOf } from '../http/sent-body.ts';
import { firstBlock, joined } from '../http/sent-bytes.ts';
import { alertmanager } from './alertmanager.ts';
import type { Answer, Dialect, EventRoute, HeartbeatRoute, ReadRoute, Sent } from './dialect.ts';
import { goalert } from './goalert.ts';
import { grafanaOncall } from './grafana-oncall.ts';
import { keyInBody, membersIn } from './key-in-body.ts';
import { opsgenie } from './opsgenie.ts';
import { pagerduty } from './pagerduty.ts';
import type { NoteUnknownKey } from './unknown-keys.ts';
import { victorops } from './victorops.ts';

export type DialectOptions = {
  readonly intake: Pick<Intake, 'enter' | 'receive'>;
  readonly refusals: Pick<Refusals, 'note'>;
  readonly recogniseKey: SecretLookup<RecognisedIntegration>;
  readonly noteUnknownKey: NoteUnknownKey;
  readonly typeOf: IntakeOptions['typeOf'];
  readonly sns: SnsClient;
  readonly sql: Queries;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly log: Log;
  /** Room for bodies whose key stands in them; absent: as usual. */
  readonly strangers?: Room;
};

const HEARTBEATS_LOGGED_EVERY_MS = 60_000;

type Mounted = Required<DialectOptions> & { readonly mayLog: () => boolean };
type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply };
type AnyRoute = EventRoute | ReadRoute | HeartbeatRoute;

/** Answers the routes by which events come. */
export function mountDialects(app: FastifyInstance, options: DialectOptions): ReadonlySet<string> {
  const mounted: Mounted = {
    strangers: new Room({
      slots: httpLimits.unrecognised,
      bytes: httpLimits.unrecognisedBytes,
    }),
    ...options,
    mayLog: atMostEvery(HEARTBEATS_LOGGED_EVERY_MS),
  };
  const urls = new Set<string>();
  const dialects = [
    ...[pagerduty, opsgenie(options), alertmanager(options)],
    ...[victorops, goalert, grafanaOncall],
  ];
  for (const dialect of dialects)
    void app.register((scope, _options, done) => {
      leaveBodies(scope);
      scope.setErrorHandler((error: FastifyError, request, reply) =>
        refuse(mounted, dialect, { error, request, reply }),
      );
      for (const route of dialect.routes)
        for (const url of urlsOf(route)) {
          urls.add(url);
          mountRoute(scope, mounted, { dialect, route, url });
        }
      done();
    });
  return urls;
}

/** Some clients end their addresses by a slash. */
const urlsOf = ({ url }: AnyRoute): readonly string[] =>
  ['', '/hooks'].flatMap((below) =>
    url.endsWith('*') ? [`${below}${url}`] : [`${below}${url}`, `${below}${url}/`],
  );

type Place = { readonly dialect: Dialect; readonly route: AnyRoute; readonly url: string };

function mountRoute(scope: FastifyInstance, mounted: Mounted, { dialect, route, url }: Place) {
  scope.route({
    method: [...route.methods],
    url,
    helmet: false,
    exposeHeadRoute: false,
    async handler(request, reply) {
      const exchange = { request, reply };
      return send(reply, await answerOf(mounted, { dialect, route }, exchange));
    },
  });
}

async function answerOf(
  mounted: Mounted,
  { dialect, route }: Omit<Place, 'url'>,
  exchange: Exchange,
): Promise<Answer> {
  if (route.takes === 'events') return takeEvent(mounted, { dialect, route }, exchange);
  const { request } = exchange;
  const key = route.key?.(request) ?? null;
  // Of a heartbeat no body is read, though the key may stand there.
  const isNamed = route.takes === 'nothing' || key !== null;
  const integration = isNamed ? await recognised(mounted, dialect, { request, key }) : undefined;
  if (route.takes === 'nothing' && integration) return route.answer({ ...exchange, integration });
  const about = { service: dialect.kind, integration_id: integration?.integrationId };
  if (integration || mounted.mayLog())
    mounted.log.warn(about, 'a heartbeat was refused: heartbeats are not supported yet');
  throw new Refusal('unknown_route', { message: 'Heartbeats are not supported.' });
}

type Taking = { readonly dialect: Dialect; readonly route: EventRoute };

async function takeEvent(mounted: Mounted, taking: Taking, exchange: Exchange): Promise<Answer> {
  const { request } = exchange;
  let sender: RecognisedIntegration | undefined;
  const identified = (integration: RecognisedIntegration) => {
    sender = integration;
  };
  const received = receiveEvent(mounted, { ...taking, identified }, exchange);
  const { sent, taken, finish } = await received.catch(async (error: unknown) => {
    if (sender !== undefined) await noteRefused(mounted.refusals, sender, { error, request });
    throw error;
  });
  if (taken.type === 'unreadable') throw new Refusal('unreadable', { message: taken.reason });
  if (taken.type === 'archived') throw new Refusal('gone');
  await finish?.();
  const { accepted = taking.dialect.accepted } = taking.route;
  return accepted({ ...sent, ...taken });
}

type Receiving = Taking & { readonly identified: (sender: RecognisedIntegration) => void };

/** Whatever fails here is refused, and no event of the log. */
async function receiveEvent(mounted: Mounted, receiving: Receiving, exchange: Exchange) {
  const { request } = exchange;
  const { route, identified } = receiving;
  const before = route.key(request);
  const isAhead = before !== null || route.keyNames === undefined;
  const bytesMax = isAhead ? httpLimits.eventBody : httpLimits.unrecognisedBody;
  const expected = { announced: announcedBy(request), bytesMax };
  // Then no byte of a stranger's body is read.
  const { dialect } = receiving;
  const known = isAhead ? await recognised(mounted, dialect, { request, key: before }) : null;
  if (known) identified(known);
  const noRoomAt = (slug: string, path: string) => noRoomFor(mounted.typeOf(slug, path));
  const noRoom = () => noRoomAt(known?.slug ?? '', route.path(request));
  using room = known
    ? mounted.intake.enter(known.integrationId, firstBlock(expected))
    : mounted.strangers.enter(networkOf(request.ip), firstBlock(expected));
  if (room === null) throw noRoom();
  const reading = { ...expected, resize: room.resize, noRoom };
  const blocks = await bodyOf(request, reading);
  const body = blocks && joined(await decompressed(request, blocks, reading));
  const key = before ?? (body && keyInBody(body, route.keyNames ?? []));
  const integration = known ?? (await recognised(mounted, dialect, { request, key }));
  identified(integration);
  using place = known ? room : mounted.intake.enter(integration.integrationId, body?.length ?? 0);
  if (place === null) throw noRoomAt(integration.slug, route.path(request));
  if (!known) room[Symbol.dispose]();
  const fields = isAhead && !route.isParsed ? {} : fieldsOf(request, body);
  const sent = { ...exchange, integration, fields };
  const { arrival, finish } = await arrivalOf(mounted, route, { sent, body, key: key ?? '' });
  const taken = await mounted.intake.receive(arrival, place);
  if (taken.type === 'full') throw noRoomAt(integration.slug, arrival.path);
  return { sent, taken, finish };
}

type Received = { readonly sent: Sent; readonly body: Buffer | null; readonly key: string };

async function arrivalOf(mounted: Mounted, route: EventRoute, { sent, body, key }: Received) {
  const { request, integration } = sent;
  const { path, query = queryOf(request) } = (await route.stored?.(sent)) ?? {
    path: route.path(request),
  };
  // A tool's own message may come so.
  const type = mounted.typeOf(integration.slug, path);
  const wrapping =
    body && comesThroughSns(type, body) ? await receiveFromSns(mounted, integration, body) : null;
  const storedQuery = masked(query, key);
  const arrival: Arrival = {
    ...integration,
    source: 'http',
    path: bounded(masked(path, key), eventsLimits.pathLength),
    sent: {
      method: request.method,
      query: storedQuery,
      headers: { ...request.headers, ...wrapping?.headers },
    },
    contentType:
      body === null ? '' : bounded(request.headers['content-type'] ?? '', queryLimits.textLength),
    // Tools that can only call an address have the event in its query.
    body: body === null ? Buffer.from(storedQuery) : maskedBytes(wrapping?.body ?? body, key),
  };
  return { arrival, finish: wrapping?.finish };
}

/** All fields that routes ask for. */
const namesOfFields = [
  ...['event_action', 'routing_key', 'service_key', 'dedup_key', 'incident_key', 'entity_id'],
  ...['alias', 'id', 'alertId', 'tinyId'],
];

function fieldsOf(request: FastifyRequest, body: Buffer | null): JsonObject {
  if (body === null) return {};
  const read = () => contentOf(body, request.headers['content-type'] ?? '');
  const content = within(read, eventsLimits.readingAtOnce);
  // Of what takes more work, the texts that a route asks for are found without parsing it.
  if (content === null) return Object.fromEntries(membersIn(body, namesOfFields));
  if ('unreadable' in content) return {};
  return 'json' in content && isObject(content.json) ? content.json : {};
}

async function recognised(
  { recogniseKey, noteUnknownKey }: Mounted,
  { kind }: Dialect,
  { request, key }: { readonly request: FastifyRequest; readonly key: string | null },
): Promise<RecognisedIntegration> {
  const integration = key === null ? null : await recogniseKey(key, request.ip);
  if (integration === 'too_many') throw new Refusal('rate_limited', { retryAfterSeconds: 1 });
  if (integration !== null) return integration;
  if (key !== null) noteUnknownKey(kind, key, request.headers['user-agent']);
  throw new Refusal('not_found', { message: 'No integration has this key.' });
}

function refuse({ log }: Mounted, dialect: Dialect, failed: Exchange & { error: FastifyError }) {
  const { error, request, reply } = failed;
  const { status, body, headers, isOurs } = errorAnswer(error, request.id);
  if (isOurs) log.error({ err: error, request_id: request.id }, 'a request failed');
  reply.headers(headers);
  passOver(request, reply);
  return send(reply, dialect.refused({ code: body.error, message: body.message, status }, reply));
}

function send(reply: FastifyReply, { status, body, type }: Answer): FastifyReply {
  reply.code(status);
  if (type !== undefined) reply.type(type);
  else if (typeof body === 'string') reply.type('text/plain; charset=utf-8');
  return body === null ? reply.send() : reply.send(body);
}
