// A vendor reports that nothing arrives at a contact any more. Sent to its person, and to admins while
// that person is on call or soon will be.
import { isDeviceChannel, traitsOf } from '../../resources/channels.ts';
import { contactStates, lossOf } from '../../resources/contact-states.ts';
import {
  choiceOf,
  instant,
  nullOr,
  objectOf,
  text,
} from '../../resources/declaration/stored-document.ts';
import type { AnyNotice, QueuedKind } from '../kind.ts';
import { timeOf } from '../words/times.ts';
import { factsOf, phraseOf, safeLink, type Words } from '../words/wording.ts';

type Person = { readonly id: string; readonly name: string };

export type LostContact = {
  readonly id: string;
  readonly channel: string;
  /** As its owner recognizes it; not the whole address. */
  readonly name: string;
  readonly state: (typeof contactStates)[number];
  readonly since: Temporal.Instant;
  /** Whose it is; null: the recipient's own. */
  readonly person: Person | null;
};
type Due = {
  readonly about: 'lost_contact';
  readonly kind: 'contact_lost';
  readonly lost: LostContact;
};
type Content = Due & {
  /** Where it can be fixed, or the page of its person. */
  readonly url: string;
};
type LostContactNotice = AnyNotice & Content;

export const lostContact: QueuedKind<Content, { readonly lost_contact: LostContact }, Due> = {
  about: 'lost_contact',
  stored: {
    lost_contact: objectOf<LostContact>({
      id: text,
      channel: text,
      name: text,
      state: choiceOf(contactStates),
      since: instant,
      person: nullOr(objectOf<Person>({ id: text, name: text })),
    }),
  },
  read: ({ notice: { lost_contact: lost } }) =>
    lost ? { about: 'lost_contact', kind: 'contact_lost', lost } : null,
  compose: ({ about, kind, lost }, { publicUrl }) => ({
    about,
    kind,
    lost,
    url: `${publicUrl}/${lost.person === null ? 'me' : `users/${lost.person.id}`}`,
  }),
  words: lostContactWords,
  threadOf: ({ lost }) => `contact-${lost.id}`,
  sample: sampleLostContactNotice,
};

const REMEDIES: Readonly<Record<LostContact['state'], (lost: LostContact) => string>> = {
  opted_out: () => 'Send START from that phone to use it again.',
  invalid: () => 'Correct the number in Pager, under Me, and verify it.',
  blocked: () =>
    'Unblock the bot in Telegram to use the chat again. If that does not help, link the chat again in Pager, under Me.',
  gone: ({ channel }) =>
    isDeviceChannel(channel)
      ? 'Turn notifications on again in that browser, under Me.'
      : 'Link a chat again in Pager, under Me.',
};

/** A contact in a sentence: SMS to …5678. */
export const contactText = ({ channel, name }: Pick<LostContact, 'channel' | 'name'>): string =>
  `${traitsOf(channel)?.words.to ?? channel} ${phraseOf(name)}`;

function lostContactWords(notice: LostContactNotice): Words {
  const { organization, lost, url, why, timezone } = notice;
  const { state, person } = lost;
  const name = contactText(lost);
  const ended = `Pages are no longer sent there: ${lossOf(state, lost.channel)}.`;
  const advice =
    person &&
    `${phraseOf(person.name)} is on call now or within 24 hours and was notified by e-mail. Until ` +
      'this is fixed, pages go to their other contacts, if they have any. Contact them, or have ' +
      'someone cover the shift.';
  return {
    tone: 'warning',
    lead: person
      ? 'A contact of someone on call no longer works'
      : 'One of your contacts no longer works',
    label: '',
    title: person ? `${phraseOf(person.name)}, ${name}` : name,
    facts: factsOf([{ name: 'Since', value: timeOf(lost.since, timezone) }]),
    details: `${ended} ${advice ?? REMEDIES[state](lost)}`,
    actions: safeLink(url, person ? 'Open person' : 'Open Me'),
    links: [],
    why: phraseOf(why),
    organization: phraseOf(organization.name),
    url: safeLink(url)[0]?.href,
  };
}

/** An SMS contact, as its person reads it. With another person: as admins read it. */
export function sampleLostContactNotice(change: Partial<LostContact> = {}): LostContactNotice {
  const own = change.person === undefined;
  return {
    about: 'lost_contact',
    kind: 'contact_lost',
    key: 'lost_contact/65f0000000000000000000f1/2026-11-21/email/65f0000000000000000000b1',
    organization: { id: '65f000000000000000000001', name: 'Acme & Sons' },
    recipient: own ? 'Ada Lovelace' : 'Grace Hopper',
    why: own ? 'it is one of your contacts' : 'you are an admin of their team',
    lost: {
      id: '65f0000000000000000000f1',
      channel: 'sms',
      name: '…5678',
      state: 'opted_out',
      since: Temporal.Instant.from('2026-11-21T08:00:00Z'),
      person: null,
      ...change,
    },
    url: own
      ? 'https://pager.example.com/me'
      : 'https://pager.example.com/users/65f0000000000000000000b1',
  };
}
