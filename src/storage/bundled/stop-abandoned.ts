// Run when a program was killed (`after-kill.ts`): stops the server that it used, unless another
// program uses it, or one that starts meanwhile.
import { resolve } from 'node:path';
import { layoutOf, lockFile } from './cluster.ts';
import { tryLock } from './file-lock.ts';
import { stopRunning } from './postmaster.ts';

const [dataDir = ''] = process.argv.slice(2);
const layout = layoutOf(resolve(dataDir));
using alone = tryLock(lockFile(layout, 'users'));
if (alone !== undefined) await stopRunning(layout);
