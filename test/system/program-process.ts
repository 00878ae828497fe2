// A program of Debian as a child process, in a folder of its own.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { skipped } from '../skipped.ts';
import { eventually } from './eventually.ts';

/** Texts by their names. */
export type Files = Readonly<Record<string, string>>;

export type Running = AsyncDisposable & { readonly folder: string };

/** A program that Debian has, and what its configuration is made of. */
export type Program = {
  readonly binary: string;
  readonly package: string;
  /** Beside those of the guide; `{folder}` is where they stand. */
  readonly files: Files;
  readonly folders?: readonly string[];
  /** `{folder}` in them too. */
  readonly words: readonly string[];
  /** Makes it tell of faults in its configuration. */
  readonly validate?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What it logs once it works. */
  readonly ready: RegExp;
};

/** Whether there is none; says then that its test is left out. */
export async function isMissing(t: TestContext, { binary, package: name }: Program) {
  const isThere = await access(binary).then(
    () => true,
    () => false,
  );
  if (!isThere) t.skip(skipped(name, `apt-get install ${name}`));
  return !isThere;
}

/** With files of a guide, by their names. */
export async function startProgram(program: Program, guide: Files): Promise<Running> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'pager-program-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const within = (text: string) => text.replaceAll('{folder}', folder);
  for (const name of program.folders ?? []) await mkdir(join(folder, name));
  for (const [name, text] of Object.entries({ ...program.files, ...guide })) {
    await writeFile(join(folder, name), `${within(text)}\n`);
    // Monit wants nobody else to read its file, and runs the script of its guide.
    await chmod(join(folder, name), 0o700);
  }
  const extra = Object.entries(program.env ?? {}).map(([name, text]) => [name, within(text)]);
  const env = { PATH: process.env['PATH'] ?? '', ...Object.fromEntries(extra) };
  if (program.validate !== undefined)
    await promisify(execFile)(program.binary, program.validate.map(within), { env });
  const child = spawn(program.binary, program.words.map(within), {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  stack.defer(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      log += chunk;
    });
  await eventually(
    () => `${program.binary} works: ${log}`,
    () => {
      if (child.exitCode !== null) throw new Error(`${program.binary} ended: ${log}`);
      return program.ready.test(log);
    },
  );
  const all = stack.move();
  return {
    folder,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
