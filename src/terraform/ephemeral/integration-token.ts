// The token of an integration as an ephemeral resource: read while Terraform runs, stored nowhere.
import { isArchived } from '../../client/records.ts';
import { integration } from '../../resources/integration.ts';
import { notUnderstood, recordFailure } from '../calls/failures.ts';
import { keepMasked, secretsUnreadable } from '../calls/masked.ts';
import { fieldOf, readJson } from '../convert.ts';
import { required } from '../data-sources/data-source.ts';
import { resourceAttributes } from '../schema.ts';
import { archivedError, type EphemeralResource, notOpened } from './ephemeral-resource.ts';

const attributes = [
  required('integration_id', 'The id of the integration.'),
  ...resourceAttributes(integration).filter(
    ({ set, isSensitive }) => set === 'computed' && isSensitive,
  ),
];

export const integrationToken: EphemeralResource = {
  typeName: 'pager_integration_token',
  doc: 'The token and addresses of an integration while Terraform runs. They are stored neither in plans nor in the state.',
  of: 'integration_id',
  attributes,
  doing: (id) => `read the token of the integration ${JSON.stringify(id)}`,
  async open({ records }, { id, doing }) {
    const read = await records.read(integration, id);
    if (!read.ok) return notOpened(...recordFailure(integration, doing, read.failure));
    if (isArchived(read.value)) return notOpened(archivedError(doing, archived));
    const answered = readJson(attributes, { ...read.value, integration_id: id });
    if (answered === undefined || fieldOf(answered, 'token') === null)
      return notOpened(notUnderstood(doing));
    const { value, isMasked } = keepMasked(attributes, null, answered);
    return isMasked ? notOpened(secretsUnreadable(doing)) : { ok: true, value };
  },
};

const archived = 'The integration is archived. Events sent with its token are rejected.';
