import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';

/** Documents of the repository by their paths: how tools are connected, how records become code. */
const guides = {
  '/docs/integrations/:slug': 'events-in.md',
  '/docs/terraform': 'terraform-export.md',
};

/** As plain text. */
export function mountGuides(app: FastifyInstance): void {
  for (const [path, name] of Object.entries(guides)) {
    const document = new URL(`../../../docs/${name}`, import.meta.url);
    app.get(path, async (_request, reply) =>
      reply.type('text/plain; charset=utf-8').send(await readFile(document, 'utf8')),
    );
  }
}
