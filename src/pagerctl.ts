// The verbs of the operator's command, and what each needs of the settings.
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readArguments, suggested } from './arguments.ts';
import { CannotStart } from './cannot-start.ts';
import { auditCommand } from './commands/audit.ts';
import { backupCommand } from './commands/backup.ts';
import { exportTerraform } from './commands/export.ts';
import { ackCommand, resolveCommand } from './commands/people/act.ts';
import { incidentsCommand } from './commands/people/incidents.ts';
import { simulateCommand } from './commands/people/simulate.ts';
import { whoCommand } from './commands/people/who.ts';
import { resetPasswordCommand } from './commands/reset-password.ts';
import { restoreCommand } from './commands/restore.ts';
import { rotateCommand } from './commands/rotate-secret-key.ts';
import { sendTestCommand } from './commands/send-test.ts';
import { type Config, readConfig } from './config.ts';
import { databaseUrl } from './database-url.ts';
import { systemClock } from './engine/clock.ts';
import { runningLimits } from './limits/running.ts';
import { createLog } from './log.ts';
import { nearest } from './nearest.ts';
import { serve } from './server/serve.ts';
import { settingLike } from './settings.ts';
import { openDatabase } from './storage/database.ts';
import { migrate } from './storage/migrate.ts';
import { terminalOf } from './terminal.ts';

const usage = `pagerctl <command>

  serve     run the server (the default)
  migrate   bring the database's schema up to this version, and stop
  rotate-secret-key
            seal everything anew with another secret key, while no server runs
  reset-password <e-mail>
            give a person who cannot sign in a new password
  send-test <channel> <address>
            send a test page by e-mail, Slack, Teams or Discord
  audit     prove over what is stored that timelines, pages and shifts are as they must be
  backup <file>
            write all that the database has into a file, also while servers run
  restore <file>
            put such a file in its place; servers wait meanwhile
  export    write what an organisation has as a Terraform configuration
  help      this text

Settings come from the environment: see docs/operating.md.

For people, by the API, with PAGER_API_KEY and PAGER_BASE_URL; each with --help and --json:

  incidents list what is open
  ack <number>
            acknowledge incidents
  resolve <number>
            resolve incidents
  who [<schedule>]
            who is on call, and until when
  simulate  whom an alert would page, and when; nobody is paged
`;

const verbs = [
  'serve',
  'migrate',
  'audit',
  'rotate-secret-key',
  'reset-password',
  'send-test',
  'backup',
  'restore',
] as const;
type Verb = (typeof verbs)[number];

const isVerb = (command: string): command is Verb => (verbs as readonly string[]).includes(command);

/** Verbs that are clients of the API, and need nothing of the server. */
const ofPeople = new Map([
  ['incidents', incidentsCommand],
  ['ack', ackCommand],
  ['resolve', resolveCommand],
  ['who', whoCommand],
  ['simulate', simulateCommand],
]);

/** Answers the exit code. */
export async function pagerctl([command = 'serve', ...args]: readonly string[]): Promise<number> {
  if (command === 'help' || command === '--help') {
    process.stdout.write(usage);
    return 0;
  }
  if (command === 'export') {
    const { code, text } = await exportTerraform(args, process.env);
    (code === 0 ? process.stdout : process.stderr).write(text);
    return code;
  }
  const terminal = terminalOf(process.env);
  const ofPerson = ofPeople.get(command);
  if (ofPerson !== undefined) return ofPerson(args, { terminal, environment: process.env });
  if (!isVerb(command)) {
    const known = [...verbs, ...ofPeople.keys(), 'export', 'help'];
    const meant = suggested(nearest(command, known));
    process.stderr.write(`There is no command ${command}.${meant}\n\n${usage}`);
    return 2;
  }
  const unexpected = command === 'serve' || command === 'migrate' ? troubleWith(args) : null;
  if (unexpected !== null) {
    process.stderr.write(`${unexpected}\n\n${usage}`);
    return 2;
  }
  const read = readConfig(process.env, {
    isRoot: process.getuid?.() === 0,
    isTerminal: process.stdout.isTTY,
  });
  if (!read.ok) {
    process.stderr.write(`The configuration has mistakes:\n${bulleted(read.problems)}\n`);
    return command === 'audit' ? 2 : 1;
  }
  switch (command) {
    case 'serve':
      // Calls whose receivers take their time would keep the process from ending.
      return process.exit(await serveUntilStopped(read.config));
    case 'migrate':
      return migrateOnly(read.config);
    case 'audit':
      return auditCommand(args, read.config, terminal);
    case 'rotate-secret-key':
      return rotateCommand(args, read.config, terminal);
    case 'reset-password':
      return resetPasswordCommand(args, read.config, terminal);
    case 'send-test':
      return sendTestCommand(args, read.config, terminal);
    case 'backup':
      return backupCommand(args, read.config, terminal);
    case 'restore':
      return restoreCommand(args, read.config, terminal);
  }
}

/** What runs the server is told by its settings alone, and the one that was meant may be known. */
function troubleWith(args: readonly string[]): string | null {
  const read = readArguments(args, { options: {} });
  if (typeof read !== 'string') return null;
  const [, flag] = /^There is no --?([a-z-]+)/.exec(read) ?? [];
  const setting = flag && settingLike(`PAGER_${flag.toUpperCase().replaceAll('-', '_')}`);
  return setting ? `${read} Set ${setting} instead.` : read;
}

const bulleted = (lines: readonly string[]) => lines.map((line) => `  - ${line}`).join('\n');

async function serveUntilStopped(config: Config): Promise<number> {
  const log = createLog(config);
  const stop = new AbortController();
  // SIGHUP: its terminal was closed.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => stop.abort(signal));
  process.on('unhandledRejection', (error) =>
    log.error({ err: error }, 'a promise was rejected and nobody saw it'),
  );
  try {
    await using _server = await serve({
      config,
      log,
      signal: stop.signal,
      print: (text) => process.stdout.write(`${text}\n`),
      failed(error) {
        log.fatal({ err: error }, 'Pager cannot go on, and stops at once');
        process.exit(1);
      },
    });
    log.info({ signal: stop.signal.reason }, 'stopping: what was accepted is finished first');
    setTimeout(() => {
      log.error('the stop took too long: ending as it is, which loses nothing that was accepted');
      process.exit(1);
    }, runningLimits.stopTime).unref();
  } catch (error) {
    if (error instanceof CannotStart) log.fatal(`Pager cannot start: ${error.message}`);
    else log.fatal({ err: error }, 'Pager cannot start');
    return 1;
  }
  return 0;
}

async function migrateOnly(config: Config): Promise<number> {
  const log = createLog(config);
  try {
    await using stack = new AsyncDisposableStack();
    await mkdir(config.dataDir, { recursive: true });
    const url = await databaseUrl({ config, log }, stack);
    const { sql } = stack.use(await openDatabase({ url, log }));
    const folder = fileURLToPath(new URL('../migrations/', import.meta.url));
    const ran = await migrate({ sql, folder, clock: systemClock, log });
    log.info({ ran }, 'the schema is up to date');
  } catch (error) {
    log.fatal({ err: error }, 'the schema cannot be brought up to date');
    return 1;
  }
  return 0;
}
