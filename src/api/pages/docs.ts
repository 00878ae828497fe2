import { createHash } from 'node:crypto';
import scalar from '@scalar/fastify-api-reference';
import type { FastifyInstance } from 'fastify';

const DOCS = '/docs';

/** The API's contract for programs at /openapi.json and for people at /docs, all from here. */
export async function mountDocs(app: FastifyInstance, document: object): Promise<void> {
  const text = JSON.stringify(document);
  app.get('/openapi.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(text),
  );
  await app.register((docs, _options, done) => {
    docs.addHook('onSend', async (_request, reply, payload) => {
      if (String(reply.getHeader('content-type')).startsWith('text/html'))
        reply.header('content-security-policy', policyFor(String(payload)));
      return payload;
    });
    void docs.register(scalar, {
      routePrefix: DOCS,
      configuration: {
        url: '/openapi.json',
        pageTitle: 'Pager API',
        withDefaultFonts: false,
        telemetry: false,
        hideClientButton: true,
        showDeveloperTools: 'never',
        agent: { disabled: true },
        mcp: { disabled: true },
        // Its own address alone: the page must work, and be silent, without a way out.
        proxyUrl: '',
      },
    });
    done();
  });
}

/** Lets the scripts of this very page run, and no others. */
function policyFor(page: string): string {
  const hashes = [...page.matchAll(/<script[^>]*>([^<]+)<\/script>/g)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
