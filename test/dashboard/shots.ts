// Behind `npm run shots`: runs the stories, and leaves a picture of each state that they check, at
// every width in both themes, with one page that shows them all.
import { spawnSync } from 'node:child_process';
import { globSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PICTURES } from './pictures.ts';

const root = join(import.meta.dirname, '..', '..');
const folder = join(root, 'dist', 'shots');

rmSync(folder, { recursive: true, force: true });
const { status } = spawnSync(
  process.execPath,
  [join(root, 'test', 'run.ts'), join('test', 'dashboard')],
  { cwd: root, stdio: 'inherit', env: { ...process.env, [PICTURES]: folder } },
);
const names = globSync('*.png', { cwd: folder }).sort();
const figures = names.map(
  (name) =>
    `<figure><img src="${name}" loading="lazy" alt=""><figcaption>${name}</figcaption></figure>`,
);
if (names.length > 0)
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><meta charset="utf-8"><title>Pictures of the dashboard</title>${figures.join('')}`,
  );
console.log(`${names.length} pictures in ${join('dist', 'shots')}`);
process.exitCode = status ?? 1;
