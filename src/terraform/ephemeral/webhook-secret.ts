// The secrets that sign the deliveries of a webhook, for whoever verifies them.
import { listWhole } from '../../client/pages.ts';
import { at, isArchived } from '../../client/records.ts';
import { outboundWebhook } from '../../resources/outbound-webhook.ts';
import { notUnderstood, recordFailure } from '../calls/failures.ts';
import { fromJson } from '../convert.ts';
import { computed, required } from '../data-sources/data-source.ts';
import { archivedError, type EphemeralResource, notOpened } from './ephemeral-resource.ts';

const attributes = [
  required('outbound_webhook_id', 'The id of the outbound webhook.'),
  {
    ...computed(
      'secret',
      'string',
      'The newest signing secret in Standard Webhooks format: `whsec_` followed by base64.',
    ),
    isSensitive: true,
  },
  {
    ...computed(
      'secrets',
      ['list', 'string'],
      'The one or two signing secrets, oldest first. Each delivery carries a signature of each, so the receiving system needs only one of them.',
    ),
    isSensitive: true,
  },
];

export const webhookSecret: EphemeralResource = {
  typeName: 'pager_webhook_secret',
  doc: 'The signing secret of an outbound webhook while Terraform runs. It is stored neither in plans nor in the state.',
  of: 'outbound_webhook_id',
  attributes,
  doing: (id) => `read the secret of the outbound webhook ${JSON.stringify(id)}`,
  async open({ client, records }, { id, doing }) {
    const webhook = await records.read(outboundWebhook, id);
    if (!webhook.ok) return notOpened(...recordFailure(outboundWebhook, doing, webhook.failure));
    if (isArchived(webhook.value))
      return notOpened(
        archivedError(doing, 'The outbound webhook is archived and signs no deliveries.'),
      );
    const read = await listWhole(client, `${at(outboundWebhook, id)}/secrets`);
    if (!read.ok) return notOpened(...recordFailure(outboundWebhook, doing, read.failure));
    const secrets = read.value.map(({ secret }) => secret);
    const secret = secrets.at(-1);
    if (typeof secret !== 'string') return notOpened(notUnderstood(doing));
    return { ok: true, value: fromJson(attributes, { outbound_webhook_id: id, secret, secrets }) };
  },
};
