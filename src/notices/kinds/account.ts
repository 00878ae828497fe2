// What somebody needs to sign in, or should know about their sign-in. It is sent at once: of a link,
// only the digest is stored.
import type { AnyNotice, NoticeKind } from '../kind.ts';
import { timeOf } from '../words/times.ts';
import { type Link, phraseOf, type Words } from '../words/wording.ts';

/** Of a person's ways to sign in, of their keys and of their contacts. */
export type FactorChange =
  | 'passkey_added'
  | 'passkey_removed'
  | 'second_factor_added'
  | 'second_factor_removed'
  | 'recovery_codes_renewed'
  | 'factors_removed'
  | 'api_key_created'
  | 'api_key_made_with_key'
  | 'contact_removed';

type Content = {
  readonly about: 'account';
  readonly kind:
    | 'invitation'
    | 'password_reset'
    | 'password_changed'
    | 'password_set'
    | 'email_changed'
    | 'let_in_by_operator'
    | FactorChange;
  readonly account: {
    readonly user_id: string;
    /** The page where they continue. */
    readonly href: string;
    readonly invited_by?: string;
    readonly expires_at?: Temporal.Instant;
    /** Its name. */
    readonly passkey?: string;
    /** Its name and how it begins. */
    readonly api_key?: string;
    /** The name of the key that made it. */
    readonly made_with?: string;
    /** What was removed, and the name of whoever removed it. */
    readonly removed?: readonly string[];
    readonly removed_by?: string;
    /** The address that replaces the recipient's. */
    readonly new_email?: string;
    /** Who set a password or changed an address. */
    readonly changed_by?: string;
    /** What was done on the server's own machine, by which command, and for whom. */
    readonly done?: string;
    readonly command?: string;
    readonly concerns?: string;
    readonly changed_at?: Temporal.Instant;
  };
};
export type AccountNotice = AnyNotice & Content;

type AccountMail = Omit<AccountNotice, 'about' | 'key'> & { readonly now: Temporal.Instant };

export const accountNotice = ({ now, ...mail }: AccountMail): AccountNotice => ({
  about: 'account',
  key: `account/${mail.account.user_id}/${mail.kind}/${now.epochMilliseconds}`,
  ...mail,
});

export const account: NoticeKind<Content> = {
  about: 'account',
  words: accountWords,
  threadOf: ({ account }) => `account-${account.user_id}`,
  sample: sampleAccountNotice,
};

type Wording = Pick<Words, 'tone' | 'lead' | 'details'> & { readonly button: string };

const ifNotYou =
  'If this was not you, change your password now, check your passkeys, and notify an admin of ' +
  'your organization.';
const changed = (lead: string, effect: string): Wording => ({
  tone: 'warning',
  lead,
  details: `${effect} ${ifNotYou}`,
  button: 'Open your settings',
});

const wording: Readonly<Record<AccountNotice['kind'], Wording>> = {
  invitation: {
    tone: 'news',
    lead: 'You are invited to Pager',
    details:
      'Pager notifies people when something needs them. Set a password to sign in. ' +
      'The link works once. If you do not know the sender, ignore this e-mail.',
    button: 'Set password',
  },
  password_reset: {
    tone: 'news',
    lead: 'Set a new password',
    details:
      'The link works once. If you did not request it, ignore this e-mail. ' +
      'Your password stays the same.',
    button: 'Set new password',
  },
  password_changed: {
    tone: 'warning',
    lead: 'Your password was changed',
    details:
      'All your other sessions have ended. If this was not you, request a new password on the ' +
      'sign-in page now and notify an admin of your organization.',
    button: 'Sign in',
  },
  password_set: {
    tone: 'warning',
    lead: 'An admin set your password',
    details:
      'Your sessions have ended, and your previous password no longer works. If you do not know ' +
      'why, notify another admin of your organization.',
    button: 'Sign in',
  },
  email_changed: {
    tone: 'warning',
    lead: 'Your e-mail address was changed',
    details:
      'You now sign in with the new address, and no more e-mail is sent to this one. If you do not ' +
      'know why, notify an admin of your organization now.',
    button: 'Sign in',
  },
  passkey_added: changed('A passkey was added', 'It can sign in as you without your password.'),
  passkey_removed: changed(
    'A passkey was removed',
    'It can no longer sign in as you, and your other sessions have ended.',
  ),
  second_factor_added: changed(
    'A second factor was added',
    'Signing in with your password now needs a code. Your other sessions have ended.',
  ),
  second_factor_removed: changed(
    'Your second factor was removed',
    'You now sign in with your password only.',
  ),
  recovery_codes_renewed: changed(
    'Your recovery codes were replaced',
    'The old codes no longer work.',
  ),
  api_key_created: {
    tone: 'warning',
    lead: 'An API key was created',
    details:
      'It was created in one of your sessions, belongs to you, and stays valid when you change your ' +
      'password. If this was not you, change your password now and have an admin revoke the key.',
    button: 'Open your settings',
  },
  api_key_made_with_key: {
    tone: 'warning',
    lead: 'An API key created another API key',
    details:
      'You get this e-mail because you are an owner. The new key ends when the key that created it ' +
      'is revoked. If you do not expect it, revoke the key that created it.',
    button: 'Open your settings',
  },
  let_in_by_operator: {
    tone: 'warning',
    lead: 'Access was created on the server',
    details:
      'Someone ran this command on the Pager server. If you did not expect it, contact the operator ' +
      'of the server. The audit log has an entry for it.',
    button: 'Open Pager',
  },
  contact_removed: {
    tone: 'warning',
    lead: 'One of your contacts was removed',
    details:
      'Pager no longer reaches you there. If you did not expect this, open your settings, add the ' +
      'contact again, and notify an admin of your organization.',
    button: 'Open your settings',
  },
  factors_removed: {
    tone: 'warning',
    lead: 'An admin changed how you sign in',
    details:
      'The removed methods no longer work, and your sessions have ended. Sign in with a method that ' +
      'you still have, then add another. If you do not know why, notify another admin of your ' +
      'organization.',
    button: 'Open your settings',
  },
};

/** No part that becomes a subject has the link: mail servers write subjects into logs. */
function accountWords({ kind, organization, account, why, timezone }: AccountNotice): Words {
  const name = phraseOf(organization.name);
  const { button, ...words } = wording[kind];
  const { invited_by, expires_at, passkey, api_key, removed, removed_by, changed_at } = account;
  const { made_with, done, command, concerns, new_email, changed_by } = account;
  const action: Link = { href: account.href, text: button };
  return {
    ...words,
    label: '',
    title: name,
    facts: [
      ...(invited_by === undefined ? [] : [{ name: 'Invited by', value: phraseOf(invited_by) }]),
      ...(expires_at === undefined
        ? []
        : [{ name: 'Valid until', value: timeOf(expires_at, timezone) }]),
      ...(passkey === undefined ? [] : [{ name: 'Passkey', value: phraseOf(passkey) }]),
      ...(api_key === undefined ? [] : [{ name: 'API key', value: phraseOf(api_key) }]),
      ...(made_with === undefined ? [] : [{ name: 'Created with', value: phraseOf(made_with) }]),
      ...(removed ?? []).map((value) => ({ name: 'Removed', value: phraseOf(value) })),
      ...(removed_by === undefined ? [] : [{ name: 'Removed by', value: phraseOf(removed_by) }]),
      ...(new_email === undefined ? [] : [{ name: 'New address', value: phraseOf(new_email) }]),
      ...(changed_by === undefined ? [] : [{ name: 'Changed by', value: phraseOf(changed_by) }]),
      ...(done === undefined ? [] : [{ name: 'Created', value: phraseOf(done) }]),
      ...(concerns === undefined ? [] : [{ name: 'For', value: phraseOf(concerns) }]),
      ...(command === undefined ? [] : [{ name: 'Command', value: phraseOf(command) }]),
      ...(changed_at === undefined
        ? []
        : [{ name: 'Changed at', value: timeOf(changed_at, timezone) }]),
    ],
    actions: [action],
    links: [],
    why: phraseOf(why),
    organization: name,
  };
}

/** An invitation. */
export function sampleAccountNotice(): AccountNotice {
  return {
    about: 'account',
    kind: 'invitation',
    key: 'account/65f0000000000000000000b1/1795240800000',
    organization: { id: '65f000000000000000000001', name: 'Acme & Sons' },
    recipient: 'Ada Lovelace',
    why: 'an admin added you to Pager',
    account: {
      user_id: '65f0000000000000000000b1',
      href: 'https://pager.example.com/set-password/0123abcd',
      invited_by: 'Grace Hopper',
      expires_at: Temporal.Instant.from('2026-11-28T08:00:00Z'),
    },
  };
}
