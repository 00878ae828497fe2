// Writes the papers that are made from the code; with --check only tells which are stale.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { integrationTypes } from '../src/alerts/index.ts';
import { apiPage } from '../src/api/api-page.ts';
import { openApi } from '../src/api/openapi.ts';
import { recordRoutes } from '../src/api/records/routes.ts';
import type { Route } from '../src/api/route.ts';

const root = join(import.meta.dirname, '..');

/** Routes are described here, not called. */
const uncalled = (): never => {
  throw new Error('a route was called while it was only to be described');
};

function routes(): Route[] {
  const records = {
    create: uncalled,
    read: uncalled,
    list: uncalled,
    update: uncalled,
    archive: uncalled,
    restore: uncalled,
  };
  const addresses = { hooksUrl: '', emailDomain: '' };
  return [...recordRoutes({ records, teams: uncalled, integrationTypes, addresses })];
}

async function papers(): Promise<Record<string, string>> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const all = routes();
  return {
    'docs/openapi.json': `${JSON.stringify(openApi(all, version), null, 2)}\n`,
    'docs/api.md': apiPage(all),
  };
}

const isCheck = process.argv.includes('--check');
for (const [path, text] of Object.entries(await papers())) {
  const file = join(root, path);
  const written = await readFile(file, 'utf8').catch(() => '');
  if (written === text) continue;
  if (isCheck) {
    console.error(`${path} is stale: run npm run generate`);
    process.exitCode = 1;
  } else {
    await writeFile(file, text);
    console.log(`${path} written`);
  }
}
