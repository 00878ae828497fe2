// `pagerctl reset-password`: a new password for whoever can no longer sign in, also while servers run.
import { randomBytes } from 'node:crypto';
import { hashPassword } from '../api/sign-in/passwords/passwords.ts';
import { readArguments } from '../arguments.ts';
import type { Config } from '../config.ts';
import { systemClock } from '../engine/clock.ts';
import { createIds } from '../engine/ids.ts';
import { personName } from '../resources/person-name.ts';
import type { Sql } from '../storage/database/database.ts';
import { databaseNow } from '../storage/database/server-clocks.ts';
import { audit } from '../storage/organizations/audit.ts';
import { auditedUser } from '../storage/people/audited.ts';
import { removePasskeys } from '../storage/people/passkeys.ts';
import { removeSecondFactor } from '../storage/people/second-factors.ts';
import { newPassword, type Person, setPassword } from '../storage/people/sign-ins.ts';
import { type CommandOutput, failureOf, openExisting } from './command.ts';
import { actOn, notifyOwners, OutcomeUnknown, personWith, write } from './on-behalf.ts';

const verb = 'reset-password';

export const usage = `pagerctl reset-password [--remove-second-factor] [--remove-passkeys] <e-mail>

Gives an active person a new password, which is printed once, and ends their sessions. The audit log
records the command, and the other owners get an e-mail.

  --remove-second-factor  For a person who lost the app and the recovery codes. They then sign in
                          with the password only.
  --remove-passkeys       For a person who lost a device, or if someone else may have added a
                          passkey. Their passkeys no longer work.

Exit code 0: the password is set; 1: it is not, and the message says why.
`;

/** Answers the exit code. */
export async function resetPasswordCommand(
  args: readonly string[],
  config: Config,
  output: CommandOutput,
): Promise<0 | 1> {
  const { write: print, writeError } = output;
  const read = readArguments(args, {
    options: {
      'remove-second-factor': { type: 'boolean' },
      'remove-passkeys': { type: 'boolean' },
    },
    positionalsMax: 1,
  });
  const email = typeof read === 'string' ? undefined : read.positionals[0];
  if (email === undefined) {
    writeError(typeof read === 'string' ? `${read}\n\n${usage}` : usage);
    return 1;
  }
  try {
    const values = typeof read === 'string' ? {} : read.values;
    const removesFactor = values['remove-second-factor'] === true;
    const removesPasskeys = values['remove-passkeys'] === true;
    await using stack = new AsyncDisposableStack();
    const sql = await openExisting(config, stack, { maxConnections: 1 });
    const password = newPassword(randomBytes);
    const passwordHash = await hashPassword(password);
    const person = await give(sql, { email, removesFactor, removesPasskeys, passwordHash });
    print(`${email} signs in with the password ${password}\n`);
    const { organization_id: organizationId } = person;
    const act = { organizationId, what: 'A new password', verb, person };
    await notifyOwners(sql, config, { act: { ...act, now: systemClock.now() }, output });
    return 0;
  } catch (error) {
    writeError(
      error instanceof OutcomeUnknown
        ? `It is not known whether the password was changed: ${error.message}. Run the command again.\n`
        : `The password was not changed: ${failureOf(error)}\n`,
    );
    return 1;
  }
}

type Reset = {
  readonly email: string;
  readonly removesFactor: boolean;
  readonly removesPasskeys: boolean;
};

type NewPassword = Reset & { readonly passwordHash: string };

async function give(sql: Sql, { passwordHash, ...what }: NewPassword): Promise<Person> {
  const now = await databaseNow(sql);
  const ids = createIds(systemClock);
  return write(sql, async (tx) => {
    const person = await personWith(tx, what.email);
    const isRemoved = what.removesFactor && (await removeSecondFactor(tx, person.id));
    const passkeys = what.removesPasskeys ? await removePasskeys(tx, person.id) : 0;
    await setPassword(tx, {
      user: { id: person.id, name: personName(person) },
      passwordHash,
      ids,
      now,
    });
    const act = actOn(person.organization_id, verb, now);
    const about = { act, ...auditedUser, id: person.id };
    if (isRemoved) await audit(tx, ids, { ...about, action: 'disable_second_factor' });
    if (passkeys > 0) await audit(tx, ids, { ...about, action: 'remove_passkey' });
    await audit(tx, ids, { ...about, action: 'set_password' });
    return person;
  });
}
