// `pagerctl audit`: proves over what is stored that the ledger is sound, beside running servers.
import { readArguments } from '../arguments.ts';
import type { Config } from '../config.ts';
import { hasKey, keyIn } from '../secret-key.ts';
import { readAgain } from '../storage/database/database.ts';
import { auditLedger, type CheckedRows, type Finding } from '../storage/ledger-audit/audit.ts';
import { checks } from '../storage/ledger-audit/checks.ts';
import { fingerprintOf, readInstallation } from '../storage/sealed/installation.ts';
import { type CommandOutput, failureOf, openExisting } from './command.ts';

export const usage = `pagerctl audit [--json]

  --json   print one JSON object per line: each finding, then the number of rows checked

Exit code 0: no findings; 1: there are findings; 2: the ledger could not be checked.
`;

/** Answers the exit code. */
export async function auditCommand(
  args: readonly string[],
  config: Config,
  { write, writeError }: CommandOutput,
): Promise<0 | 1 | 2> {
  const read = readArguments(args, { options: { json: { type: 'boolean', default: false } } });
  if (typeof read === 'string') {
    writeError(`${read}\n\n${usage}`);
    return 2;
  }
  const isJson = read.values.json;
  const broken = new Set<string>();
  let count = 0;
  const report = ({ check, row }: Finding) => {
    count += 1;
    broken.add(check);
    write(`${isJson ? JSON.stringify({ check, row }) : `${check} ${JSON.stringify(row)}`}\n`);
  };
  try {
    const counts = await audit(config, report);
    const ending = { checked_rows: counts, findings: count };
    write(isJson ? `${JSON.stringify(ending)}\n` : summary(counts, broken, count));
  } catch (error) {
    writeError(`The ledger could not be checked: ${failureOf(error)}\n`);
    return 2;
  }
  return count === 0 ? 0 : 1;
}

async function audit(config: Config, report: (finding: Finding) => void): Promise<CheckedRows> {
  const { dataDir } = config;
  await using stack = new AsyncDisposableStack();
  const sql = await openExisting(config, stack, { maxConnections: 1, name: 'pager audit' });
  if (config.secretKey === null && !(await hasKey(dataDir)))
    throw new Error(`there is no secret key: PAGER_SECRET_KEY is not set, and ${dataDir} has none`);
  const secrets = await readAgain(sql, async () => {
    const key = config.secretKey ?? (await keyIn(dataDir, await fingerprintOf(sql)));
    return await readInstallation(sql, key ?? '');
  });
  return await auditLedger({ sql, secrets }, report);
}

function summary(counts: CheckedRows, broken: ReadonlySet<string>, count: number): string {
  const rules = checks.filter(({ name }) => broken.has(name));
  const rows = Object.entries(counts).map(([table, rows]) => `${rows} ${table}`);
  return [
    ...rules.map(({ name, description }) => `${name}: ${description}`),
    `${count} findings in ${rows.join(', ')}.`,
    '',
  ].join('\n');
}
