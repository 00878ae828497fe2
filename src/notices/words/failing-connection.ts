import type { FailingConnectionNotice } from '../notice.ts';
import { timeOf } from './incident.ts';
import { phraseOf, safeLink, type Words } from './wording.ts';

export function failingConnectionWords({
  organization,
  connection,
  url,
  why,
  timezone,
}: FailingConnectionNotice): Words {
  return {
    tone: 'warning',
    lead: 'A channel connection is failing',
    label: '',
    title: phraseOf(connection.name),
    facts: [{ name: 'Failing since', value: timeOf(connection.since, timezone) }],
    details:
      `${phraseOf(connection.reason).replace(/[.!?…]*$/, '.')} Other connections for the same ` +
      'channel are used instead. If there are none, nobody can be reached through it. Pager keeps ' +
      'trying. While it fails, admins are notified once a day.',
    actions: safeLink(url, 'Open connection'),
    links: [],
    why: phraseOf(why),
    organization: phraseOf(organization.name),
    url: safeLink(url)[0]?.href,
  };
}
