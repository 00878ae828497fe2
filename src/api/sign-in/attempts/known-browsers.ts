// A browser that signed somebody in is recognised by a cookie, on every server and after every
// restart. It signs nobody in: its owner is only not made to wait because strangers tried.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

const COOKIE = 'pager.known_browser';
const YEAR_SECONDS = 31_536_000;

export type KnownBrowsers = {
  /** For a browser that has just signed that person in. */
  remember(reply: FastifyReply, email: string): void;
  /** Whether the browser signed that person in before. */
  isKnown(request: FastifyRequest, email: string): boolean;
};

export function createKnownBrowsers(publicUrl: string, secret: string): KnownBrowsers {
  const secure = new URL(publicUrl).protocol === 'https:';
  const proof = (email: string) =>
    createHmac('sha256', secret).update(`browser ${email.toLowerCase()}`).digest('base64url');
  return {
    remember(reply, email) {
      const scope = { path: '/auth', maxAge: YEAR_SECONDS, httpOnly: true, secure } as const;
      reply.setCookie(COOKIE, proof(email), { ...scope, sameSite: 'lax' });
    },
    isKnown({ cookies }, email) {
      const expected = Buffer.from(proof(email));
      const sent = Buffer.from(cookies[COOKIE] ?? '');
      return sent.length === expected.length && timingSafeEqual(sent, expected);
    },
  };
}
