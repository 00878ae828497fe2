// `pagerctl export terraform`: from an organisation that people made by hand to one that is code.

import { resolve } from 'node:path';
import { readArguments } from '../arguments.ts';
import { failureText } from '../client/answer.ts';
import { createNodeClient } from '../client/node.ts';
import { briefly } from '../client/retry.ts';
import { diskTrouble } from '../disk-trouble.ts';
import { messageOf } from '../engine/log.ts';
import { readConfiguration, type Configuration as Settings } from '../terraform/configuration.ts';
import {
  type Configuration,
  configurationOf,
  fileNames,
} from '../terraform/export/configuration.ts';
import { ignoring, presentIn, writeFiles } from '../terraform/export/folder.ts';
import { type Organization, readOrganization } from '../terraform/export/organization.ts';
import { reportText } from '../terraform/export/report.ts';
import { isMasked, secretsFile } from '../terraform/export/secrets.ts';
import { localBaseUrl } from './base-url.ts';

const usage = `pagerctl export terraform --dir <folder>

  --dir <folder>   folder for the configuration
  --base-url <url> URL of the API; default PAGER_BASE_URL, then the server with the same settings
  --api-key <key>  key of a manager or above; default PAGER_API_KEY, which keeps the key out of
                   process lists
  --force          replace the files of an earlier export
`;

type ExportOptions = { readonly dir: string; readonly force: boolean; readonly settings: Settings };
type Ended = { readonly code: 0 | 1 | 2; readonly text: string };

/** What to say at the end, and with which exit code. */
export async function exportTerraform(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<Ended> {
  if (args.includes('--help')) return { code: 0, text: usage };
  const options = read(args, environment);
  if (typeof options === 'string') return { code: 2, text: `${options}\n\n${usage}` };
  const organization = await organizationOf(options.settings);
  if (typeof organization === 'string') return { code: 1, text: `${organization}\n` };
  const configuration = configurationOf(organization, options.settings);
  const trouble = await write(options, configuration);
  if (trouble !== null) return { code: 1, text: `${trouble}\n` };
  return { code: 0, text: reportText(resolve(options.dir), configuration) };
}

function read(args: readonly string[], environment: NodeJS.ProcessEnv): ExportOptions | string {
  const parsed = parsedOf(args);
  if (typeof parsed === 'string') return parsed;
  const { dir, force = false, 'api-key': api_key = null, 'base-url': base_url = null } = parsed;
  if (dir === undefined) return 'Name the folder to write to with --dir.';
  const url = base_url ?? localBaseUrl(environment);
  const reading = readConfiguration({ api_key, base_url: url, team_id: null }, environment);
  if (reading.type === 'configured') return { dir, force, settings: reading.configuration };
  const wrong = reading.type === 'wrong' ? reading.diagnostics : [];
  return wrong.map(({ summary, detail }) => `${summary}. ${detail}`).join('\n');
}

function parsedOf(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = {
    dir: text,
    'base-url': text,
    'api-key': text,
    force: { type: 'boolean' },
  } as const;
  const read = readArguments(args, { options, positionalsMax: 1 });
  if (typeof read === 'string') return read;
  return read.positionals[0] === 'terraform' ? read.values : 'Only terraform can be exported.';
}

async function organizationOf(settings: Settings): Promise<Organization | string> {
  const client = createNodeClient({ ...settings, budget: briefly, userAgent: 'pager-export' });
  try {
    const organization = await readOrganization(client);
    if (!organization.ok) return failureText(organization.failure);
    if (organization.value.records.some(isMasked))
      return 'This key cannot read secrets, such as webhook addresses. Use the key of a manager or above.';
    return organization.value;
  } finally {
    client.close();
  }
}

async function write(
  { dir, force }: ExportOptions,
  { files }: Configuration,
): Promise<string | null> {
  try {
    const there = await presentIn(dir, fileNames);
    if (there.length > 0 && !force)
      return `${dir} already has ${there.join(', ')}. Choose another folder, or replace them with --force.`;
    const hasSecrets = files.some(({ isSecret }) => isSecret);
    const ignored = hasSecrets ? [await ignoring(dir, secretsFile)] : [];
    await writeFiles(dir, [...files, ...ignored], there);
    return null;
  } catch (error) {
    return `Nothing was written: ${diskTrouble(error) ?? messageOf(error)}.`;
  }
}
