// Who acts at a vendor: by their contact where a chat is theirs alone, else by the account that they
// have linked there.
import { systemRandom } from '../engine/random.ts';
import { type Unentitled, whyRefused } from '../incidents/refused-attempt.ts';
import { accessLimits } from '../limits/access.ts';
import { english, type Phrases } from '../notices/words/en.ts';
import { phrasesOf } from '../notices/words/of-notice.ts';
import { maskedAddress } from '../resources/masked-address.ts';
import { nameOrEmail } from '../resources/person-name.ts';
import { incidentRole, mayAct, type Role } from '../resources/roles.ts';
import {
  linkByEmail,
  type NamedVendorUser,
  personOfAccount,
  storeChatLinkCode,
} from '../storage/people/chat-accounts.ts';
import { type ContactPerson, peopleByContact } from '../storage/people/contacts.ts';
import type { Chat, InboundParts } from './chat.ts';
import { addressDigest, chatLinkDigest } from './digests.ts';
import type { Reply, VendorAccount } from './inbound.ts';

/** The person who may act there; why there is none, and where they can change that. */
export type Known =
  | { readonly person: ContactPerson }
  | {
      readonly stranger: NonNullable<Reply>;
      /** Whom an incident may name; absent: their vendor could not say who they are. */
      readonly who?: Unentitled;
    }
  | { readonly refused: string; readonly who?: Unentitled };

// In rooms, in English.
const howToLink = `Sign in to Pager to link your account. This works once, within ${accessLimits.linkCodeMinutes} minutes:`;
const unknownAccount = `Your account is not linked to Pager. ${howToLink}`;
const unsaidAccount = (vendorName: string) =>
  `${vendorName} could not identify you. Try again. Or: ${howToLink}`;

/** Somebody with that role at least: to read takes less than to act. */
export async function knownPerson(
  parts: InboundParts,
  chat: Chat,
  needed: Role = incidentRole,
): Promise<Known> {
  if (chat.account === undefined) return personOfChat(parts, chat, needed);
  const account = accountOf(chat, chat.account);
  const person =
    (await personOfAccount(parts.sql, account)) ?? (await personOfEmail(parts, account));
  if (person === null || person === 'unsaid') {
    const text = person === null ? unknownAccount : unsaidAccount(account.vendorName);
    const stranger = { text, link: await linkTo(parts, account) };
    return { stranger, ...(person === null && { who: strangerIn(parts, chat) }) };
  }
  if ('active' in person && person.active === false)
    return {
      refused: phrasesOf(chat).answer.inactive,
      who: unentitled(person, whyRefused(null)),
    };
  return allowed(person, { needed, phrases: phrasesOf(chat) });
}

async function personOfChat(parts: InboundParts, chat: Chat, needed: Role): Promise<Known> {
  const phrases = phrasesOf(chat);
  const [person, other] = await peopleByContact(parts.sql, chat);
  if (person === undefined)
    return { stranger: { text: phrases.answer.unlinkedChat }, who: strangerIn(parts, chat) };
  if (other !== undefined) return { refused: phrases.answer.shared };
  return allowed(person, { needed, phrases });
}

type Needed = { readonly needed?: Role; readonly phrases?: Phrases };

export function allowed(
  person: ContactPerson,
  { needed = incidentRole, phrases = english }: Needed = {},
): Exclude<Known, { readonly stranger: unknown }> {
  // The reader has held the role to those there are.
  if (!mayAct({ role: person.role as Role }, needed))
    return {
      refused: phrases.answer.role(phrases.role[person.role as Role]),
      who: unentitled(person, whyRefused(person.role)),
    };
  return { person };
}

export const unentitled = (person: ContactPerson, why: string): Unentitled => ({
  person: { id: person.id, name: nameOrEmail(person) },
  why,
});

type Account = NamedVendorUser & VendorAccount;

export const accountOf = ({ organizationId, address }: Chat, account: VendorAccount): Account => ({
  organizationId,
  vendorUserId: address,
  ...account,
});

async function personOfEmail(
  { sql, ids, clock }: InboundParts,
  account: Account,
): Promise<ContactPerson | null | 'unsaid'> {
  const { email } = await account.confirmedEmail();
  if (email === undefined) return 'unsaid';
  return email === null ? null : linkByEmail(sql, { ...account, email, ids, now: clock.now() });
}

const LASTS = { minutes: accessLimits.linkCodeMinutes };
const CODE_BYTES = 24;

/** To a page where somebody shows who they are. */
export async function linkTo(
  parts: InboundParts,
  account: Account,
): Promise<NonNullable<NonNullable<Reply>['link']>> {
  const { sql, secrets, clock, publicUrl, random = systemRandom } = parts;
  // Chats read no markup in hexadecimal digits.
  const code = Buffer.from(random.bytes(CODE_BYTES)).toString('hex');
  const digest = chatLinkDigest(secrets, code);
  await storeChatLinkCode(sql, { ...account, digest, expiresAt: clock.now().add(LASTS) });
  return { href: `${publicUrl}/link/${code}`, text: 'Link my account', isPersonal: true };
}

const accountLength = 16;

/** As their vendor names them; of a number, as much as tells it to those who know it. */
export function strangerIn(
  { secrets }: Pick<InboundParts, 'secrets'>,
  { channel, address, account, senderName }: Chat,
): Unentitled {
  const digest = addressDigest(secrets, `${channel} ${address}`);
  const ownName = account?.vendorUserName ?? senderName;
  return {
    account: digest.toString('hex').slice(0, accountLength),
    name: ownName || maskedAddress(address),
  };
}
