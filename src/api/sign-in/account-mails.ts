// Mails about signing in. They are sent at once and not through the outbox: only the digest of a link
// is stored.
import type { Clock } from '../../engine/clock.ts';
import type { Log } from '../../engine/log.ts';
import type { Random } from '../../engine/random.ts';
import {
  isTaken,
  type NoticeChannel,
  type ReportedDelivery,
} from '../../engine/sending/channel.ts';
import { accessLimits } from '../../limits/access.ts';
import {
  type AccountNotice,
  accountNotice,
  type FactorChange,
} from '../../notices/kinds/account.ts';
import { personName } from '../../resources/person-name.ts';
import type { Sql } from '../../storage/database/database.ts';
import { invitationExpiry, storePasswordLink } from '../../storage/people/password-links.ts';
import {
  activePerson,
  hasPassword,
  idByEmail,
  membershipOf,
  type Person,
} from '../../storage/people/sign-ins.ts';
import { newPasswordLink } from './passwords/password-links.ts';

type Recipient = Omit<Person, 'role'>;

type Digest = (text: string) => Uint8Array;

type AccountMailsParts = {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly digest: Digest;
  readonly random: Random;
  readonly publicUrl: string;
  readonly email: NoticeChannel;
  /** Whether a mail server sends the mails of an organization; without one, of any. */
  readonly isMailSet: (organizationId?: string) => Promise<boolean>;
};

/** Of a passkey or key its name; of what was removed, what it was. */
type FactorDetails =
  | { readonly passkey: string }
  | { readonly api_key: string; readonly made_with?: string }
  | { readonly removed: readonly string[]; readonly removed_by: string };

type EmailChange = { readonly to: string; readonly by: string };

export type AccountMails = {
  /** Whether anybody gets them. */
  areSent(): Promise<boolean>;
  /**
   * Whether there is room. What follows is done beside the request, whose answer thus tells nothing:
   * if somebody active has the address and may set a password, they get a link.
   */
  sendReset(email: string): boolean;
  sendChanged(person: Recipient): void;
  /** To whom an admin gave a password. */
  sendSet(person: Recipient, by: string): void;
  /** To the address of before. */
  sendEmailChanged(person: Recipient, change: EmailChange): void;
  /** To whoever it is about. */
  sendFactorChanged(userId: string, kind: FactorChange, details?: FactorDetails): void;
  /** When all that was begun is done; for a server that stops. */
  idle(): Promise<void>;
};

export function createAccountMails(parts: AccountMailsParts): AccountMails {
  const { log, isMailSet } = parts;
  const sending = new Set<Promise<void>>();

  function begin(work: () => Promise<ReportedDelivery | null>): void {
    const sent = work()
      .then((delivery) => {
        if (delivery !== null && !isTaken(delivery))
          log.warn({ reason: delivery.reason }, 'an e-mail about an account could not be sent');
      })
      .catch((error) =>
        log.error({ err: error }, 'an e-mail about an account could not be composed'),
      )
      .finally(() => sending.delete(sent));
    sending.add(sent);
  }

  const notify = (change: ChangeOfAccount) => begin(() => sendOf(parts, change));

  return {
    areSent: () => isMailSet(),
    sendReset(email) {
      if (sending.size >= accessLimits.resetsAtOnce) return false;
      begin(() => sendReset(parts, email));
      return true;
    },
    sendFactorChanged: (userId, kind, details) =>
      begin(() => sendFactorChanged(parts, { userId, kind, details })),
    sendChanged: (person) => notify({ person, kind: 'password_changed' }),
    sendSet: (person, by) => notify({ person, kind: 'password_set', about: { changed_by: by } }),
    sendEmailChanged(person, { to, by }) {
      const about = { new_email: to, changed_by: by };
      const why = 'you signed in with this address until now';
      notify({ person, kind: 'email_changed', about, why });
    },
    async idle() {
      await Promise.all(sending);
    },
  };
}

/**
 * A mail takes the place of a password that was set before, or of the mail of an invitation. Anybody
 * who could add a person with an address of their own would else have an account. Decision 0071.
 */
async function mayReset(sql: Sql, person: Person, now: Temporal.Instant): Promise<boolean> {
  if (await hasPassword(sql, person.id)) return true;
  const of = { organizationId: person.organization_id, userId: person.id };
  const expiry = await invitationExpiry(sql, of);
  return expiry !== null && Temporal.Instant.compare(now, expiry) < 0;
}

async function sendReset(
  parts: AccountMailsParts,
  email: string,
): Promise<ReportedDelivery | null> {
  const { sql, clock } = parts;
  const now = clock.now();
  const id = await idByEmail(sql, email);
  const person = id === null ? null : await activePerson(sql, id);
  if (person === null || !(await mayReset(sql, person, now))) return null;
  const { organization_id: organizationId } = person;
  if (!(await parts.isMailSet(organizationId))) return null;
  const { href, digest, expiresAt } = newPasswordLink(parts, 'reset', now);
  await storePasswordLink(sql, {
    organizationId,
    userId: person.id,
    purpose: 'reset',
    digest,
    now,
    expiresAt,
  });
  return mailTo(parts, person, {
    kind: 'password_reset',
    account: { user_id: person.id, href, expires_at: expiresAt },
    why: 'a new password was requested for this address',
  });
}

type ChangeOfAccount = {
  readonly person: Recipient;
  readonly kind: 'password_changed' | 'password_set' | 'email_changed';
  readonly about?: Pick<AccountNotice['account'], 'new_email' | 'changed_by'>;
  readonly why?: string;
};

async function sendOf(
  parts: AccountMailsParts,
  { person, kind, about, why = 'you sign in with this address' }: ChangeOfAccount,
) {
  const account = {
    user_id: person.id,
    href: `${parts.publicUrl}/sign-in`,
    ...about,
    changed_at: parts.clock.now(),
  };
  return mailTo(parts, person, { kind, account, why });
}

type ChangedFactor = {
  readonly userId: string;
  readonly kind: FactorChange;
  readonly details: FactorDetails | undefined;
};

async function sendFactorChanged(
  parts: AccountMailsParts,
  { userId, kind, details }: ChangedFactor,
): Promise<ReportedDelivery | null> {
  const person = await activePerson(parts.sql, userId);
  if (person === null) return null;
  const account = {
    user_id: userId,
    href: `${parts.publicUrl}/me`,
    ...details,
    changed_at: parts.clock.now(),
  };
  const why = 'you sign in with this address';
  return mailTo(parts, person, { kind, account, why });
}

/** Null: the mails of the organization are sent by nothing. */
async function mailTo(
  { sql, clock, email, isMailSet }: AccountMailsParts,
  person: Recipient,
  mail: Pick<AccountNotice, 'kind' | 'account' | 'why'>,
): Promise<ReportedDelivery | null> {
  if (!(await isMailSet(person.organization_id))) return null;
  const { organization, timezone } = await membershipOf(sql, person.id);
  const { id, name } = organization;
  const notice = accountNotice({
    ...mail,
    organization: { id, name },
    recipient: personName(person),
    timezone: timezone ?? organization.timezone,
    now: clock.now(),
  });
  return email.send(notice, person.email);
}
