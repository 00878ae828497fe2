// What people sign in with besides the password, as admins see and remove it: for whoever lost a
// device, or may have shared one.
import { count } from '../../resources/declaration/answer.ts';
import { choice, flag, listOf, objectOf } from '../../resources/declaration/field.ts';
import { type Queries, transact } from '../../storage/database/database.ts';
import { audit } from '../../storage/organizations/audit.ts';
import { auditedUser } from '../../storage/people/audited.ts';
import { loseBrowsers } from '../../storage/people/lost-contacts.ts';
import { listPasskeys, removePasskeys } from '../../storage/people/passkeys.ts';
import { hasSecondFactor, removeSecondFactor } from '../../storage/people/second-factors.ts';
import { endOtherSessions } from '../../storage/people/sessions.ts';
import { hasPassword } from '../../storage/people/sign-ins.ts';
import { findUser, lockOrganization } from '../../storage/people/users.ts';
import { type Call, ok, type Route } from '../route.ts';
import { type OwnerProof, proofFields } from './owner-proof.ts';
import { ownIn } from './sessions.ts';
import {
  actOf,
  idIn,
  needsWholeOrganization,
  onlyOwnersTouchOwners,
  orNotFound,
  type PeopleParts,
  readBody,
  route,
} from './writing.ts';

const factors = ['second_factor', 'passkeys'] as const;
type Factor = (typeof factors)[number];

const factorsShape = objectOf(
  {
    password: flag({
      doc: 'Whether the person has set a password. Otherwise, they were invited or added but have not signed in.',
    }),
    second_factor: flag({ doc: 'Whether the person has a second factor.' }),
    passkeys: count('How many passkeys the person has.'),
  },
  'A person’s sign-in methods.',
);
const removeInput = objectOf({
  factors: listOf(choice(factors, { doc: 'A kind of sign-in method.' }), {
    doc: 'The sign-in methods to remove: the second factor, all passkeys, or both.',
    max: factors.length,
  }),
  ...proofFields,
});

type Parts = PeopleParts & { readonly proof: OwnerProof };

export function factorRoutes(parts: Parts): Route[] {
  const answers = { status: 200, schema: factorsShape };
  return [
    route('GET /users/:id/factors', 'admin', {
      tag: 'users',
      answers,
      doc: 'Returns whether a person has set a password, whether they have a second factor, and the number of passkeys.',
      async handle(call) {
        needsWholeOrganization(call);
        const person = await personOf(parts, call);
        return ok(await stateOf(parts.sql, person.id));
      },
    }),
    route('POST /users/:id/factors/remove', 'admin', {
      tag: 'users',
      keysRefused: 'session_only',
      body: removeInput,
      answers,
      doc: 'Removes a person’s second factor, all their passkeys, or both, and ends their sessions and browser push. The person gets an e-mail. The request needs the password of the admin who sends it. Only owners remove those of owners.',
      handle: (call) => remove(parts, call),
    }),
  ];
}

const personOf = async ({ sql }: Parts, call: Call) =>
  orNotFound(await findUser(sql, call.caller.organizationId, idIn(call)));

const stateOf = async (sql: Queries, userId: string) => ({
  password: await hasPassword(sql, userId),
  second_factor: await hasSecondFactor(sql, userId),
  passkeys: (await listPasskeys(sql, userId)).length,
});

async function remove(parts: Parts, call: Call) {
  const { sql, ids, mails, proof } = parts;
  const { factors: kinds, ...shown } = readBody(removeInput, call.body) as {
    factors: readonly Factor[];
  };
  const person = await personOf(parts, call);
  onlyOwnersTouchOwners(call, person);
  await proof.check(call, shown);
  const { sessionId } = ownIn(call);
  const about = { act: actOf(call), ...auditedUser, id: person.id };
  const removed = await transact(sql, async (tx) => {
    // Whoever adds one meanwhile waits, and then has no session.
    await lockOrganization(tx, call.caller.organizationId);
    const passkeys = kinds.includes('passkeys') ? await listPasskeys(tx, person.id) : [];
    if (passkeys.length > 0) await removePasskeys(tx, person.id);
    const isFactorGone =
      kinds.includes('second_factor') && (await removeSecondFactor(tx, person.id));
    const names = [
      ...(isFactorGone ? ['Second factor'] : []),
      ...passkeys.map(({ name }) => `Passkey ${name}`),
    ];
    if (names.length === 0) return names;
    const { act } = about;
    await endOtherSessions(tx, { act, ids, userId: person.id, exceptId: sessionId });
    // The device may be lost, and its notifications act without a session.
    const browsers = { ids, now: call.now, userId: person.id };
    await loseBrowsers(
      tx,
      browsers,
      'An admin removed your sign-in methods and ended your access.',
    );
    if (isFactorGone) await audit(tx, ids, { ...about, action: 'disable_second_factor' });
    for (const { id, name } of passkeys)
      await audit(tx, ids, {
        ...about,
        action: 'remove_passkey' as const,
        before: { passkey: { id, name } },
      });
    return names;
  });
  if (removed.length > 0)
    mails.sendFactorChanged(person.id, 'factors_removed', {
      removed,
      removed_by: call.caller.name,
    });
  return ok(await stateOf(sql, person.id));
}
