// States that another version of the provider wrote, or one that is called otherwise.
import { errorDiagnostic } from '../diagnostics.ts';
import { managedAs } from '../managed.ts';
import { decodeJson } from '../protocol/value.ts';
import { type Answered, type Asked, sending } from './dynamic-value.ts';

type Raw = Asked<'UpgradeResourceState'>['raw_state'];

/** Attributes that are gone are left out, new ones are null until the next read. */
function upgraded(typeName: string, raw: Raw) {
  const { type } = managedAs(typeName);
  return sending(type, raw ? decodeJson(type, Buffer.from(raw.json).toString()) : null);
}

export const upgradeState = ({
  type_name,
  raw_state,
}: Asked<'UpgradeResourceState'>): Answered<'UpgradeResourceState'> => ({
  upgraded_state: upgraded(type_name, raw_state),
});

/** In whatever registry it was found. */
const own = /(^|\/)pager\/pager$/;

export function moveState(asked: Asked<'MoveResourceState'>): Answered<'MoveResourceState'> {
  const { source_provider_address, source_type_name, target_type_name } = asked;
  if (own.test(source_provider_address) && source_type_name === target_type_name)
    return {
      target_state: upgraded(target_type_name, asked.source_state),
      target_private: asked.source_private,
    };
  const summary = `A ${source_type_name} does not become a ${target_type_name}`;
  const detail = `Only resources of this provider move, and keep their type; this one is of ${source_provider_address}. Import the record that is to be managed.`;
  return { diagnostics: [errorDiagnostic({ summary, detail })] };
}
