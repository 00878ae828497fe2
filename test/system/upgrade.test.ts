// The release before goes on while its database gets the schema of this one.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import project from '../../package.json' with { type: 'json' };
import { testDatabase } from '../database.ts';
import { type Api, createApiClient } from './api-client.ts';
import { eventually } from './eventually.ts';
import { startLoad } from './load.ts';
import { startMailServer } from './notice-servers.ts';
import { drained, keepsItsPromises } from './promises.ts';
import { before, checkOutReleaseBefore, noReleaseBefore, releases } from './release-before.ts';
import { createInstallation, mailTo } from './server-process.ts';
import { systemPostgres } from './system-postgres.ts';

const postgres = await systemPostgres();
const root = join(import.meta.dirname, '..', '..');

/** Two checks, a minute apart, the first of them within a minute. */
const RULES_MILLISECONDS_MAX = 600_000;

test('every release but the one that is being made has its commit in release/released.json', async () => {
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
  const sections = [...changelog.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title);
  const dated = sections.filter((title) => title !== 'Unreleased');
  for (const title of dated) assert.match(title, /^\d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\)$/);
  const versions = dated.map((title) => title.replace(/ .*/, ''));
  assert.equal(versions[0] ?? project.version, project.version);
  const known = releases.map(({ version }) => version).toReversed();
  // A commit cannot name itself: that of the newest release is added by the next one.
  const isNewestKnown = known.length === versions.length;
  assert.deepEqual(known, isNewestKnown ? versions : versions.slice(1));
});

test(`the release before, ${before?.version ?? 'of which there is none'}, runs on this schema`, {
  skip: noReleaseBefore,
}, async () => {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'pager-before-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  await checkOutReleaseBefore(folder);
  const mail = stack.use(await startMailServer());
  const database = stack.use(await testDatabase({ server: postgres, migrations: 'none' }));
  const settings = {
    ...mailTo(mail),
    PAGER_DATABASE_URL: database.url,
    PAGER_SECRET_KEY: 'k'.repeat(40),
  };
  const olderInstallation = stack.use(await createInstallation(settings, folder));
  const newerInstallation = stack.use(await createInstallation(settings));
  const older = await olderInstallation.start();
  const [integration] = await older.api.list('integrations');
  const hooks = [new URL(integration.webhook_url).pathname];
  // Until the newer one listens, only the older one answers.
  const urls = [older.url, `http://${newerInstallation.settings['PAGER_LISTEN']}`];
  await using load = startLoad({ urls, apiKey: older.apiKey, hooks });
  await load.more(20);
  const left = await createScheduleOfOneWhoLeft(older.api);
  const newer = await newerInstallation.start();
  await load.more(60);
  const api = createApiClient(newer.url, older.apiKey);
  for (const each of [older.api, api])
    assert.equal(await left.onCall(each), 'Ada', 'one release goes by other rules than the other');
  const refused = await api.send(`POST /on-calls/${left.id}/overrides`, left.takingOff);
  assert.equal(refused.status, 422);
  assert.match(JSON.stringify(refused.body), /the upgrade of Pager has not finished/);
  const early = await api.send('POST /alert-rules', groupingRule);
  assert.equal(early.status, 422, JSON.stringify(early.body));
  const [service] = await api.list('services');
  const body = { title: 'Opened by a person', service_id: service.id };
  const open = () => api.create('incidents', body);
  const [{ number }] = [await open(), await open()];
  const acknowledged = await older.api.send(`POST /incidents/${number}/acknowledge`);
  assert.equal(acknowledged.status, 200, JSON.stringify(acknowledged.body));
  await load.more(20);
  await load[Symbol.asyncDispose]();
  assert.equal(await older.stop(), 0, older.output());
  await drained(database.sql);
  await keepsItsPromises(database.sql, load.promised, mail.mails);
  const begun = () => newer.output().includes('schedules follow the rules of this release');
  await eventually('two checks without the release before', begun, RULES_MILLISECONDS_MAX);
  assert.equal(await left.onCall(api), 'Eve');
  const made = await api.send(`POST /on-calls/${left.id}/overrides`, left.takingOff);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  assert.equal(await left.onCall(api), undefined);
  await api.create('alert-rules', groupingRule);
  const audit = await newerInstallation.audit();
  assert.equal(audit.code, 0, audit.output);
  assert.equal(await newer.stop(), 0, newer.output());
});

/** With an action that the release before cannot read. */
const groupingRule = {
  name: 'One incident',
  condition_groups: [{ conditions: [{ type: 'allIncidents' }] }],
  actions: [{ type: 'groupIncident', by: ['title'], across: 'team' }],
};

/** Ada is above Eve, and is made inactive. */
async function createScheduleOfOneWhoLeft(api: Api) {
  const person = async (first_name: string) =>
    (
      await api.create('users', {
        first_name,
        last_name: 'Byron',
        email: `${first_name.toLowerCase()}@example.test`,
        role: 'responder',
      })
    ).id;
  const [ada, eve] = [await person('Ada'), await person('Eve')];
  const rotation = { length: 1, unit: 'weeks' };
  const { id } = await api.create('on-calls', {
    name: 'Left',
    timezone: 'Europe/Berlin',
    layers: [
      { users: [eve], rotation },
      { users: [ada], rotation },
    ],
  });
  const inactive = await api.send(`PATCH /users/${ada}`, { active: false });
  assert.equal(inactive.status, 200, JSON.stringify(inactive.body));
  const [start, end] = [-1, 1].map((hours) => Temporal.Now.instant().add({ hours }).toString());
  return {
    id,
    takingOff: { user_id: null, replaces_user_id: eve, start, end },
    async onCall(of: Api): Promise<string | undefined> {
      const { status, body } = await of.send(`GET /on-calls/${id}/now`);
      assert.equal(status, 200, JSON.stringify(body));
      return body.now?.user.first_name;
    },
  };
}
