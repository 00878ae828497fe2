// The token of an integration as an ephemeral resource: read while Terraform runs, stored nowhere.
import { isArchived } from '../client/records.ts';
import { integration } from '../resources/integration.ts';
import { type RequestOf, type ResponseOf, received, sending } from './calls/dynamic-value.ts';
import { notConnected, notUnderstood, recordFailure } from './calls/failures.ts';
import { keepMasked, secretsUnreadable } from './calls/masked.ts';
import { readOnlyErrors } from './calls/read-only.ts';
import { fieldOf, readJson } from './convert.ts';
import { required } from './data-sources/data-source.ts';
import { type Diagnostic, errorDiagnostic, problemText } from './diagnostics.ts';
import { objectType, resourceAttributes } from './schema.ts';
import type { Session } from './session.ts';

const id = 'integration_id';

export const integrationToken = {
  typeName: 'pager_integration_token',
  doc: 'The token and addresses of an integration while Terraform runs. They are stored neither in plans nor in the state.',
  attributes: [
    required(id, 'The id of the integration.'),
    ...resourceAttributes(integration).filter(
      ({ set, isSensitive }) => set === 'computed' && isSensitive,
    ),
  ],
};

const { attributes } = integrationToken;
const type = objectType(attributes);

export function validateIntegrationToken({
  config: sent,
}: RequestOf<'ValidateEphemeralResourceConfig'>): ResponseOf<'ValidateEphemeralResourceConfig'> {
  const config = received(type, sent);
  const isEmpty = fieldOf(config, id) === '';
  const empty = problemText({ path: id, message: 'must not be empty' });
  return {
    diagnostics: [
      ...readOnlyErrors(attributes, config),
      ...(isEmpty ? [errorDiagnostic(empty)] : []),
    ],
  };
}

/** Terraform asks for it once in a plan and once in an apply, as soon as the id is known. */
export async function openIntegrationToken(
  { connection }: Session,
  { config }: RequestOf<'OpenEphemeralResource'>,
): Promise<ResponseOf<'OpenEphemeralResource'>> {
  const integrationId = String(fieldOf(received(type, config), id));
  const doing = `read the token of the integration ${JSON.stringify(integrationId)}`;
  const failed = (...diagnostics: readonly Diagnostic[]) => ({ diagnostics });
  if (connection === null) return failed(notConnected(doing));
  const read = await connection.records.read(integration, integrationId);
  if (!read.ok) return failed(...recordFailure(integration, doing, read.failure));
  if (isArchived(read.value)) return failed(archived(doing));
  const answered = readJson(attributes, { ...read.value, [id]: integrationId });
  if (answered === undefined || fieldOf(answered, 'token') === null)
    return failed(notUnderstood(doing));
  const { value, isMasked } = keepMasked(attributes, null, answered);
  return isMasked ? failed(secretsUnreadable(doing)) : { result: sending(type, value) };
}

const archived = (doing: string): Diagnostic =>
  errorDiagnostic({
    summary: `Could not ${doing}`,
    detail: 'The integration is archived. Events sent with its token are rejected.',
  });
