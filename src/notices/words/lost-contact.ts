import { isDeviceChannel, traitsOf } from '../../resources/channels.ts';
import { lossOf } from '../../resources/contact-states.ts';
import type { LostContact, LostContactNotice } from '../notice.ts';
import { timeOf } from './incident.ts';
import { factsOf, phraseOf, safeLink, type Words } from './wording.ts';

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

export function lostContactWords(notice: LostContactNotice): Words {
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
