// The pages of the Terraform registry about what the provider has.
import { inSentence } from '../data-sources/data-source.ts';
import type { ProviderFunction } from '../functions/provider-function.ts';
import { importForms } from '../import-forms.ts';
import type { Managed } from '../managed.ts';
import type { Attribute } from '../schema.ts';
import { schemaSection, typeName } from './schema-section.ts';
import { subcategoryOf } from './subcategories.ts';

type Documented = {
  /** `pager_service` */
  readonly typeName: string;
  readonly doc: string;
  readonly attributes: readonly Attribute[];
  /** A configuration, as it lies in a file of its own. */
  readonly example: string;
};

type DocumentedResource = Documented & {
  /** What its declaration does not say. */
  readonly note: string;
  /** The commands that import one. */
  readonly imports: string;
};

export function resourcePage(resource: DocumentedResource): string {
  const { note, example, attributes, imports } = resource;
  const terms = attributes.map((each) =>
    each.name === 'team_id'
      ? { ...each, description: `${each.description} Changing it replaces the record.` }
      : each,
  );
  return page(resource, 'Resource', [
    note,
    exampleSection(example),
    schemaSection(terms),
    `## Import\n\n${fenced('shell', imports)}`,
    `Or in the configuration, with Terraform 1.5 or later:`,
    fenced('terraform', importBlock(imports)),
  ]);
}

type DocumentedSource = Documented & {
  /** One of these is configured. */
  readonly keys: readonly string[];
};

export function dataSourcePage(source: DocumentedSource): string {
  const { keys, example, attributes } = source;
  const either = inSentence(keys.map((key) => `\`${key}\``));
  const lookup =
    either &&
    `Look it up by exactly one of ${either}. It is an error if no record or several records match.`;
  return page(source, 'Data Source', [lookup, exampleSection(example), schemaSection(attributes)]);
}

export const ephemeralPage = (resource: Documented): string =>
  page(resource, 'Ephemeral Resource', [
    'It needs Terraform 1.10 or later.',
    exampleSection(resource.example),
    schemaSection(resource.attributes),
  ]);

type DocumentedFunction = ProviderFunction & Pick<Documented, 'example'>;

export function functionPage({ name, doc, parameters, example }: DocumentedFunction): string {
  const list = parameters.map((one) => `1. \`${one.name}\` (${typeName(one.type)}) ${one.doc}`);
  return page({ typeName: name, doc }, 'Function', [
    'It needs Terraform 1.8 or later.',
    exampleSection(example),
    `## Signature\n\n${fenced('text', signatureOf(name, parameters))}`,
    `## Arguments\n\n${list.join('\n')}`,
  ]);
}

const signatureOf = (name: string, parameters: ProviderFunction['parameters']): string =>
  `provider::pager::${name}(${parameters.map((one) => one.name).join(', ')})`;

type Titled = Pick<Documented, 'typeName' | 'doc'>;

function page({ typeName, doc }: Titled, kind: string, parts: readonly string[]): string {
  const frontMatter = [
    '---',
    `page_title: "${typeName} ${kind} - pager"`,
    `subcategory: "${subcategoryOf(typeName)}"`,
    'description: |-',
    `  ${doc}`,
    '---',
  ];
  const opening = [frontMatter.join('\n'), `# ${typeName} (${kind})`, doc];
  return `${[...opening, ...parts].filter(Boolean).join('\n\n')}\n`;
}

const exampleSection = (example: string) => `## Example Usage\n\n${fenced('terraform', example)}`;

export const fenced = (language: string, code: string) =>
  `\`\`\`${language}\n${code.trimEnd()}\n\`\`\``;

/** What the first of the commands says. */
function importBlock(imports: string): string {
  const [, to, id] = /^terraform import (\S+) (\S+)$/m.exec(imports) ?? [];
  return ['import {', `  to = ${to}`, `  id = "${id}"`, '}'].join('\n');
}

/** Which ids an import of each resource takes. */
export function importTable(all: readonly Managed[]): string {
  const formsOf = (one: Managed) =>
    importForms(one)
      .map((form) => `\`${form}\``)
      .join(', ');
  const rows = all.map((one) => `| \`${one.typeName}\` | ${formsOf(one)} |`);
  return ['| Resource | Id |', '|---|---|', ...rows].join('\n');
}
