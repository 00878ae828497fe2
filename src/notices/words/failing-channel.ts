import { traitsOf } from '../../resources/channels.ts';
import type { FailingChannelNotice } from '../notice.ts';
import { timeOf } from './incident.ts';
import { phraseOf, safeLink, type Words } from './wording.ts';

export function failingChannelWords({
  organization,
  failing: { channel, since, reason },
  url,
  why,
  timezone,
}: FailingChannelNotice): Words {
  return {
    tone: 'warning',
    lead: 'A channel is failing',
    label: '',
    title: traitsOf(channel)?.words.builtIn ?? channel,
    facts: [{ name: 'Failing since', value: timeOf(since, timezone) }],
    details:
      `Reason: ${phraseOf(reason).replace(/[.!?…]*$/, '.')} Pager keeps trying. Until the ` +
      'channel works again, people who are paged only through it cannot be reached. While it fails, ' +
      'admins are notified once a day.',
    actions: safeLink(url, 'Open channels'),
    links: [],
    why: phraseOf(why),
    organization: phraseOf(organization.name),
    url: safeLink(url)[0]?.href,
  };
}
