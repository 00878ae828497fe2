// Between the password and the code: a signed cookie says who has given the right password. It opens
// nothing by itself, and ends with the password: a new one makes its proof wrong.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../../engine/clock.ts';
import { accessLimits } from '../../../limits/access.ts';
import type { Sql } from '../../../storage/database/database.ts';
import { passwordHashOf } from '../../../storage/people/second-factors.ts';
import { isId } from '../../people/writing.ts';

const COOKIE = 'pager.sign_in_step';

export type SignInSteps = {
  begin(reply: FastifyReply, userId: string): Promise<void>;
  /** Null: nobody, or not any more. */
  userIn(request: FastifyRequest): Promise<string | null>;
  end(reply: FastifyReply): void;
};

type Options = {
  readonly sql: Sql;
  readonly publicUrl: string;
  readonly secret: string;
  readonly clock: Clock;
};

export function createSignInSteps({ sql, publicUrl, secret, clock }: Options): SignInSteps {
  const secure = new URL(publicUrl).protocol === 'https:';
  const scope = { path: '/', httpOnly: true, secure, sameSite: 'lax' } as const;
  async function proofOf(userId: string, until: string): Promise<string> {
    const text = `sign-in step ${userId}.${until} ${await passwordHashOf(sql, userId)}`;
    return createHmac('sha256', secret).update(text).digest('base64url');
  }
  return {
    async begin(reply, userId) {
      const maxAge = accessLimits.signInStepMinutes * 60;
      const until = String(clock.now().epochMilliseconds + maxAge * 1_000);
      const proof = await proofOf(userId, until);
      reply.setCookie(COOKIE, `${userId}.${until}.${proof}`, { ...scope, maxAge });
    },
    async userIn({ cookies }) {
      const [userId, until = '', sentProof = ''] = (cookies[COOKIE] ?? '').split('.');
      if (!isId(userId)) return null;
      const expected = Buffer.from(await proofOf(userId, until));
      const sent = Buffer.from(sentProof);
      if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return null;
      return Number(until) > clock.now().epochMilliseconds ? userId : null;
    },
    end: (reply) => void reply.clearCookie(COOKIE, scope),
  };
}
