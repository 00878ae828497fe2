// What the pages that the server makes load: one style, and the dashboard's font where it was built.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const style = `${read('tokens.css').replace('@theme {', ':root {')}${read('pages.css')}`;
const version = createHash('sha256').update(style).digest('base64url').slice(0, 10);

const STYLE_PATH = '/pages/style.css';
export const FONT_PATH = '/pages/font.woff2';
/** Another one for each style; servers of two versions answer it with their own. */
export const styleAddress = `${STYLE_PATH}?v=${version}`;

export function mountPageStyle(app: FastifyInstance): void {
  app.get(STYLE_PATH, async ({ url }, reply) =>
    reply
      .type('text/css; charset=utf-8')
      .header(
        'cache-control',
        url === styleAddress ? 'public, max-age=31536000, immutable' : 'no-cache',
      )
      .send(style),
  );
}
