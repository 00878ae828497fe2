// Between the password and the code: a signed cookie says who has given the right password. It opens
// nothing by itself.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../engine/clock.ts';
import { accessLimits } from '../../limits/access.ts';

const COOKIE = 'pager.sign_in_step';

export type SignInSteps = {
  begin(reply: FastifyReply, userId: string): void;
  /** Null: nobody, or not any more. */
  userIn(request: FastifyRequest): string | null;
  end(reply: FastifyReply): void;
};

type Options = { readonly publicUrl: string; readonly secret: string; readonly clock: Clock };

export function createSignInSteps({ publicUrl, secret, clock }: Options): SignInSteps {
  const secure = new URL(publicUrl).protocol === 'https:';
  const scope = { path: '/', httpOnly: true, secure, sameSite: 'lax' } as const;
  const proof = (text: string) =>
    createHmac('sha256', secret).update(`sign-in step ${text}`).digest('base64url');
  return {
    begin(reply, userId) {
      const maxAge = accessLimits.signInStepMinutes * 60;
      const text = `${userId}.${clock.now().epochMilliseconds + maxAge * 1_000}`;
      reply.setCookie(COOKIE, `${text}.${proof(text)}`, { ...scope, maxAge });
    },
    userIn({ cookies }) {
      const [userId = '', until = '', sentProof = ''] = (cookies[COOKIE] ?? '').split('.');
      const expected = Buffer.from(proof(`${userId}.${until}`));
      const sent = Buffer.from(sentProof);
      if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return null;
      return Number(until) > clock.now().epochMilliseconds ? userId : null;
    },
    end: (reply) => void reply.clearCookie(COOKIE, scope),
  };
}
