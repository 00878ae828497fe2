// The real program as a child process: started, killed and stopped as an operator does.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { layoutOf } from '../../src/storage/bundled/cluster.ts';
import { childEnvironment } from '../child-environment.ts';
import { type Api, createApiClient } from './api-client.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { withMailServer } from './mail-sink.ts';

export type Settings = Readonly<Record<string, string>>;

export type Program = {
  readonly pid: number;
  readonly startedMs: number;
  /** All of standard output and error so far. */
  readonly output: () => string;
  /** Its exit code, or the name of the signal that ended it. */
  readonly ended: Promise<number | string>;
};

export type ServerProcess = Program & {
  readonly url: string;
  readonly mailPort: number;
  readonly api: Api;
  readonly apiKey: string;
  /** As a crash ends it: nothing is finished. */
  kill(): Promise<void>;
  /** As an operator ends it; answers the exit code. */
  stop(): Promise<number | string>;
};

/** A data directory and its settings, in which the program is started again and again. */
export type Installation = AsyncDisposable & {
  readonly dataDir: string;
  readonly settings: Settings;
  /** Starts the program and waits until it is ready. */
  start(changes?: Settings): Promise<ServerProcess>;
  /** Starts it, or another of its commands, without expecting that it comes up. */
  launch(changes?: Settings, ...command: readonly string[]): Program;
  /** Runs `pagerctl audit` to its end, beside whatever runs. */
  audit(...options: string[]): Promise<{ readonly code: number | string; readonly output: string }>;
  /** Of the bundled PostgreSQL, if there is one. */
  postmasterPid(): Promise<number | null>;
};

const READY_MILLISECONDS_MAX = 90_000;
const ownFolder = join(import.meta.dirname, '..', '..');

/** Of this project, or of the one in another folder. */
export async function createInstallation(
  settings: Settings = {},
  folder = ownFolder,
): Promise<Installation> {
  const dataDir = settings['PAGER_DATA_DIR'] ?? (await mkdtemp(join(tmpdir(), 'pager-system-')));
  const port = await freePort();
  const mail = new AsyncDisposableStack();
  const all: Settings = {
    PAGER_DATA_DIR: dataDir,
    PAGER_LISTEN: `127.0.0.1:${port}`,
    PAGER_PUBLIC_URL: `http://127.0.0.1:${port}`,
    PAGER_EMAIL_LISTEN: `127.0.0.1:${await freePort()}`,
    PAGER_EMAIL_DOMAIN: 'alerts.test',
    PAGER_BOOTSTRAP_EMAIL: 'owner@example.test',
    PAGER_BOOTSTRAP_PASSWORD: `password-${randomBytes(8).toString('hex')}`,
    PAGER_BOOTSTRAP_API_KEY: `pgr_${randomBytes(20).toString('hex')}`,
    ...(await withMailServer(settings, mail)),
  };
  const children: ChildProcess[] = [];
  const start = (words: readonly string[], environment: Settings) => {
    const program = join(folder, 'bin', 'pagerctl.js');
    const { child, ...started } = run([program, ...words], environment);
    children.push(child);
    return started;
  };
  const launch = (changes: Settings = {}, ...command: readonly string[]) =>
    start(command.length > 0 ? command : ['serve'], { ...all, ...changes });
  const postmasterPid = () => pidIn(dataDir);
  return {
    dataDir,
    settings: all,
    launch,
    postmasterPid,
    async audit(...options) {
      const audit = start(['audit', ...options], all);
      return { code: await audit.ended, output: audit.output() };
    },
    start: (changes = {}) => whenReady(launch(changes), { ...all, ...changes }),
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill('SIGKILL');
      const pid = await postmasterPid();
      if (pid !== null) killIfThere(pid, 'SIGQUIT');
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
      await mail.disposeAsync();
    },
  };
}

/** Settings for outgoing mail to a receiver of these tests. */
export const mailTo = ({ port }: { readonly port: number }): Settings => ({
  PAGER_SMTP_URL: `smtp://127.0.0.1:${port}`,
  PAGER_MAIL_FROM: 'Pager <pager@example.test>',
});

function run(words: readonly string[], settings: Settings): Program & { child: ChildProcess } {
  const env = { ...childEnvironment(), ...settings };
  const startedMs = Date.now();
  const child = spawn(process.execPath, words, { env, stdio: 'pipe' });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const ended = new Promise<number | string>((done) => {
    child.once('close', (code, signal) => done(code ?? signal ?? 'unknown'));
  });
  return { child, pid: child.pid ?? 0, startedMs, output: () => output, ended };
}

async function whenReady(started: Program, settings: Settings): Promise<ServerProcess> {
  const url = `http://${settings['PAGER_LISTEN']}`;
  let code: number | string | null = null;
  void started.ended.then((ended) => {
    code = ended;
  });
  const probe = () => {
    assert.equal(code, null, `Pager ended before it was ready:\n${started.output()}`);
    return isReady(url);
  };
  await eventually('Pager is ready', probe, READY_MILLISECONDS_MAX);
  const apiKey = settings['PAGER_BOOTSTRAP_API_KEY'] ?? '';
  const end = (signal: NodeJS.Signals) => {
    killIfThere(started.pid, signal);
    return started.ended;
  };
  return {
    ...started,
    url,
    mailPort: Number(settings['PAGER_EMAIL_LISTEN']?.split(':')[1]),
    api: createApiClient(url, apiKey),
    apiKey,
    kill: async () => {
      await end('SIGKILL');
    },
    stop: () => end('SIGTERM'),
  };
}

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

async function pidIn(dataDir: string): Promise<number | null> {
  const file = join(layoutOf(dataDir).cluster, 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch(() => '');
  return Number.parseInt(text, 10) || null;
}

export function killIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}

/** Where the bundled PostgreSQL of a data directory can be asked, while it runs. */
export function bundledUrl(dataDir: string): string {
  const { socketDir } = layoutOf(dataDir);
  return `postgres://pager@localhost/pager?host=${encodeURIComponent(socketDir)}`;
}
