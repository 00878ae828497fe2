// The mail of a notice to one address, with where replies and bounces go.
import type { Attempt, Delivery } from '../engine/sending/channel.ts';
import { isPage } from '../incidents/incident.ts';
import { emailOf, isRepliedTo } from '../notices/email.ts';
import type { Notice } from '../notices/notice.ts';
import { lineOf } from '../notices/words/wording.ts';
import { mailAddress } from '../replies/mail-handles.ts';
import type { Mail } from './mail-transport.ts';

/** The domains that Pager receives mail for. */
export type MailReturns = {
  /** Where replies are received; absent: nowhere. */
  readonly replyDomain?: string | null;
  /** Where bounces are received; absent: they go to the sender. */
  readonly bounceDomain?: string | null;
};

type Sender = MailReturns & { readonly from: string };

export type MailTo = {
  readonly notice: Notice;
  readonly address: string;
  readonly attempt: Attempt | undefined;
};

type Failed = Extract<Delivery, { readonly outcome: 'failed' }>;

/** Why no mail server is asked to take it; null: one is. */
export function reasonNotToSend({ address, attempt }: MailTo): Failed | null {
  const bounced = attempt?.earlier.find(({ receipt }) => receipt?.state === 'undelivered');
  if (bounced?.receipt)
    return { outcome: 'failed', blame: 'contact', reason: bounced.receipt.reason };
  // A list or a header in the place of an address would reach people nobody meant.
  if (!/^[^\s@<>(),;:"\\]+@[^\s@<>(),;:"\\]+$/.test(address))
    return { outcome: 'failed', blame: 'contact', reason: 'not an e-mail address' };
  return null;
}

export function mailOf({ notice, address, attempt }: MailTo, sender: Sender): Mail {
  const { from } = sender;
  const to = { name: lineOf(notice.recipient ?? ''), address };
  const { replyTo, ...envelope } = returnsOf(notice, sender, attempt);
  return { ...emailOf(notice, { from, domain: domainOf(from), replyTo }), to, ...envelope };
}

type Returns = { readonly replyTo?: string; readonly envelopeSender?: string };

/** Where replies and bounces go: to Pager, if it receives them. */
function returnsOf(
  notice: Notice,
  { replyDomain, bounceDomain }: MailReturns,
  attempt: Attempt | undefined,
): Returns {
  // Programs must not answer an answer.
  if (notice.about === 'answer') return { envelopeSender: '' };
  if (attempt === undefined || notice.about !== 'incident' || !isPage(notice)) return {};
  const { handle } = attempt;
  return {
    ...(replyDomain &&
      isRepliedTo(notice) && { replyTo: mailAddress('reply', handle, replyDomain) }),
    ...(bounceDomain && { envelopeSender: mailAddress('bounce', handle, bounceDomain) }),
  };
}

/** Of the sender, whose mails it names. */
export function domainOf(from: string): string {
  const domain = /@([a-z0-9.-]+)\s*>?\s*$/i.exec(from)?.[1];
  if (!domain) throw new TypeError(`"${from}" must end in an e-mail address`);
  return domain;
}
