import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOnCallApi, weekly } from '../../../test/on-call-api.ts';
import { json } from '../../storage/records/rows.ts';

const start = Temporal.Instant.from('2026-03-02T00:00:00Z');
const changes = [{ type: 'lost', start, end: null }];

type Setting = Awaited<ReturnType<typeof startOnCallApi>>;

async function notice({ sql, world, ada }: Setting, key: string) {
  const contact = { address: 'ada@example.com', recipient: 'Ada', story: { changes } };
  await sql`
    insert into outbox (organization_id, key, kind, channel, recipient_key, notice, user_id, cycle, step,
      rank, sequence, state, reason, attempts, created_at)
    values (${world.organizationId}, ${key}, 'shift_change', ${key.split('/')[3] ?? ''}, 'r',
      ${json(sql, contact)}, ${ada}, 0, 0, 5, nextval('outbox_sequence'), 'failed', '550 no', 2, ${start})`;
}

test('who was told of which edit is listed newest first, paged, without addresses', async () => {
  await using at = await startOnCallApi();
  const id = await at.schedule([{ users: [at.ada], rotation: weekly }]);
  const other = await at.schedule([{ users: [at.ada], rotation: weekly }]);
  for (const key of [
    `shift/${id}/change-9/email/x`,
    `shift/${id}/change-10/email/x`,
    `shift/${id}/change-10/sms/x`,
    `shift/${id}/start/email/x`,
    `shift/${other}/change-11/email/x`,
  ])
    await notice(at, key);
  const line = `GET /on-calls/${id}/change-notices`;
  const { status, body } = await at.send(`${line}?limit=2`);
  const rest = await at.send(`${line}?limit=2&cursor=${body.next_cursor}`);
  assert.deepEqual([status, rest.status, rest.body.next_cursor], [200, 200, null]);
  const expected = { user_id: at.ada, recipient: 'Ada', created_at: '2026-03-02T00:00:00.000Z' };
  const failed = { state: 'failed', reason: '550 no', attempts: 2 };
  const lost = { type: 'lost', start: '2026-03-02T00:00:00.000Z', end: null };
  const listed = { ...expected, ...failed, changes: [lost] };
  assert.deepEqual(
    [...body.data, ...rest.body.data],
    [
      { edit: 10, channel: 'sms', ...listed },
      { edit: 10, channel: 'email', ...listed },
      { edit: 9, channel: 'email', ...listed },
    ],
  );
  assert.equal((await at.send(`${line}?cursor=x`)).status, 422);
});
