import assert from 'node:assert/strict';
import { Refusals } from '../../src/engine/intake/refusals.ts';
import { silentLog } from '../../src/engine/log.ts';
import { storedInstant } from '../../src/resources/instant.ts';
import { notePresence, noteRefusing } from '../../src/storage/ledger/deaf-spells.ts';
import { type Pager, story } from './story.ts';

const disk = { title: 'disk full' };
const cpu = { title: 'cpu hot' };

story('events to an archived service are dropped, and the log says why', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  await pager.sql`update services set archived_at = ${pager.clock.now()} where id = ${on.serviceId}`;
  await pager.trigger(on, disk);
  await pager.work();
  const [event] = await pager.sql`select outcome, reason from events`;
  assert.deepEqual({ ...event }, { outcome: 'dropped', reason: 'the service is archived' });
  assert.deepEqual(pager.heard(), []);
});

story('after a merge, the alerts of both belong to the one that is left', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  await pager.trigger(on, disk);
  await pager.trigger(on, cpu);
  await pager.work();
  pager.heard();
  await pager.does(1, { type: 'merge', intoId: await pager.idOf(2) });
  const again = await pager.trigger(on, disk);
  assert.deepEqual('alerts' in again && again.alerts, [
    { dedup_key: 'disk full', outcome: 'suppressed', incident: 2 },
  ]);
  await pager.work();
  assert.deepEqual(pager.heard(), []);
  await pager.trigger(on, { ...disk, status: 'resolve' });
  assert.deepEqual(await pager.incidents(), ['1 resolved', '2 triggered']);
  await pager.trigger(on, { ...cpu, status: 'resolve' });
  assert.deepEqual(await pager.incidents(), ['1 resolved', '2 resolved']);
});

story(
  'the end of an incident is told to whoever was paged for one merged into it',
  async (pager) => {
    const on = await pager.integration({ steps: [pager.step('ada', 5), pager.step('lin')] });
    await pager.trigger(on, disk);
    await pager.at('09:05');
    const other = await pager.integration({ steps: [pager.step('ada')] });
    await pager.trigger(other, cpu);
    await pager.work();
    await pager.does(1, { type: 'merge', intoId: await pager.idOf(2) });
    await pager.work();
    pager.heard();
    await pager.does(2, { type: 'resolve' });
    await pager.work();
    assert.deepEqual(pager.heard(), [
      '09:05 ada: all_clear cpu hot',
      '09:05 lin: all_clear cpu hot',
    ]);
  },
);

story(
  'a problem that comes back opens another incident, which knows that it repeats',
  async (pager) => {
    const on = await pager.integration({ steps: [pager.step('ada')] });
    for (const body of [disk, { ...disk, status: 'resolve' }, disk]) await pager.trigger(on, body);
    const rows = await pager.sql`select number, repeat_count from incidents order by number`;
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [
        { number: 1, repeat_count: 0 },
        { number: 2, repeat_count: 1 },
      ],
    );
  },
);

story('a priority that a person set stays when the problem comes back', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  await pager.trigger(on, { ...disk, priority: 'p3' });
  await pager.does(1, { type: 'set_priority', to: 'p1' });
  await pager.does(1, { type: 'resolve' });
  await pager.trigger(on, { ...disk, priority: 'p3' });
  const [row] = await pager.sql`select priority from incidents where number = 2`;
  assert.equal(row?.['priority'], 'p1');
});

story(
  'an incident that may not be reopened while its key is open stays resolved',
  async (pager) => {
    const on = await pager.integration({ steps: [pager.step('ada')] });
    await pager.trigger(on, disk);
    await pager.does(1, { type: 'resolve' });
    await pager.trigger(on, disk);
    assert.equal((await pager.does(1, { type: 'reopen' })).result, 'refused');
    await pager.does(2, { type: 'resolve' });
    assert.equal((await pager.does(1, { type: 'reopen' })).result, 'done');
    assert.deepEqual(await pager.incidents(), ['1 triggered', '2 resolved']);
  },
);

story('a storm is one incident, and its triggers are counted on one row', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  for (let times = 0; times < 100; times += 1) await pager.trigger(on, disk);
  const rows = await pager.sql<{ times: number }[]>`select times from events order by id`;
  assert.equal(rows.length, 20);
  assert.equal(rows.at(-1)?.times, 81);
  await pager.work();
  assert.deepEqual(pager.heard(), ['09:00 ada: page disk full', '09:00 boss: storm disk full']);
  await pager.trigger(on, { ...disk, status: 'resolve' });
  assert.deepEqual(await pager.incidents(), ['1 resolved']);
});

story(
  'what the database cannot hold does not stop the other alerts of its batch',
  async (pager) => {
    const on = await pager.integration({ steps: [pager.step('ada')] });
    const odd = { title: 'nul \u0000 and half \ud83d', body: { 'k\u0000': '\udc00', n: [null] } };
    const answers = await Promise.all([pager.trigger(on, odd), pager.trigger(on, cpu)]);
    const outcomes = answers.map((one) => 'alerts' in one && one.alerts[0]?.outcome);
    assert.deepEqual(outcomes, ['opened', 'opened']);
  },
);

story(
  'an instant with nanoseconds leaves a sound ledger, by an alert and by a mute',
  async (pager) => {
    const on = await pager.integration({ slug: 'prometheus', steps: [pager.step('ada')] });
    const alert = { labels: { alertname: 'down' }, endsAt: '2026-03-02T09:04:00.123456789Z' };
    await pager.trigger(on, [alert]);
    assert.deepEqual(await pager.findings(), []);
    const until = storedInstant('2026-03-02T09:02:00.987654321Z');
    await pager.does(1, { type: 'mute', until });
    assert.deepEqual(await pager.findings(), []);
    await pager.at('09:05');
    assert.deepEqual(await pager.incidents(), ['1 resolved']);
  },
);

story('nanoseconds that an earlier release stored are no finding', async (pager) => {
  const on = await pager.integration({ slug: 'prometheus', steps: [pager.step('ada')] });
  await pager.trigger(on, [{ labels: { alertname: 'down' }, endsAt: '2026-03-02T09:04:00Z' }]);
  await pager.at('09:01');
  const expires = '2026-03-02T09:04:00.123456789Z';
  await pager.sql`
    update incidents set wake_at = ${expires},
      escalation = jsonb_set(escalation::jsonb, '{expiresAt}', to_jsonb(${expires}::text))::json`;
});

/** As a server that is there notes it every ten seconds. */
const isThere = ({ sql, clock }: Pager) => notePresence(sql, clock.now());

async function staysUntil(pager: Pager, hour: string): Promise<void> {
  const shown = () => `${pager.clock.now()}`.slice(11, 19);
  while (shown() < hour) {
    await isThere(pager);
    await pager.at(`${pager.clock.now().add({ seconds: 10 })}`.slice(11, 19));
  }
}

story('what Prometheus had sent is not over because no server was there', async (pager) => {
  const on = await pager.integration({ slug: 'prometheus', steps: [pager.step('ada')] });
  const firing = (name: string, endsAt: string) => [{ labels: { alertname: name }, endsAt }];
  await pager.trigger(on, firing('disk', '2026-03-02T09:04:00Z'));
  await pager.trigger(on, firing('cpu', '2026-03-02T09:04:00Z'));
  await isThere(pager);
  await pager.work();
  await pager.does(2, { type: 'acknowledge' });
  pager.awayUntil('09:05');
  // The timers may come before the server notes that it is there.
  await pager.work();
  assert.deepEqual(await pager.incidents(), ['1 triggered', '2 acknowledged']);
  await staysUntil(pager, '09:06:00');
  await pager.trigger(on, firing('disk', '2026-03-02T09:10:00Z'));
  await staysUntil(pager, '09:09:00');
  assert.deepEqual(await pager.incidents(), ['1 triggered', '2 resolved']);
  const paged = pager.heard().filter((line) => line.includes(': page'));
  assert.equal(paged.length, 2);
});

story('time without a server counts also after it is noted that one is back', async (pager) => {
  const on = await pager.integration({ slug: 'prometheus', steps: [pager.step('ada')] });
  await pager.trigger(on, [{ labels: { alertname: 'disk' }, endsAt: '2026-03-02T09:04:00Z' }]);
  await isThere(pager);
  pager.awayUntil('09:05');
  await isThere(pager);
  await isThere(pager);
  const spells = await pager.sql`select from_at, to_at from deaf_spells`;
  assert.deepEqual(
    spells.map(({ from_at, to_at }) => `${from_at} ${to_at}`),
    ['2026-03-02T09:00:00Z 2026-03-02T09:05:00Z'],
  );
  await staysUntil(pager, '09:08:50');
  assert.deepEqual(await pager.incidents(), ['1 triggered']);
  await staysUntil(pager, '09:09:00');
  assert.deepEqual(await pager.incidents(), ['1 resolved']);
});

story('each Prometheus of a pair ends an alert for itself alone', async (pager) => {
  const on = await pager.integration({ slug: 'prometheus', steps: [pager.step('ada')] });
  const send = (sender: string, endsAt: string) =>
    pager.trigger(on, [
      {
        labels: { alertname: 'disk' },
        endsAt: `2026-03-02T${endsAt}Z`,
        generatorURL: `http://${sender}:9090/graph`,
      },
    ]);
  for (const sender of ['a', 'b']) await send(sender, '09:04:00');
  await pager.at('09:02');
  await send('a', '09:01:30');
  await send('b', '09:06:00');
  await pager.at('09:03');
  await send('b', '09:02:30');
  await send('a', '09:01:30');
  assert.deepEqual(await pager.incidents(), ['1 resolved']);
  await pager.at('09:10');
  await send('b', '09:14:00');
  await send('a', '09:01:30');
  await send('b', '09:14:30');
  assert.deepEqual(await pager.incidents(), ['1 resolved', '2 triggered']);
  const events = await pager.sql`select outcome from events order by id`;
  assert.deepEqual(
    events.map(({ outcome }) => outcome),
    [
      ...['opened', 'suppressed', 'ignored', 'suppressed', 'resolved', 'ignored'],
      ...['opened', 'ignored', 'suppressed'],
    ],
  );
});

story(
  'time in which events were refused does not count as silence of their tool',
  async (pager) => {
    const on = await pager.integration({
      steps: [pager.step('ada')],
      resolveWhenQuiet: { after: 10, unit: 'minutes' },
    });
    await pager.trigger(on, disk);
    await pager.at('09:01');
    const from = pager.clock.now();
    pager.awayUntil('09:06');
    const { organizationId } = pager.scope;
    const refusing = { organizationId, integrationId: on.id, from };
    await noteRefusing(pager.sql, [{ ...refusing, to: pager.clock.now() }]);
    await pager.at('09:14');
    assert.deepEqual(await pager.incidents(), ['1 triggered']);
    await pager.at('09:15');
    assert.deepEqual(await pager.incidents(), ['1 resolved']);
  },
);

story('a spell of refusals ends with the first event that some server took', async (pager) => {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  const from = pager.clock.now();
  await pager.at('09:02');
  await pager.trigger(on, disk);
  await pager.at('09:05');
  const { organizationId } = pager.scope;
  const taken = await noteRefusing(pager.sql, [
    ...[{ organizationId, integrationId: on.id, from, to: pager.clock.now() }],
    ...[{ organizationId, integrationId: 'other', from, to: pager.clock.now() }],
  ]);
  assert.deepEqual([...taken], [on.id]);
  const spells = await pager.sql`select integration_id, to_at from deaf_spells order by to_at`;
  assert.deepEqual(
    spells.map(({ integration_id, to_at }) => [integration_id, `${to_at}`]),
    [
      [on.id, '2026-03-02T09:02:00Z'],
      ['other', '2026-03-02T09:05:00Z'],
    ],
  );
});

/** A server that refuses events, and stores undecided what it logs of that. */
async function refusing(pager: Pager) {
  const on = await pager.integration({ steps: [pager.step('ada')] });
  const { organizationId } = pager.scope;
  const of = { organizationId, integrationId: on.id, slug: 'webhook', integrationName: 'Checks' };
  const server = pager.serve({ decideUpTo: -1 });
  const refusals = new Refusals({
    clock: pager.clock,
    log: silentLog,
    record: server.intake.record,
    recordDeaf: (spells) => noteRefusing(pager.sql, spells),
  });
  const refuse = () =>
    refusals.note({ ...of, source: 'http', status: 429, reason: 'full', isLost: false });
  const spells = async () => {
    const rows = await pager.sql`select from_at, to_at from deaf_spells order by from_at`;
    return rows.map((row) =>
      ['from_at', 'to_at'].map((at) => `${row[at]}`.slice(11, 16)).join('-'),
    );
  };
  return { on, server, refusals, refuse, spells };
}

story('the row of a refusal does not end the spell that it reports', async (pager) => {
  const { refusals, refuse, spells } = await refusing(pager);
  await refuse();
  for (const at of ['09:01', '09:02', '09:03']) {
    await refuse();
    pager.awayUntil(at);
    await refusals.flush();
  }
  assert.deepEqual(await spells(), ['09:00-09:03']);
  const rows = await pager.sql`select outcome from events`;
  assert.deepEqual(
    rows.map(({ outcome }) => outcome),
    [null, null, null],
  );
});

story('a spell ends when another server takes an event, and the next is its own', async (pager) => {
  const { on, refusals, refuse, spells } = await refusing(pager);
  await refuse();
  pager.awayUntil('09:01');
  await refusals.flush();
  await pager.trigger(on, disk);
  pager.awayUntil('09:02');
  await refusals.flush();
  assert.deepEqual(await spells(), ['09:00-09:01']);
  pager.awayUntil('13:00');
  await refuse();
  pager.awayUntil('13:10');
  await refusals.flush();
  assert.deepEqual(await spells(), ['09:00-09:01', '13:00-13:10']);
});

story('a spell of a server whose clock goes back ends when it begins', async (pager) => {
  const { refusals, refuse, spells } = await refusing(pager);
  await refuse();
  pager.awayUntil('08:58');
  await refusals.flush();
  pager.awayUntil('09:00');
  await refusals.flush();
  assert.deepEqual(await spells(), ['09:00-09:00']);
});

story('what was refused in the last minute is in the log when a server stops', async (pager) => {
  const { server, refusals, refuse } = await refusing(pager);
  await refuse();
  await refuse();
  await refusals.finish();
  await pager.workOn(server);
  const [event] = await pager.sql`select outcome, reason from events`;
  assert.deepEqual({ ...event }, { outcome: 'refused', reason: 'refused with 429: 2 times: full' });
});

story('an end that came before the problem which it ends opens nothing', async (pager) => {
  const on = await pager.integration({ slug: 'alertmanager', steps: [pager.step('ada')] });
  const group = (status: string, startsAt: string, endsAt: string) => ({
    version: '4',
    status,
    groupKey: '{}:{a="b"}',
    alerts: [{ status, labels: { alertname: 'disk' }, fingerprint: 'aa', startsAt, endsAt }],
  });
  const [start, end] = ['2026-03-02T08:00:00Z', '2026-03-02T08:55:00Z'];
  await pager.trigger(on, group('resolved', start, end));
  await pager.trigger(on, group('firing', start, '0001-01-01T00:00:00Z'));
  await pager.at('09:05');
  await pager.trigger(on, group('resolved', start, end));
  await pager.at('09:10');
  assert.deepEqual([await pager.incidents(), pager.heard()], [['1 resolved'], []]);
  const events = await pager.sql`select outcome from events order by id`;
  assert.deepEqual(
    events.map(({ outcome }) => outcome),
    ['ignored', 'opened', 'resolved'],
  );
});
