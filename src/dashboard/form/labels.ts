// Labels, from the names of the API.
import { capitalised } from '../../resources/sentence.ts';
import { fieldNames, memberNames, valueNames, variantNames } from './words.ts';

const units = ['seconds', 'minutes', 'hours', 'days'] as const;

/** The unit in which a number is typed: of `escalate_after_minutes`, minutes. */
export const unitOf = (name: string): string | undefined =>
  units.find((unit) => name.endsWith(`_${unit}`));

/** `escalate_after_minutes` as `Escalate after`, `integration_ids` as `Integrations`. */
export function labelOf(name: string): string {
  const unit = unitOf(name);
  const bare = (unit === undefined ? name : name.slice(0, -unit.length - 1))
    .replace(/_ids$/, 's')
    .replace(/_id$/, '');
  return fieldNames[name] ?? sentence(bare);
}

/** Of a list, what one of its members is called. */
export const memberLabelOf = (name: string): string =>
  memberNames[name] ?? labelOf(name).replace(/ies$/, 'y').replace(/s$/, '');

/** `reassignIncident` as `Reassign incident`, `p1` as `P1`. */
export function valueText(value: string): string {
  if (/^[A-Z]+$/.test(value)) return value;
  if (/^(p|sev)[0-9]$/.test(value)) return value.toUpperCase();
  return (
    valueNames[value] ?? sentence(value.replace(/[A-Z]/g, (letter) => `_${letter}`).toLowerCase())
  );
}

/** `incidentMessage` as `Title`. */
export const variantText = (value: string): string => variantNames[value] ?? valueText(value);

const sentence = (name: string): string =>
  capitalised(name.replaceAll(/[_-]/g, ' ').replace('oncall', 'on-call').trim());
