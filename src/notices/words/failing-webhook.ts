import type { FailingWebhookNotice } from '../notice.ts';
import { timeOf } from './incident.ts';
import { phraseOf, type Words } from './wording.ts';

export function failingWebhookWords({
  organization,
  webhook,
  why,
  timezone,
}: FailingWebhookNotice): Words {
  return {
    tone: 'warning',
    lead: 'An outbound webhook has been failing for 3 days',
    label: '',
    title: phraseOf(webhook.name),
    facts: [{ name: 'Failing since', value: timeOf(webhook.since, timezone) }],
    details:
      'No call has succeeded since then. Pager still calls it. The deliveries of the webhook show ' +
      'the responses and can be sent again once it works.',
    actions: [],
    links: [],
    why: phraseOf(why),
    organization: phraseOf(organization.name),
  };
}
