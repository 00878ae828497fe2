// The server as npm starts it: whoever ends npm ends the server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { childEnvironment } from '../child-environment.ts';
import { testDatabase } from '../database.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import { killIfThere } from './server-process.ts';
import { systemPostgres } from './system-postgres.ts';

const postgres = await systemPostgres();
const isLinux = process.platform === 'linux';
const READY_MILLISECONDS_MAX = 90_000;
const STOPPING_MILLISECONDS_MAX = 60_000;

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
  // Elsewhere a killed npm leaves a shell that nobody can ask whose child it is.
  const skip = signal === 'SIGKILL' && !isLinux && 'only Linux tells of a killed npm';
  test(`a server that npm started ends with npm by ${signal}`, { skip }, async () => {
    await using database = await testDatabase({ server: postgres, migrations: 'none' });
    const dataDir = await mkdtemp(join(tmpdir(), 'pager-npm-'));
    const npm = spawn('npm', ['start', '--silent'], {
      cwd: join(import.meta.dirname, '..', '..'),
      env: {
        ...childEnvironment(),
        PAGER_DATA_DIR: dataDir,
        PAGER_DATABASE_URL: database.url,
        PAGER_LISTEN: `127.0.0.1:${await freePort()}`,
        PAGER_EMAIL_LISTEN: '127.0.0.1:0',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    npm.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    // When the server has ended too, for it has the same output.
    const closed = once(npm, 'close');
    const isReady = async () => output.includes('Pager is ready');
    await eventually('Pager is ready', isReady, READY_MILLISECONDS_MAX);
    const [, pid] = /"pid":(\d+)/.exec(output) ?? [];
    try {
      npm.kill(signal);
      const isStopping = () => output.includes('"signal":"SIGTERM"');
      await eventually('the server is told to stop', isStopping, STOPPING_MILLISECONDS_MAX);
      await closed;
    } finally {
      killIfThere(Number(pid), 'SIGKILL');
      await rm(dataDir, { recursive: true, force: true });
    }
  });
}
