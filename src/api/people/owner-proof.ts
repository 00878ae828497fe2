// Before something changes by which a person signs in, they prove that they are that person: a
// session that was left open, or stolen, is not enough.
import { accessLimits } from '../../limits/access.ts';
import { optional, text } from '../../resources/declaration/field.ts';
import { hasSecondFactor, passwordHashOf } from '../../storage/people/second-factors.ts';
import { activePerson } from '../../storage/people/sign-ins.ts';
import { invalid, Refusal } from '../failures.ts';
import { createLimiter } from '../http/limiter.ts';
import type { Call } from '../route.ts';
import { isPassword } from '../sign-in/passwords/passwords.ts';
import { type CodeResult, checkCode } from '../sign-in/second-factor/second-factor.ts';
import { orNotFound, type PeopleParts } from './writing.ts';

/** Of a body, what shows it. */
export const proofFields = {
  password: text({
    doc: 'Your current password.',
    max: accessLimits.passwordMax,
  }),
  code: optional(
    text({ doc: 'If you have a second factor: a code or a recovery code.', max: 100 }),
  ),
};

/** The same in a body where `password` is the new one, or where no proof may be needed. */
export const currentPasswordFields = {
  current_password: optional(
    text({
      doc: 'Your current password. Required to change your own password or e-mail address.',
      max: accessLimits.passwordMax,
    }),
  ),
  code: proofFields.code,
};

type CurrentPassword = { readonly current_password?: unknown; readonly code?: unknown };

export type OwnerProof = {
  checkPassword(call: Call, password: unknown, path?: string): Promise<void>;
  /** Whoever has a session and the password has not shown yet that they have the factor. */
  checkCode(call: Call, code: unknown): Promise<void>;
  /** All that a sign-in by password takes: the code where it needs one. */
  check(call: Call, shown: { readonly password?: unknown; readonly code?: unknown }): Promise<void>;
  /** The same, of a body with `current_password`. */
  checkCurrent(call: Call, shown: CurrentPassword): Promise<void>;
};

type Shown = { readonly password: unknown; readonly code: unknown; readonly path: string };

const noPassword =
  'cannot be checked because you have no password yet: ask an admin for an invitation, or the server operator to run pagerctl reset-password';

export function createOwnerProof(parts: PeopleParts): OwnerProof {
  const { sql, clock } = parts;
  const tries = createLimiter({
    clock,
    tries: accessLimits.passwordChanges,
    seconds: accessLimits.signInWindow,
  });
  const proof: OwnerProof = {
    async checkPassword({ caller: { id } }, password, path = 'password') {
      const wait = tries.take(id);
      if (wait > 0) throw new Refusal('rate_limited', { retryAfterSeconds: wait });
      const hash = await passwordHashOf(sql, id);
      // Of whoever signed in by a link from `pagerctl sign-in-link`.
      if (hash === null) throw invalid([{ path, message: noPassword }]);
      if (!(await isPassword(hash, String(password))))
        throw invalid([{ path, message: 'is wrong' }]);
    },
    async checkCode({ caller: { id }, requestId, now }, code) {
      const person = orNotFound(await activePerson(sql, id));
      const result = await checkCode(parts, person, { code: String(code), now, requestId });
      if (result !== 'right') throw codeRefusal(result);
    },
    check: (call, { password, code }) => check(call, { password, code, path: 'password' }),
    async checkCurrent(call, { current_password: password, code }) {
      if (password === undefined) throw needsProof();
      await check(call, { password, code, path: 'current_password' });
    },
  };
  async function check(call: Call, { password, code, path }: Shown) {
    await proof.checkPassword(call, password, path);
    if (!(await hasSecondFactor(sql, call.caller.id))) return;
    if (code === undefined)
      throw invalid([{ path: 'code', message: 'is required because you have a second factor' }]);
    await proof.checkCode(call, code);
  }
  return proof;
}

export const needsProof = () =>
  invalid([
    { path: 'current_password', message: 'is required because this changes how you sign in' },
  ]);

export const codeRefusal = (result: CodeResult | 'recovery') =>
  typeof result === 'string'
    ? invalid([{ path: 'code', message: 'is wrong or was already used' }])
    : new Refusal('rate_limited', { retryAfterSeconds: result.wait });
