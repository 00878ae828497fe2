import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { htmlPage } from '../pages/page.ts';
import { referencePage } from './reference.ts';

const title = 'Pager API';

/** The API's contract for programs at /openapi.json and for people at /docs, all from here. */
export function mountDocs(app: FastifyInstance, document: object): void {
  const text = JSON.stringify(document);
  app.get('/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(text),
  );
  let body: string | undefined;
  const show = async (_request: FastifyRequest, reply: FastifyReply) => {
    body ??= referencePage(JSON.parse(text));
    return htmlPage(reply, { title, body: `<h1>${title}</h1>${body}`, width: 'document' });
  };
  for (const path of ['/docs', '/docs/']) app.get(path, show);
}
