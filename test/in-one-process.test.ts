// What reaches no server and no database is tested in milliseconds, and a process for each of these
// files costs a second: in a run of everything they share this one.
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'node:test';
import { IN_ONE_PROCESS } from './in-one-process.ts';

const cwd = join(import.meta.dirname, '..');
const files = (await Array.fromAsync(glob(IN_ONE_PROCESS, { cwd }))).sort();

// A suite for each, so that its hooks are its own.
for (const file of files) describe(file, () => import(join(cwd, file)));
