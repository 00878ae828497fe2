import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anyDatabase, testDatabase } from '../../../test/database.ts';
import { seedOrganization } from '../../../test/world.ts';
import { createIds } from '../../engine/ids.ts';
import { beyondLast, type EventSpan, eventsIn } from './events.ts';

const noon = Temporal.Instant.from('2026-03-04T12:00:00Z');
const [integration, other] = ['a'.repeat(24), 'b'.repeat(24)];

/** So many events, a minute after another from noon on, each with that body. */
async function setting(count: number, body = '{}') {
  const stack = new AsyncDisposableStack();
  const { sql } = stack.use(await testDatabase({ server: await anyDatabase() }));
  const { organizationId } = await seedOrganization(sql);
  const rows = Array.from({ length: count }, (_, minute) => {
    const received_at = noon.add({ minutes: minute });
    return {
      organization_id: organizationId,
      id: createIds({ now: () => received_at }).next(),
      integration_id: integration,
      received_at,
      source: 'http',
      path: '/',
      body,
      content_type: 'application/json',
      body_encoding: 'utf-8',
      times: 1,
    };
  });
  await sql`insert into events ${sql(rows)}`;
  const span: EventSpan = {
    organizationId,
    integrationIds: [integration],
    from: noon,
    to: noon.add({ minutes: count }),
  };
  const idsIn = async (within: EventSpan, after: string | null = null) =>
    (await Array.fromAsync(eventsIn(sql, within, after))).flat().map(({ id }) => id);
  const ids = rows.map(({ id }) => id);
  return { sql, span, ids, idsIn, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

test('all events of a span are found, oldest first, however many they are', async () => {
  await using at = await setting(250);
  assert.deepEqual(await at.idsIn(at.span), at.ids);
  assert.deepEqual(await at.idsIn(at.span, at.ids[240]), at.ids.slice(241));
  const tenMinutes = { from: noon.add({ minutes: 10 }), to: noon.add({ minutes: 20 }) };
  assert.deepEqual(await at.idsIn({ ...at.span, ...tenMinutes }), at.ids.slice(10, 21));
});

test('events of another integration, or of another organisation, are not found', async () => {
  await using at = await setting(2);
  assert.deepEqual(await at.idsIn({ ...at.span, integrationIds: [other] }), []);
  assert.deepEqual(await at.idsIn({ ...at.span, organizationId: 'f'.repeat(24) }), []);
});

test('the newest events are kept when they are too many, or too large together', async () => {
  await using at = await setting(10, 'x'.repeat(1_000));
  const { sql, span, ids } = at;
  const beyond = (events: number, bytes: number) => beyondLast(sql, span, { events, bytes });
  assert.equal(await beyond(10, 1e6), null);
  assert.equal(await beyond(4, 1e6), ids[5]);
  assert.equal(await beyond(10, 3_500), ids[6]);
});

test('large events come in smaller portions', async () => {
  await using at = await setting(5, 'x'.repeat(400_000));
  const portions = await Array.fromAsync(eventsIn(at.sql, at.span, null));
  assert.deepEqual(
    portions.map((some) => some.length),
    [3, 2],
  );
});
