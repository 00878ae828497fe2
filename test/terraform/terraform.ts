// The real Terraform, in a folder of its own, with the provider of this repository and no network.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { skipped } from '../skipped.ts';

const root = join(import.meta.dirname, '..', '..');
const folders = (process.env['PATH'] ?? '').split(delimiter);

const programFiles = (program: string) =>
  folders.map((folder) => join(folder, program)).filter((file) => existsSync(file));

const [terraform] = programFiles('terraform');
/** Why a test of Terraform is left out here; undefined where there is one. */
export const noTerraform =
  terraform === undefined
    ? skipped('the provider in a real Terraform', 'put terraform on PATH')
    : undefined;

/** The folders of the pinned Node, and of another if the machine has one. */
export const nodeFolders: readonly string[] = [
  dirname(process.execPath),
  ...programFiles('node')
    .filter((file) => !file.includes('node_modules'))
    .map(dirname)
    .slice(0, 1),
];

type Ended = { readonly code: number; readonly output: string; readonly errors: string };
export type Started = {
  /** That of its group too: what it starts itself gets a Ctrl-C as it does. */
  readonly pid: number;
  /** Resolves when it says this, or ends without. */
  printed(text: string): Promise<void>;
  readonly ended: Promise<Ended>;
};

function start(command: string, args: readonly string[], options: object): Started {
  const child = spawn(command, args, { ...options, stdio: 'pipe', detached: true });
  child.stdin.end();
  let [output, errors] = ['', ''];
  const listeners = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    for (const listen of listeners) listen();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = once(child, 'close').then(([code]) => ({ code, output, errors }));
  const heard = (text: string) =>
    new Promise<void>((resolve) => {
      listeners.add(() => {
        if (output.includes(text)) resolve();
      });
    });
  return {
    pid: child.pid ?? 0,
    printed: async (text) => void (await Promise.race([heard(text), ended])),
    ended,
  };
}

/** The folder of the provider, built once in a process. */
let built: Promise<string> | undefined;

async function build(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pager-provider-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const program = join(root, 'bin', 'build-provider.ts');
  const { code, errors } = await start(process.execPath, [program, folder], {}).ended;
  if (code !== 0) throw new Error(errors);
  return folder;
}

type Attached = AsyncDisposable & { readonly asVariable: string };

/** Ends with this process, however that ends: nobody holds its standard input then. */
async function attach(folder: string, environment: NodeJS.ProcessEnv): Promise<Attached> {
  const [file = ''] = await readdir(folder);
  const untilClosed = '"$0" --debug & cat; kill "$!"';
  const child = spawn('/bin/sh', ['-c', untilClosed, join(folder, file)], {
    env: environment,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  for await (const line of createInterface(child.stdout)) {
    const [, asVariable] = /^TF_REATTACH_PROVIDERS='(.*)'$/.exec(line) ?? [];
    if (asVariable === undefined) continue;
    const end = async () => {
      child.stdin.end();
      await closed;
    };
    return { asVariable, [Symbol.asyncDispose]: end };
  }
  throw new Error('the provider ended');
}

/**
 * Terraform starts its provider three times for a plan and four for an apply, which is most of what a
 * command costs. `attached` is the same program with --debug: one process for all commands, which
 * knows nothing of the one before. What is about the process itself, or its log, wants it `started`.
 */
export type ProviderProcess = 'started' | 'attached';

/** Terraform’s working folder, with the provider as `npm run build:provider` makes it. */
export class Workspace implements AsyncDisposable {
  readonly folder: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #provider: Attached | undefined;

  private constructor(folder: string, environment: NodeJS.ProcessEnv, provider?: Attached) {
    this.folder = folder;
    this.#environment = environment;
    this.#provider = provider;
  }

  static async open(
    nodeFolder: string,
    settings: NodeJS.ProcessEnv = {},
    process: ProviderProcess = 'started',
  ): Promise<Workspace> {
    const folder = await mkdtemp(join(tmpdir(), 'pager-terraform-'));
    const provider = join(folder, 'provider');
    built ??= build();
    await cp(await built, provider, { recursive: true });
    const installation = `provider_installation {
      dev_overrides { "pager/pager" = ${JSON.stringify(provider)} }
      direct { exclude = ["*/*"] }
    }`;
    const required = `terraform {
      required_providers {
        pager = { source = "pager/pager" }
      }
    }`;
    await writeFile(join(folder, 'terraform.rc'), installation);
    await writeFile(join(folder, 'versions.tf'), required);
    const environment = {
      PATH: [nodeFolder, '/usr/bin', '/bin'].join(delimiter),
      HOME: folder,
      CHECKPOINT_DISABLE: '1',
      TF_CLI_CONFIG_FILE: join(folder, 'terraform.rc'),
      TF_IN_AUTOMATION: '1',
      // A quarter of Terraform's work is collecting garbage, in processes that end in seconds.
      GOGC: '400',
      ...settings,
    };
    if (process === 'started') return new Workspace(folder, environment);
    const attached = await attach(provider, environment);
    const variables = { TF_REATTACH_PROVIDERS: attached.asVariable };
    return new Workspace(folder, { ...environment, ...variables }, attached);
  }

  async configure(configuration: string): Promise<void> {
    await writeFile(join(this.folder, 'main.tf'), configuration);
  }

  /** It starts its provider itself, also where one is attached. */
  startApart(...args: readonly string[]): Started {
    return this.#start({ TF_REATTACH_PROVIDERS: undefined }, args);
  }

  #start(variables: NodeJS.ProcessEnv, args: readonly string[]): Started {
    const options = { cwd: this.folder, env: { ...this.#environment, ...variables } };
    return start(terraform ?? 'terraform', [...args, '-no-color'], options);
  }

  run(...args: readonly string[]): Promise<Ended> {
    return this.#start({}, args).ended;
  }

  runWith(variables: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<Ended> {
    return this.#start(variables, args).ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#provider?.[Symbol.asyncDispose]();
    await rm(this.folder, { recursive: true, force: true });
  }
}
