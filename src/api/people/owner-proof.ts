// Before something changes by which a person signs in, they prove that they are that person: a
// session that was left open, or stolen, is not enough.
import { accessLimits } from '../../limits/access.ts';
import { optional, text } from '../../resources/declaration/field.ts';
import { hasSecondFactor, passwordHashOf } from '../../storage/people/second-factors.ts';
import { activePerson } from '../../storage/people/sign-ins.ts';
import { invalid, Refusal } from '../failures.ts';
import type { Call } from '../route.ts';
import { createLimiter } from '../sign-in/limiter.ts';
import { isPassword } from '../sign-in/passwords.ts';
import { type CodeResult, checkCode } from '../sign-in/second-factor.ts';
import { orNotFound, type PeopleParts } from './writing.ts';

/** Of a body, what shows it. */
export const proofFields = {
  password: text({
    doc: 'The password of whoever sends this, to know that it is they.',
    max: accessLimits.passwordMax,
  }),
  code: optional(
    text({ doc: 'Where they have a second factor: a code, or a recovery code.', max: 100 }),
  ),
};

export type OwnerProof = {
  checkPassword(call: Call, password: unknown): Promise<void>;
  /** Whoever has a session and the password has not shown yet that they have the factor. */
  checkCode(call: Call, code: unknown): Promise<void>;
  /** All that a sign-in by password takes: the code where it needs one. */
  check(call: Call, shown: { readonly password?: unknown; readonly code?: unknown }): Promise<void>;
};

export function createOwnerProof(parts: PeopleParts): OwnerProof {
  const { sql, clock } = parts;
  const tries = createLimiter({
    ...{ clock, tries: accessLimits.passwordChanges, seconds: accessLimits.signInWindow },
  });
  const proof: OwnerProof = {
    async checkPassword({ caller: { id } }, password) {
      const wait = tries.take(id);
      if (wait > 0) throw new Refusal('rate_limited', { retryAfterSeconds: wait });
      const hash = await passwordHashOf(sql, id);
      if (hash === null || !(await isPassword(hash, String(password))))
        throw invalid([{ path: 'password', message: 'is wrong' }]);
    },
    async checkCode({ caller: { id }, requestId, now }, code) {
      const person = orNotFound(await activePerson(sql, id));
      const result = await checkCode(parts, person, { code: String(code), now, requestId });
      if (result !== 'right') throw codeRefusal(result);
    },
    async check(call, { password, code }) {
      await proof.checkPassword(call, password);
      if (!(await hasSecondFactor(sql, call.caller.id))) return;
      if (code === undefined)
        throw invalid([{ path: 'code', message: 'is required: you have a second factor' }]);
      await proof.checkCode(call, code);
    },
  };
  return proof;
}

export const codeRefusal = (result: CodeResult | 'recovery') =>
  typeof result === 'string'
    ? invalid([{ path: 'code', message: 'is wrong, or was used already' }])
    : new Refusal('rate_limited', { retryAfterSeconds: result.wait });
