// Opsgenie's Alert API, versions 2 and 1, and the addresses of its integrations.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JsonObject } from '../../alerts/alert.ts';
import { asText } from '../../alerts/body/json.ts';
import { isMissing } from '../../alerts/reading/template-leftovers.ts';
import { keyOf } from '../../alerts/text.ts';
import type { Ids } from '../../engine/ids.ts';
import type { Queries } from '../../storage/database/database.ts';
import {
  countOpenAlerts,
  findSentAlert,
  findSentEvent,
  type SentAlert,
  type SentEvent,
} from '../../storage/incidents/sent-alerts.ts';
import { Refusal } from '../failures.ts';
import {
  type Accepted,
  type Answer,
  type Dialect,
  type EventRoute,
  firstKey,
  keyInHeader,
  keyInQuery,
  type ReadRoute,
  type Sent,
  type StoredAddress,
} from './dialect.ts';

type Parts = { readonly sql: Queries; readonly ids: Ids };
type Query = Omit<Sent, 'fields'>;

const key = firstKey(keyInHeader('geniekey'), keyInQuery('apiKey'));
const changing = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;

const heartbeats = [
  ...['/v2/heartbeats', '/v2/heartbeats/:name', '/v2/heartbeats/:name/:action'],
  ...['/v1/json/heartbeat', '/v1/json/heartbeat/*'],
];

export function opsgenie(parts: Parts): Dialect {
  const read = { takes: 'nothing', methods: ['GET'], key } as const;
  const sent = { takes: 'events', methods: ['POST'], key } as const;
  const events: readonly EventRoute[] = [
    { ...sent, url: '/v2/alerts', path: () => '/v2/alerts' },
    {
      // An alias may have slashes, and not every client encodes them.
      ...sent,
      url: '/v2/alerts/*',
      methods: changing,
      path: () => '/v2/alerts',
      stored: (event) => byAlias(parts, event),
    },
    ...['/v1/json/alert', '/v1/json/alert/:action'].map(
      (url): EventRoute => ({
        ...sent,
        url,
        keyNames: ['apiKey'],
        isParsed: true,
        methods: url.endsWith(':action') ? ['POST'] : ['POST', 'DELETE'],
        path: () => '/v2/alerts',
        stored: (event) => byFields(parts, event),
        accepted: acceptedByVersion1,
      }),
    ),
    {
      ...sent,
      url: '/v1/json/*',
      keyNames: ['apiKey'],
      path: ({ params }) => `/v1/json/${(params as Rest)['*']}`,
    },
  ];
  const reads: readonly ReadRoute[] = [
    { ...read, url: '/v2/alerts', answer: listsNothing },
    { ...read, url: '/v2/alerts/count', answer: (by) => countAnswer(parts, by) },
    { ...read, url: '/v2/alerts/requests/:id', answer: (by) => requestAnswer(parts, by) },
    { ...read, url: '/v2/alerts/*', answer: (by) => alertAnswer(parts, by) },
  ];
  return {
    kind: 'opsgenie',
    routes: [
      ...events,
      ...reads,
      ...heartbeats.map(
        (url) => ({ takes: 'heartbeats', methods: ['GET', ...changing], url, key }) as const,
      ),
    ],
    accepted: ({ reply, eventId }) => ({
      status: 202,
      body: { result: 'Request will be processed', ...requestOf(reply, uuidOf(eventId)) },
    }),
    refused({ code, message, status }, reply) {
      const base = requestOf(reply, uuidOf(parts.ids.next()));
      if (code === 'not_found')
        return { status: 401, body: { message: 'Key is not valid', ...base } };
      if (code === 'gone') return { status: 403, body: { message, ...base } };
      if (code === 'unreadable')
        return {
          status: 422,
          body: { message: 'Request body is not processable', errors: { body: message }, ...base },
        };
      return { status, body: { message, ...base } };
    },
  };
}

type Rest = { readonly '*': string };
type Identified = { readonly id: string; readonly action?: string | undefined };

function byAlias(parts: Parts, { request, integration }: Sent): Promise<StoredAddress> {
  const { id, action } = addressedBy(request);
  const type = typeOf(request);
  return addressOf(parts, integration, { id, type, action, unknownBy: type ?? 'alias' });
}

/** Where version 1 names an alert. Its id may be one of Opsgenie's own: the alias counts first. */
const identifiers = [
  ['alias', 'alias'],
  ['id', 'id'],
  ['alertId', 'id'],
  ['tinyId', 'tiny'],
] as const;

/** As version 2 has it in its address, so that both are read alike. */
async function byFields(
  parts: Parts,
  { request, integration, fields: sent }: Sent,
): Promise<StoredAddress> {
  const { action } = request.params as Partial<Identified>;
  if (isCreate(request)) return { path: '/v2/alerts' };
  const fields = { ...(request.query as JsonObject), ...sent };
  for (const [name, type] of identifiers) {
    const id = asText(fields[name])?.trim() ?? '';
    if (!isMissing(id))
      return addressOf(parts, integration, { id, type, action, unknownBy: 'alias' });
  }
  return { path: `/v1/json/alert/${action ?? 'delete'}` };
}

const isCreate = ({ method, params }: FastifyRequest): boolean =>
  method === 'POST' && (params as Partial<Identified>).action === undefined;

/** Of an alert of ours its alias does for its id. */
const acceptedByVersion1 = ({ request, reply, alerts: [alert] }: Accepted): Answer => ({
  status: 200,
  body: {
    ...(isCreate(request) && { message: 'alert created', alertId: alert?.dedup_key ?? '' }),
    status: 'successful',
    code: 200,
    took: Math.round(reply.elapsedTime),
  },
});

type Named = {
  readonly id: string;
  readonly type: string | undefined;
  readonly action: string | undefined;
  /** Of what is no id of ours; version 1 is answered an alias as the id of what it makes. */
  readonly unknownBy: string;
};

/** Its clients name an alert by our id or number, too: stored is the alias, which pairs events. */
async function addressOf(
  { sql }: Parts,
  integration: Sent['integration'],
  { id, type, action, unknownBy }: Named,
): Promise<StoredAddress> {
  const below = action === undefined ? '' : `/${encoded(action)}`;
  const to = (name: string, by: string) => ({
    path: `/v2/alerts/${encoded(keyOf(name))}${below}`,
    query: `identifierType=${by}`,
  });
  const by = identifierOf(type, id);
  if ('dedup_key' in by) return to(id, 'alias');
  const alert = await findSentAlert(sql, integration, by);
  if (alert !== null) return to(alert.dedup_key, 'alias');
  // Some clients take the id of the request that made an alert for the alert's.
  const [made] = 'id' in by ? ((await findSentEvent(sql, integration, by.id))?.alerts ?? []) : [];
  return made === undefined ? to(id, unknownBy) : to(made.dedup_key, 'alias');
}

/** Of what stands behind an alert in an address; of custom actions the name follows. */
const subjects =
  /^(?:close|acknowledge|unacknowledge|snooze|notes|tags|details|assign|responders|teams|escalate|actions|attachments|recipients|logs|description|message|priority|saved-searches)$/;

/** An alias with slashes ends where an action begins; what is encoded is no separator. */
function addressedBy({ url, method }: FastifyRequest): Identified {
  const [path = ''] = url.split('?', 1);
  const parts = path
    .slice(path.indexOf('/v2/alerts/') + '/v2/alerts/'.length)
    .replace(/\/$/, '')
    .split('/');
  const isNamed = parts.length > 2 && /^(?:actions|attachments)$/.test(parts.at(-2) ?? '');
  const at = parts.length - (isNamed ? 2 : 1);
  const action = parts[at] ?? '';
  const isOfAlert = at > 0 && subjects.test(action);
  const id = decoded((isOfAlert ? parts.slice(0, at) : parts).join('/'));
  if (isOfAlert) return { id, action };
  // POST names an action, whatever it is called.
  if (method === 'DELETE' || method === 'PATCH' || method === 'GET') return { id };
  return { id: decoded(parts.slice(0, -1).join('/')) || id, action: decoded(parts.at(-1) ?? '') };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** No more than a path needs, so that the longest alias fits into what is stored. */
const encoded = (name: string): string => name.replace(/[%/?#]/g, encodeURIComponent);

function typeOf({ query }: FastifyRequest): string | undefined {
  const { identifierType: type } = query as { readonly identifierType?: unknown };
  return typeof type === 'string' ? type : undefined;
}

/** What is no id of ours is taken as an alias: nothing else could be meant. */
function identifierOf(type: string | undefined, id: string) {
  if (type === 'tiny' && /^\d{1,9}$/.test(id)) return { number: Number(id) };
  const own = ownIdOf(id);
  if (type !== 'alias' && own !== null) return { id: own };
  return { dedup_key: keyOf(id) };
}

async function requestAnswer(
  { sql }: Parts,
  { request, reply, integration }: Query,
): Promise<Answer> {
  const { id } = request.params as Identified;
  const own = ownIdOf(id);
  const event = own === null ? null : await findSentEvent(sql, integration, own);
  if (event === null)
    throw new Refusal('unknown_route', {
      message: 'Request not found. It might not be processed yet.',
    });
  const [alert] = event.alerts;
  const alertId = alert?.incident_id ?? null;
  return ok(reply, id, {
    ...resultOf(event),
    action: wordsOf(alert).action,
    processedAt: event.decided_at.toString(),
    integrationId: uuidOf(integration.integrationId),
    alertId: alertId === null ? '' : uuidOf(alertId),
    alias: alert?.dedup_key ?? '',
  });
}

const words: Readonly<Record<string, { readonly action: string; readonly done: string }>> = {
  acknowledge: { action: 'Acknowledge', done: 'Acknowledged alert' },
  resolve: { action: 'Close', done: 'Closed alert' },
};

const wordsOf = (alert: SentEvent['alerts'][number] | undefined) =>
  words[alert?.action ?? ''] ?? { action: 'Create', done: 'Created alert' };

function resultOf({ outcome, reason, alerts: [alert] }: SentEvent) {
  const result = (isSuccess: boolean, status: string) => ({
    success: isSuccess,
    isSuccess,
    status,
  });
  if (alert === undefined) return result(outcome !== 'unreadable', reason ?? 'Ignored');
  if (alert.outcome !== 'ignored') return result(true, wordsOf(alert).done);
  // A client that polls ends at these words of the other service.
  if (alert.action !== 'trigger') return result(false, 'There is no open alert');
  return result(true, alert.reason ?? 'Ignored');
}

async function alertAnswer(
  { sql }: Parts,
  { request, reply, integration }: Query,
): Promise<Answer> {
  const { id, action } = addressedBy(request);
  if (action !== undefined) return listsNothing();
  const by = identifierOf(typeOf(request), id);
  const alert = (await findSentAlert(sql, integration, by)) ?? (await madeBy(sql, integration, by));
  if (alert === null) throw new Refusal('unknown_route', { message: 'Alert does not exist' });
  return ok(reply, alert.id, shownAlert(alert));
}

/** The alert that a request made, whose id some clients take for the alert's. */
async function madeBy(sql: Queries, integration: Query['integration'], by: { id?: string }) {
  const event = by.id === undefined ? null : await findSentEvent(sql, integration, by.id);
  const dedup_key = event?.alerts[0]?.dedup_key;
  return dedup_key === undefined ? null : findSentAlert(sql, integration, { dedup_key });
}

/** Of those that its tool sent, how many are open; what else it asks for is not looked at. */
async function countAnswer({ sql, ids }: Parts, { reply, integration }: Query): Promise<Answer> {
  return ok(reply, ids.next(), { count: await countOpenAlerts(sql, integration) });
}

/** Nothing that a tool did not send itself: its key is no key to what people write. */
const shownAlert = (alert: SentAlert) => ({
  id: uuidOf(alert.id),
  tinyId: String(alert.number),
  alias: alert.dedup_key,
  status: alert.status === 'resolved' ? 'closed' : 'open',
  acknowledged: alert.status === 'acknowledged',
  count: alert.suppressed_count + 1,
  createdAt: alert.created_at.toString(),
  updatedAt: alert.updated_at.toString(),
});

function listsNothing(): never {
  throw new Refusal('forbidden', { message: 'This key can send alerts but not list them.' });
}

const ok = (reply: FastifyReply, id: string, data: Extract<Answer['body'], object>): Answer => ({
  status: 200,
  body: { data, ...requestOf(reply, uuidOf(ownIdOf(id) ?? id)) },
});

/** A client may look for the request's id in the header alone. */
function requestOf(reply: FastifyReply, requestId: string) {
  reply.header('x-request-id', requestId);
  return { took: tookOf(reply), requestId };
}

/** In seconds. */
const tookOf = (reply: FastifyReply): number => Number((reply.elapsedTime / 1_000).toFixed(3));

/** An id of ours as the UUID that its clients expect. */
function uuidOf(id: string): string {
  return id.padEnd(32, '0').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** The id that such a UUID stands for; null: none of ours. */
function ownIdOf(uuid: string): string | null {
  const hex = uuid.toLowerCase().replaceAll('-', '');
  if (/^[0-9a-f]{24}$/.test(hex)) return hex;
  return /^[0-9a-f]{24}0{8}$/.test(hex) ? hex.slice(0, 24) : null;
}
