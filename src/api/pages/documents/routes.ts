// The documents of the repository for people who use or operate Pager, as pages below /docs.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { htmlPage } from '../page.ts';
import { type Catalog, readCatalog, readSamples } from './catalog.ts';
import { documentListPage, documentPage } from './pages.ts';
import { documentsPath } from './paths.ts';

export function mountDocuments(app: FastifyInstance): void {
  const catalog = cached(readCatalog);
  const samples = cached(readSamples);
  const list = (reply: FastifyReply, all: Catalog, unknown?: string) =>
    htmlPage(reply, {
      title: 'Documentation',
      body: documentListPage(all, unknown),
      width: 'document',
    });

  for (const path of [documentsPath, `${documentsPath}/`])
    app.get(path, async (_request, reply) => list(reply, await catalog()));
  app.get(`${documentsPath}/*`, async ({ url }, reply) => {
    const all = await catalog();
    const path = url.replace(/\?.*/, '');
    const document = all.flatMap(({ documents }) => documents).find((one) => one.path === path);
    if (document === undefined) {
      const sample = (await samples()).get(path);
      return sample === undefined
        ? list(reply.code(404), all, path)
        : sendSample(reply, path, sample);
    }
    const body = documentPage(document.rendered());
    return htmlPage(reply, { title: document.title, body, width: 'document' });
  });
}

/** Read when somebody first asks. A failure is not kept. */
function cached<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let reading: Promise<Value> | undefined;
  return () => {
    reading ??= read().catch((error: unknown) => {
      reading = undefined;
      throw error;
    });
    return reading;
  };
}

function sendSample(reply: FastifyReply, path: string, text: string) {
  const type = path.endsWith('.json') ? 'application/json' : 'text/plain';
  return reply
    .type(`${type}; charset=utf-8`)
    .header('x-content-type-options', 'nosniff')
    .send(text);
}
