#!/usr/bin/env node
// The operator's command: finds the pinned Node, whatever Node starts it, and runs on that.
// Plain JavaScript, so that an older Node can read it. `npm start` is `pagerctl serve`.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const nodeAtLeast = 26;
const checkEveryMs = 500;
const self = fileURLToPath(import.meta.url);
const args = process.argv.slice(2);

endWithNpm();
const pinned = pinnedNode();
if (pinned !== null && pinned !== realpathSync(process.execPath)) runOn(pinned);
else if (Number.parseInt(process.versions.node, 10) < nodeAtLeast) {
  process.stderr.write(
    `Pager needs Node ${nodeAtLeast}, and this is ${process.version}. ` +
      'npm ci brings the right one, unless optional packages are left out.\n',
  );
  process.exitCode = 1;
} else {
  const { pagerctl } = await import('../src/pagerctl.ts');
  process.exitCode = await pagerctl(args);
}

/** Null: none was installed for this machine. */
function pinnedNode() {
  const { platform, arch } = process;
  const modules = join(dirname(self), '..', 'node_modules');
  const system = platform === 'win32' ? 'win' : platform;
  const file = platform === 'win32' ? 'node.exe' : 'node';
  for (const name of [`node-${system}-${arch}`, `node-bin-${system}-${arch}`]) {
    const program = join(modules, name, 'bin', file);
    if (existsSync(program)) return realpathSync(program);
  }
  return null;
}

/** As if this process were that one: its streams, its signals, its end. */
function runOn(node) {
  const child = spawn(node, [self, ...args], { stdio: 'inherit' });
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'];
  const pass = (signal) => child.kill(signal);
  for (const signal of signals) process.on(signal, pass);
  child.on('error', ({ message }) => {
    process.stderr.write(`${node} cannot be started: ${message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    for (const each of signals) process.off(each, pass);
    if (signal === null) process.exitCode = code ?? 1;
    else process.kill(process.pid, signal);
  });
}

/**
 * npm hands a signal to the shell between them, which ends alone; killed, it tells nobody. Then
 * this process would go on where its operator sees none.
 */
function endWithNpm() {
  if (!['start', 'npx'].includes(process.env.npm_lifecycle_event)) return;
  const parents = parentsNow();
  const polling = setInterval(() => {
    if (parentsNow() === parents) return;
    clearInterval(polling);
    process.kill(process.pid, 'SIGTERM');
  }, checkEveryMs);
  polling.unref();
}

/** The shell's own parent is npm. Who started npm may end without it, so nobody else is looked at. */
function parentsNow() {
  const { ppid } = process;
  try {
    const [, name, parent] = /\((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${ppid}/stat`, 'utf8'));
    return name === 'sh' ? `${ppid} ${parent}` : `${ppid}`;
  } catch {
    return `${ppid}`;
  }
}
