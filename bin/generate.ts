// Writes the papers that are made from the code; with --check only tells which are stale.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { integrationTypes } from '../src/alerts/index.ts';
import { apiPage } from '../src/api/api-page.ts';
import { calendarRoutes } from '../src/api/calendars/routes.ts';
import { incidentRoutes } from '../src/api/incidents/routes.ts';
import { notificationRoutes } from '../src/api/notifications/routes.ts';
import { overrideRoutes } from '../src/api/oncall/overrides.ts';
import { oncallRoutes } from '../src/api/oncall/routes.ts';
import { openApi } from '../src/api/openapi.ts';
import { peopleRoutes } from '../src/api/people.ts';
import { quotaRoutes } from '../src/api/quota.ts';
import { recordRoutes } from '../src/api/records/routes.ts';
import type { Route } from '../src/api/route.ts';
import { webhookSecretRoutes } from '../src/api/webhook-secrets.ts';
import { settings } from '../src/config.ts';
import { sampleShiftNotice } from '../src/notices/sample-notice.ts';
import { shiftPayload, shiftPayloadOf } from '../src/notices/shift-webhook.ts';

const root = join(import.meta.dirname, '..');

/** Stands for every part of a server: routes are described here, not called. */
function undescribed(): never {
  const parts: ProxyHandler<object> = {
    get() {
      throw new Error('a route asked for a part of the server while it was to be described');
    },
  };
  // Fits every type because nothing is ever read from it.
  return new Proxy({}, parts) as never;
}

function routes(): Route[] {
  const later = undescribed();
  const addresses = { hooksUrl: '', emailDomain: '' };
  return [
    ...recordRoutes({
      ...{ records: later, teams: later, scheduleWarnings: later },
      ...{ integrationTypes, addresses },
    }),
    ...incidentRoutes({ sql: later, ledger: later, clock: later, publicUrl: '', committed: later }),
    ...peopleRoutes({ sql: later, ids: later, secrets: later, hashPassword: later }),
    ...oncallRoutes(later),
    ...overrideRoutes({ sql: later, ids: later, committed: later }),
    ...notificationRoutes(later),
    ...webhookSecretRoutes(later),
    ...quotaRoutes(later),
    ...calendarRoutes(later),
  ];
}

/** The settings' table, written between its two marks of a page that people write. */
function withSettings(page: string): string {
  const shown = (text: string) => text.replaceAll('<', '&lt;').replaceAll('|', '\\|');
  const rows = settings.map(
    ({ name, fallback, doc }) => `| \`${name}\` | ${shown(fallback) || 'none'} | ${shown(doc)} |`,
  );
  const table = ['| Variable | Default | Means |', '|---|---|---|', ...rows].join('\n');
  const marked = /(<!-- settings -->\n)[\s\S]*(<!-- \/settings -->)/;
  if (!marked.test(page)) throw new Error('docs/operating.md has lost the marks of its settings');
  return page.replace(marked, (_, begin: string, end: string) => `${begin}${table}\n${end}`);
}

const jsonText = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** What receivers of shift webhooks build on: the shape, and an example of each event. */
function webhookPapers(): Record<string, string> {
  const $schema = 'https://json-schema.org/draft/2020-12/schema';
  return {
    'docs/webhooks/shift-event.schema.json': jsonText({ $schema, ...shiftPayload }),
    'docs/webhooks/shift-start.json': jsonText(shiftPayloadOf(sampleShiftNotice())),
    'docs/webhooks/shift-end.json': jsonText(
      shiftPayloadOf(sampleShiftNotice({ kind: 'shift_end' })),
    ),
  };
}

async function papers(): Promise<Record<string, string>> {
  const all = routes();
  const operating = 'docs/operating.md';
  return {
    [operating]: withSettings(await readFile(join(root, operating), 'utf8')),
    'docs/openapi.json': jsonText(openApi(all)),
    'docs/api.md': apiPage(all),
    ...webhookPapers(),
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
