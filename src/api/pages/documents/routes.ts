// The documents of the repository for people who use or operate Pager, as pages below /docs.
import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { beginningOf } from '../../../alerts/text.ts';
import { queryLimits } from '../../../limits/queries.ts';
import { htmlPage } from '../page.ts';
import { type Catalog, readCatalog, readSamples } from './catalog.ts';
import { documentListPage, documentPage, documentSearchPage } from './pages.ts';
import { documentsPath } from './paths.ts';
import { lowerOf, searchDocuments, wordsOf } from './search.ts';

export function mountDocuments(app: FastifyInstance): void {
  const catalog = cached(readCatalog);
  const samples = cached(readSamples);
  const searched = cached(async () => {
    const documents = (await catalog()).flatMap((group) => group.documents);
    for (const { sections } of documents) {
      sections().forEach(lowerOf);
      // The engine runs in this thread too.
      await setImmediate();
    }
    return documents;
  });
  const list = (reply: FastifyReply, all: Catalog, unknown?: string) =>
    htmlPage(reply, {
      title: 'Documentation',
      body: documentListPage(all, unknown),
      width: 'document',
    });

  for (const path of [documentsPath, `${documentsPath}/`])
    app.get(path, async ({ query }, reply) => {
      const { q = '' } = query as { readonly q?: unknown };
      const text = beginningOf(String(q).trim(), queryLimits.documentSearchText);
      if (text === '') return list(reply, await catalog());
      const body = documentSearchPage(text, searchDocuments(await searched(), wordsOf(text)));
      return htmlPage(reply, { title: 'Search documents', body, width: 'document' });
    });
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
