import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSecrets } from '../../../test/api.ts';
import { cacheFor } from '../../../test/configuration.ts';
import { noFaults as faults } from '../../../test/no-faults.ts';
import { daily, startOnCallApi } from '../../../test/on-call-api.ts';
import { createIds } from '../../engine/ids.ts';
import { evaluateNotice } from '../../engine/sending/evaluate-notice.ts';
import { createLedger } from '../../storage/ledger/ledger.ts';

const times = { start: '2026-03-02T12:00:00Z', end: '2026-03-02T18:00:00Z' };

/** Ada asks bob for cover; what is due is claimed as the dispatcher does. */
async function setting() {
  const at = await startOnCallApi();
  const { ada, bob, sql, clock, send, world } = at;
  const id = await at.schedule([{ users: [ada, bob], rotation: daily }]);
  const path = `/on-calls/${id}/cover-requests`;
  const made = await send(`POST ${path}`, { ...times, user_id: ada, comment: 'c' });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const ids = createIds(clock);
  const configurations = cacheFor('email');
  const ledger = createLedger({ sql, ids, secrets: testSecrets, configurations, faults });
  return {
    ...at,
    id,
    bob,
    path: `${path}/${made.body.id}`,
    claim() {
      const now = clock.now();
      const request = { now, leaseUntil: now.add({ minutes: 1 }), limit: 10, busy: [] };
      return ledger.transact((tx) =>
        tx.claim({ ...request, perRecipient: 4 }, (notice, limitReached) =>
          evaluateNotice(notice, { now, limitReached, hardAlertLimit: false }),
        ),
      );
    },
    async states() {
      const rows = await sql`select state, reason from outbox where kind = 'cover_request'`;
      return rows.map(({ state, reason }) => [state, reason]);
    },
    caller: world.caller(),
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  };
}

type Setting = Awaited<ReturnType<typeof setting>>;

test('the notice of an open request is sent with what it asks', async () => {
  await using at = await setting();
  const [notice, ...others] = await at.claim();
  assert.ok(notice?.about === 'cover_request');
  const { schedule, person, requester, comment, start } = notice.request;
  assert.deepEqual(
    [notice.channel, schedule.name, person, requester, comment, `${start}`, others],
    ['email', 'o', 'ada Example', 'a test', 'c', times.start, []],
  );
});

const ends: readonly (readonly [string, string, (at: Setting) => Promise<unknown>])[] = [
  [
    'was accepted',
    'the cover request is no longer open',
    (at) => at.send(`POST ${at.path}/accept`, { user_id: at.bob }),
  ],
  ['was withdrawn', 'the cover request is no longer open', (at) => at.send(`DELETE ${at.path}`)],
  [
    'ended with its schedule',
    'the cover request is no longer open',
    (at) => at.send(`DELETE /on-calls/${at.id}`),
  ],
  ['has expired', 'the shift is over', async (at) => at.pass({ hours: 18 })],
];
for (const [end, reason, happens] of ends)
  test(`the notice of a request that ${end} is not sent`, async () => {
    await using at = await setting();
    await happens(at);
    assert.deepEqual(await at.claim(), []);
    assert.deepEqual(await at.states(), [['cancelled', reason]]);
  });
