// What the verbs share that give access on the server's own machine: whom they concern, their entry in
// the audit log, and the mail to owners.
import { suggested } from '../arguments.ts';
import type { Config } from '../config.ts';
import { isTaken, type NoticeChannel } from '../engine/sending/channel.ts';
import { type AccountNotice, accountNotice } from '../notices/kinds/account.ts';
import { mailChannel } from '../resources/channels.ts';
import { nearest } from '../resources/nearest.ts';
import { personName } from '../resources/person-name.ts';
import { keyIn } from '../secret-key.ts';
import { builtInChannels } from '../server/channels.ts';
import {
  DatabaseUnavailable,
  type Queries,
  type Sql,
  type Transaction,
  transact,
} from '../storage/database/database.ts';
import type { Act } from '../storage/organizations/audit.ts';
import { activeEmails, activeOwners } from '../storage/people/reach.ts';
import { activePerson, idByEmail, membershipOf, type Person } from '../storage/people/sign-ins.ts';
import { fingerprintOf, readInstallation } from '../storage/sealed/installation.ts';
import type { Secrets } from '../storage/sealed/secrets.ts';
import { type CommandOutput, failureOf, sendingWorld } from './command.ts';
import { organizationChannels } from './organization-channels.ts';

const listedPeople = 10;

/** The active person with this address. */
export async function personWith(sql: Queries, email: string): Promise<Person> {
  const id = await idByEmail(sql, email);
  const person = id === null ? null : await activePerson(sql, id);
  if (person !== null) return person;
  const known = await activeEmails(sql);
  const near = nearestAddress(email.toLowerCase(), known);
  const some = known.slice(0, listedPeople).join(', ');
  const more = known.length > listedPeople ? ` and ${known.length - listedPeople} more` : '';
  const rest = near === null ? ` Active people: ${some}${more}.` : suggested(near);
  throw new Error(`no active person has the address ${email}.${rest}`);
}

/** Most addresses of an organization end alike, so what is before the @ must be alike, too. */
function nearestAddress(email: string, known: readonly string[]): string | null {
  const nameIn = (address: string) => address.split('@')[0] ?? '';
  return nearest(
    email,
    known.filter((one) => nearest(nameIn(email), [nameIn(one)]) !== null),
  );
}

/** Of an act that the audit log shows as done by this verb. */
export const actOn = (organizationId: string, verb: string, now: Temporal.Instant): Act => ({
  organizationId,
  teamIds: null,
  actor: { kind: 'server', id: organizationId, name: `pagerctl ${verb}` },
  requestId: null,
  now,
});

export async function secretsFor(sql: Sql, { secretKey, dataDir }: Config): Promise<Secrets> {
  const key = secretKey ?? (await keyIn(dataDir, await fingerprintOf(sql)));
  return readInstallation(sql, key ?? '');
}

/** The answer to the commit was lost: it may have happened. */
export class OutcomeUnknown extends Error {}

export async function write<T>(sql: Sql, work: (tx: Transaction) => Promise<T>): Promise<T> {
  let isWritten = false;
  try {
    return await transact(sql, async (tx) => {
      isWritten = false;
      const result = await work(tx);
      isWritten = true;
      return result;
    });
  } catch (error) {
    if (isWritten && error instanceof DatabaseUnavailable && error.isOutcomeUnknown)
      throw new OutcomeUnknown(error.message);
    throw error;
  }
}

type OperatorAct = {
  readonly organizationId: string;
  /** As a mail shows it: `An API key with the role owner`. */
  readonly what: string;
  readonly verb: string;
  /** Whom it lets in, if it is one person: they are not notified of it themselves. */
  readonly person?: Person;
  readonly now: Temporal.Instant;
};

type Notification = { readonly act: OperatorAct; readonly output: CommandOutput };

/** What was done is done: owners who cannot be notified are reported, and fail nothing. */
export async function notifyOwners(
  sql: Sql,
  config: Config,
  notification: Notification,
): Promise<void> {
  try {
    await sendToOwners(sql, config, notification);
  } catch (error) {
    notification.output.writeError(
      `The owners were not notified: ${failureOf(error)}. The audit log has an entry.\n`,
    );
  }
}

async function sendToOwners(
  sql: Sql,
  config: Config,
  { act, output }: Notification,
): Promise<void> {
  const { organizationId, person } = act;
  const owners = (await activeOwners(sql, organizationId)).filter(
    (owner) => owner.id !== person?.id,
  );
  if (owners.length === 0) return;
  await using stack = new AsyncDisposableStack();
  const email = await mailerFor(sql, { config, organizationId, stack });
  if (email === null) {
    output.writeError(
      'PAGER_SMTP_URL is not set in this terminal, and the organization has no mail server connection, so the owners were not notified. The audit log has an entry.\n',
    );
    return;
  }
  for (const owner of owners) {
    const notice = noticeOf(act, {
      owner,
      membership: await membershipOf(sql, owner.id),
      publicUrl: config.publicUrl,
    });
    const delivery = await email.send(notice, owner.email);
    if (isTaken(delivery)) continue;
    output.writeError(`The e-mail to the owner ${owner.email} failed: ${delivery.reason}\n`);
  }
}

type Mailing = {
  readonly config: Config;
  readonly organizationId: string;
  readonly stack: AsyncDisposableStack;
};

/** As the server would send mails of the organization; null: they would only be written to a folder. */
async function mailerFor(
  sql: Sql,
  { config, organizationId, stack }: Mailing,
): Promise<NoticeChannel | null> {
  if (config.mail.smtpUrl !== null) return builtInChannels(sendingWorld(config), stack).email;
  const wanted = { config, organizationId, channels: [mailChannel], stack };
  return (await organizationChannels(sql, wanted)).get(mailChannel) ?? null;
}

type OwnerContext = {
  readonly owner: Person;
  readonly membership: Awaited<ReturnType<typeof membershipOf>>;
  readonly publicUrl: string;
};

/** What an owner is sent about it. */
export function noticeOf(
  { what, verb, person, now }: OperatorAct,
  { owner, membership: { organization, timezone }, publicUrl }: OwnerContext,
): AccountNotice {
  return accountNotice({
    kind: 'let_in_by_operator',
    organization: { id: organization.id, name: organization.name },
    timezone: timezone ?? organization.timezone,
    recipient: personName(owner),
    account: {
      user_id: owner.id,
      href: person ? `${publicUrl}/users/${person.id}` : `${publicUrl}/`,
      done: what,
      command: `pagerctl ${verb}`,
      ...(person && { concerns: `${personName(person)} (${person.email})` }),
      changed_at: now,
    },
    why: 'you are an owner of this organization',
    now,
  });
}
