import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';

const guide = new URL('../../../docs/events-in.md', import.meta.url);

/** Where an integration type's `guide_url` leads: how tools are connected, as plain text. */
export function mountGuides(app: FastifyInstance): void {
  app.get('/docs/integrations/:slug', async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(await readFile(guide, 'utf8')),
  );
}
