// What a browser has to load: the budgets of the dashboard, compressed.
import assert from 'node:assert/strict';
import { glob, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { built } from './built.ts';

const KB = 1_000;

async function bytesOf(assets: string, pattern: string): Promise<number> {
  const files = await Array.fromAsync(glob(pattern, { cwd: assets }));
  assert.ok(files.length > 0, pattern);
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(assets, file))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

test('the dashboard stays within its budgets', async () => {
  const assets = join(await built(), 'assets');
  const budgets = [
    ['index-*.js.gz', 150 * KB],
    ['popups-*.js.gz', 80 * KB],
    ['*.css.gz', 20 * KB],
    ['hanken-grotesk-latin-wght-*.woff2', 35 * KB],
    ['{icons,favicon,theme}-*.gz', 4 * KB],
  ] as const;
  for (const [pattern, budget] of budgets) {
    const bytes = await bytesOf(assets, pattern);
    assert.ok(bytes <= budget, `${pattern} takes ${bytes} bytes, of ${budget}`);
  }
});
