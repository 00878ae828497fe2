// Secret values, kept out of the configuration: variables, and one file with what they hold.
import { isMaskedText, MASK, mapText } from '../../resources/declaration/references-and-secrets.ts';
import { attributesText, type Block } from './hcl.ts';
import type { Location } from './locations.ts';
import { distinctNames, localName } from './names.ts';
import type { ExportedRecord } from './organization.ts';

/** Of what Terraform shows in its plans, the variable is not sensitive. */
type Variable = { readonly name: string; readonly isSensitive: boolean };

/** The variable of each value; the same value is asked for once. */
export type Secrets = ReadonlyMap<string, Variable>;

export const secretsFile = 'pager.auto.tfvars';

export function secretsOf(managed: readonly (readonly [ExportedRecord, Location])[]): Secrets {
  const secrets = new Map<string, Variable>();
  const distinct = distinctNames();
  for (const [exported, { name }] of managed)
    for (const { path, value, isSensitive } of secretTexts(exported)) {
      const known = secrets.get(value);
      if (known !== undefined) {
        secrets.set(value, { ...known, isSensitive: known.isSensitive || isSensitive });
        continue;
      }
      const field = localName(path.split('.').at(-1) ?? '', 'value');
      const wanted = `${exported.resource.name}_${name}_${field}`;
      secrets.set(value, { name: distinct(wanted, String(secrets.size + 1)), isSensitive });
    }
  return secrets;
}

/** Whether the key may not read what is in the record. */
export const isMasked = (exported: ExportedRecord): boolean =>
  secretTexts(exported).some(({ value }) => value === MASK);

function secretTexts({ resource, record }: ExportedRecord) {
  const texts: (Omit<Variable, 'name'> & { readonly path: string; readonly value: string })[] = [];
  mapText(resource.input, record, ({ schema, value, path }) => {
    if (isMaskedText(schema)) texts.push({ path, value, isSensitive: 'x-sensitive' in schema });
    return value;
  });
  return texts;
}

export const secretVariables = (secrets: Secrets): readonly Block[] =>
  [...secrets.values()].map(({ name, isSensitive }) => ({
    head: ['variable', name],
    attributes: [['type', { address: 'string' }], ...(isSensitive ? [sensitive] : [])],
  }));

const sensitive = ['sensitive', true] as const;

/** The file that holds them. */
export const secretsText = (secrets: Secrets): string =>
  attributesText([...secrets].map(([value, { name }]) => [name, value]));
