import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { testSecrets as secrets } from '../../../test/api.ts';
import { cacheFor } from '../../../test/configuration.ts';
import { databases, type TestServer, testDatabase } from '../../../test/database.ts';
import { later, noon } from '../../../test/incident-life.ts';
import { seedSchedule } from '../../../test/monitoring.ts';
import { noFaults } from '../../../test/no-faults.ts';
import { seedOrganization } from '../../../test/world.ts';
import type { Fault, Faults } from '../../engine/faults.ts';
import { createIds } from '../../engine/ids.ts';
import { transact } from '../database/database.ts';
import { createLedger } from '../ledger/ledger.ts';
import { type Loss, loseContact, noteArrival, restoreContact } from './lost-contacts.ts';

const ids = createIds({ now: () => noon });
const number = '+4915112345678';
const optedOut: Loss = { state: 'opted_out', reason: 'STOP was answered.' };
const day = 24 * 60;

async function start(server: TestServer, faults: Faults = noFaults) {
  const database = await testDatabase({ server, maxConnections: 4 });
  const { sql } = database;
  const { organizationId, teams, users } = await seedOrganization(sql, {
    users: [
      { name: 'ada', contacts: { sms: number } },
      { name: 'boss', role: 'admin' },
      { name: 'owner', role: 'owner' },
    ],
  });
  const parts = { sql, ids, secrets, faults, configurations: cacheFor('email', 'telegram') };
  const at = { organizationId, channel: 'sms', address: number };
  return {
    sql,
    parts,
    organizationId,
    teams,
    users,
    lose: (minutes = 0, loss = optedOut) =>
      loseContact(parts, { ...at, now: later(minutes) }, loss),
    restore: (minutes: number) =>
      restoreContact(sql, { ...at, ids, now: later(minutes) }, optedOut.state),
    async notified() {
      const rows = await sql<{ text: string }[]>`
        select concat(notice->>'recipient', ' by ', channel) as text
        from outbox where kind = 'contact_lost'`;
      return rows.map(({ text }) => text).sort();
    },
    async state() {
      const [row] = await sql`
        select verified_at is not null as verified, state from contacts where channel = 'sms'`;
      return [row?.['verified'], row?.['state']];
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

type World = Awaited<ReturnType<typeof start>>;

for (const server of await databases())
  describe(`lost contacts, ${server.name}`, () => {
    test('its person is notified by mail at their own time, and the notice is not counted', async () => {
      await using world = await start(server);
      await world.sql`update users set timezone = 'Asia/Tokyo' where role = 'responder'`;
      await world.lose();
      assert.deepEqual(await world.notified(), ['ada Example by email']);
      assert.deepEqual(await world.state(), [false, 'opted_out']);
      const ledger = createLedger(world.parts);
      const request = { now: noon, leaseUntil: later(1), limit: 9, busy: [], perRecipient: 1 };
      const [notice] = await ledger.transact((tx) => tx.claim(request, () => null));
      assert.ok(notice?.about === 'lost_contact');
      const { id: _, since, ...lost } = notice.lost;
      assert.deepEqual(lost, { channel: 'sms', name: '…5678', state: 'opted_out', person: null });
      assert.equal(`${since}`, `${noon}`);
      assert.equal(notice.address, `ada@${world.organizationId}.test`);
      assert.equal(notice.timezone, 'Asia/Tokyo');
      const counted = await world.sql`select from alert_usage`;
      assert.equal(counted.length, 0);
    });

    test('servers that hear of it at the same time tell it once, whatever their clocks', async () => {
      await using world = await start(server);
      await Promise.all([world.lose(), world.lose(day), world.lose(2 * day)]);
      assert.equal((await world.notified()).length, 1);
    });

    test('it is told once a day at most, and nothing when the contact is back', async () => {
      await using world = await start(server);
      await world.lose();
      await world.restore(1);
      assert.deepEqual(await world.state(), [true, null]);
      await world.lose(2);
      assert.equal((await world.notified()).length, 1);
      assert.deepEqual(await world.state(), [false, 'opted_out']);
      await world.restore(day);
      assert.equal((await world.notified()).length, 1);
      await world.lose(day + 1);
      assert.equal((await world.notified()).length, 2);
    });

    test('of a person on call the admins are told too', async () => {
      await using world = await start(server);
      const { sql, organizationId, teams, users } = world;
      const place = { organizationId, teamId: teams['ops'] ?? '', now: noon };
      await seedSchedule(sql, place, [users['ada'] ?? '']);
      await world.lose();
      assert.deepEqual(await world.notified(), [
        'ada Example by email',
        'boss Example by email',
        'owner Example by email',
      ]);
    });

    test('a contact that was never proved is marked, and told to nobody', async () => {
      await using world = await start(server);
      const { sql, parts, organizationId } = world;
      await sql`update contacts set verified_at = null where channel = 'sms'`;
      const [contact] = await sql<{ id: string }[]>`select id from contacts where channel = 'sms'`;
      const at = { organizationId, id: contact?.id ?? '', now: noon };
      await loseContact(parts, at, { state: 'gone', reason: 'It is gone.' });
      assert.deepEqual(await world.state(), [false, 'gone']);
      assert.deepEqual(await world.notified(), []);
    });

    const invalid: Loss = { state: 'invalid', reason: 'the number is not in service (30005)' };
    const arrival = ({ sql, organizationId }: World, minutes: number) =>
      transact(sql, (tx) =>
        noteArrival(tx, {
          organizationId,
          channel: 'sms',
          address: number,
          ids,
          now: later(minutes),
        }),
      );
    const lives: readonly (readonly [
      title: string,
      life: readonly (readonly ['strike' | 'arrival' | 'proof', minutes: number])[],
      state: readonly [verified: boolean, state: string | null],
    ])[] = [
      ['one report that it is invalid leaves it', [['strike', 0]], [true, null]],
      [
        'a second one ends it',
        [
          ['strike', 0],
          ['strike', 5],
        ],
        [false, 'invalid'],
      ],
      [
        'reports within minutes count as one',
        [
          ['strike', 0],
          ['strike', 1],
          ['strike', 4],
        ],
        [true, null],
      ],
      [
        'and the next one ends it',
        [
          ['strike', 0],
          ['strike', 4],
          ['strike', 9],
        ],
        [false, 'invalid'],
      ],
      [
        'what arrives in between counts',
        [
          ['strike', 0],
          ['arrival', 1],
          ['strike', 9],
        ],
        [true, null],
      ],
      [
        'so does proving it anew',
        [
          ['strike', 0],
          ['proof', 1],
          ['strike', 9],
        ],
        [true, null],
      ],
      [
        'a message that arrives brings it back',
        [
          ['strike', 0],
          ['strike', 9],
          ['arrival', 10],
        ],
        [true, null],
      ],
      [
        'and it has two reports again',
        [
          ['strike', 0],
          ['strike', 9],
          ['arrival', 10],
          ['strike', 20],
        ],
        [true, null],
      ],
    ];
    for (const [title, life, state] of lives)
      test(`of a number: ${title}`, async () => {
        await using world = await start(server);
        await world.sql`update contacts set verified_at = ${noon} where channel = 'sms'`;
        for (const [event, minutes] of life) {
          if (event === 'strike') await world.lose(minutes, invalid);
          else if (event === 'arrival') await arrival(world, minutes);
          else
            await world.sql`update contacts set verified_at = ${later(minutes)} where channel = 'sms'`;
        }
        assert.deepEqual(await world.state(), state);
      });

    test('what arrives leaves a person who sent STOP alone', async () => {
      await using world = await start(server);
      await world.lose();
      await arrival(world, 1);
      assert.deepEqual(await world.state(), [false, 'opted_out']);
    });

    test('it is lost also where nobody can be told, which is a fault', async () => {
      const faults: Fault[] = [];
      await using world = await start(server, (fault) => void faults.push(fault));
      await world.sql`alter table outbox add constraint nothing check (kind <> 'contact_lost')`;
      await world.lose();
      assert.deepEqual(await world.state(), [false, 'opted_out']);
      assert.deepEqual(
        faults.map(({ of }) => of),
        ['notice'],
      );
    });
  });
