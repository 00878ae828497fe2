import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyFields, type Existing, withSlug } from '../../../test/any-fields.ts';
import { type TestApi, testApi } from '../../../test/api.ts';
import { databases, testDatabase } from '../../../test/database.ts';
import { seedOrganization, type World } from '../../../test/world.ts';
import type { Resource } from '../../resources/declaration/resource.ts';
import { readObject } from '../../resources/declaration/validate.ts';
import { records } from '../../resources/index.ts';
import { integration } from '../../resources/integration.ts';

type Fields = Record<string, unknown>;
type Setting = { api: TestApi; world: World; existing: Existing; key: ReturnType<World['caller']> };

const RUNS = 25;

async function settle(api: TestApi, world: World): Promise<Setting> {
  const key = world.caller({ defaultTeamId: world.teams['ops'] ?? null });
  const make = async (route: string, body: object) => {
    const made = await api.send(key, `POST /${route}`, { body });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.id as string;
  };
  const { ada = '', lin = '' } = world.users;
  const users = [ada, lin];
  const service = await make('services', { name: 's' });
  const layers = [{ users, rotation: { length: 1, unit: 'weeks' } }];
  const oncall_schedule = await make('on-calls', { name: 'o', layers });
  const escalation_policy = await make('escalation-policies', {
    name: 'p',
    steps: [{ targets: [{ via: 'email', user_id: ada }] }],
  });
  const integration = await make('integrations', {
    slug: 'webhook',
    service_id: service,
    escalation_policy_id: escalation_policy,
  });
  const outbound_webhook = await make('outbound-webhooks', { name: 'w', url: 'https://w.test' });
  const playbook = await make('playbooks', {
    name: 'b',
    actions: [{ type: 'acknowledgeIncident' }],
  });
  const made = {
    service,
    escalation_policy,
    integration,
    outbound_webhook,
    oncall_schedule,
    playbook,
  };
  const existing = Object.fromEntries(Object.entries(made).map(([kind, id]) => [kind, [id]]));
  return {
    api,
    world,
    key,
    existing: { ...existing, user: users, team: [world.teams['ops'] ?? ''] },
  };
}

const people = { users: [{ name: 'ada' }, { name: 'lin' }], teams: ['ops', 'web'] };

/** What was sent with nothing but the documented defaults added. */
function echoOf(resource: Resource, sent: Fields): Fields {
  const read = readObject(resource.input, sent);
  assert.ok(read.ok);
  // Of a type without groups; src/api/records/integration.test.ts has the others.
  return resource === integration ? { grouping: { by: [] }, ...read.value } : read.value;
}

function ownFields(resource: Resource, body: Fields): Fields {
  return Object.fromEntries(Object.entries(body).filter(([name]) => name in resource.fields));
}

const sample = (resource: Resource, existing: Existing, count = 1): Fields[] =>
  fc
    .sample(anyFields(resource, existing), { numRuns: count, seed: 7 })
    .map((one) => withSlug(resource, one));

for (const server of await databases()) {
  for (const resource of records) {
    const what = `${resource.name} on ${server.name}`;
    const path = `/${resource.route}`;

    test(`${what}: what is written is echoed exactly, at once and read again`, async () => {
      await using database = await testDatabase({ server });
      await using api = await testApi({ sql: database.sql, requestBurst: 1_000_000 });
      const { key, existing } = await settle(api, await seedOrganization(database.sql, people));
      const anyBody = anyFields(resource, existing).map((one) => withSlug(resource, one));
      await fc.assert(
        fc.asyncProperty(anyBody, anyBody, async (first, second) => {
          const made = await api.send(key, `POST ${path}`, { body: first });
          assert.equal(made.status, 201, JSON.stringify(made.body));
          assert.deepEqual(ownFields(resource, made.body), echoOf(resource, first));
          assert.equal(made.body.version, 1);
          const one = `${path}/${made.body.id}`;
          const read = await api.send(key, `GET ${one}`);
          const { warnings: _warnings, ...record } = made.body;
          assert.deepEqual(read.body, record);
          assert.deepEqual((await api.send(key, `GET ${path}/${record.counter}`)).body, record);
          const put = await api.send(key, `PUT ${one}`, { body: { ...second, id: 'ignored' } });
          assert.equal(put.status, 200, JSON.stringify(put.body));
          assert.deepEqual(ownFields(resource, put.body), echoOf(resource, second));
          assert.equal(put.body.version, 2);
          const same = await api.send(key, `PUT ${one}`, { body: made.body });
          assert.deepEqual(ownFields(resource, same.body), echoOf(resource, first));
        }),
        { numRuns: RUNS },
      );
    });

    test(`${what}: patch, archive, restore, versions and repeats`, async () => {
      await using database = await testDatabase({ server });
      await using api = await testApi({ sql: database.sql });
      const { key, existing, world } = await settle(
        api,
        await seedOrganization(database.sql, people),
      );
      const [body = {}] = sample(resource, existing);
      const headers = { 'idempotency-key': 'once' };
      const made = await api.send(key, `POST ${path}`, { body, headers });
      assert.deepEqual((await api.send(key, `POST ${path}`, { body, headers })).body, made.body);
      const other = await api.send(key, `POST ${path}`, { body: { ...body, name: 'o' }, headers });
      assert.deepEqual([other.status, other.body.error], [409, 'idempotency_mismatch']);

      const one = `${path}/${made.body.id}`;
      const patched = await api.send(key, `PATCH ${one}`, { body: { name: 'new name' } });
      assert.deepEqual(
        ownFields(resource, patched.body),
        echoOf(resource, { ...body, name: 'new name' }),
      );
      const stale = await api.send(key, `PUT ${one}`, { body, headers: { 'if-match': '"1"' } });
      assert.deepEqual([stale.status, stale.body.error], [409, 'stale_version']);
      const fresh = await api.send(key, `PUT ${one}`, { body, headers: { 'if-match': '2' } });
      assert.equal(fresh.status, 200);

      const moved = await api.send(key, `PATCH ${one}`, { body: { team_id: world.teams['web'] } });
      assert.deepEqual([moved.status, moved.body.error], [422, 'immutable']);
      assert.equal(moved.body.issues[0].path, 'team_id');

      const gone = await api.send(key, `DELETE ${one}`);
      assert.equal(gone.status, 200);
      assert.deepEqual(Object.keys(gone.body), ['id', 'archived_at', 'warnings']);
      assert.deepEqual((await api.send(key, `DELETE ${one}`)).body, gone.body);
      const read = await api.send(key, `GET ${one}`);
      assert.deepEqual([read.status, read.body.archived_at], [200, gone.body.archived_at]);
      const late = await api.send(key, `PUT ${one}`, { body });
      assert.deepEqual([late.status, late.body.error], [409, 'archived']);

      const admin = { ...key, id: 'another', role: 'owner' as const };
      const byKey = await api.send(admin, `POST ${one}/restore`);
      assert.deepEqual([byKey.status, byKey.body.error], [403, 'restore_is_dashboard_only']);
      const person = { ...admin, id: 'person', kind: 'session' as const };
      const manager = { ...person, id: 'manager', role: 'manager' as const };
      assert.equal((await api.send(manager, `POST ${one}/restore`)).body.error, 'forbidden');
      const restored = await api.send(person, `POST ${one}/restore`);
      assert.equal(restored.status, 200);
      assert.equal('archived_at' in restored.body, false);
      assert.deepEqual(ownFields(resource, restored.body), echoOf(resource, body));
    });

    test(`${what}: lists page by cursor, filter by field and keep the archived apart`, async () => {
      await using database = await testDatabase({ server });
      await using api = await testApi({ sql: database.sql });
      const { key, existing } = await settle(api, await seedOrganization(database.sql, people));
      const before = (await api.send(key, `GET ${path}`)).body.data.length;
      const ids: string[] = [];
      for (const body of sample(resource, existing, 5)) {
        const name = `n ${ids.length}`;
        ids.push((await api.send(key, `POST ${path}`, { body: { ...body, name } })).body.id);
      }
      const seen: string[] = [];
      let cursor = '';
      do {
        const page = await api.send(key, `GET ${path}?limit=2${cursor}`);
        assert.ok(page.body.data.length <= 2);
        seen.push(...page.body.data.map((each: { id: string }) => each.id));
        cursor = page.body.next_cursor === null ? '' : `&cursor=${page.body.next_cursor}`;
      } while (cursor !== '');
      assert.deepEqual(seen.slice(before), ids);

      const matching = await api.send(key, `GET ${path}?name=n%203`);
      assert.deepEqual(
        matching.body.data.map((each: { id: string }) => each.id),
        [ids[3]],
      );
      await api.send(key, `DELETE ${path}/${ids[0]}`);
      const active = await api.send(key, `GET ${path}`);
      assert.equal(active.body.data.length, before + 4);
      const archived = await api.send(key, `GET ${path}?archived=true`);
      assert.deepEqual(
        archived.body.data.map((each: { id: string }) => each.id),
        [ids[0]],
      );
      const refused = async (status: number, query: string) =>
        assert.equal((await api.send(key, `GET ${path}?${query}`)).status, status, query);
      for (const query of ['color=red', 'name=%00']) await refused(400, query);
      for (const query of ['limit=0', 'limit=201', 'cursor=x', 'archived=1'])
        await refused(422, query);
    });

    test(`${what}: other organizations and other teams of a key see nothing`, async () => {
      await using database = await testDatabase({ server });
      await using api = await testApi({ sql: database.sql });
      const { key, existing, world } = await settle(
        api,
        await seedOrganization(database.sql, people),
      );
      const [body = {}] = sample(resource, existing);
      const made = await api.send(key, `POST ${path}`, { body });
      const stranger = (await seedOrganization(database.sql)).caller({ role: 'owner' });
      const { web = '' } = world.teams;
      const neighbour = world.caller({ teamIds: [web] });
      for (const caller of [stranger, neighbour]) {
        assert.deepEqual((await api.send(caller, `GET ${path}`)).body.data, []);
        for (const [method, sent] of [
          ['GET', {}],
          ['PUT', { body }],
          ['PATCH', { body: { name: 'x' } }],
          ['DELETE', {}],
        ] as const) {
          const answer = await api.send(caller, `${method} ${path}/${made.body.id}`, sent);
          assert.deepEqual([answer.status, answer.body.error], [404, 'not_found'], method);
        }
      }
      const elsewhere = await api.send(neighbour, `POST ${path}`, {
        body: { ...body, team_id: world.teams['ops'] },
      });
      assert.deepEqual([elsewhere.status, elsewhere.body.error], [404, 'not_found']);
    });

    test(`${what}: a viewer reads, and changes nothing`, async () => {
      await using database = await testDatabase({ server });
      await using api = await testApi({ sql: database.sql });
      const { key, existing } = await settle(api, await seedOrganization(database.sql, people));
      const [body = {}] = sample(resource, existing);
      const made = await api.send(key, `POST ${path}`, { body });
      const viewer = { ...key, id: 'viewer', role: 'viewer' as const };
      assert.equal((await api.send(viewer, `GET ${path}/${made.body.id}`)).status, 200);
      for (const request of [
        `POST ${path}`,
        `PUT ${path}/1`,
        `PATCH ${path}/1`,
        `DELETE ${path}/1`,
      ])
        assert.equal((await api.send(viewer, request, { body })).status, 403, request);
    });
  }
}
