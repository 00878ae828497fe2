import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testSecrets } from '../../../test/api.ts';
import { databases, type TestServer, testDatabase } from '../../../test/database.ts';
import { noon } from '../../../test/incident-life.ts';
import {
  seedIntegration,
  seedOverride,
  seedPlaybook,
  seedRule,
  seedSchedule,
  seedWebhook,
} from '../../../test/monitoring.ts';
import { noFaults } from '../../../test/no-faults.ts';
import { seedOrganization } from '../../../test/world.ts';
import type { Fault, Faults } from '../../engine/faults.ts';
import { createIds } from '../../engine/ids.ts';
import {
  NotConfigured,
  policyIn,
  rotaIn,
  routedIntegrationIn,
} from '../../incidents/configuration.ts';
import { reach } from '../../incidents/target-recipients.ts';
import { type Sql, transact } from '../database/database.ts';
import { ConfigurationCache } from './cache.ts';

const ids = createIds({ now: () => noon });
const channels = new Set(['email']);

/** An organisation with some of everything, and one server's cache. */
async function opened(server: TestServer, faults: Faults = noFaults) {
  const database = await testDatabase({ server, maxConnections: 4 });
  const { sql } = database;
  const world = await seedOrganization(sql, {
    users: [{ name: 'ada' }, { name: 'boss', role: 'admin' }],
  });
  const { organizationId, teams, users } = world;
  const { ada = '', boss = '' } = users;
  const place = { organizationId, teamId: teams['ops'] ?? '', now: noon };
  const steps = [{ targets: [{ via: 'email' as const, user_id: ada }] }];
  const on = await seedIntegration(sql, place, { steps });
  const scheduleId = await seedSchedule(sql, place, [ada]);
  const ruleId = await seedRule(sql, place, { actions: [{ type: 'priority', priority: 'p1' }] });
  const webhookId = await seedWebhook(sql, place, {
    secrets: testSecrets,
    url: 'https://hook.test',
  });
  const playbookId = await seedPlaybook(sql, place, { name: 'Out', actions: [] });
  const cache = new ConfigurationCache(channels, faults);
  return {
    sql,
    place,
    on,
    scheduleId,
    ruleId,
    webhookId,
    playbookId,
    ada,
    boss,
    cache,
    read: (by = cache) => readBy(sql, by, organizationId),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

type Opened = Awaited<ReturnType<typeof opened>>;

async function readBy(sql: Sql, cache: ConfigurationCache, organizationId: string) {
  const all = await transact(sql, (tx) => cache.read(tx, [organizationId], noon));
  const record = all.get(organizationId);
  assert.ok(record);
  return record;
}

const kinds = [
  'services',
  'policies',
  'integrations',
  'webhooks',
  'teams',
  'people',
  'schedules',
  'notifications',
] as const;

type Edit = { readonly does: (at: Opened) => Promise<unknown>; readonly changes: string };

const edits: Readonly<Record<string, Edit>> = {
  'a service': { does: ({ sql }) => sql`update services set name = 'New'`, changes: 'services' },
  'a policy': {
    does: ({ sql }) => sql`update escalation_policies set delay_minutes = 3`,
    changes: 'policies',
  },
  'an integration': {
    does: ({ sql }) => sql`update integrations set enabled = false`,
    changes: 'integrations',
  },
  'a webhook': {
    does: ({ sql }) => sql`update outbound_webhooks set archived_at = ${noon}`,
    changes: 'webhooks',
  },
  'a rule': {
    does: ({ sql }) => sql`update alert_routing_rules set name = 'New'`,
    changes: 'teams',
  },
  'a playbook': {
    does: ({ sql }) => sql`update playbooks set enabled = false`,
    changes: 'teams',
  },
  'who is in a team': { does: ({ sql }) => sql`delete from team_members`, changes: 'teams' },
  'a person': { does: ({ sql }) => sql`update users set active = false`, changes: 'people' },
  'a contact that is verified': {
    async does({ sql, place, ada }) {
      const contact = { id: ids.next(), user_id: ada, channel: 'sms', address: '+491' };
      const own = { organization_id: place.organizationId, ...contact };
      await sql`insert into contacts ${sql({ ...own, verified_at: noon, created_at: noon })}`;
    },
    changes: 'people',
  },
  'a contact that is removed': { does: ({ sql }) => sql`delete from contacts`, changes: 'people' },
  'what a person wishes to hear': {
    does: ({ sql, place, ada }) => sql`
      insert into user_notifications (organization_id, user_id, settings, updated_at)
      values (${place.organizationId}, ${ada}, '{"shift_end": ["email"]}', ${noon})`,
    changes: 'people',
  },
  'an override': {
    does: ({ sql, place, scheduleId, boss }) =>
      seedOverride(sql, place, {
        scheduleId,
        userId: boss,
        start: noon,
        end: noon.add({ hours: 1 }),
      }),
    changes: 'schedules',
  },
  'who hears of a schedule': {
    does: ({ sql, place, scheduleId }) => sql`
      insert into schedule_notifications (organization_id, oncall_schedule_id, settings, updated_at)
      values (${place.organizationId}, ${scheduleId}, '{"slack": []}', ${noon})`,
    changes: 'schedules',
  },
  'who hears of all schedules': {
    does: ({ sql }) => sql`update organizations set shift_notifications = '{"slack": []}'`,
    changes: 'notifications',
  },
  'what is no configuration': {
    async does({ sql, place }) {
      const { organizationId: organization_id, teamId: team_id } = place;
      await sql`update shift_cursors set advanced_to = ${noon}`;
      await sql`
        insert into alert_usage (organization_id, month, channel, used)
        values (${organization_id}, '2026-03', 'email', 1)`;
      await sql`
        insert into api_keys ${sql({
          organization_id,
          id: ids.next(),
          name: 'key',
          role: 'viewer',
          prefix: 'p',
          digest: Buffer.alloc(32),
          created_at: noon,
          created_by: 'x',
          team_ids: null,
          default_team_id: team_id,
        })}`;
    },
    changes: '',
  },
};

for (const server of await databases())
  describe(server.name, () => {
    test('only what was changed is read again', async () => {
      await using at = await opened(server);
      for (const [name, { does, changes }] of Object.entries(edits)) {
        const before = await at.read();
        await does(at);
        const after = await at.read();
        assert.equal(after.version > before.version, changes !== '', name);
        const changed = kinds.filter((kind) => after[kind] !== before[kind]);
        assert.deepEqual(changed, changes === '' ? [] : [changes], name);
        // As a server reads it that holds nothing yet.
        const anew = await at.read(new ConfigurationCache(channels, noFaults));
        assert.deepEqual(plain(after), plain(anew), name);
      }
    });

    test('what did not change is the same, rules included', async () => {
      await using at = await opened(server);
      const before = await at.read();
      await seedRule(at.sql, at.place, { name: 'Second', actions: [] });
      const [one, other] = [before, await at.read()].map(
        ({ teams }) => teams.get(at.place.teamId)?.rules ?? [],
      );
      assert.deepEqual(
        other?.map(({ name }) => name),
        ['Rule', 'Second'],
      );
      assert.equal(other?.[0], one?.[0]);
      assert.equal((await at.read()).policies, before.policies);
    });

    test('more than are read at once are all there, and refer to what is there', async () => {
      await using at = await opened(server);
      const { organizationId, teamId } = at.place;
      await at.sql`
        insert into services (organization_id, id, counter, version, team_id, name, created_at,
          updated_at)
        select ${organizationId}, lpad(n::text, 24, '0'), n + 100000, 1, ${teamId}, 'Service ' || n,
          ${noon}, ${noon}
        from generate_series(1, 1200) n`;
      const read = await at.read();
      assert.equal(read.services.size, 1_201);
      assert.equal(routedIntegrationIn(read, at.on.id).policy, policyIn(read, at.on.policyId));
    });

    test('a transaction that changes something holds up nobody else until its commit', async () => {
      await using at = await opened(server);
      const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
      const { promise: isChanged, resolve: changed } = Promise.withResolvers<void>();
      const first = transact(at.sql, async (tx) => {
        await tx`update services set name = 'First'`;
        changed();
        await mayCommit;
        await tx`update outbound_webhooks set name = 'First'`;
      });
      await isChanged;
      await transact(at.sql, async (tx) => {
        await tx`update outbound_webhooks set name = 'Second'`;
        await tx`update escalation_policies set name = 'Second'`;
      });
      const between = await at.read();
      assert.equal(between.services.get(at.on.serviceId)?.name, 'Shop');
      commit();
      await first;
      const after = await at.read();
      assert.equal(after.services.get(at.on.serviceId)?.name, 'First');
      assert.equal(policyIn(after, at.on.policyId).name, 'Second');
      assert.ok(after.version > between.version);
    });

    test('what a failover has lost is not held any longer', async () => {
      await using at = await opened(server);
      const { version } = await at.read();
      const cached = await at.sql`select kind, record_id, version from configuration_changes`;
      await at.sql`update services set name = 'Lost'`;
      await at.read();
      // As a standby has it that did not get that commit.
      await at.sql.begin(async (tx) => {
        await tx`update services set name = 'Shop'`;
        await tx`set constraints all immediate`;
        for (const { kind, record_id, version: then } of cached)
          await tx`update configuration_changes set version = ${then}
            where kind = ${kind} and record_id = ${record_id}`;
        await tx`update configuration_versions set version = ${version}`;
      });
      const after = await at.read();
      assert.equal(after.version, version);
      assert.equal(after.services.get(at.on.serviceId)?.name, 'Shop');
    });

    test('a record that cannot be read fails alone, by its name', async () => {
      const reported: Fault[] = [];
      await using at = await opened(server, (fault) => reported.push(fault));
      await at.sql`update schedule_revisions set anchors = '[]'`;
      const read = await at.read();
      const named = reported.map(({ of, id }) => [of, id]);
      assert.deepEqual(named, [['record', `schedule ${at.scheduleId}`]]);
      assert.throws(() => rotaIn(read, at.scheduleId), NotConfigured);
      assert.deepEqual([...read.unreadable], [at.scheduleId]);
      assert.deepEqual(reach({ via: 'email', oncall_schedule_id: at.scheduleId }, read, noon), {
        channel: 'email',
        personId: null,
        duty: null,
        reached: false,
        isFault: true,
        name: `on call of the schedule ${at.scheduleId}`,
        reason: 'its stored record cannot be read',
      });
      await at.sql`
        update schedule_revisions r set anchors = s.anchors from oncall_schedules s
        where s.id = r.oncall_schedule_id`;
      await at.sql`update oncall_schedules set name = 'Mended'`;
      assert.deepEqual([...(await at.read()).unreadable], []);
      assert.equal(routedIntegrationIn(read, at.on.id).name, 'Checks');
    });

    test('of settings that cannot be read all else of their record is known', async () => {
      const reported: Fault[] = [];
      await using at = await opened(server, (fault) => reported.push(fault));
      const { place, ada, scheduleId } = at;
      await at.sql`update organizations set shift_notifications = '{"slack": 7}'`;
      for (const [table, owner, id] of [
        ['user_notifications', 'user_id', ada],
        ['schedule_notifications', 'oncall_schedule_id', scheduleId],
      ] as const)
        await at.sql`
          insert into ${at.sql(table)} (organization_id, ${at.sql(owner)}, settings, updated_at)
          values (${place.organizationId}, ${id}, '{"v": 2}', ${noon})`;
      const read = await at.read();
      assert.deepEqual(reported.map(({ id }) => id).sort(), [
        `organization ${place.organizationId} notifications`,
        `person ${ada} notifications`,
        `schedule ${scheduleId} notifications`,
      ]);
      assert.deepEqual(rotaIn(read, scheduleId).notifications, {});
      assert.deepEqual(read.people.get(ada)?.notifications, {});
      assert.deepEqual(read.notifications, {});
    });

    test('what was not used for longest is dropped when there are too many', async () => {
      await using at = await opened(server);
      const other = await seedOrganization(at.sql);
      const small = new ConfigurationCache(channels, noFaults, {
        limits: { organizations: 1, records: 5 },
      });
      const first = await at.read(small);
      assert.equal((await at.read(small)).people, first.people);
      await readBy(at.sql, small, other.organizationId);
      assert.notEqual((await at.read(small)).people, first.people);
    });
  });

/** Maps as lists in one order, so that equal values compare as equal. */
const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_, one) =>
      one instanceof Map ? [...one].sort(([a], [b]) => (a < b ? -1 : 1)) : one,
    ),
  );
