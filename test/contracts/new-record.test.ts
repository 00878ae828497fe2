// A record that the product does not have, by its declaration and a migration alone, on every
// surface.
import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  choice,
  description,
  flag,
  id,
  listOf,
  name,
  objectOf,
  optional,
  secret,
  text,
  wholeNumber,
} from '../../src/resources/declaration/field.ts';
import { MASK } from '../../src/resources/declaration/references-and-secrets.ts';
import { resource } from '../../src/resources/declaration/resource.ts';
import { records } from '../../src/resources/index.ts';
import { sealedColumnsOf } from '../../src/storage/sealed/sealed-columns.ts';
import { resourcePage } from '../../src/terraform/documentation/pages.ts';
import { configurationOf } from '../../src/terraform/export/configuration.ts';
import { readOrganization } from '../../src/terraform/export/organization.ts';
import { managedAs, managedOf } from '../../src/terraform/managed.ts';
import { startClient } from '../client.ts';
import { errorsOf } from '../terraform/core.ts';
import { startProvider } from '../terraform/running-provider.ts';

const runbook = resource({
  name: 'runbook',
  table: 'runbooks',
  route: 'runbooks',
  doc: 'Steps that a responder follows by hand.',
  fields: {
    name: name('The name of the runbook, as incidents show it.'),
    service_id: id('The service that the runbook is for.', { to: 'service', within: 'team' }),
    url: secret({ doc: 'The address of the full text, with its token.', format: 'uri' }),
    severity: optional(
      choice(['low', 'high'], { doc: 'The severity it is meant for.', default: 'low' }),
    ),
    minutes: optional(wholeNumber({ doc: 'How long it takes, in minutes.', min: 1, max: 600 })),
    enabled: optional(flag({ doc: 'Whether incidents show it.', default: true })),
    steps: listOf(
      objectOf({
        title: text({ doc: 'What to do, in one line.', min: 1 }),
        owner_id: optional(id('The person to ask.', { to: 'user', within: 'organization' })),
        password: optional(secret({ doc: 'A password that the step needs.' })),
      }),
      { doc: 'The steps, in order.', max: 20 },
    ),
    description: description('runbook'),
  },
  check: ({ steps }) =>
    steps.flatMap(({ title }, index) =>
      title === 'panic' ? [{ path: `steps[${index}].title`, message: 'is no step' }] : [],
    ),
});

const migration = `
create table runbooks (
  organization_id pager_id not null references organizations,
  id pager_id not null,
  counter integer not null,
  version integer not null,
  team_id pager_id not null,
  name text not null,
  service_id pager_id not null,
  url text not null,
  severity text not null,
  minutes integer,
  enabled boolean not null,
  steps json not null,
  description text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  managed_by json,
  primary key (organization_id, id),
  foreign key (organization_id, team_id) references teams,
  constraint runbooks_counter unique (organization_id, counter)
);`;

/** The migrations of the product, and one more. */
async function writeMigrations(stack: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pager-migrations-'));
  stack.defer(() => rm(folder, { recursive: true }));
  await cp(join(import.meta.dirname, '..', '..', 'migrations'), folder, { recursive: true });
  const last = Math.max(...(await readdir(folder)).map((file) => Number(file.slice(0, 4))));
  await writeFile(join(folder, `${String(last + 1).padStart(4, '0')}-runbooks.sql`), migration);
  return folder;
}

async function startApi() {
  const stack = new AsyncDisposableStack();
  const migrations = await writeMigrations(stack);
  const at = stack.use(await startClient({ declared: [...records, runbook], migrations }));
  const [service_id = ''] = at.existing['service'] ?? [];
  const body = {
    name: 'Disk full',
    service_id,
    url: 'https://wiki.test/?token=s3cret',
    minutes: 5,
    steps: [{ title: 'Look', owner_id: at.ada, password: 'hunter2' }, { title: 'Delete' }],
  };
  return { ...at, body, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

test('the API creates, reads, lists, changes, archives and restores it', async () => {
  await using at = await startApi();
  const made = await at.api.send(at.key, 'POST /runbooks', { body: at.body });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const { id, counter, version, team_id, created_at, updated_at, ...fields } = made.body;
  assert.deepEqual(fields, { ...at.body, severity: 'low', enabled: true });
  assert.deepEqual([counter, version, team_id, updated_at], [1, 1, at.ops, created_at]);
  assert.deepEqual((await at.api.send(at.key, `GET /runbooks/${id}`)).body, made.body);
  assert.deepEqual((await at.api.send(at.key, 'GET /runbooks/1')).body, made.body);
  const { body: listed } = await at.api.send(at.key, 'GET /runbooks?severity=low&enabled=true');
  assert.deepEqual(listed, { data: [made.body], next_cursor: null });
  assert.deepEqual((await at.api.send(at.key, 'GET /runbooks?minutes=6')).body.data, []);
  const changes = { minutes: null, service_id: '1' };
  const changed = await at.api.send(at.key, 'PATCH /runbooks/1', { body: changes });
  const { minutes: _minutes, updated_at: _before, ...rest } = made.body;
  const { updated_at: _after, ...result } = changed.body;
  assert.deepEqual(result, { ...rest, version: 2 });
  const archived = await at.api.send(at.key, 'DELETE /runbooks/1');
  assert.deepEqual([archived.status, archived.body.warnings], [200, []]);
  const admin = at.world.caller({ kind: 'session', role: 'admin' });
  const restored = await at.api.send(admin, 'POST /runbooks/1/restore');
  assert.deepEqual([restored.status, restored.body.version], [200, 4]);
});

test('the API names every mistake, and what an archived record was used by', async () => {
  await using at = await startApi();
  const steps = [{ title: 'panic' }, { title: 'Ask', owner_id: 'f'.repeat(24) }, { title: '' }];
  const body = { ...at.body, url: 'wiki', severity: 'none', steps };
  const refused = await at.api.send(at.key, 'POST /runbooks', { body });
  assert.deepEqual(refused.body.issues.map(({ path }: { path: string }) => path).sort(), [
    ...['severity', 'steps[0].title', 'steps[1].owner_id', 'steps[2].title', 'url'],
  ]);
  const { body: made } = await at.api.send(at.key, 'POST /runbooks', { body: at.body });
  const archived = await at.api.send(at.key, `DELETE /services/${at.body.service_id}`);
  assert.ok(
    archived.body.warnings.includes(`The runbook "Disk full" (${made.id}) still uses it.`),
    JSON.stringify(archived.body),
  );
});

test('its secrets are sealed in the database, and hidden below manager and in the audit log', async () => {
  await using at = await startApi();
  const { body: made } = await at.api.send(at.key, 'POST /runbooks', { body: at.body });
  const [row] = await at.sql<{ url: string; steps: object }[]>`select url, steps from runbooks`;
  assert.doesNotMatch(JSON.stringify(row), /s3cret|hunter2/);
  const viewer = at.world.caller({ role: 'viewer' });
  const { body: read } = await at.api.send(viewer, 'GET /runbooks/1');
  assert.deepEqual([read.url, read.steps[0].password, read.steps[0].title], [MASK, MASK, 'Look']);
  const [entry] = await at.sql<{ action: string; kind: string; after: { url: string } }[]>`
    select action, kind, after from audit_log where record_id = ${made.id}`;
  assert.deepEqual([entry?.action, entry?.kind, entry?.after.url], ['create', 'runbook', MASK]);
  const own = sealedColumnsOf([...records, runbook]).filter(({ table }) => table === 'runbooks');
  assert.deepEqual(
    own.map(({ column, bound, mapValue }) => [column, bound, mapValue !== undefined]),
    [
      ['url', 'row', false],
      ['steps', 'row', true],
    ],
  );
});

test('OpenAPI has its routes and its schemas', async () => {
  await using at = await startApi();
  const answer = await at.api.app.inject('/openapi.json');
  const document = answer.json();
  assert.deepEqual(Object.keys(document.paths['/runbooks/{id}']), [
    'get',
    'put',
    'patch',
    'delete',
  ]);
  const { properties, required } = document.components.schemas.RunbookInput;
  assert.deepEqual(required, ['name', 'service_id', 'url', 'steps']);
  assert.equal(properties.minutes.description, 'How long it takes, in minutes.');
});

const managed = managedOf([...records, runbook]);

test('Terraform plans, applies, refreshes, imports and destroys it', async () => {
  await using stack = new AsyncDisposableStack();
  const migrations = await writeMigrations(stack);
  const declared = [...records, runbook];
  await using at = await startProvider({ declared, migrations, managed });
  const [service_id = ''] = at.existing['service'] ?? [];
  const config = {
    name: 'Disk full',
    service_id,
    url: 'https://wiki.test',
    severity: 'high',
    steps: [{ title: 'Look', owner_id: at.ada, password: 'hunter2' }],
  };
  const type = 'pager_runbook';
  const wrong = await at.core.validate(type, { ...config, steps: [{ title: 'panic' }] });
  assert.deepEqual(
    wrong.map(({ summary }) => summary),
    ['Invalid steps[0].title'],
  );
  const made = await at.core.make(type, config);
  assert.deepEqual(await at.core.read(type, made), { state: made, diagnostics: [] });
  assert.equal((await at.core.plan(type, config, made)).isChange, false);
  const changed = await at.core.make(type, { ...config, severity: null }, made);
  const { body } = await at.api.send(at.key, 'GET /runbooks/1');
  assert.deepEqual([body.severity, body.version], ['low', 2]);
  assert.equal(body.managed_by.tool, 'terraform');
  const imported = await at.core.import(type, '1');
  assert.deepEqual(errorsOf(imported.diagnostics), []);
  assert.equal((await at.core.make(type, null, changed)).value, null);
  assert.ok((await at.api.send(at.key, 'GET /runbooks/1')).body.archived_at);
});

test('Terraform’s page says what each attribute is, and which are secret', () => {
  const { typeName, attributes } = managedAs(managed, 'pager_runbook');
  const texts = { example: 'resource "pager_runbook" "disk" {}\n', imports: '', note: '' };
  const page = resourcePage({ typeName, doc: runbook.doc, attributes, ...texts });
  assert.match(page, /`minutes` \(Number\) How long it takes, in minutes\./);
  assert.match(page, /`url` \(String, Sensitive\)/);
});

test('the export writes it, its references as references and its secrets apart', async () => {
  await using at = await startApi();
  const headers = { 'x-managed-by': 'terraform/prod' };
  await at.api.send(at.key, 'POST /runbooks', { body: at.body, headers });
  const declared = [...records, runbook];
  const organization = await readOrganization(at.client, { declared });
  assert.ok(organization.ok);
  const options = { baseUrl: 'http://localhost', teamId: null, declared };
  const { files } = configurationOf(organization.value, options);
  const own = files.find((file) => file.name === 'runbooks.tf')?.text ?? '';
  assert.match(own, /^resource "pager_runbook" "disk_full" \{/m);
  assert.match(own, /service_id += pager_service\.s\.id/);
  assert.match(own, /owner_id += data\.pager_user\.\w+\.id/);
  assert.match(own, /url += var\.runbook_disk_full_url/);
  assert.match(own, /password += var\.runbook_disk_full_password/);
  assert.doesNotMatch(own, /s3cret|hunter2/);
});
