// Mails about signing in. They are sent at once and not through the outbox: only the digest of a link
// is stored.
import type { Clock } from '../../engine/clock.ts';
import type { Log } from '../../engine/log.ts';
import type { Random } from '../../engine/random.ts';
import type { Channel, Delivery } from '../../engine/sending/channel.ts';
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
  /** Null: no mail server is set. */
  readonly email: Channel | null;
};

/** Of a passkey or key its name; of what was removed, what it was. */
type FactorDetails =
  | { readonly passkey: string }
  | { readonly api_key: string; readonly made_with?: string }
  | { readonly removed: readonly string[]; readonly removed_by: string };

type EmailChange = { readonly to: string; readonly by: string };

export type AccountMails = {
  readonly areSent: boolean;
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
  const { email: channel, log } = parts;
  const sending = new Set<Promise<void>>();

  function begin(work: () => Promise<Delivery | null>): void {
    const sent = work()
      .then((delivery) => {
        if (delivery !== null && delivery.outcome !== 'delivered')
          log.warn({ reason: delivery.reason }, 'an e-mail about an account could not be sent');
      })
      .catch((error) =>
        log.error({ err: error }, 'an e-mail about an account could not be composed'),
      )
      .finally(() => sending.delete(sent));
    sending.add(sent);
  }

  const notify = (change: ChangeOfAccount) =>
    begin(async () => channel && sendOf(parts, channel, change));

  return {
    areSent: channel !== null,
    sendReset(email) {
      if (sending.size >= accessLimits.resetsAtOnce) return false;
      begin(async () => channel && sendReset(parts, channel, email));
      return true;
    },
    sendFactorChanged: (userId, kind, details) =>
      begin(async () => channel && sendFactorChanged(parts, channel, { userId, kind, details })),
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
  channel: Channel,
  email: string,
): Promise<Delivery | null> {
  const { sql, clock } = parts;
  const now = clock.now();
  const id = await idByEmail(sql, email);
  const person = id === null ? null : await activePerson(sql, id);
  if (person === null || !(await mayReset(sql, person, now))) return null;
  const { organization_id: organizationId } = person;
  const { href, digest, expiresAt } = newPasswordLink(parts, 'reset', now);
  await storePasswordLink(sql, {
    organizationId,
    userId: person.id,
    purpose: 'reset',
    digest,
    now,
    expiresAt,
  });
  const notice = await noticeTo(parts, person, {
    kind: 'password_reset',
    account: { user_id: person.id, href, expires_at: expiresAt },
    why: 'a new password was requested for this address',
  });
  return channel.send(notice, person.email);
}

type ChangeOfAccount = {
  readonly person: Recipient;
  readonly kind: 'password_changed' | 'password_set' | 'email_changed';
  readonly about?: Pick<AccountNotice['account'], 'new_email' | 'changed_by'>;
  readonly why?: string;
};

async function sendOf(
  parts: AccountMailsParts,
  channel: Channel,
  { person, kind, about, why = 'you sign in with this address' }: ChangeOfAccount,
) {
  const account = {
    user_id: person.id,
    href: `${parts.publicUrl}/sign-in`,
    ...about,
    changed_at: parts.clock.now(),
  };
  return channel.send(await noticeTo(parts, person, { kind, account, why }), person.email);
}

type ChangedFactor = {
  readonly userId: string;
  readonly kind: FactorChange;
  readonly details: FactorDetails | undefined;
};

async function sendFactorChanged(
  parts: AccountMailsParts,
  channel: Channel,
  { userId, kind, details }: ChangedFactor,
): Promise<Delivery | null> {
  const person = await activePerson(parts.sql, userId);
  if (person === null) return null;
  const account = {
    user_id: userId,
    href: `${parts.publicUrl}/me`,
    ...details,
    changed_at: parts.clock.now(),
  };
  const why = 'you sign in with this address';
  return channel.send(await noticeTo(parts, person, { kind, account, why }), person.email);
}

async function noticeTo(
  { sql, clock }: AccountMailsParts,
  person: Recipient,
  mail: Pick<AccountNotice, 'kind' | 'account' | 'why'>,
): Promise<AccountNotice> {
  const { organization, timezone } = await membershipOf(sql, person.id);
  const { id, name } = organization;
  return accountNotice({
    ...mail,
    organization: { id, name },
    recipient: personName(person),
    timezone: timezone ?? organization.timezone,
    now: clock.now(),
  });
}
