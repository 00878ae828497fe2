import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  buildIncident,
  buildIntent,
  inTransaction,
  onPostgres,
  save,
} from '../../../test/contracts/ledger-fixture.ts';
import { databases } from '../../../test/database.ts';
import { later, noon } from '../../../test/incident-life.ts';
import { isStillWanted } from './paged.ts';

for (const server of await databases())
  describe(server.name, () => {
    test('a page is wanted until its incident is acknowledged, or it is confirmed', async () => {
      await using fixture = await onPostgres(server);
      const incident = buildIncident(fixture);
      await save(fixture, { opened: [incident], intents: [buildIntent(incident, {})] });
      const request = { now: noon, leaseUntil: later(1), limit: 10, busy: [], perRecipient: 4 };
      const [claimed] = await inTransaction(fixture, (tx) => tx.claim(request, () => null));
      assert.ok(claimed?.about === 'incident');
      const { organization_id, key, attempt } = claimed;
      assert.equal(await isStillWanted(fixture.sql, claimed), true);
      const acknowledged = { ...incident, status: 'acknowledged', acknowledged_at: noon } as const;
      await save(fixture, { changed: [acknowledged] });
      assert.equal(await isStillWanted(fixture.sql, claimed), false);
      await save(fixture, { changed: [incident] });
      const reportedBy = { connectionId: 'c'.repeat(24), vendorId: 'SM1' };
      const receipt = { state: 'delivered', reason: '', blame: null } as const;
      await inTransaction(fixture, (tx) =>
        tx.recordReceipt({ organization_id, key, attempt, reportedBy, receipt }, noon),
      );
      assert.equal(await isStillWanted(fixture.sql, claimed), false);
    });
  });
