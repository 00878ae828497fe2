import type { Configuration } from './configuration.ts';
import { quoted } from './hcl.ts';
import { inexpressible, leftAway } from './inexpressible.ts';
import { displayName } from './locations.ts';
import type { ExportedRecord } from './organization.ts';
import { secretsFile } from './secrets.ts';

/** What was written, what was not and why, and what comes next. */
export function reportText(folder: string, configuration: Configuration): string {
  const { files, managed, mappings, leftOut, withPlainIds } = configuration;
  return [
    `Wrote ${folder}:`,
    ...files.map(({ name }) => `  ${name}`),
    '',
    `${managed.length + mappings} records will be imported.`,
    ...section(
      'Left out because Terraform cannot express them completely. Manage these in the dashboard:',
      leftOut.map((exported) => `${nameOf(exported)}: ${inexpressible(exported).join(', ')}`),
    ),
    ...section(
      'Exported without what Terraform cannot express. It stays as it is:',
      managed.flatMap((exported) => {
        const names = leftAway(exported);
        return names.length === 0 ? [] : `${nameOf(exported)}: ${names.join(', ')}`;
      }),
    ),
    ...section(
      'With plain ids, because the record is archived, deactivated, not visible or part of a cycle:',
      withPlainIds.map(nameOf),
    ),
    ...(files.some(({ isSecret }) => isSecret)
      ? ['', `${secretsFile} contains secrets. Only you can read it, and .gitignore lists it.`]
      : []),
    '',
    'Next, with the API key in PAGER_API_KEY:',
    `  cd ${shellText(folder)} && terraform init && terraform plan`,
    '',
  ].join('\n');
}

function section(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', heading, ...lines.map((line) => `  ${line}`)];
}

const nameOf = (exported: ExportedRecord) =>
  `${exported.resource.name.replaceAll('_', ' ')} ${quoted(displayName(exported))}`;

const shellText = (path: string) =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
