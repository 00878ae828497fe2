// A thousand telephones, and a vendor that takes one call in a second, by a clock of its own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { act } from '../../src/engine/actions.ts';
import { silentLog } from '../../src/engine/log.ts';
import type { NoticeChannel } from '../../src/engine/sending/channel.ts';
import { Dispatcher } from '../../src/engine/sending/dispatch.ts';
import { sendingLimits } from '../../src/limits/sending.ts';
import { compose } from '../../src/notices/queued.ts';
import { vendorPacer } from '../../src/server/vendor-pace.ts';
import { isStillWanted } from '../../src/storage/incidents/paged.ts';
import { buildIncident, buildIntent, onPostgres, save } from '../contracts/ledger-fixture.ts';
import { databases } from '../database.ts';
import { noon } from '../incident-life.ts';
import { noFaults as faults } from '../no-faults.ts';

const phones = 1_000;
/** Somebody acknowledges when so many have been called. */
const acknowledgedAfter = 400;
const connectionId = 'c'.repeat(24);

test('a thousand phones are called one a second, and no more of them once somebody has it', async () => {
  const [server] = await databases();
  assert.ok(server);
  await using fixture = await onPostgres(server);
  const { ledger, sql, seeded } = fixture;
  const { organizationId } = seeded;
  await sql`
    insert into channel_connections (organization_id, id, version, name, vendor, account_id,
      position, enabled, secrets, created_at, updated_at)
    values (${organizationId}, ${connectionId}, 1, 'Calls', 'twilio', 'AC1', 1, true, '{}',
      ${noon}, ${noon})`;
  const incident = buildIncident(fixture);
  const pageTo = (index: number) =>
    buildIntent(incident, {
      key: `${incident.id}/0/0/phone/${index}`,
      channel: 'phone',
      address: `+49${1_000_000 + index}`,
      user_id: seeded.ada,
    });
  await save(fixture, {
    opened: [incident],
    intents: Array.from({ length: phones }, (_, index) => pageTo(index)),
  });

  let now = noon;
  const clock = { now: () => now };
  const waiting: { readonly until: Temporal.Instant; readonly go: () => void }[] = [];
  const calls: Temporal.Instant[] = [];
  const takeTurn = vendorPacer({
    sql,
    clock,
    pause: (milliseconds) =>
      new Promise((go) => waiting.push({ until: now.add({ milliseconds }), go })),
  });
  const vendor: NoticeChannel = {
    async send(_notice, _address, attempt) {
      const connection = { organization_id: organizationId, id: connectionId };
      const until = attempt?.until;
      if (!(await takeTurn({ connection, channel: 'phone', perSecond: 1, until })))
        return { outcome: 'no_answer', reason: 'it is not its turn' };
      if (!(await attempt?.isWanted()))
        return { outcome: 'withheld', reason: 'acknowledged', forSeconds: 0 };
      calls.push(now);
      return { outcome: 'delivered' };
    },
  };
  const dispatcher = new Dispatcher({
    ledger,
    clock,
    log: silentLog,
    random: () => 0,
    faults,
    committed() {},
    attempted() {},
    contentOf: () => null,
    handleOf: () => '',
    channels: new Map([['phone', vendor]]),
    compose: (claimed) =>
      compose(claimed, { publicUrl: '', linkFor: () => '', handleFor: () => '' }),
    isWanted: (claimed) => isStillWanted(sql, claimed),
    webhooks: { send: async () => assert.fail('nothing is called') },
  });
  const settled = async () => {
    while (dispatcher.inFlight > waiting.length)
      await new Promise<void>((resolve) => setImmediate(resolve));
  };
  let isAcknowledged = false;
  for (let seconds = 0; seconds <= phones; seconds += 1) {
    now = noon.add({ seconds });
    const turns = waiting.filter(({ until }) => Temporal.Instant.compare(until, now) <= 0);
    for (const turn of turns) {
      waiting.splice(waiting.indexOf(turn), 1);
      turn.go();
    }
    await settled();
    const claimed = await dispatcher.claim();
    await settled();
    assert.ok(dispatcher.inFlight <= sendingLimits.ofLane);
    if (calls.length === acknowledgedAfter && !isAcknowledged) {
      isAcknowledged = true;
      const by = { type: 'user', name: 'Ada', via: 'phone' } as const;
      const acting = { ledger, clock, committed() {} };
      const target = { organizationId, id: incident.id };
      const action = { type: 'acknowledge', by } as const;
      await act(acting, target, { action, mayTouch: () => true });
    }
    if (isAcknowledged && claimed === 0 && dispatcher.inFlight === 0) break;
  }
  assert.equal(calls.length, acknowledgedAfter);
  const apart = calls.slice(1).map((at, index) => at.since(calls[index] ?? at).total('seconds'));
  assert.deepEqual(new Set(apart), new Set([1]));
  const rows = await sql<{ state: string; count: number }[]>`
    select state, count(*)::integer as count from outbox group by state order by state`;
  assert.deepEqual(
    [...rows],
    [
      { state: 'cancelled', count: phones - calls.length },
      { state: 'sent', count: calls.length },
    ],
  );
});
