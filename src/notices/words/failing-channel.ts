import type { FailingChannelNotice } from '../notice.ts';
import { timeOf } from './incident.ts';
import { phraseOf, safeLink, type Words } from './wording.ts';

const NAMES: Readonly<Record<string, string>> = {
  email: 'E-mail',
  'push-notification': 'Browser push',
  slack: 'Slack webhooks',
  msteams: 'Microsoft Teams webhooks',
  discord: 'Discord webhooks',
};

export function failingChannelWords({
  organization,
  failing: { channel, since, reason },
  url,
  why,
}: FailingChannelNotice): Words {
  return {
    tone: 'warning',
    lead: 'A channel is failing',
    label: '',
    title: NAMES[channel] ?? channel,
    facts: [{ name: 'Failing since', value: timeOf(since) }],
    details:
      `Reason: ${phraseOf(reason).replace(/[.!?…]*$/, '.')} Pager keeps trying to send by this ` +
      'channel. Until it works again, people who are paged by it alone are not reached. Admins are ' +
      'notified once a day while it fails.',
    actions: safeLink(url, 'Open channels'),
    links: [],
    why: phraseOf(why),
    organization: phraseOf(organization.name),
    url: safeLink(url)[0]?.href,
  };
}
