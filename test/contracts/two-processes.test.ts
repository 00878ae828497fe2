import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import type { Tx } from '../../src/engine/ledger.ts';
import type { ClaimRequest } from '../../src/engine/ports/sending.ts';
import type { Claimed } from '../../src/engine/sending/claimed.ts';
import type { Incident } from '../../src/incidents/incident.ts';
import { cancellationReason } from '../../src/incidents/notice-cancellation.ts';
import { databases } from '../database.ts';
import { later, noon } from '../incident-life.ts';
import {
  buildEvent,
  buildIncident,
  buildIntent,
  inTransaction,
  type LedgerFixture,
  onPostgres,
  type SharedLedgerFixture,
  save,
} from './ledger-fixture.ts';

const request: ClaimRequest = {
  now: noon,
  leaseUntil: later(1),
  limit: 2,
  busy: [],
  perRecipient: 4,
};

/** Does the first, and the second while the first has not committed. */
async function whileOpen<A, B>(
  fixture: LedgerFixture,
  first: (tx: Tx) => Promise<A>,
  second: (tx: Tx) => Promise<B>,
): Promise<readonly [A, B]> {
  return fixture.ledger.transact(async (tx) => {
    const one = await first(tx);
    return [one, await inTransaction(fixture, second)] as const;
  });
}

function unwanted(notice: Claimed) {
  if (notice.about !== 'incident') return null;
  const { incident } = notice;
  const reason = cancellationReason(notice, incident);
  const entry = { incident_id: incident.id, type: 'x', text: 'x', actor: null, details: null };
  return reason === null ? null : { reason, entry };
}

async function seedPages(fixture: LedgerFixture): Promise<Incident> {
  const incident = buildIncident(fixture);
  const intents = ['1', '2', '3', '4', '5', '6'].map((key) =>
    buildIntent(incident, { key, address: key }),
  );
  await save(fixture, { opened: [incident], intents });
  return incident;
}

const acknowledged = (incident: Incident): Incident => ({ ...incident, status: 'acknowledged' });

/** Until it waits for a lock, or is done without having waited. */
async function untilWaiting(fixture: SharedLedgerFixture, work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  work.then(done, done);
  while (!isDone && !(await fixture.isAnyoneWaiting()));
}

for (const server of await databases())
  describe(server.name, () => {
    test('two processes never take the same due incident', async () => {
      await using fixture = await onPostgres(server);
      const incidents = [1, 2, 3].map((at) => buildIncident(fixture, { stepAt: later(at) }));
      await save(fixture, { opened: incidents });
      const due = (limit: number) => (tx: Tx) => tx.dueIncidents(later(9), limit);
      const [one, two] = await whileOpen(fixture, due(2), due(9));
      assert.deepEqual(
        [...one, ...two].map((incident) => incident.id),
        incidents.map((incident) => incident.id),
      );
    });

    test('two processes never take the same notice', async () => {
      await using fixture = await onPostgres(server);
      await seedPages(fixture);
      const claim = (tx: Tx) => tx.claim(request, () => null);
      const [one, two] = await whileOpen(fixture, claim, claim);
      const keys = [...one, ...two].map((claimed) => claimed.key);
      assert.ok(one.length === 2 && new Set(keys).size === keys.length, `${keys}`);
    });

    test('two processes never decide the same stored events', async () => {
      await using fixture = await onPostgres(server);
      const event = buildEvent(fixture);
      await inTransaction(fixture, (tx) => tx.insertEvents([{ event, decision: null }]));
      const backlog = (tx: Tx) => tx.backlog(10);
      const [one, two] = await whileOpen(fixture, backlog, backlog);
      assert.deepEqual([one.length, two.length], [1, 0]);
    });

    test('of large stored events only some are decided at once, and the rest after', async () => {
      await using fixture = await onPostgres(server);
      const body = createHash('shake256', { outputLength: 1024 * 1024 }).digest();
      const events = [1, 2, 3, 4, 5].map((at) => ({ ...buildEvent(fixture, later(at)), body }));
      await inTransaction(fixture, (tx) =>
        tx.insertEvents(events.map((event) => ({ event, decision: null }))),
      );
      const ids: string[] = [];
      const counts: number[] = [];
      while (await fixture.ledger.hasBacklog()) {
        const some = await inTransaction(fixture, (tx) => tx.backlog(10));
        const decision = { outcome: 'opened', reason: null, alerts: [] } as const;
        await inTransaction(fixture, (tx) =>
          tx.settleEvents(some.map((event) => ({ event, decision }))),
        );
        ids.push(...some.map(({ id }) => id));
        counts.push(some.length);
      }
      assert.deepEqual(
        ids,
        events.map(({ id }) => id),
      );
      assert.deepEqual(counts, [3, 2]);
    });

    test('a claim waits for an acknowledgement under way, and then sends nothing', async () => {
      await using fixture = await onPostgres(server);
      const incident = await seedPages(fixture);
      const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>();
      const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
      const acting = fixture.ledger.transact(async (tx) => {
        const [mine] = await tx.lockIncidents(incident.organization_id, [incident.id]);
        assert.ok(mine);
        const changed = [acknowledged(mine)];
        await tx.save({ opened: [], changed, entries: [], intents: [], allClear: [] }, noon);
        locked();
        await mayCommit;
      });
      await isLocked;
      const claiming = inTransaction(fixture, (tx) => tx.claim(request, unwanted));
      await untilWaiting(fixture, claiming);
      commit();
      await acting;
      assert.deepEqual(await claiming, []);
    });

    test('an acknowledgement waits for a claim under way', async () => {
      await using fixture = await onPostgres(server);
      const incident = await seedPages(fixture);
      const order: string[] = [];
      const { promise: hasClaimed, resolve: claimed } = Promise.withResolvers<void>();
      const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
      const claiming = fixture.ledger.transact(async (tx) => {
        await tx.claim(request, unwanted);
        claimed();
        await mayCommit;
        order.push('claimed');
      });
      await hasClaimed;
      const acting = inTransaction(fixture, async (tx) => {
        await tx.lockIncidents(incident.organization_id, [incident.id]);
        order.push('acknowledged');
      });
      await untilWaiting(fixture, acting);
      commit();
      await Promise.all([claiming, acting]);
      assert.deepEqual(order, ['claimed', 'acknowledged']);
    });
  });
