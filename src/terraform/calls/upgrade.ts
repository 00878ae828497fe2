// States that another version of the provider wrote, or one that is called otherwise.
import { errorDiagnostic } from '../diagnostics.ts';
import { type Managed, managedAs } from '../managed.ts';
import { decodeJson } from '../protocol/value.ts';
import type { Session } from '../session.ts';
import { type RequestOf, type ResponseOf, sending } from './dynamic-value.ts';

type Raw = RequestOf<'UpgradeResourceState'>['raw_state'];

/** Attributes that are gone are left out, new ones are null until the next read. */
function upgraded({ type, typeName }: Managed, raw: Raw) {
  try {
    const value = raw ? decodeJson(type, Buffer.from(raw.json).toString()) : null;
    return { state: sending(type, value), diagnostics: [] };
  } catch {
    return { state: undefined, diagnostics: [unreadable(typeName)] };
  }
}

const unreadable = (typeName: string) =>
  errorDiagnostic({
    summary: `The state of a ${typeName} cannot be read`,
    detail:
      'It is damaged, or contains values of types that this version of the provider does not know. Restore a backup of the state, or remove the resource with `terraform state rm` and import its record.',
  });

export function upgradeState(
  { managed }: Session,
  { type_name, raw_state }: RequestOf<'UpgradeResourceState'>,
): ResponseOf<'UpgradeResourceState'> {
  const { state, diagnostics } = upgraded(managedAs(managed, type_name), raw_state);
  return { upgraded_state: state, diagnostics };
}

/** In whatever registry it was found. */
const own = /(^|\/)pager\/pager$/;

export function moveState(
  { managed }: Session,
  request: RequestOf<'MoveResourceState'>,
): ResponseOf<'MoveResourceState'> {
  const { source_provider_address, source_type_name, target_type_name } = request;
  if (own.test(source_provider_address) && source_type_name === target_type_name) {
    const { state, diagnostics } = upgraded(
      managedAs(managed, target_type_name),
      request.source_state,
    );
    return { target_state: state, target_private: request.source_private, diagnostics };
  }
  const summary = `A ${source_type_name} cannot be moved to a ${target_type_name}`;
  const detail = `Only resources of this provider can be moved, and only to the same type. This resource belongs to ${source_provider_address}. Import the record instead.`;
  return { diagnostics: [errorDiagnostic({ summary, detail })] };
}
