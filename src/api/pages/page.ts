import type { FastifyReply } from 'fastify';

const style =
  'body{font:17px/1.5 system-ui,sans-serif;max-width:44rem;margin:3rem auto;padding:0 1rem}' +
  'button{font:inherit;padding:.7rem 2rem;border:0;border-radius:.4rem;background:#1d4ed8;color:#fff}' +
  'pre{overflow:auto;padding:1rem;background:#f3f4f6}time{color:#6b7280}';

/** A small page without scripts; `body` is HTML, everything from outside in it `escaped`. */
export function htmlPage(reply: FastifyReply, content: { title: string; body: string }) {
  return reply
    .header('content-type', 'text/html; charset=utf-8')
    .header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
    )
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-store')
    .header('x-robots-tag', 'noindex')
    .send(`<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${content.title}</title>
<style>${style}</style></head><body><h1>${content.title}</h1>
${content.body}</body></html>`);
}
