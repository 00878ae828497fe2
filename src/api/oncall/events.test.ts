import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOnCallApi, weekly } from '../../../test/on-call-api.ts';
import { json } from '../../storage/records/rows.ts';

const SHIFT = 'a'.repeat(24);
const OTHER = 'b'.repeat(24);
const start = Temporal.Instant.from('2026-03-02T00:00:00Z');
const end = start.add({ hours: 168 });

type Setting = Awaited<ReturnType<typeof startOnCallApi>>;

/** A schedule whose shift started, which was announced, and ended, which was not. */
async function recorded(at: Setting) {
  const { sql, world } = at;
  const organization_id = world.organizationId;
  const oncall_schedule_id = await at.schedule([{ users: [at.ada], rotation: weekly }]);
  const of = { organization_id, oncall_schedule_id };
  const span = { start_at: start, end_at: end };
  const shift = { ...of, id: SHIFT, user_id: at.ada, source: 's', layer: 0, ...span };
  await sql`insert into shifts ${sql(shift)}`;
  await sql`insert into shifts ${sql({ ...shift, id: OTHER, layer: null })}`;
  const event = { ...of, recorded_at: end, announced: true, reason: null };
  const events = [
    { ...event, shift_id: SHIFT, type: 'start', id: '1'.repeat(24), at: start },
    { ...event, shift_id: SHIFT, type: 'end', id: '2'.repeat(24), at: end },
    { ...event, shift_id: OTHER, type: 'start', id: '3'.repeat(24), at: end, announced: false },
  ];
  for (const row of events) await sql`insert into shift_events ${sql(row)}`;
  await sql`update shift_events set reason = 'it had ended' where shift_id = ${OTHER}`;
  return { id: oncall_schedule_id, organization_id };
}

async function notice({ sql }: Setting, organization_id: string, key: string) {
  const fields = { address: 'ada@example.com', recipient: 'Ada' };
  await sql`
    insert into outbox (organization_id, key, kind, channel, recipient_key, notice, cycle, step, rank,
      state, reason, attempts, created_at)
    values (${organization_id}, ${key}, 'shift_start', ${key.split('/')[3] ?? ''}, 'r',
      ${json(sql, fields)}, 0, 0, 4, 'failed', '550 no', 2, ${start})`;
}

test('starts and ends are listed newest first, each with its own notices', async () => {
  await using at = await startOnCallApi();
  const { id, organization_id } = await recorded(at);
  for (const key of [
    `shift/${SHIFT}/start/email/x`,
    `shift/${SHIFT}/start/slack/y`,
    `shift/${SHIFT}/end/email/x`,
    `shift/${SHIFT}/starting/email/x`,
    `shift/${id}/change-2/email/x`,
  ])
    await notice(at, organization_id, key);
  const { status, body } = await at.send(`GET /on-calls/${id}/events`);
  assert.deepEqual([status, body.next_cursor, body.data.length], [200, null, 3]);
  const [newest, ended, started] = body.data;
  assert.deepEqual(
    [newest.announced, newest.reason, newest.shift.layer, newest.notices],
    [false, 'it had ended', 'override', []],
  );
  assert.deepEqual([ended.type, ended.notices.length], ['end', 1]);
  const failed = { recipient: 'Ada', state: 'failed', reason: '550 no', attempts: 2 };
  assert.deepEqual(started, {
    id: '1'.repeat(24),
    type: 'start',
    announced: true,
    at: '2026-03-02T00:00:00.000Z',
    recorded_at: '2026-03-09T00:00:00.000Z',
    shift: {
      id: SHIFT,
      user_id: at.ada,
      layer: 0,
      start: '2026-03-02T00:00:00.000Z',
      end: '2026-03-09T00:00:00.000Z',
    },
    notices: [
      { channel: 'email', ...failed },
      { channel: 'slack', ...failed },
    ],
  });
  assert.ok(!JSON.stringify(body).includes('ada@example.com'));
});

test('the log is paged', async () => {
  await using at = await startOnCallApi();
  const { id } = await recorded(at);
  const first = (await at.send(`GET /on-calls/${id}/events?limit=2`)).body;
  const rest = await at.send(`GET /on-calls/${id}/events?limit=2&cursor=${first.next_cursor}`);
  const ids = [...first.data, ...rest.body.data].map((event: { id: string }) => event.id[0]);
  assert.deepEqual([ids, rest.body.next_cursor], [['3', '2', '1'], null]);
  assert.equal((await at.send(`GET /on-calls/${id}/events?cursor=x`)).status, 422);
});
