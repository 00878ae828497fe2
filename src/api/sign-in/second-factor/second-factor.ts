// Checking the codes of a second factor: of the app, or one of those for whoever lost it.
import type { Ids } from '../../../engine/ids.ts';
import type { Random } from '../../../engine/random.ts';
import { isDue } from '../../../incidents/incident.ts';
import { accessLimits } from '../../../limits/access.ts';
import { personName } from '../../../resources/person-name.ts';
import { type Sql, type Transaction, transact } from '../../../storage/database/database.ts';
import { audit } from '../../../storage/organizations/audit.ts';
import { auditedUser } from '../../../storage/people/audited.ts';
import {
  lockSecondFactor,
  noteTry,
  type SecondFactor,
  takeRecoveryCode,
} from '../../../storage/people/second-factors.ts';
import type { Person } from '../../../storage/people/sign-ins.ts';
import { rowContext } from '../../../storage/sealed/sealed-columns.ts';
import type { Secrets } from '../../../storage/sealed/secrets.ts';
import { acceptedInterval, base32 } from './totp.ts';

/** 50 bits, which the waits between tries leave nobody the time to guess. */
const RECOVERY_CODE_BYTES = 6;
const CODE = /^\d{6}$/;

export const secretContext = ({
  organizationId,
  userId,
}: {
  organizationId: string;
  userId: string;
}) => rowContext('second_factors.secret_encrypted', organizationId, userId);

/** Of one person; shown once. */
export const newRecoveryCodes = (random: Random): readonly string[] =>
  Array.from({ length: accessLimits.recoveryCodes }, () => {
    const text = base32(random.bytes(RECOVERY_CODE_BYTES)).toLowerCase();
    return `${text.slice(0, 5)}-${text.slice(5)}`;
  });

export const recoveryDigest = (secrets: Pick<Secrets, 'digest'>, userId: string, code: string) =>
  secrets.digest(`recovery code ${userId} ${code.toLowerCase().replace(/[^a-z2-7]/g, '')}`);

export type CodeParts = {
  readonly sql: Sql;
  readonly ids: Ids;
  readonly secrets: Pick<Secrets, 'open' | 'digest'>;
};
export type CodeTry = {
  readonly code: string;
  readonly now: Temporal.Instant;
  readonly requestId: string | null;
};
/** What a code was; `wait`: the seconds until the next try is looked at. */
export type CodeResult = 'right' | 'wrong' | { readonly wait: number };

/** By a person who has given their password. */
export function checkCode(parts: CodeParts, person: Person, tried: CodeTry): Promise<CodeResult> {
  return transact(parts.sql, async (tx) => {
    const factor = await lockSecondFactor(tx, person.id);
    if (factor === null || factor.confirmed_at === null) return 'wrong';
    const result = await tryCode(tx, parts, { factor, ...tried });
    if (result !== 'recovery') return result;
    const { id, organization_id: organizationId } = person;
    const { requestId, now } = tried;
    const actor = { kind: 'session', id, name: personName(person) };
    const act = { organizationId, teamIds: null, actor, requestId, now };
    await audit(tx, parts.ids, { act, ...auditedUser, action: 'use_recovery_code', id });
    return 'right';
  });
}

type Trying = Omit<CodeTry, 'requestId'> & { readonly factor: SecondFactor };

/** Each failure is noted before it is answered; the factor is locked. */
export async function tryCode(
  tx: Transaction,
  { secrets }: Pick<CodeParts, 'secrets'>,
  { factor, code, now }: Trying,
): Promise<CodeResult | 'recovery'> {
  const { organization_id: organizationId, user_id: userId, next_try_at } = factor;
  if (next_try_at !== null && !isDue(next_try_at, now))
    return { wait: Math.ceil(next_try_at.since(now).total('seconds')) };
  const typed = code.replace(/\s/g, '');
  const secret = Buffer.from(
    secrets.open(factor.secret_encrypted, secretContext({ organizationId, userId })),
    'base64',
  );
  const last = factor.last_interval;
  const interval = CODE.test(typed) ? acceptedInterval(typed, { secret, now, last }) : null;
  const isRecovery =
    interval === null &&
    factor.confirmed_at !== null &&
    (await takeRecoveryCode(tx, userId, recoveryDigest(secrets, userId, typed)));
  if (interval !== null || isRecovery) {
    await noteTry(tx, userId, { failures: 0, nextTryAt: null, interval: interval ?? last });
    return isRecovery ? 'recovery' : 'right';
  }
  const failures = factor.failures + 1;
  await noteTry(tx, userId, { failures, nextTryAt: waitAfter(failures, now), interval: last });
  return 'wrong';
}

/** None at first, then each twice as long as the one before. */
function waitAfter(failures: number, now: Temporal.Instant): Temporal.Instant | null {
  const more = failures - accessLimits.factorCodesFree;
  if (more < 0) return null;
  const wait = accessLimits.signInWaitFirst * 2 ** Math.min(30, more);
  const seconds = Math.min(accessLimits.signInWait, wait);
  return now.add({ seconds });
}
