import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Canary } from '../../src/engine/canary.ts';
import { createIds } from '../../src/engine/ids.ts';
import { canaryId, createCanaryLedger, prepareCanary } from '../../src/storage/health/canary.ts';
import { type Pager, withPager } from './story.ts';

/** A server's canary, and what it tells of. */
async function startCanary(pager: Pager) {
  const { clock, secrets, sql } = pager;
  await prepareCanary(sql, { secrets, now: clock.now() });
  const heard: string[] = [];
  const record = (fields: object, message: string) =>
    heard.push(`${message} ${Object.values(fields)}`);
  const [server = pager.serve()] = pager.servers;
  const canary = new Canary({
    clock,
    ids: createIds(clock),
    intake: server.intake,
    machine: {
      read() {
        const ms = clock.now().epochMilliseconds;
        return { wall: ms, steady: ms, up: ms };
      },
      steady: () => clock.now().epochMilliseconds,
    },
    log: { info: record, warn: record, error: record },
    integration: { organizationId: canaryId, integrationId: canaryId },
    ledger: createCanaryLedger(sql),
    arrived: (seconds) => heard.push(`arrived after ${seconds} s`),
    failed: () => heard.push('failed'),
    async heartbeat() {
      heard.push('heartbeat');
      return { outcome: 'delivered' };
    },
    heartbeatFailed: () => heard.push('heartbeat failed'),
  });
  return {
    heard: () => heard.splice(0),
    /** Works if it is due then. */
    async at(hour: string): Promise<void> {
      pager.awayUntil(hour);
      if (Temporal.Instant.compare(canary.next(), clock.now()) <= 0) await canary.work();
      await server.intake.drained();
    },
  };
}

const tables = ['events', 'incidents', 'timeline', 'timeline_heads', 'outbox', 'attempts'];

/** Tables that hold anything of canaries. */
async function leftIn({ sql }: Pager): Promise<string[]> {
  const left: string[] = [];
  for (const table of tables) {
    const rows = await sql`select from ${sql(table)} where organization_id = ${canaryId} limit 1`;
    if (rows.length > 0) left.push(table);
  }
  return left;
}

describe('a canary', () => {
  test('leaves every minute, and tells how soon its page was handed over', () =>
    withPager(async (pager) => {
      const canary = await startCanary(pager);
      await canary.at('09:00:59');
      assert.deepEqual(await leftIn(pager), []);
      for (const minute of ['01', '02']) {
        await canary.at(`09:${minute}:00`);
        pager.awayUntil(`09:${minute}:01`);
        await pager.work();
        assert.deepEqual(canary.heard(), []);
        await canary.at(`09:${minute}:02`);
        assert.deepEqual(canary.heard(), ['arrived after 1 s', 'heartbeat']);
        await pager.work();
      }
      assert.deepEqual(pager.heard(), []);
      assert.deepEqual(await pager.findings(), []);
    }));

  test('resolves its incident, and what it left is removed some minutes later', () =>
    withPager(async (pager) => {
      const canary = await startCanary(pager);
      await canary.at('09:01');
      await pager.work();
      await canary.at('09:01:01');
      await pager.work();
      assert.deepEqual(await pager.incidents(), ['1 resolved']);
      assert.deepEqual(await leftIn(pager), tables);
      pager.awayUntil('09:02');
      const ledger = createCanaryLedger(pager.sql);
      await ledger.removeBefore(pager.clock.now());
      assert.deepEqual(await leftIn(pager), []);
    }));

  test('leaves no all-clear behind whose incident is removed', () =>
    withPager(async (pager) => {
      const canary = await startCanary(pager);
      await canary.at('09:01');
      await pager.work();
      const between = pager.clock.now().add({ milliseconds: 500 });
      await canary.at('09:01:01');
      await createCanaryLedger(pager.sql).removeBefore(between);
      assert.deepEqual(await leftIn(pager), ['events']);
    }));

  test('whose page does not come is late, then failed; another one leaves', () =>
    withPager(async (pager) => {
      const canary = await startCanary(pager);
      await canary.at('09:01');
      await canary.at('09:01:04');
      assert.deepEqual(canary.heard(), []);
      await canary.at('09:01:05');
      await canary.at('09:01:30');
      assert.deepEqual(canary.heard(), ['the canary’s page is late 5']);
      await canary.at('09:01:50');
      assert.deepEqual(canary.heard(), [
        'failed',
        'the canary failed: pages may not arrive its page was not handed over within 50 s',
      ]);
      await canary.at('09:02');
      await pager.work();
      await canary.at('09:02:01');
      assert.deepEqual(canary.heard(), ['arrived after 0 s', 'heartbeat']);
    }));

  test('whose event is not taken fails at once', () =>
    withPager(async (pager) => {
      const canary = await startCanary(pager);
      await pager.sql`
        update integrations set enabled = false where organization_id = ${canaryId}`;
      await canary.at('09:01');
      await canary.at('09:01:01');
      assert.deepEqual(canary.heard(), [
        'failed',
        'the canary failed: pages may not arrive the event was dropped',
      ]);
    }));

  test('is sent by each server, and any may hand over its page', () =>
    withPager(async (pager) => {
      const [one, two] = [await startCanary(pager), await startCanary(pager)];
      await one.at('09:01');
      await two.at('09:01');
      await pager.work();
      await one.at('09:01:01');
      await two.at('09:01:01');
      for (const canary of [one, two])
        assert.deepEqual(canary.heard(), ['arrived after 0 s', 'heartbeat']);
    }));
});
