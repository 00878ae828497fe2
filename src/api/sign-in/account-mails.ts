// Mails about signing in. They are sent at once and not through the outbox: only the digest of a link
// is stored.
import type { Clock } from '../../engine/clock.ts';
import type { Log } from '../../engine/log.ts';
import type { Channel, Delivery } from '../../engine/sending/channel.ts';
import { accessLimits } from '../../limits/access.ts';
import type { AccountNotice, FactorChange } from '../../notices/notice.ts';
import { personName } from '../../resources/person-name.ts';
import type { Sql } from '../../storage/database.ts';
import { storePasswordLink } from '../../storage/people/password-links.ts';
import {
  activePerson,
  idByEmail,
  membershipOf,
  type Person,
} from '../../storage/people/sign-ins.ts';
import type { Random } from '../random.ts';
import { newPasswordLink } from './password-links.ts';

type AccountMail = Pick<AccountNotice, 'kind' | 'account' | 'why' | 'timezone'> & {
  readonly organization: { readonly id: string; readonly name: string };
  readonly recipient: string;
  readonly now: Temporal.Instant;
};

export const accountNotice = ({ now, ...mail }: AccountMail): AccountNotice => ({
  about: 'account',
  key: `account/${mail.account.user_id}/${mail.kind}/${now.epochMilliseconds}`,
  ...mail,
});

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

/** Of a passkey its name; of what an admin has removed, what it was. */
type FactorDetails =
  | { readonly passkey: string }
  | { readonly removed: readonly string[]; readonly removed_by: string };

export type AccountMails = {
  readonly areSent: boolean;
  /**
   * Whether there is room. What follows is done beside the request, whose answer thus tells nothing:
   * if somebody active has the address, they get a link.
   */
  sendReset(email: string): boolean;
  sendChanged(person: Recipient): void;
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
          log.warn({ reason: delivery.reason }, 'a mail about an account could not be sent');
      })
      .catch((error) => log.error({ err: error }, 'a mail about an account could not be made'))
      .finally(() => sending.delete(sent));
    sending.add(sent);
  }

  return {
    areSent: channel !== null,
    sendReset(email) {
      if (sending.size >= accessLimits.resetsAtOnce) return false;
      begin(async () => channel && sendReset(parts, channel, email));
      return true;
    },
    sendFactorChanged: (userId, kind, details) =>
      begin(async () => channel && sendFactorChanged(parts, channel, { userId, kind, details })),
    sendChanged: (person) => begin(async () => channel && sendChanged(parts, channel, person)),
    async idle() {
      await Promise.all(sending);
    },
  };
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
  if (person === null) return null;
  const { organization_id: organizationId } = person;
  const { href, digest, expiresAt } = newPasswordLink(parts, 'reset', now);
  await storePasswordLink(sql, {
    ...{ organizationId, userId: person.id, purpose: 'reset', digest, now, expiresAt },
  });
  const notice = await noticeTo(parts, person, {
    kind: 'password_reset',
    account: { user_id: person.id, href, expires_at: expiresAt },
    why: 'a new password was requested for this address',
  });
  return channel.send(notice, person.email);
}

async function sendChanged(parts: AccountMailsParts, channel: Channel, person: Recipient) {
  const account = {
    user_id: person.id,
    href: `${parts.publicUrl}/sign-in`,
    changed_at: parts.clock.now(),
  };
  const why = 'you sign in with this address';
  const notice = await noticeTo(parts, person, { kind: 'password_changed', account, why });
  return channel.send(notice, person.email);
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
