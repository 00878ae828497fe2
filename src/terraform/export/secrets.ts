// Secret values, kept out of the configuration: variables, and one file with what they hold.
import { MASK, mapText } from '../../resources/declaration/references-and-secrets.ts';
import { attributesText, type Block } from './hcl.ts';
import type { Location } from './locations.ts';
import { distinctNames } from './names.ts';
import type { ExportedRecord } from './organization.ts';

/** The variable of each value; the same value is asked for once. */
export type Secrets = ReadonlyMap<string, string>;

export const secretsFile = 'pager.auto.tfvars';

export function secretsOf(managed: readonly (readonly [ExportedRecord, Location])[]): Secrets {
  const secrets = new Map<string, string>();
  const distinct = distinctNames();
  for (const [exported, { name }] of managed)
    for (const { path, value } of secretTexts(exported)) {
      if (secrets.has(value)) continue;
      const field = path.split('.').at(-1);
      const wanted = `${exported.resource.name}_${name}_${field}`;
      secrets.set(value, distinct(wanted, String(secrets.size + 1)));
    }
  return secrets;
}

/** Whether the key may not read what is in the record. */
export const isMasked = (exported: ExportedRecord): boolean =>
  secretTexts(exported).some(({ value }) => value === MASK);

function secretTexts({ resource, record }: ExportedRecord) {
  const texts: { readonly path: string; readonly value: string }[] = [];
  mapText(resource.input, record, ({ schema, value, path }) => {
    if ('x-sensitive' in schema) texts.push({ path, value });
    return value;
  });
  return texts;
}

export const secretVariables = (secrets: Secrets): readonly Block[] =>
  [...secrets.values()].map((name) => ({
    head: ['variable', name],
    attributes: [
      ['type', { address: 'string' }],
      ['sensitive', true],
    ],
  }));

/** The file that holds them. */
export const secretsText = (secrets: Secrets): string =>
  attributesText([...secrets].map(([value, name]) => [name, value]));
