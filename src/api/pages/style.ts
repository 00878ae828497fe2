// What the pages that the server makes load: one style, the dashboard's font where it was built, and a
// script where passkeys or a time zone are offered.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const style = `${read('tokens.css').replace('@theme {', ':root {')}${read('pages.css')}`;
const passkey = read('../sign-in/passkeys/passkey.js');
const timeZone = read('../sign-in/time-zone.js');

const STYLE_PATH = '/pages/style.css';
const PASSKEY_PATH = '/pages/passkey.js';
const TIME_ZONE_PATH = '/pages/time-zone.js';
export const FONT_PATH = '/pages/font.woff2';
/** Another one for each text; servers of two versions answer it with their own. */
const addressOf = (path: string, text: string) =>
  `${path}?v=${createHash('sha256').update(text).digest('base64url').slice(0, 10)}`;
export const styleAddress = addressOf(STYLE_PATH, style);
export const passkeyScript = addressOf(PASSKEY_PATH, passkey);
export const timeZoneScript = addressOf(TIME_ZONE_PATH, timeZone);

export function mountPageStyle(app: FastifyInstance): void {
  serve(app, STYLE_PATH, { type: 'text/css', address: styleAddress, text: style });
  const type = 'text/javascript';
  serve(app, PASSKEY_PATH, { type, address: passkeyScript, text: passkey });
  serve(app, TIME_ZONE_PATH, { type, address: timeZoneScript, text: timeZone });
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
