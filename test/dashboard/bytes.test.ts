// What a browser has to load: the budgets of the dashboard, compressed.
import assert from 'node:assert/strict';
import { glob, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { built } from './built.ts';

const KB = 1_000;

async function namesOf(assets: string, pattern: string): Promise<string[]> {
  const names = await Array.fromAsync(glob(pattern, { cwd: assets }));
  assert.ok(names.length > 0, pattern);
  return names;
}

/** With all that they do not run without. */
async function withImports(assets: string, names: readonly string[]): Promise<Set<string>> {
  const all = new Set(names);
  // What is added meanwhile is read too.
  for (const name of all) {
    const text = await readFile(join(assets, name), 'utf8');
    for (const [, imported = ''] of text.matchAll(/(?:from|import)["'`]\.\/([^"'`]+\.js)["'`]/g))
      all.add(imported);
  }
  return all;
}

async function bytesOf(assets: string, names: Iterable<string>): Promise<number> {
  const sizes = await Promise.all(
    [...names].map(async (name) => (await stat(join(assets, name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

const zipped = (names: Iterable<string>): string[] => [...names].map((name) => `${name}.gz`);

test('the dashboard stays within its budgets', async () => {
  const folder = await built();
  const assets = join(folder, 'assets');
  const html = await readFile(join(folder, 'index.html'), 'utf8');
  const scripts = [
    ...new Set(html.matchAll(/"\/assets\/([^"]+\.js)"/g).map(([, name = '']) => name)),
  ];
  const entry = await withImports(assets, scripts);
  const of = async (pattern: string) => withImports(assets, await namesOf(assets, pattern));
  const incidents = entry.union(await of('incident-page-*.js'));
  const popups = (await of('popups-*.js')).difference(incidents);
  const parts = [
    ['what every page and those of incidents run', zipped(incidents), 150 * KB],
    ['popups', zipped(popups), 80 * KB],
    ['styles', await namesOf(assets, '*.css.gz'), 20 * KB],
    ['the font', await namesOf(assets, 'hanken-grotesk-latin-wght-*.woff2'), 35 * KB],
    ['small files', await namesOf(assets, '{icons,favicon,theme}-*.gz'), 4 * KB],
  ] as const;
  for (const [what, names, budget] of parts) {
    const bytes = await bytesOf(assets, names);
    assert.ok(bytes <= budget, `${what}: ${bytes} bytes, of ${budget}`);
  }
  // Each is a request more, and six go out at once.
  assert.ok(scripts.length <= 5, scripts.join(' '));
});
