// The scripts of Zabbix's media types, as it ships them, run by its own engine.
import { execFile } from 'node:child_process';
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';

const ENGINE = '/usr/bin/zabbix_js';
const DATA = '/usr/share/zabbix-server-pgsql/data.sql.gz';

export const isInstalled = (): Promise<boolean> =>
  Promise.all([access(ENGINE), access(DATA)]).then(
    () => true,
    () => false,
  );

type MediaType = 'Opsgenie' | 'PagerDuty' | 'VictorOps';
type Parameters = Readonly<Record<string, string>>;

/** Runs the script of a media type; rejects with what it says when it fails. `host`: another. */
export async function runMediaType(
  name: MediaType,
  parameters: Parameters,
  host?: { readonly from: string; readonly to: string },
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pager-zabbix-'));
  try {
    const shipped = await scriptOf(name);
    const script = join(folder, 'script.js');
    const input = join(folder, 'parameters.json');
    await writeFile(script, host ? shipped.replaceAll(host.from, host.to) : shipped);
    await writeFile(input, JSON.stringify(parameters));
    const { stdout } = await promisify(execFile)(ENGINE, ['-s', script, '-i', input, '-t', '30']);
    return stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

let data: string | undefined;

async function scriptOf(name: MediaType): Promise<string> {
  data ??= gunzipSync(await readFile(DATA)).toString();
  const row = new RegExp(`values \\('\\d+','4','${name}',(?:'[^']*',)+E'`).exec(data);
  if (row === null) throw new Error(`Zabbix ships no media type ${name}`);
  const written = data.slice(row.index + row[0].length);
  const [literal = ''] = /^(?:[^'\\]|''|\\[\s\S])*/.exec(written) ?? [];
  return literal.replace(/''|\\([\s\S])/g, (pair, escaped: string | undefined) => {
    if (escaped === undefined) return pair.slice(1);
    return { n: '\n', r: '', t: '\t' }[escaped] ?? escaped;
  });
}
