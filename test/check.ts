// Behind `npm run check`: every step runs, whatever became of those before it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';

const root = join(import.meta.dirname, '..');

const steps = [
  { name: 'types', command: ['tsc'] },
  { name: 'types of the dashboard', command: ['tsc', '-p', join('src', 'dashboard')] },
  {
    name: 'lint and format',
    command: ['biome', 'ci', ...(process.stdout.isTTY ? [] : ['--colors=off'])],
  },
  { name: 'dead code', command: ['knip', '--no-progress'] },
  {
    name: 'generated files',
    command: [process.execPath, join('bin', 'generate.ts'), '--check'],
  },
] as const;

const failed: string[] = [];
for (const { name, command } of steps) {
  const began = performance.now();
  const isGood = await succeeds(command);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  console.log(`${isGood ? '✔' : '✖'} ${name} (${seconds} s)`);
  if (!isGood) failed.push(name);
}
if (failed.length > 0) {
  console.error(`\nFailed: ${failed.join(', ')}`);
  process.exitCode = 1;
}

async function succeeds([program, ...args]: readonly [string, ...string[]]): Promise<boolean> {
  // The pinned tools come first, however this file was started.
  const tools = join(root, 'node_modules', '.bin');
  const env = { ...process.env, PATH: [tools, process.env['PATH']].join(delimiter) };
  const child = spawn(program, args, { cwd: root, env, stdio: 'inherit' });
  try {
    const [code] = await once(child, 'exit');
    return code === 0;
  } catch (error) {
    console.error(`${program} cannot be started: ${error}`);
    return false;
  }
}
