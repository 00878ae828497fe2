import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase, testDatabase } from '../../test/database.ts';
import { noon } from '../../test/incident-life.ts';
import { seedOrganization } from '../../test/world.ts';
import { silentLog } from '../engine/log.ts';
import type { VendorAnswer } from '../engine/sending/connection-health.ts';
import { connectionUse } from './connection-use.ts';

const outage: VendorAnswer = { kind: 'outage', reason: 'timed out' };

/** Two connections, as two servers use them. */
async function start(stack: AsyncDisposableStack) {
  const { sql } = stack.use(await testDatabase({ server: await anyDatabase(), maxConnections: 6 }));
  const { organizationId: organization_id } = await seedOrganization(sql);
  const connections = ['a', 'b'].map((end) => ({ organization_id, id: end.repeat(24) }));
  for (const [index, { id }] of connections.entries())
    await sql`
      insert into channel_connections (organization_id, id, version, name, vendor, account_id,
        position, enabled, secrets, created_at, updated_at)
      values (${organization_id}, ${id}, 1, 'Calls', 'twilio', ${id}, ${index}, true, '{}',
        ${noon}, ${noon})`;
  const changes: string[] = [];
  let seconds = 0;
  const clock = { now: () => noon.add({ seconds }) };
  const pools = { engine: sql } as Parameters<typeof connectionUse>[0]['pools'];
  const metrics = {
    vendorAnswered: () => undefined,
    circuitChanged: ({ to }: { readonly to: string }) => void changes.push(to),
  };
  const log = {
    ...silentLog,
    warn: (_fields: object, text: string) => void changes.push(text),
    error: (_fields: object, text: string) => void changes.push(text),
  };
  const use = () => connectionUse({ clock, log, pools }, metrics, 'twilio');
  const [first, second] = connections;
  assert.ok(first && second);
  return {
    sql,
    first,
    second,
    changes,
    use,
    at(now: number) {
      seconds = now;
    },
    order: async () => (await use().inTurn(connections)).map(({ id }) => id.slice(0, 1)).join(''),
  };
}

test('one page of all servers tries what has failed, and all use it once that works', async () => {
  await using stack = new AsyncDisposableStack();
  const { first, changes, use, at, order } = await start(stack);
  assert.equal(await order(), 'ab');
  for (const _failure of Array(5).keys()) await use().answered(first, outage);
  assert.deepEqual(changes, ['open', 'a vendor fails: other connections are used first']);
  assert.equal(await order(), 'ba');
  at(60);
  const orders = await Promise.all([order(), order(), order()]);
  assert.deepEqual(orders.sort(), ['ab', 'ba', 'ba']);
  await use().answered(first, { kind: 'ok' });
  assert.equal(changes.at(-1), 'closed');
  assert.equal(await order(), 'ab');
});

test('the only connection is used whatever it has answered', async () => {
  await using stack = new AsyncDisposableStack();
  const { first, use } = await start(stack);
  for (const _failure of Array(5).keys()) await use().answered(first, outage);
  assert.deepEqual(await use().inTurn([first]), [first]);
});

test('that an answer cannot be stored does not make what was sent be sent again', async () => {
  await using stack = new AsyncDisposableStack();
  const { sql, first, changes, use } = await start(stack);
  await sql`drop table connection_health`;
  await use().answered(first, { kind: 'ok' });
  assert.deepEqual(changes, ['a response of a vendor was not recorded']);
});
