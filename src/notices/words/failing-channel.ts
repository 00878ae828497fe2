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
  timezone,
}: FailingChannelNotice): Words {
  return {
    tone: 'warning',
    lead: 'A channel is failing',
    label: '',
    title: NAMES[channel] ?? channel,
    facts: [{ name: 'Failing since', value: timeOf(since, timezone) }],
    details:
      `Reason: ${phraseOf(reason).replace(/[.!?…]*$/, '.')} Pager keeps trying. Until the ` +
      'channel works again, people who are paged only by it are not reached. While it fails, ' +
      'admins are notified once a day.',
    actions: safeLink(url, 'Open channels'),
    links: [],
    why: phraseOf(why),
    organization: phraseOf(organization.name),
    url: safeLink(url)[0]?.href,
  };
}
