// What the pages that the server makes load: one style, the dashboard's font where it was built, and a
// script where passkeys are offered.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const style = `${read('tokens.css').replace('@theme {', ':root {')}${read('pages.css')}`;
const script = read('../sign-in/passkey.js');

const STYLE_PATH = '/pages/style.css';
const SCRIPT_PATH = '/pages/passkey.js';
export const FONT_PATH = '/pages/font.woff2';
/** Another one for each text; servers of two versions answer it with their own. */
const addressOf = (path: string, text: string) =>
  `${path}?v=${createHash('sha256').update(text).digest('base64url').slice(0, 10)}`;
export const styleAddress = addressOf(STYLE_PATH, style);
export const passkeyScript = addressOf(SCRIPT_PATH, script);

export function mountPageStyle(app: FastifyInstance): void {
  serve(app, STYLE_PATH, { type: 'text/css', address: styleAddress, text: style });
  serve(app, SCRIPT_PATH, { type: 'text/javascript', address: passkeyScript, text: script });
}

type Served = { readonly type: string; readonly address: string; readonly text: string };

function serve(app: FastifyInstance, path: string, { type, address, text }: Served): void {
  const lasting = 'public, max-age=31536000, immutable';
  app.get(path, async ({ url }, reply) =>
    reply
      .type(`${type}; charset=utf-8`)
      .header('cache-control', url === address ? lasting : 'no-cache')
      .send(text),
  );
}
