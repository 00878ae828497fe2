// A small disk in memory, mounted for one test.
import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A disk that a test may fill; null where none can be had. */
export async function mountDisk(megabytes: number) {
  const path = await mkdtemp(join(tmpdir(), 'pager-disk-'));
  try {
    const options = `size=${megabytes}m,mode=0755`;
    await run('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path]);
  } catch {
    await rm(path, { recursive: true });
    return null;
  }
  const filler = join(path, 'filler');
  return {
    path,
    async fill() {
      await using file = await open(filler, 'w');
      for (const size of [1_048_576, 4_096]) {
        const block = Buffer.alloc(size);
        while (
          await file.write(block).then(
            ({ bytesWritten }) => bytesWritten,
            () => 0,
          )
        ) {}
      }
    },
    makeRoom: () => rm(filler),
    async [Symbol.asyncDispose]() {
      await run('umount', ['--lazy', path]);
      await rm(path, { recursive: true });
    },
  };
}
