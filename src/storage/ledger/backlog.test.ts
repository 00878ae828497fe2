import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { cacheFor } from '../../../test/configuration.ts';
import { anyDatabase, testDatabase } from '../../../test/database.ts';
import { pushed } from '../../../test/http-event.ts';
import { noon } from '../../../test/incident-life.ts';
import { seedIntegration } from '../../../test/monitoring.ts';
import { noFaults as faults } from '../../../test/no-faults.ts';
import { buildSecrets } from '../../../test/secrets.ts';
import { seedOrganization } from '../../../test/world.ts';
import { systemClock } from '../../engine/clock.ts';
import { createIds } from '../../engine/ids.ts';
import type { Ledger } from '../../engine/ledger.ts';
import type { StoredEvent } from '../../engine/ports/events.ts';
import type { Sql } from '../database/database.ts';
import { createLedger } from './ledger.ts';

const ids = createIds(systemClock);
const secrets = buildSecrets(randomBytes(32).toString('hex'));
const ledgerOn = (sql: Sql) =>
  createLedger({ sql, ids, secrets, configurations: cacheFor('email'), faults });

type Line = { readonly organization_id: string; readonly integration_id: string };

/** An organisation with so many integrations, in the order of their ids. */
async function seedLines(sql: Sql, count: number): Promise<readonly Line[]> {
  const { organizationId, teams } = await seedOrganization(sql);
  const place = { organizationId, teamId: teams['ops'] ?? '', now: noon };
  const made = await Promise.all(
    Array.from({ length: count }, () => seedIntegration(sql, place, { steps: [] })),
  );
  return made
    .map(({ id }) => ({ organization_id: organizationId, integration_id: id }))
    .sort((a, b) => (a.integration_id < b.integration_id ? -1 : 1));
}

const waiting = (ledger: Ledger, line: Line | undefined, count: number) =>
  ledger.transact((tx) => {
    assert.ok(line);
    const events = Array.from(
      { length: count },
      (_, at): StoredEvent => ({
        ...line,
        id: ids.next(),
        received_at: noon.add({ seconds: at }),
        ...pushed,
        body: new Uint8Array(),
      }),
    );
    return tx.insertEvents(events.map((event) => ({ event, decision: null })));
  });

/** Decides one batch; answers whose it was, and how many. */
const serve = (ledger: Ledger) =>
  ledger.transact(async (tx) => {
    const events = await tx.backlog(3);
    const decision = { outcome: 'ignored', reason: null, alerts: [] } as const;
    await tx.settleEvents(events.map((event) => ({ event, decision })));
    return [events[0]?.integration_id, events.length] as const;
  });

test('organisations take turns however much of one waits, and so do their integrations', async () => {
  await using database = await testDatabase({ server: await anyDatabase() });
  const ledger = ledgerOn(database.sql);
  const [one, two] = await seedLines(database.sql, 2);
  const [quiet] = await seedLines(database.sql, 1);
  await waiting(ledger, one, 7);
  await waiting(ledger, two, 4);
  await waiting(ledger, quiet, 1);
  const [first, second] = [one?.integration_id, two?.integration_id];
  const served = [];
  while (await ledger.hasBacklog()) served.push(await serve(ledger));
  assert.deepEqual(served, [
    [first, 3],
    [quiet?.integration_id, 1],
    [second, 3],
    [first, 3],
    [second, 1],
    [first, 1],
  ]);
  assert.deepEqual(await serve(ledger), [undefined, 0]);
});

test('what another server decides is passed over, and what its fault left is next to its own', async () => {
  await using database = await testDatabase({ server: await anyDatabase() });
  const servers = [ledgerOn(database.sql), ledgerOn(database.sql)] as const;
  const [one, two] = await seedLines(database.sql, 2);
  const [quiet] = await seedLines(database.sql, 1);
  for (const line of [one, two, quiet]) await waiting(servers[0], line, 4);
  const first = async (ledger: Ledger) => (await ledger.transact((tx) => tx.backlog(1)))[0];
  await servers[0].transact(async (tx) => {
    assert.equal((await tx.backlog(1))[0]?.integration_id, one?.integration_id);
    assert.equal((await first(servers[1]))?.integration_id, two?.integration_id);
  });
  const failing = servers[0].transact(async (tx) => {
    assert.equal((await tx.backlog(1))[0]?.integration_id, quiet?.integration_id);
    throw new Error('it cannot be decided');
  });
  await assert.rejects(failing, /cannot be decided/);
  assert.equal((await first(servers[0]))?.integration_id, two?.integration_id);
});
