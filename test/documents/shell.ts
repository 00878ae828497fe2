import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { delimiter } from 'node:path';

/** A shell that stays open, as a reader's terminal does: its folder and variables last. */
export type Shell = AsyncDisposable & {
  /** Answers what it printed; fails when one of its commands fails. */
  run(location: string, text: string): Promise<string>;
};

/** A refused request fails its block, and Terraform asks no question. */
const preamble = `
set -euo pipefail
curl() { command curl --silent --show-error --fail-with-body "$@"; }
export TF_CLI_ARGS_apply=-auto-approve
`;

export function openShell(cwd: string, env: NodeJS.ProcessEnv): Shell {
  const child = spawn('bash', { cwd, env: { ...readersEnvironment(), ...env }, stdio: 'pipe' });
  let output = '';
  let noticeOutput = () => {};
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      noticeOutput();
    });
  const ended = new Promise<void>((done) => {
    child.once('close', () => done());
  });
  child.stdin.write(preamble);
  return {
    async run(location, text) {
      output = '';
      const mark = `done-${randomBytes(8).toString('hex')}`;
      const isDone = new Promise<void>((done) => {
        noticeOutput = () => {
          if (output.includes(mark)) done();
        };
      });
      // No command reads the blocks after it for its input.
      child.stdin.write(`{\n${text}\n} </dev/null\necho ${mark}\n`);
      await Promise.race([isDone, ended]);
      assert.ok(output.includes(mark), `${location} failed:\n${text}\n${output}`);
      return output.replace(mark, '').trimEnd();
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await ended;
    },
  };
}

/** The machine's own Node and npm come first, and not those that the tests run on. */
export function readersEnvironment(home = process.env['HOME']): NodeJS.ProcessEnv {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return {
    HOME: home,
    PATH: folders.filter((folder) => !folder.includes('node_modules')).join(delimiter),
  };
}
