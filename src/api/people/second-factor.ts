// A second factor for signing in: an app's codes, and recovery codes for whoever lost the app.
import Type from 'typebox';
import { systemRandom } from '../../engine/random.ts';
import { accessLimits } from '../../limits/access.ts';
import { count, instant, word } from '../../resources/declaration/answer.ts';
import { flag, objectOf, optional, text } from '../../resources/declaration/field.ts';
import { type Transaction, transact } from '../../storage/database/database.ts';
import { type AuditedAction, audit } from '../../storage/organizations/audit.ts';
import { auditedUser } from '../../storage/people/audited.ts';
import { sealedOrganization } from '../../storage/people/organization.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  countRecoveryCodes,
  findSecondFactor,
  hasSecondFactor,
  lockSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
} from '../../storage/people/second-factors.ts';
import { endOtherSessions } from '../../storage/people/sessions.ts';
import { findUser } from '../../storage/people/users.ts';
import { timeText } from '../../storage/records/rows.ts';
import { type Call, ok, type Route } from '../route.ts';
import { qrPath } from '../sign-in/second-factor/qr-code.ts';
import {
  newRecoveryCodes,
  recoveryDigest,
  secretContext,
  tryCode,
} from '../sign-in/second-factor/second-factor.ts';
import { base32, TOTP_SECRET_BYTES, totpAddress } from '../sign-in/second-factor/totp.ts';
import { codeRefusal, type OwnerProof } from './owner-proof.ts';
import { ownIn } from './sessions.ts';
import { qrOutput } from './shapes.ts';
import { actOf, conflict, orNotFound, type PeopleParts, readBody, route } from './writing.ts';

const tag = 'users';
const stateShape = objectOf(
  {
    enabled: flag({ doc: 'Whether sign-in requires a code in addition to the password.' }),
    confirmed_at: optional(
      instant('When the second factor was turned on. Absent while it is off.'),
    ),
    recovery_codes_left: count('The number of unused recovery codes.'),
  },
  'The second factor of the signed-in person.',
);
const password = text({
  doc: 'The person’s password.',
  max: accessLimits.passwordMax,
});
const passwordInput = objectOf({ password });
const ownerInput = objectOf({
  password,
  code: text({ doc: 'A code from the app, or a recovery code.', max: 100 }),
});
const codeInput = objectOf({ code: text({ doc: 'The code that the app shows.', max: 100 }) });
const begunShape = objectOf({
  secret: word('The secret, for apps that cannot read the QR code.'),
  address: word('The otpauth address in the QR code.'),
  qr: qrOutput,
});
const codesShape = objectOf({
  recovery_codes: Type.Array(word('A code that can be used once instead of the app.'), {
    description: 'They are returned only once.',
  }),
});

type Parts = PeopleParts & { readonly proof: OwnerProof };

export function secondFactorRoutes(parts: Parts): Route[] {
  const own = { tag, keysRefused: 'session_only' } as const;
  const state = { status: 200, schema: stateShape };
  return [
    route('GET /users/me/second-factor', 'viewer', {
      ...own,
      doc: 'Returns whether the signed-in person has a second factor.',
      answers: state,
      handle: async (call) => ok(await stateOf(parts, call)),
    }),
    route('POST /users/me/second-factor', 'viewer', {
      ...own,
      doc: 'Begins adding a second factor and returns a secret for an app. The factor is on once a code from the app confirms it.',
      body: passwordInput,
      answers: { status: 200, schema: begunShape },
      handle: (call) => begin(parts, call),
    }),
    route('POST /users/me/second-factor/confirm', 'viewer', {
      ...own,
      doc: 'Confirms the second factor with a code from the app and ends the person’s other sessions. Sign-in then requires a code. Returns the recovery codes.',
      body: codeInput,
      answers: { status: 200, schema: codesShape },
      handle: (call) => confirm(parts, call),
    }),
    route('POST /users/me/second-factor/recovery-codes', 'viewer', {
      ...own,
      doc: 'Creates new recovery codes. The old codes stop working.',
      body: ownerInput,
      answers: { status: 200, schema: codesShape },
      handle: (call) => renew(parts, call),
    }),
    route('POST /users/me/second-factor/disable', 'viewer', {
      ...own,
      doc: 'Removes the second factor. Sign-in then needs only the password.',
      body: ownerInput,
      answers: state,
      handle: (call) => disable(parts, call),
    }),
  ];
}

async function stateOf({ sql }: PeopleParts, { caller: { id } }: Call) {
  const factor = await findSecondFactor(sql, id);
  const confirmedAt = factor?.confirmed_at ?? null;
  return {
    enabled: confirmedAt !== null,
    ...(confirmedAt && { confirmed_at: timeText(confirmedAt) }),
    recovery_codes_left: await countRecoveryCodes(sql, id),
  };
}

async function checkOwner({ sql, proof }: Parts, call: Call): Promise<void> {
  const { password: typed, code } = readBody(ownerInput, call.body);
  await proof.checkPassword(call, typed);
  if (!(await hasSecondFactor(sql, call.caller.id))) throw isOff();
  await proof.checkCode(call, code);
}

const isOn = () => conflict('second_factor', 'is already on: remove it first');
const isOff = () => conflict('second_factor', 'is off');

async function begin(parts: Parts, call: Call) {
  const { sql, secrets, random = systemRandom } = parts;
  const { organizationId, id: userId } = call.caller;
  if (await hasSecondFactor(sql, userId)) throw isOn();
  await parts.proof.checkPassword(call, readBody(passwordInput, call.body)['password']);
  const secret = Buffer.from(random.bytes(TOTP_SECRET_BYTES));
  const of = { organizationId, userId };
  const sealed = secrets.seal(secret.toString('base64'), secretContext(of));
  const { name } = await sealedOrganization(sql, organizationId);
  const { email } = orNotFound(await findUser(sql, organizationId, userId));
  const address = totpAddress(secret, { issuer: `Pager ${name}`, account: email });
  const begun = { secret: base32(secret), address, qr: qrPath(address) };
  if (!(await beginSecondFactor(sql, { ...of, sealed, now: call.now }))) throw isOn();
  return ok(begun);
}

async function confirm(parts: Parts, call: Call) {
  const { code } = readBody(codeInput, call.body);
  const { userId, sessionId } = ownIn(call);
  const done = await transact(parts.sql, async (tx) => {
    const factor = await lockSecondFactor(tx, userId);
    if (factor === null) return 'off';
    if (factor.confirmed_at !== null) return 'on';
    const result = await tryCode(tx, parts, { factor, code: String(code), now: call.now });
    if (result !== 'right') return result;
    await confirmSecondFactor(tx, userId, call.now);
    const ending = { act: actOf(call), ids: parts.ids, userId, exceptId: sessionId };
    await endOtherSessions(tx, ending);
    return { codes: await storeCodes(tx, parts, call) };
  });
  if (done === 'off') throw isOff();
  if (done === 'on') throw isOn();
  if (typeof done === 'string' || 'wait' in done) throw codeRefusal(done);
  parts.mails.sendFactorChanged(userId, 'second_factor_added');
  return ok({ recovery_codes: done.codes });
}

async function storeCodes(
  tx: Transaction,
  { ids, secrets, random = systemRandom }: Parts,
  call: Call,
  action: AuditedAction = 'enable_second_factor',
) {
  const { organizationId, id: userId } = call.caller;
  const codes = newRecoveryCodes(random);
  const digests = codes.map((code) => recoveryDigest(secrets, userId, code));
  await replaceRecoveryCodes(tx, { organizationId, userId }, digests);
  await audit(tx, ids, { act: actOf(call), ...auditedUser, action, id: userId });
  return codes;
}

async function renew(parts: Parts, call: Call) {
  await checkOwner(parts, call);
  const codes = await transact(parts.sql, async (tx) => {
    const factor = await lockSecondFactor(tx, call.caller.id);
    if (!factor?.confirmed_at) return null;
    return storeCodes(tx, parts, call, 'renew_recovery_codes');
  });
  if (codes === null) throw isOff();
  parts.mails.sendFactorChanged(call.caller.id, 'recovery_codes_renewed');
  return ok({ recovery_codes: codes });
}

async function disable(parts: Parts, call: Call) {
  await checkOwner(parts, call);
  const { id } = call.caller;
  const isRemoved = await transact(parts.sql, async (tx) => {
    if (!(await removeSecondFactor(tx, id))) return false;
    const action = 'disable_second_factor';
    await audit(tx, parts.ids, { act: actOf(call), ...auditedUser, action, id });
    return true;
  });
  if (isRemoved) parts.mails.sendFactorChanged(id, 'second_factor_removed');
  return ok(await stateOf(parts, call));
}
