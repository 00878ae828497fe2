// The dashboard as files that the server hands out. The same sources make the same bytes.
import { glob, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { build, type Rolldown } from 'vite';
import { headOfPage } from './head.ts';
import { iconSprite, toolLogos } from './icons.ts';
import { limitValues } from './limit-values.ts';
import { manifest } from './manifest.ts';
import { offlineWorker } from './offline.ts';

/** Of what the bundler does not list: what is shown, not run. */
const shown = ['@fontsource-variable/hanken-grotesk', '@iconify-json/lucide', 'simple-icons'];

const isAlone = (id: string): boolean =>
  /(theme-before-paint|offline\/(worker|push|renewal|session|words))\.ts$/.test(id);

/**
 * Each file is a request more. What every page needs is in two, and what is read ahead of them in one;
 * what a page needs besides is left to the bundler.
 */
const groups = [
  { name: 'ahead', test: /\/read-ahead\.ts$/, priority: 2 },
  { name: 'libraries', test: /node_modules|rolldown\/runtime/, tags: ['$initial'], priority: 1 },
  { name: 'main', test: (id: string) => !isAlone(id), tags: ['$initial'] },
] satisfies Rolldown.CodeSplittingOptions['groups'];

/** Most pages are a `page.tsx`: of which folder says which. */
function chunkFileNames({ name, facadeModuleId }: Rolldown.PreRenderedChunk): string {
  const page = name === 'page' && facadeModuleId ? `${basename(dirname(facadeModuleId))}-` : '';
  return `assets/${page}${name}-[hash].js`;
}

/** From the project in `root` into the folder `out`. */
export async function buildDashboard(root: string, out: string): Promise<void> {
  await build({
    configFile: false,
    root: join(root, 'src', 'dashboard'),
    publicDir: false,
    logLevel: 'warn',
    plugins: [
      ...[react({ jsxImportSource: '#dashboard' }), tailwind()],
      ...[limitValues(root), iconSprite(), toolLogos(root), headOfPage(root), manifest(root)],
      offlineWorker(root),
    ],
    build: {
      outDir: out,
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // The first with light-dark().
      target: ['chrome123', 'firefox124', 'safari17.5'],
      license: { fileName: 'licenses.md' },
      rolldownOptions: { output: { codeSplitting: { groups }, chunkFileNames } },
    },
  });
  await addLicenses(root, out);
  for await (const file of glob('**/*.{html,js,css,svg}', { cwd: out })) {
    const bytes = await readFile(join(out, file));
    await writeFile(join(out, `${file}.br`), brotliCompressSync(bytes));
    await writeFile(join(out, `${file}.gz`), gzipSync(bytes, { level: 9 }));
  }
}

async function addLicenses(root: string, out: string): Promise<void> {
  const file = join(out, 'licenses.md');
  const texts = [await readFile(file, 'utf8')];
  for (const name of shown) {
    const folder = join(root, 'node_modules', name);
    const { license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const text = await readFile(join(folder, 'LICENSE'), 'utf8').catch(() => '');
    texts.push(`## ${name} (${license})\n\n${text}`);
  }
  await writeFile(file, texts.join('\n'));
}
