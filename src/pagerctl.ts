// The verbs of the operator's command; each reads its own arguments.
import { suggested } from './arguments.ts';
import type { incidentsCommand } from './commands/people/incidents.ts';
import { type Config, readConfig } from './config.ts';
import { diskTrouble } from './disk-trouble.ts';
import { messageOf } from './engine/log.ts';
import { takeEnvFile } from './env-file.ts';
import { nearest } from './resources/nearest.ts';
import { type Terminal, terminalOf } from './terminal.ts';

const usage = `pagerctl [--env-file <file>] <command>

  serve     run the server (the default)
  migrate   update the database schema to this version, and stop
  rotate-secret-key
            encrypt all secrets with a new secret key, while no server runs
  reset-password <e-mail>
            set a new password for a person who cannot sign in
  create-key
            create an API key, for example if the first one is lost
  sign-in-link <e-mail>
            create a link that signs a person in once
  send-test <person>
  send-test <channel> <address>
            send a test page to a person, or by e-mail, Slack, Teams or Discord
  audit     check the stored timelines, pages and shifts for errors
  backup <file>
            back up the database to a file; servers can keep running
  restore <file>
            replace the database with a backup; servers wait during the restore
  export    write the configuration of an organization as Terraform files
  help      show this text

Settings come from the environment and from the file of --env-file, such as the one that systemd
reads for the service. See docs/operating.md.

These commands use the API, with PAGER_API_KEY and PAGER_BASE_URL. Each has --help and --json:

  incidents list open incidents
  ack <number>
            acknowledge incidents
  resolve <number>
            resolve incidents
  who [<schedule>]
            show who is on call, and until when
  simulate  show who an alert would page, and when; nobody is paged
`;

type OperatorCommand = (
  args: readonly string[],
  config: Config,
  terminal: Terminal,
) => Promise<number>;
type OperatorVerb = { readonly run: OperatorCommand; readonly usage: string };
type ClientCommand = typeof incidentsCommand;

/** Each is loaded only when it is run: loading all of the server takes a second. */
const operatorVerbs: Readonly<Record<string, () => Promise<OperatorVerb>>> = {
  serve: async () => {
    const { serveCommand: run, usage } = await import('./commands/serve.ts');
    return { run, usage };
  },
  migrate: async () => {
    const { migrateCommand: run, usage } = await import('./commands/migrate.ts');
    return { run, usage };
  },
  audit: async () => {
    const { auditCommand: run, usage } = await import('./commands/audit.ts');
    return { run, usage };
  },
  'rotate-secret-key': async () => {
    const { rotateCommand: run, usage } = await import('./commands/rotate-secret-key.ts');
    return { run, usage };
  },
  'reset-password': async () => {
    const { resetPasswordCommand: run, usage } = await import('./commands/reset-password.ts');
    return { run, usage };
  },
  'create-key': async () => {
    const { createKeyCommand: run, usage } = await import('./commands/create-key.ts');
    return { run, usage };
  },
  'sign-in-link': async () => {
    const { signInLinkCommand: run, usage } = await import('./commands/sign-in-link.ts');
    return { run, usage };
  },
  'send-test': async () => {
    const { sendTestCommand: run, usage } = await import('./commands/send-test.ts');
    return { run, usage };
  },
  backup: async () => {
    const { backupCommand: run, usage } = await import('./commands/backup.ts');
    return { run, usage };
  },
  restore: async () => {
    const { restoreCommand: run, usage } = await import('./commands/restore.ts');
    return { run, usage };
  },
};
const operatorCommands = new Map(Object.entries(operatorVerbs));

/** Clients of the API, which need nothing of the server. */
const clientCommands = new Map<string, () => Promise<ClientCommand>>([
  ['incidents', async () => (await import('./commands/people/incidents.ts')).incidentsCommand],
  ['ack', async () => (await import('./commands/people/act.ts')).ackCommand],
  ['resolve', async () => (await import('./commands/people/act.ts')).resolveCommand],
  ['who', async () => (await import('./commands/people/who.ts')).whoCommand],
  ['simulate', async () => (await import('./commands/people/simulate.ts')).simulateCommand],
]);

/** Answers the exit code. */
export async function pagerctl(written: readonly string[]): Promise<number> {
  const taken = await takeEnvFile(written, process.env);
  if (typeof taken === 'string') {
    process.stderr.write(`${taken}\n`);
    return 2;
  }
  Object.assign(process.env, taken.settings);
  const [command = 'serve', ...args] = taken.words;
  endWhenOutputIsLost(command);
  if (command === 'help' || command === '--help') {
    process.stdout.write(usage);
    return 0;
  }
  if (command === 'export') {
    const { exportTerraform } = await import('./commands/export.ts');
    const { code, text } = await exportTerraform(args, process.env);
    (code === 0 ? process.stdout : process.stderr).write(text);
    return code;
  }
  const terminal = terminalOf(process.env);
  const clientCommand = clientCommands.get(command);
  if (clientCommand) return (await clientCommand())(args, { terminal, environment: process.env });
  const load = operatorCommands.get(command);
  if (!load) {
    const names = [...operatorCommands.keys(), ...clientCommands.keys(), 'export', 'help'];
    const suggestion = suggested(nearest(command, names));
    process.stderr.write(`There is no command ${command}.${suggestion}\n\n${usage}`);
    return 2;
  }
  const verb = await load();
  if (args.includes('--help')) {
    process.stdout.write(verb.usage);
    return 0;
  }
  const read = readConfig(process.env, {
    isRoot: process.getuid?.() === 0,
    isTerminal: process.stdout.isTTY,
  });
  if (!read.ok) {
    process.stderr.write(`The configuration has mistakes:\n${bulleted(read.problems)}\n`);
    return failureCode(command);
  }
  return verb.run(args, read.config, terminal);
}

/** What is not shown was not done: an audit must not look as if it had found nothing. */
function endWhenOutputIsLost(command: string): void {
  process.stdout.on('error', (error) => {
    // The terminal of a server may be closed.
    if (command === 'serve') return;
    const isUnread = 'code' in error && error.code === 'EPIPE';
    const reason = diskTrouble(error) ?? messageOf(error);
    if (!isUnread) process.stderr.write(`The output could not be written: ${reason}\n`);
    process.exit(failureCode(command));
  });
}

/** Of an audit 1 means that there are findings. */
const failureCode = (command: string): 1 | 2 => (command === 'audit' ? 2 : 1);

const bulleted = (lines: readonly string[]) => lines.map((line) => `  - ${line}`).join('\n');
