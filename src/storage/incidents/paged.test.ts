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
import { isAnyPaged, isStillWanted } from './paged.ts';

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

    test('an incident counts as paged by a channel once a page was tried, and for a while', async () => {
      await using fixture = await onPostgres(server);
      const { sql, seeded } = fixture;
      const { organizationId } = seeded;
      const incident = buildIncident(fixture);
      const intents = [buildIntent(incident, { channel: 'sms', user_id: seeded.ada })];
      await save(fixture, { opened: [incident], intents });
      const isPaged = (channel = 'sms', since = noon) =>
        isAnyPaged(sql, { organizationId, channel, since });
      assert.equal(await isPaged(), false);
      await sql`update outbox set attempts = 1`;
      assert.equal(await isPaged(), true);
      assert.equal(await isPaged('phone'), false);
      await sql`update incidents set status = 'resolved', resolved_at = ${later(5)}`;
      assert.equal(await isPaged('sms', later(4)), true);
      assert.equal(await isPaged('sms', later(5)), false);
      await sql`update incidents set status = 'triggered', resolved_at = null`;
      await sql`update outbox set kind = 'all_clear'`;
      assert.equal(await isPaged(), false);
    });
  });
