import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  buildIncident,
  inTransaction,
  keyOf,
  onPostgres,
  save,
} from '../../../test/contracts/ledger-fixture.ts';
import { databases } from '../../../test/database.ts';
import { later, noon } from '../../../test/incident-life.ts';
import { keyText, keyTextOf, rawKeyText, rawKeyTextOf } from '../../engine/ports/keys.ts';
import { knownIn, knownRawIn } from '../../what-if/memory/known.ts';
import { Table } from '../../what-if/memory/table.ts';
import { readLedger } from './readings.ts';

const servers = await databases();

describe('what simulations read', { concurrency: true }, () => {
  for (const server of servers)
    test(`${server.name}: the last incident of a key is the one that was opened last, as for decisions`, async () => {
      await using fixture = await onPostgres(server);
      // The clocks of two servers differ, so the second one has the lower id.
      const [id, laterId] = ['1'.padEnd(24, '0'), '2'.padEnd(24, '0')];
      const over = { status: 'resolved', resolved_at: noon } as const;
      const first = buildIncident(fixture, { ...over, id: laterId, repeat_count: 4 });
      const second = buildIncident(fixture, { ...over, id, repeat_count: 5, priority: 'p1' });
      await save(fixture, { opened: [first] });
      await save(fixture, { opened: [second] }, later(1));
      const key = keyOf(fixture, second.dedup_key);
      const read = await readLedger(fixture.parts, ({ incidentsOf }) => incidentsOf([key]));
      assert.deepEqual(
        read.map(({ number }) => number),
        [2],
      );
      const incidents = new Table({
        groupsOf: (one: (typeof read)[number]) => [keyTextOf(one)],
        wakeAt: () => null,
      });
      for (const one of read) incidents.set(one.id, one);
      const decided = await inTransaction(fixture, (tx) => tx.keyStates([key]));
      const simulated = knownIn(incidents, [key]);
      assert.equal(decided.get(keyText(key))?.repeatCount, 6);
      assert.deepEqual(simulated.get(keyText(key)), decided.get(keyText(key)));
    });

  for (const server of servers)
    test(`${server.name}: what came with a raw key is known as it is to decisions`, async () => {
      await using fixture = await onPostgres(server);
      const raw = { raw_key: 'undefined' };
      const [over, merged, open, other] = ['over', 'merged', 'open', 'other'].map((dedup_key) =>
        buildIncident(fixture, { dedup_key, ...(dedup_key !== 'other' && raw) }),
      );
      assert.ok(over && merged && open && other);
      await save(fixture, { opened: [over, merged, open, other] });
      const resolved = { status: 'resolved', resolved_at: later(2) } as const;
      await save(fixture, {
        changed: [
          { ...over, ...resolved },
          { ...merged, ...resolved, resolved_at: later(1), merged_into_id: other.id },
        ],
      });
      const { organization_id, integration_id } = keyOf(fixture);
      const key = { organization_id, integration_id, ...raw };
      const read = await readLedger(fixture.parts, ({ incidentsOf }) => incidentsOf([key]));
      const incidents = new Table({
        groupsOf: (one: (typeof read)[number]) => [rawKeyTextOf(one) ?? ''],
        wakeAt: () => null,
      });
      for (const one of read) incidents.set(one.id, one);
      const decided = await inTransaction(fixture, (tx) => tx.rawKeyStates([key]));
      assert.deepEqual(knownRawIn(incidents, [key]), decided);
      assert.deepEqual(
        decided.get(rawKeyText(key))?.open.map(({ id }) => id),
        [open.id, other.id],
      );
    });
});
