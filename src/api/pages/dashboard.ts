// The pages of the dashboard, which are all one file, and what that file loads.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { records } from '../../resources/index.ts';
import { Refusal } from '../failures.ts';
import { signInPath } from '../sign-in/return-path.ts';
import type { Accounts } from '../sign-in/sessions/accounts.ts';
import { type Dashboard, type DashboardFile, encodedFor } from './dashboard-files.ts';
import { FONT_PATH } from './style.ts';

/** A page each; the others are still made on the server. */
const pages = [
  '/incidents',
  '/incidents/:number',
  ...records.flatMap(({ route }) => [`/${route}`, `/${route}/:id`]),
  '/me',
  '/pages',
  '/reports',
  '/link/:code',
  '/users',
  '/users/:id',
  '/components',
  '/teams',
  '/teams/:id',
  '/settings',
  '/settings/organization',
  '/settings/channels',
  '/settings/channels/:id',
  '/settings/api-keys',
  '/settings/audit-log',
  '/settings/quota',
  '/settings/archive',
];

const pageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    ...['script', 'style', 'img', 'font', 'connect', 'manifest', 'worker'].map(
      (what) => `${what}-src 'self'`,
    ),
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "require-trusted-types-for 'script'; trusted-types pager",
  ].join('; '),
  // Not `no-referrer`: with it, browsers send our own requests with the origin `null`.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-cache',
};
/** Of the name that the build gives it. */
const FONT = 'hanken-grotesk-latin-wght-';
const fontHeaders = { 'cache-control': 'public, max-age=86400' };
const assetHeaders = { 'cache-control': 'public, max-age=31536000, immutable' };

const WORKER_PATH = '/sw.js';
const workerHeaders = {
  'content-security-policy': "default-src 'none'; connect-src 'self'",
  'cache-control': 'no-cache',
};
/** For browsers that have the worker of a dashboard that is not there any more. */
const lastWorker = `addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(registration.unregister()));
`;

type DashboardParts = { readonly dashboard: Dashboard; readonly accounts: Accounts };

export function mountDashboard(app: FastifyInstance, { dashboard, accounts }: DashboardParts) {
  for (const path of pages)
    app.get(path, async (request, reply) => {
      const session = await accounts.session(request.headers.cookie, { refresh: false });
      if (session === null) return reply.redirect(signInPath(request.url), 303);
      return send(request, reply.headers(pageHeaders), dashboard.page);
    });
  app.get('/assets/:name', async (request, reply) => {
    const file = dashboard.assets.get((request.params as { name: string }).name);
    if (file === undefined) throw new Refusal('not_found');
    return send(request, reply.headers(assetHeaders), file);
  });
  const { worker } = dashboard;
  if (worker === null) mountLastWorker(app);
  else
    app.get(WORKER_PATH, (request, reply) => send(request, reply.headers(workerHeaders), worker));
  const [, font] = [...dashboard.assets].find(([name]) => name.startsWith(FONT)) ?? [];
  if (font !== undefined)
    app.get(FONT_PATH, (request, reply) => send(request, reply.headers(fontHeaders), font));
}

/** Where there is no dashboard. */
export function mountLastWorker(app: FastifyInstance): void {
  app.get(WORKER_PATH, (_request, reply) =>
    reply.headers(workerHeaders).type('text/javascript; charset=utf-8').send(lastWorker),
  );
}

/** For who is signed in, an address without a page keeps the frame. Null: they are not. */
export const lostPage =
  ({ dashboard, accounts }: DashboardParts) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | null> => {
    const session = await accounts.session(request.headers.cookie, { refresh: false });
    if (session === null) return null;
    return write(request, reply.code(404).headers(pageHeaders), dashboard.page);
  };

function send(request: FastifyRequest, reply: FastifyReply, file: DashboardFile): FastifyReply {
  reply.header('etag', file.etag);
  if (request.headers['if-none-match'] === file.etag)
    return reply.header('vary', 'accept-encoding').code(304).send();
  return write(request, reply, file);
}

function write(request: FastifyRequest, reply: FastifyReply, file: DashboardFile): FastifyReply {
  const { encoding, bytes } = encodedFor(file, String(request.headers['accept-encoding'] ?? ''));
  reply.header('vary', 'accept-encoding');
  if (encoding !== null) reply.header('content-encoding', encoding);
  return reply.type(file.type).send(bytes);
}
