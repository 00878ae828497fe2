// `pagerctl sign-in-link`: a link for whoever lost their password, which stays as it is.
import { newSignInLink } from '../api/sign-in/passwords/password-links.ts';
import { readArguments } from '../arguments.ts';
import type { Config } from '../config.ts';
import { systemClock } from '../engine/clock.ts';
import { createIds } from '../engine/ids.ts';
import { systemRandom } from '../engine/random.ts';
import { accessLimits } from '../limits/access.ts';
import { personName } from '../resources/person-name.ts';
import type { Sql } from '../storage/database/database.ts';
import { databaseNow } from '../storage/database/server-clocks.ts';
import { audit } from '../storage/organizations/audit.ts';
import { auditedUser } from '../storage/people/audited.ts';
import { storePasswordLink } from '../storage/people/password-links.ts';
import { hasSecondFactor } from '../storage/people/second-factors.ts';
import type { Person } from '../storage/people/sign-ins.ts';
import type { Secrets } from '../storage/sealed/secrets.ts';
import { type CommandOutput, failureOf, openExisting } from './command.ts';
import { actOn, notifyOwners, OutcomeUnknown, personWith, secretsFor, write } from './on-behalf.ts';

const verb = 'sign-in-link';

export const usage = `pagerctl sign-in-link <e-mail>

Prints a link that signs in an active person. It works once, within ${accessLimits.signInLinkMinutes} minutes, and replaces an
earlier link. The password does not change. A person with a second factor still needs a code. To
remove the factor, run pagerctl reset-password --remove-second-factor.

The link is on standard output, everything else on standard error. The audit log records the
command, and the other owners get an e-mail.

Exit code 0: the link is printed; 1: no link was created, and the message says why.
`;

type Link = { readonly href: string; readonly expiresAt: Temporal.Instant };

/** Answers the exit code. */
export async function signInLinkCommand(
  args: readonly string[],
  config: Config,
  output: CommandOutput,
): Promise<0 | 1> {
  const { write: print, writeError } = output;
  const read = readArguments(args, { options: {}, positionalsMax: 1 });
  const email = typeof read === 'string' ? undefined : read.positionals[0];
  if (email === undefined) {
    writeError(typeof read === 'string' ? `${read}\n\n${usage}` : usage);
    return 1;
  }
  try {
    await using stack = new AsyncDisposableStack();
    const sql = await openExisting(config, stack, {
      maxConnections: 1,
      name: 'pager sign-in-link',
    });
    const person = await personWith(sql, email);
    const { href, expiresAt } = await create(sql, { config, person });
    print(`${href}\n`);
    writeError(await explanationOf(sql, person, expiresAt));
    const { organization_id: organizationId } = person;
    const act = { organizationId, what: 'A link that signs in once', verb, person };
    await notifyOwners(sql, config, { act: { ...act, now: systemClock.now() }, output });
    return 0;
  } catch (error) {
    writeError(
      error instanceof OutcomeUnknown
        ? `No link was created: ${error.message}. Run the command again.\n`
        : `No link was created: ${failureOf(error)}\n`,
    );
    return 1;
  }
}

type Creation = { readonly config: Config; readonly person: Person };

async function create(sql: Sql, { config, person }: Creation): Promise<Link> {
  const { digest }: Secrets = await secretsFor(sql, config);
  const now = await databaseNow(sql);
  const ids = createIds(systemClock);
  const { publicUrl } = config;
  const { id, organization_id: organizationId } = person;
  const link = newSignInLink({ publicUrl, digest, random: systemRandom }, now);
  const { href, expiresAt } = link;
  const stored = { organizationId, userId: id, purpose: 'sign_in', now } as const;
  await write(sql, async (tx) => {
    await storePasswordLink(tx, { ...stored, digest: link.digest, expiresAt });
    const act = actOn(organizationId, verb, now);
    await audit(tx, ids, { act, ...auditedUser, action: 'create_sign_in_link', id });
  });
  return { href, expiresAt };
}

async function explanationOf(
  sql: Sql,
  person: Person,
  expiresAt: Temporal.Instant,
): Promise<string> {
  const name = personName(person);
  const until = `${expiresAt.toString({ smallestUnit: 'minute' }).replace('T', ' ').replace('Z', '')} UTC`;
  const code = (await hasSecondFactor(sql, person.id))
    ? `${name} has a second factor, so the page asks for a code after the link.\n`
    : '';
  return `The link signs in ${name} once, until ${until}. Open it while Pager is running.\n${code}`;
}
