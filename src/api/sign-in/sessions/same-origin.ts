// Against requests that another site makes with a person's cookie. Each of these must hold for
// whatever changes something: the browser says that our own page asks (Sec-Fetch-Site, or Origin
// where it is not sent), and the request carries the token that only our pages can read, as the
// header x-csrf-token or the form field csrf_token.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from '../../failures.ts';

export const CSRF_HEADER = 'x-csrf-token';

export type SameOrigin = {
  /** Of a session; the same as long as the session lasts. */
  token(sessionToken: string): string;
  /** Throws the refusal `csrf`. */
  checkOrigin(headers: IncomingHttpHeaders): void;
  checkToken(sessionToken: string, sentToken: unknown): void;
};

export function createSameOrigin(publicUrl: string, secret: string): SameOrigin {
  const { origin } = new URL(publicUrl);
  const token = (sessionToken: string) =>
    createHmac('sha256', secret).update(`csrf ${sessionToken}`).digest('base64url');
  return {
    token,
    checkOrigin(headers) {
      const site = headers['sec-fetch-site'];
      if (site === undefined ? headers.origin === origin : site === 'same-origin') return;
      throw new Refusal('csrf', { message: elsewhere(origin, headers.origin) });
    },
    checkToken(sessionToken, sentToken) {
      const expected = Buffer.from(token(sessionToken));
      const sent = Buffer.from(typeof sentToken === 'string' ? sentToken : '');
      if (sent.length === expected.length && timingSafeEqual(sent, expected)) return;
      const message = `Send the csrf_token from GET /auth/session in the ${CSRF_HEADER} header.`;
      throw new Refusal('csrf', { message });
    },
  };
}

/** Whether a request with this method may change anything. */
export const changes = (method: string): boolean => !['GET', 'HEAD', 'OPTIONS'].includes(method);

/** Most often this is no attack: Pager is opened under another host name than PAGER_PUBLIC_URL. */
function elsewhere(origin: string, sent: string | undefined): string {
  const from = URL.parse(sent ?? '')?.origin;
  const message = `The request did not come from a page of ${origin}.`;
  if (from === undefined || from === 'null' || from === origin) return message;
  return `${message} If you open Pager at ${from}, set PAGER_PUBLIC_URL to that address. Otherwise, open Pager at ${origin}.`;
}
