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
import { isAnyPaged, isStillWanted, unansweredPages } from './paged.ts';

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

    test('a page waits for an answer while it is wanted, and nobody has given one', async () => {
      await using fixture = await onPostgres(server);
      const { sql, seeded } = fixture;
      const { organizationId, ada: userId } = seeded;
      const incident = buildIncident(fixture);
      const call = { channel: 'phone', address: '+492', user_id: userId };
      await save(fixture, { opened: [incident], intents: [buildIntent(incident, call)] });
      const [row] = await sql<{ key: string }[]>`select key from outbox`;
      const key = row?.key ?? '';
      const expected = [{ key, incidentId: incident.id }];
      const unanswered = async (fields: object = {}) => {
        const query = { organizationId, userId, channel: 'phone', except: [], ...fields };
        const pages = await unansweredPages(sql, query, 10);
        return pages.map((page) => ({ key: page.key, incidentId: page.incidentId }));
      };
      assert.deepEqual(await unanswered(), expected, 'it was not tried yet');
      assert.deepEqual(await unanswered({ userId: seeded.boss }), []);
      assert.deepEqual(await unanswered({ channel: 'sms' }), []);
      assert.deepEqual(await unanswered({ except: [incident.id] }), []);
      for (const status of ['acknowledged', 'resolved'] as const) {
        await sql`update incidents set status = ${status}`;
        assert.deepEqual(await unanswered(), [], status);
      }
      await sql`update incidents set status = 'triggered', muted_until = ${later(60)}`;
      assert.deepEqual(await unanswered(), [], 'muted');
      await sql`update incidents set muted_until = null`;
      await sql`update outbox set cycle = cycle + 1`;
      assert.deepEqual(await unanswered(), [], 'of another round');
      await sql`update outbox set cycle = cycle - 1`;
      await sql`update outbox set state = 'failed', attempts = 1`;
      assert.deepEqual(await unanswered(), expected, 'it reached nobody');
      await sql`
        insert into attempts (organization_id, key, number, claimed_at, outcome)
        values (${organizationId}, ${key}, 1, ${noon}, 'delivered')`;
      assert.deepEqual(await unanswered(), [], 'answered');
      await sql`delete from attempts`;
      await sql`update outbox set state = 'cancelled'`;
      assert.deepEqual(await unanswered(), [], 'cancelled');
    });
  });
