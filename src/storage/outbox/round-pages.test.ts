import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  buildIncident,
  buildIntent,
  inTransaction,
  onPostgres,
  type SharedLedgerFixture,
  save,
} from '../../../test/contracts/ledger-fixture.ts';
import { databases } from '../../../test/database.ts';
import { later, noon } from '../../../test/incident-life.ts';
import type { Claimed } from '../../engine/sending/claimed.ts';
import type { Incident } from '../../incidents/incident.ts';
import { transact } from '../database/database.ts';
import { keepBusy } from './busy-telephones.ts';

const reportedBy = { connectionId: 'c'.repeat(24), vendorId: 'CA1' };
const soon = noon.add({ seconds: 1 });

/** A page of each of two incidents to one telephone. */
async function twoCalls(fixture: SharedLedgerFixture) {
  const incidents = [buildIncident(fixture), buildIncident(fixture)];
  const intents = incidents.map((incident) =>
    buildIntent(incident, {
      key: `${incident.id}/0/0/phone/ada`,
      channel: 'phone',
      address: '+491',
    }),
  );
  await save(fixture, { opened: incidents, intents });
  const [call, ...others] = await claim(fixture);
  assert.ok(call?.about === 'incident' && others.length === 0, 'one call at a time');
  const waiting = incidents.find(({ id }) => id !== call.incident.id);
  const ringing = incidents.find(({ id }) => id === call.incident.id);
  assert.ok(waiting && ringing);
  return { call, ringing, waiting };
}

const claim = (fixture: SharedLedgerFixture, now = noon): Promise<readonly Claimed[]> => {
  const leaseUntil = now.add({ minutes: 1 });
  return inTransaction(fixture, (tx) =>
    tx.claim({ now, leaseUntil, limit: 9, busy: [], perRecipient: 9 }, () => null),
  );
};

const handOver = (fixture: SharedLedgerFixture, claimed: Claimed) =>
  inTransaction(fixture, (tx) =>
    tx.finish([
      {
        claimed,
        finishedAt: noon,
        state: 'pending',
        wakeAt: later(3),
        reportedBy,
        reason: null,
        answer: null,
        status: null,
        entry: null,
      },
    ]),
  );

async function isOnPhone(fixture: SharedLedgerFixture, incident: Incident, now = soon) {
  const rounds = await inTransaction(fixture, (tx) => tx.roundPages([incident], now));
  return rounds.get(incident.id)?.map((page) => page.isOnPhone);
}

for (const server of await databases())
  describe(server.name, () => {
    test('a page waits for the end of a call in which its person hears of another incident', async () => {
      await using fixture = await onPostgres(server);
      const { call, ringing, waiting } = await twoCalls(fixture);
      await handOver(fixture, call);
      assert.deepEqual(await isOnPhone(fixture, waiting), [true]);
      assert.deepEqual(await isOnPhone(fixture, ringing), [false], 'its own call');
      const { organization_id, key, attempt } = call;
      const receipt = { state: 'unanswered', reason: '', blame: null } as const;
      const report = { organization_id, key, attempt, reportedBy, receipt };
      await inTransaction(fixture, (tx) => tx.recordReceipt(report, soon));
      assert.deepEqual(await isOnPhone(fixture, waiting), [false]);
    });

    test('and of a call in which a key was pressed, until it is over', async () => {
      await using fixture = await onPostgres(server);
      const { call, waiting } = await twoCalls(fixture);
      await handOver(fixture, call);
      await transact(fixture.sql, (tx) => keepBusy({ sql: tx }, call, later(2)));
      const { organization_id, key, attempt } = call;
      const receipt = { state: 'acted', reason: '', blame: null } as const;
      const report = { organization_id, key, attempt, reportedBy, receipt };
      await inTransaction(fixture, (tx) => tx.recordReceipt(report, soon));
      assert.deepEqual(await isOnPhone(fixture, waiting, later(1)), [true]);
      assert.deepEqual(await isOnPhone(fixture, waiting, later(2)), [false]);
    });

    test('a call whose end is never reported holds up no step for longer than a call takes', async () => {
      await using fixture = await onPostgres(server);
      const { call, waiting } = await twoCalls(fixture);
      await handOver(fixture, call);
      assert.deepEqual(await isOnPhone(fixture, waiting, later(3)), [false]);
    });
  });
