// What the programs of this folder share: each runs on the pinned Node, whatever Node starts it, and
// ends with the npm that started it. Plain JavaScript, so that an older Node can read it.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const nodeAtLeast = 26;
const checkEveryMs = 500;
const startedMark = 'PAGERCTL_STARTED';
const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'];
const modules = fileURLToPath(new URL('../node_modules', import.meta.url));

/** Runs `main` here if this is the pinned Node, else `file` in a child that is. */
export async function onPinnedNode(file, main) {
  const args = process.argv.slice(2);
  endWithStarter();
  endWithNpm();
  const pinned = pinnedNode();
  if (pinned !== null && pinned !== realpathSync(process.execPath))
    endAs(await runProgram(pinned, [file, ...args], endingWithThis()));
  else if (Number.parseInt(process.versions.node, 10) < nodeAtLeast) {
    process.stderr.write(
      `Pager needs Node ${nodeAtLeast}, and this is ${process.version}. ` +
        'npm ci installs the right one, unless optional packages are left out.\n',
    );
    process.exitCode = 1;
  } else process.exitCode = await main(args);
}

/** As if this process were that one: its streams, its signals. Answers how it ended. */
export function runProgram(program, args, options = { stdio: 'inherit' }) {
  return new Promise((done) => {
    const child = spawn(program, args, options);
    let passed = null;
    const pass = (signal) => {
      passed = signal;
      child.kill(signal);
    };
    for (const signal of signals) process.on(signal, pass);
    const end = (code, signal) => {
      for (const each of signals) process.off(each, pass);
      done({ code, signal, passed });
    };
    child.on('error', ({ message }) => {
      process.stderr.write(`${program} cannot be started: ${message}\n`);
      end(1, null);
    });
    child.on('exit', end);
  });
}

function endAs({ code, signal }) {
  if (signal === null) process.exitCode = code ?? 1;
  else process.kill(process.pid, signal);
}

/** The channel between the two closes when this process is killed, which signals nobody. */
const endingWithThis = () => ({
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: { ...process.env, [startedMark]: 'yes' },
});

/** With the process that started this one on the pinned Node, if one did. */
function endWithStarter() {
  const isStarted = process.env[startedMark] !== undefined;
  delete process.env[startedMark];
  if (!isStarted || process.channel === undefined) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel.unref();
}

/** Null: none was installed for this machine. */
function pinnedNode() {
  const { platform, arch } = process;
  const system = platform === 'win32' ? 'win' : platform;
  const file = platform === 'win32' ? 'node.exe' : 'node';
  for (const name of [`node-${system}-${arch}`, `node-bin-${system}-${arch}`]) {
    const program = join(modules, name, 'bin', file);
    if (existsSync(program)) return realpathSync(program);
  }
  return null;
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
