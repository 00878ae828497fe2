// A browser that signed somebody in is known again by a cookie, on every server and after every
// restart. It lets nobody in: it only keeps its owner from waiting for what strangers tried.
import { createHmac, timingSafeEqual } from 'node:crypto';

const COOKIE = 'pager.known_browser';
const YEAR_SECONDS = 31_536_000;

export type KnownBrowsers = {
  /** As a `Set-Cookie` value, for a browser that just signed that person in. */
  cookieFor(email: string): string;
  /** Whether what a browser sends says that it signed that person in before. */
  isKnown(cookies: string | undefined, email: string): boolean;
};

export function createKnownBrowsers(publicUrl: string, secret: string): KnownBrowsers {
  const isSecure = new URL(publicUrl).protocol === 'https:';
  const proof = (email: string) =>
    createHmac('sha256', secret).update(`browser ${email.toLowerCase()}`).digest('base64url');
  return {
    cookieFor(email) {
      const scope = `Path=/auth; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Lax`;
      return `${COOKIE}=${proof(email)}; ${scope}${isSecure ? '; Secure' : ''}`;
    },
    isKnown(cookies = '', email) {
      const wanted = Buffer.from(proof(email));
      const prefix = `${COOKIE}=`;
      return cookies.split(/;\s*/).some((cookie) => {
        const sent = Buffer.from(cookie.startsWith(prefix) ? cookie.slice(prefix.length) : '');
        return sent.length === wanted.length && timingSafeEqual(sent, wanted);
      });
    },
  };
}
