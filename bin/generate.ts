// Writes the papers that are made from the code; with --check only tells which are stale.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { integrationTypes } from '../src/alerts/index.ts';
import { attentionRoute } from '../src/api/attention/attention.ts';
import { chatChannelRoute } from '../src/api/connections/chat-channels.ts';
import { connectionRoutes } from '../src/api/connections/routes.ts';
import { eventStreamRoute } from '../src/api/event-stream/route.ts';
import { incidentRoutes } from '../src/api/incidents/routes.ts';
import { integrationActivityRoute } from '../src/api/integrations/activity.ts';
import { keyRoutes } from '../src/api/integrations/adopted-keys.ts';
import { lastDayRoute } from '../src/api/integrations/last-day.ts';
import { mappingRoutes } from '../src/api/integrations/mapping.ts';
import { testEventRoute } from '../src/api/integrations/test-event.ts';
import { wasAnAlertRoute } from '../src/api/integrations/was-an-alert.ts';
import { calendarRoutes } from '../src/api/oncall/calendars.ts';
import { coverRequestRoutes } from '../src/api/oncall/cover-requests.ts';
import { notificationRoutes } from '../src/api/oncall/notifications.ts';
import { overrideRoutes } from '../src/api/oncall/overrides.ts';
import { oncallRoutes } from '../src/api/oncall/routes.ts';
import { openApi } from '../src/api/openapi/document.ts';
import { apiPage } from '../src/api/openapi/paper.ts';
import { quotaRoutes } from '../src/api/people/quota.ts';
import { peopleRoutes } from '../src/api/people/routes.ts';
import { recordRoutes } from '../src/api/records/routes.ts';
import { searchRoute } from '../src/api/records/search.ts';
import { usesRoutes } from '../src/api/records/uses.ts';
import { reportRoutes } from '../src/api/reports/routes.ts';
import type { Route } from '../src/api/route.ts';
import { webhookDeliveryRoutes } from '../src/api/webhooks/deliveries.ts';
import { webhookSecretRoutes } from '../src/api/webhooks/secrets.ts';
import { overridePreviewRoutes } from '../src/api/what-if/override-preview.ts';
import { whatIfRoutes } from '../src/api/what-if/routes.ts';
import { limitsTables } from '../src/limits/table.ts';
import { sampleShiftNotice } from '../src/notices/kinds/shift.ts';
import { incidentContentOf, incidentPayload } from '../src/notices/webhooks/incident.ts';
import { samplePayload } from '../src/notices/webhooks/sample-call.ts';
import { shiftPayload, shiftPayloadOf } from '../src/notices/webhooks/shift.ts';
import { placeholdersTable } from '../src/resources/declaration/template.ts';
import { settings } from '../src/settings.ts';
import { poolsText } from '../src/storage/database/pools.ts';
import { configurationAttributes } from '../src/terraform/configuration.ts';
import { dataSources } from '../src/terraform/data-sources/index.ts';
import { notes } from '../src/terraform/documentation/notes.ts';
import {
  dataSourcePage,
  ephemeralPage,
  fenced,
  functionPage,
  importTable,
  resourcePage,
} from '../src/terraform/documentation/pages.ts';
import { schemaSection } from '../src/terraform/documentation/schema-section.ts';
import { ephemeralResources } from '../src/terraform/ephemeral/index.ts';
import { providerFunctions } from '../src/terraform/functions/index.ts';
import { managed } from '../src/terraform/managed.ts';
import { channelsTable } from './channels-table.ts';
import { firstEvents } from './first-events.ts';
import { integrationPapers } from './integration-papers.ts';

const root = join(import.meta.dirname, '..');

/** Stands for every part of a server: routes are described here, not called. */
function undescribed(): never {
  const parts: ProxyHandler<object> = {
    get() {
      throw new Error('a route used a part of the server while it was described');
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
      records: later,
      teams: later,
      scheduleWarnings: later,
      scheduleCommitted: later,
      integrationTypes,
      addresses,
      capabilitiesOf: later,
      faults: later,
      channelWarnings: later,
      contactWarnings: later,
      groupingWarnings: later,
    }),
    ...incidentRoutes({
      sql: later,
      ledger: later,
      clock: later,
      configurations: later,
      committed: later,
      ids: later,
      faults: later,
      compute: later,
      publicUrl: '',
    }),
    ...reportRoutes({ sql: later }),
    testEventRoute({ sql: later, ids: later, intake: later, typeOf: later }),
    wasAnAlertRoute({ sql: later, intake: later }),
    integrationActivityRoute({ sql: later }),
    lastDayRoute({ sql: later }),
    attentionRoute({
      sql: later,
      compute: later,
      channels: later,
      publicUrl: '',
      hasMailServer: true,
    }),
    searchRoute({ sql: later, publicUrl: '' }),
    ...usesRoutes(later),
    ...peopleRoutes({
      sql: later,
      ids: later,
      secrets: later,
      hashPassword: later,
      clock: later,
      channels: later,
      publicUrl: '',
      callbackUrlOf: later,
      hasMailServer: true,
      pushKey: '',
      mails: later,
    }),
    ...connectionRoutes(later),
    chatChannelRoute(later),
    ...oncallRoutes({ sql: later, compute: later }),
    ...overrideRoutes({ sql: later, ids: later, committed: later }),
    ...coverRequestRoutes(later),
    ...overridePreviewRoutes(later),
    ...notificationRoutes(later),
    ...webhookSecretRoutes(later),
    ...webhookDeliveryRoutes(later),
    ...keyRoutes(later),
    ...mappingRoutes(later),
    ...quotaRoutes(later),
    ...whatIfRoutes(later),
    eventStreamRoute(later),
    ...calendarRoutes(later),
  ];
}

/** A page that people write, with something in it, between two marks, that is made from the code. */
function withPart(page: string, name: string, part: string): string {
  const marked = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*(<!-- /${name} -->)`);
  if (!marked.test(page)) throw new Error(`a page has lost the marks of its ${name}`);
  return page.replace(marked, (_, begin: string, end: string) => `${begin}${part}\n${end}`);
}

function settingsTable(): string {
  const shown = (text: string) => text.replaceAll('<', '&lt;').replaceAll('|', '\\|');
  const rows = settings.map(
    ({ name, fallback, doc }) => `| \`${name}\` | ${shown(fallback) || 'none'} | ${shown(doc)} |`,
  );
  return ['| Variable | Default | Means |', '|---|---|---|', ...rows].join('\n');
}

const jsonText = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** With lists of short values on one line each, so that a change of them is one line, too. */
function compactJsonText(value: unknown): string {
  const scalar = '(?:"(?:[^"\\\\\\n]|\\\\.)*"|-?[0-9.e+]+|true|false|null)';
  const list = new RegExp(`\\[\\n\\s*(${scalar}(?:,\\n\\s*${scalar})*)\\n\\s*\\]`, 'g');
  return jsonText(value).replace(list, (whole, members: string) => {
    const line = `[${members.replaceAll(/,\n\s*/g, ', ')}]`;
    return line.length <= 90 ? line : whole;
  });
}

/** What receivers of webhooks build on: the shapes, and an example of each. */
function webhookPapers(): Record<string, string> {
  const $schema = 'https://json-schema.org/draft/2020-12/schema';
  return {
    'docs/webhooks/incident.schema.json': jsonText({ $schema, ...incidentPayload }),
    'docs/webhooks/incident.json': jsonText(samplePayload()),
    'docs/webhooks/incident.form': `${incidentContentOf(samplePayload(), 'url-encoded').body}\n`,
    'docs/webhooks/shift-event.schema.json': jsonText({ $schema, ...shiftPayload }),
    'docs/webhooks/shift-start.json': jsonText(shiftPayloadOf(sampleShiftNotice())),
    'docs/webhooks/shift-end.json': jsonText(
      shiftPayloadOf(sampleShiftNotice({ kind: 'shift_end' })),
    ),
  };
}

const textOf = (path: string) => readFile(join(root, path), 'utf8');

/** The provider's pages, as the Terraform registry wants them. */
async function terraformPapers(): Promise<Record<string, string>> {
  const folder = 'docs/terraform';
  const provider = fenced('terraform', await textOf('examples/provider/provider.tf'));
  const index = withPart(await textOf(`${folder}/index.md`), 'example', provider);
  const papers: Record<string, string> = {
    [`${folder}/index.md`]: withPart(
      withPart(index, 'schema', schemaSection(configurationAttributes)),
      'imports',
      importTable(managed),
    ),
  };
  for (const { typeName, resource, attributes } of managed) {
    const { name, doc } = resource;
    const example = await textOf(`examples/resources/${typeName}/resource.tf`);
    const imports = await textOf(`examples/resources/${typeName}/import.sh`);
    const page = { typeName, doc, attributes, example, imports, note: notes[name] ?? '' };
    papers[`${folder}/resources/${name}.md`] = resourcePage(page);
  }
  for (const { typeName, doc, attributes, keys } of dataSources) {
    const example = await textOf(`examples/data-sources/${typeName}/data-source.tf`);
    const name = typeName.replace('pager_', '');
    const page = { typeName, doc, attributes, keys, example };
    papers[`${folder}/data-sources/${name}.md`] = dataSourcePage(page);
  }
  for (const { typeName, doc, attributes } of ephemeralResources) {
    const file = `examples/ephemeral-resources/${typeName}/ephemeral-resource.tf`;
    const page = { typeName, doc, attributes, example: await textOf(file) };
    const name = typeName.replace('pager_', '');
    papers[`${folder}/ephemeral-resources/${name}.md`] = ephemeralPage(page);
  }
  for (const one of providerFunctions) {
    const example = await textOf(`examples/functions/${one.name}/function.tf`);
    papers[`${folder}/functions/${one.name}.md`] = functionPage({ ...one, example });
  }
  for (const guide of ['small-company', 'switching', 'tested-policies'])
    papers[`${folder}/guides/${guide}.md`] = await withFiles(`${folder}/guides/${guide}.md`);
  return papers;
}

/** A guide with the files of an example, which the tests apply: `<!-- examples/x/main.tf -->`. */
async function withFiles(path: string): Promise<string> {
  const page = await textOf(path);
  const files = Array.from(page.matchAll(/^<!-- (examples\/\S+) -->$/gm), ([, file = '']) => file);
  let whole = page;
  for (const file of files) whole = withPart(whole, file, fenced('terraform', await textOf(file)));
  return whole;
}

async function papers(): Promise<Record<string, string>> {
  const all = routes();
  const operating = 'docs/operating.md';
  const operatingParts = [
    ['settings', settingsTable()],
    ['pools', poolsText()],
    ['limits', limitsTables()],
  ] as const;
  return {
    [operating]: operatingParts.reduce(
      (page, [name, part]) => withPart(page, name, part),
      await textOf(operating),
    ),
    ...(await withPlaceholders('docs/routing-rules.md')),
    ...(await withPlaceholders('docs/playbooks.md')),
    'README.md': withPart(await textOf('README.md'), 'channels', channelsTable()),
    'docs/openapi.json': compactJsonText(openApi(all)),
    'docs/api.md': apiPage(all),
    ...webhookPapers(),
    [firstEventsPath]: `${JSON.stringify(firstEvents(), null, 2)}\n`,
    ...integrationPapers(integrationTypes),
    ...(await terraformPapers()),
  };
}

const withPlaceholders = async (page: string) => ({
  [page]: withPart(await textOf(page), 'placeholders', placeholdersTable()),
});

const isCheck = process.argv.includes('--check');
const firstEventsPath = 'src/alerts/first-events.json';
for (const [path, text] of Object.entries(await papers())) {
  const file = join(root, path);
  const written = await readFile(file, 'utf8').catch(() => '');
  if (written === text) continue;
  if (isCheck) {
    console.error(`${path} is stale: run npm run generate`);
    process.exitCode = 1;
  } else {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    console.log(`${path} written`);
    // The guides that are written here were loaded with what it had before.
    if (path === firstEventsPath) console.log('run npm run generate again');
  }
}
