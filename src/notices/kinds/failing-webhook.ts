// No call of an outbound webhook has succeeded for days. Sent to the admins of its team.
import { instant, objectOf, text } from '../../resources/declaration/stored-document.ts';
import type { AnyNotice, QueuedKind } from '../kind.ts';
import { timeOf } from '../words/times.ts';
import { phraseOf, type Words } from '../words/wording.ts';

export type FailingWebhook = {
  readonly id: string;
  readonly name: string;
  readonly since: Temporal.Instant;
};
type Named = { readonly about: 'webhook'; readonly kind: 'webhook_failing' };
type Stored = { readonly failing: FailingWebhook };
type Content = Named & { readonly webhook: FailingWebhook };
type FailingWebhookNotice = AnyNotice & Content;

export const failingWebhook: QueuedKind<Content, Stored, Named & Stored> = {
  about: 'webhook',
  stored: { failing: objectOf<FailingWebhook>({ id: text, name: text, since: instant }) },
  read: ({ notice: { failing } }) =>
    failing ? { about: 'webhook', kind: 'webhook_failing', failing } : null,
  compose: ({ about, kind, failing: webhook }) => ({ about, kind, webhook }),
  words: failingWebhookWords,
  threadOf: ({ webhook }) => `webhook-${webhook.id}`,
  sample: sampleFailingWebhookNotice,
};

function failingWebhookWords({
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

export function sampleFailingWebhookNotice(): FailingWebhookNotice {
  return {
    about: 'webhook',
    kind: 'webhook_failing',
    key: 'failing/65f0000000000000000000e1/1795240800000/email/65f0000000000000000000b1',
    organization: { id: '65f000000000000000000001', name: 'Acme & Sons' },
    recipient: 'Ada Lovelace',
    why: 'you are an admin of its team',
    webhook: {
      id: '65f0000000000000000000e1',
      name: 'Status page <public>',
      since: Temporal.Instant.from('2026-11-21T08:00:00Z'),
    },
  };
}
