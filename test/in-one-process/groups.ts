// In a run of everything the files of each group share one process, that of the test of its name in
// this folder. Loading the server is most of what a file of few tests costs.
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'node:test';

const root = join(import.meta.dirname, '..', '..');

const GROUPS = {
  alerts: 'src/alerts/**/*.test.ts',
  // They reach no server and no database, as those of `alerts`.
  pure: 'src/{admission,channels,commands,dashboard,engine,incidents,limits,notices,oncall,resources,rules,shifts,terraform,what-if,workers}/**/*.test.ts',
  'api-people': 'src/api/{contacts,incidents,people,sign-in}/**/*.test.ts',
  'api-records': 'src/api/{http,oncall,records}/**/*.test.ts',
  storage: 'src/storage/**/*.test.ts',
  stories: 'test/stories/**/*.test.ts',
  others:
    'src/{*.test.ts,{client,server}/**/*.test.ts,api/*.test.ts,api/!(contacts|incidents|people|sign-in|http|oncall|records)/**/*.test.ts}',
} as const;

export const IN_ONE_PROCESS: readonly string[] = Object.values(GROUPS);

/** A suite for each of its files, so that its hooks are its own. */
export async function describeFiles(group: keyof typeof GROUPS): Promise<void> {
  const files = (await Array.fromAsync(glob(GROUPS[group], { cwd: root }))).sort();
  if (files.length === 0) throw new Error(`there are no tests at ${GROUPS[group]}`);
  for (const file of files) describe(file, () => import(join(root, file)));
}
