// Terraform's calls about ephemeral resources, answered alike for all of them.
import { type RequestOf, type ResponseOf, received, sending } from '../calls/dynamic-value.ts';
import { notConnected } from '../calls/failures.ts';
import { readOnlyErrors } from '../calls/read-only.ts';
import { fieldOf } from '../convert.ts';
import { errorDiagnostic, problemText } from '../diagnostics.ts';
import { objectType } from '../schema.ts';
import type { Session } from '../session.ts';
import type { EphemeralResource } from './ephemeral-resource.ts';
import { ephemeralResources } from './index.ts';

function ephemeralAs(typeName: string): EphemeralResource {
  const match = ephemeralResources.find((one) => one.typeName === typeName);
  if (match === undefined) throw new Error(`there is no ephemeral resource ${typeName}`);
  return match;
}

export function validateEphemeral({
  type_name,
  config: sent,
}: RequestOf<'ValidateEphemeralResourceConfig'>): ResponseOf<'ValidateEphemeralResourceConfig'> {
  const { attributes, of } = ephemeralAs(type_name);
  const config = received(objectType(attributes), sent);
  const empty = problemText({ path: of, message: 'must not be empty' });
  return {
    diagnostics: [
      ...readOnlyErrors(attributes, config),
      ...(fieldOf(config, of) === '' ? [errorDiagnostic(empty)] : []),
    ],
  };
}

/** Terraform asks for it once in a plan and once in an apply, as soon as the id is known. */
export async function openEphemeral(
  { connection }: Session,
  { type_name, config }: RequestOf<'OpenEphemeralResource'>,
): Promise<ResponseOf<'OpenEphemeralResource'>> {
  const resource = ephemeralAs(type_name);
  const type = objectType(resource.attributes);
  const id = String(fieldOf(received(type, config), resource.of));
  const doing = resource.doing(id);
  if (connection === null) return { diagnostics: [notConnected(doing)] };
  const opened = await resource.open(connection, { id, doing });
  return opened.ok ? { result: sending(type, opened.value) } : { diagnostics: opened.diagnostics };
}
