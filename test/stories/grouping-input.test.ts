// What tools and people do to groups that nobody would choose: sizes, orders and changes in between.
import assert from 'node:assert/strict';
import { findIncident } from '../../src/storage/incidents/incidents.ts';
import { type Pager, story } from './story.ts';

const grouped = (pager: Pager, by: readonly string[], slug = 'webhook') =>
  pager.integration({
    slug,
    steps: [pager.step('ada', 30), pager.step('lin')],
    grouping: { by: [...by] },
  });

type Integration = Awaited<ReturnType<typeof grouped>>;

type Sent = { readonly name: string; readonly ended?: boolean; readonly severity?: string };

/** As Alertmanager sends it. */
const message = (alerts: readonly Sent[], groupKey = '{}:{alertname="DiskFull"}') => ({
  version: '4',
  groupKey,
  alerts: alerts.map(({ name, ended, severity = 'warning' }) => ({
    status: ended ? 'resolved' : 'firing',
    labels: { alertname: 'DiskFull', instance: name, severity },
    annotations: { summary: `Disk full on ${name}` },
    fingerprint: name,
  })),
});

/** What became of each alert: `opened 1`. */
async function sends(pager: Pager, on: Integration, body: object): Promise<readonly string[]> {
  const answer = await pager.trigger(on, body);
  assert.ok(answer.type === 'accepted', JSON.stringify(answer));
  return answer.alerts.map(({ outcome, incident }) => `${outcome} ${incident}`);
}

async function countsOf(pager: Pager, number: number) {
  const scope = { organizationId: pager.scope.organizationId, teamIds: null };
  const incident = await findIncident(pager.sql, scope, { counter: number });
  return [incident?.alerts_firing, incident?.alerts_total];
}

story(
  'a value may be a list, an object or 10 KB: equal ones join, others do not',
  async (pager) => {
    const on = await grouped(pager, ['details.value']);
    const long = 'x'.repeat(10_000);
    const deep = { list: [1, { a: null }], long };
    let key = 0;
    const send = async (value: unknown) => {
      key += 1;
      const [outcome] = await sends(pager, on, {
        title: `Alert ${key}`,
        dedup_key: `k${key}`,
        value,
      });
      return outcome;
    };
    for (const [index, [value, other]] of (
      [
        [
          ['a', 'b'],
          ['b', 'a'],
        ],
        [deep, { ...deep, long: `${long}y` }],
        [long, `${long.slice(1)}y`],
        [0, '0'],
        [false, 'false'],
        ['é', 'e\u0301'],
      ] as const
    ).entries()) {
      const number = index * 2 + 1;
      assert.deepEqual(
        [await send(value), await send(structuredClone(value)), await send(other)],
        [`opened ${number}`, `grouped ${number}`, `opened ${number + 1}`],
      );
    }
    const open = (await pager.incidents()).length;
    for (const value of [null, '', undefined])
      assert.equal(await send(value), `opened ${(await pager.incidents()).length}`);
    assert.equal((await pager.incidents()).length, open + 3);
  },
);

story(
  'of 1,001 alerts in one request the last has an incident that names the first',
  async (pager) => {
    const on = await grouped(pager, ['group'], 'alertmanager');
    const names = Array.from({ length: 1_001 }, (_, index) => ({ name: `db-${index}` }));
    const outcomes = await sends(pager, on, message(names));
    assert.deepEqual(
      [outcomes[0], new Set(outcomes.slice(1, 1_000)), outcomes[1_000]],
      ['opened 1', new Set(['grouped 1']), 'opened 2'],
    );
    await pager.at('09:01');
    assert.deepEqual(pager.heard(), [
      '09:00 ada: page Disk full on db-0 and 999 more',
      '09:00 ada: page Disk full on db-1000',
    ]);
    const again = await sends(pager, on, message(names));
    assert.deepEqual(new Set(again), new Set(['suppressed 1', 'suppressed 2']));
    await sends(pager, on, message(names.map((one) => ({ ...one, ended: true }))));
    assert.deepEqual(await pager.incidents(), ['1 resolved', '2 resolved']);
  },
);

story('keys of 500 characters that differ in the last are alerts of their own', async (pager) => {
  const on = await grouped(pager, ['group'], 'alertmanager');
  const [one = '', other = ''] = ['a', 'b'].map((end) => `${'k'.repeat(499)}${end}`);
  assert.deepEqual(await sends(pager, on, message([{ name: one }, { name: other }])), [
    'opened 1',
    'grouped 1',
  ]);
  await sends(pager, on, message([{ name: one, ended: true }, { name: other }]));
  assert.deepEqual(await countsOf(pager, 1), [1, 2]);
  await sends(pager, on, message([{ name: other, ended: true }]));
  assert.deepEqual(await pager.incidents(), ['1 resolved']);
});

story('in one request a key may end before it begins, again and twice', async (pager) => {
  const on = await grouped(pager, ['group'], 'alertmanager');
  await sends(pager, on, message([{ name: 'a' }, { name: 'b' }]));
  const [end, begin] = [{ name: 'a', ended: true }, { name: 'a' }];
  await sends(pager, on, message([end, begin]));
  assert.deepEqual([await pager.incidents(), await countsOf(pager, 1)], [['1 triggered'], [2, 2]]);
  await sends(pager, on, message([begin, end, end]));
  assert.deepEqual(await countsOf(pager, 1), [1, 2]);
  // The only one that is active ends and begins: the incident goes on, or another one is open.
  await sends(pager, on, message([{ name: 'b', ended: true }, { name: 'b' }]));
  const open = (await pager.incidents()).filter((one) => !one.endsWith('resolved'));
  assert.equal(open.length, 1, open.join());
});

story(
  'a tool that changes its group key keeps its alerts, and new ones have their own',
  async (pager) => {
    const on = await grouped(pager, ['group'], 'alertmanager');
    await sends(pager, on, message([{ name: 'a' }, { name: 'b' }]));
    const changed = '{}:{cluster="eu"}';
    const both = [{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' }];
    assert.deepEqual(await sends(pager, on, message(both, changed)), [
      'suppressed 1',
      'suppressed 1',
      'opened 2',
      'grouped 2',
    ]);
    const ended = both.map((one) => ({ ...one, ended: true }));
    await sends(pager, on, message(ended, changed));
    assert.deepEqual(await pager.incidents(), ['1 resolved', '2 resolved']);
    assert.deepEqual(await sends(pager, on, message(both, changed)), [
      'opened 3',
      'grouped 3',
      'grouped 3',
      'grouped 3',
    ]);
  },
);

story('a rule that is saved between two alerts counts for the second', async (pager) => {
  const on = await grouped(pager, ['service']);
  await sends(pager, on, { title: 'db-1' });
  const about = (text: string) => [
    { conditions: [{ type: 'incidentMessage' as const, comparator: 'contains' as const, text }] },
  ];
  const ids = { integration_ids: [on.id] };
  const lin = pager.users['lin'] ?? '';
  await pager.rule({
    ...ids,
    condition_groups: about('db-2'),
    actions: [{ type: 'priority', priority: 'p4' }],
  });
  assert.deepEqual(await sends(pager, on, { title: 'db-2' }), ['grouped 1']);
  await pager.rule({
    ...ids,
    condition_groups: about('db-3'),
    actions: [{ type: 'reassignIncident', user_id: lin }],
  });
  assert.deepEqual(await sends(pager, on, { title: 'db-3' }), ['opened 2']);
  await pager.rule({
    ...ids,
    condition_groups: about('db-4'),
    actions: [{ type: 'ignoreIncident' }],
  });
  assert.deepEqual(await sends(pager, on, { title: 'db-4' }), ['ignored null']);
  await pager.rule({
    ...ids,
    condition_groups: about('db'),
    actions: [{ type: 'priority', priority: 'p1' }],
  });
  assert.deepEqual(await sends(pager, on, { title: 'db-5' }), ['grouped 2'], 'the newest');
});

story(
  'once its service is archived all is dropped, and a person ends the incident',
  async (pager) => {
    const on = await grouped(pager, ['service']);
    for (const title of ['db-1', 'db-2']) await sends(pager, on, { title });
    await pager.sql`update services set archived_at = now(), version = version + 1`;
    for (const event of [{ title: 'db-3' }, { title: 'db-1', status: 'resolve' }])
      assert.deepEqual(await sends(pager, on, event), ['dropped null']);
    assert.deepEqual(
      [await pager.incidents(), await countsOf(pager, 1)],
      [['1 triggered'], [2, 2]],
    );
    await pager.does(1, { type: 'resolve' });
    assert.deepEqual([await pager.incidents(), await countsOf(pager, 1)], [['1 resolved'], [0, 2]]);
  },
);

story(
  'what comes while the incident is muted pages by itself, and joins again afterwards',
  async (pager) => {
    const on = await grouped(pager, ['service']);
    await sends(pager, on, { title: 'db-1' });
    await pager.does(1, { type: 'mute', until: null });
    assert.deepEqual(await sends(pager, on, { title: 'db-2' }), ['opened 2']);
    await pager.at('09:01');
    assert.ok(pager.heard().includes('09:00 ada: page db-2'));
    await sends(pager, on, { title: 'db-2', status: 'resolve' });
    await pager.does(1, { type: 'unmute' });
    assert.deepEqual(await sends(pager, on, { title: 'db-3' }), ['grouped 1']);
  },
);

story(
  'an incident that moved to another team is not joined, and keeps its own alerts',
  async (pager) => {
    const on = await grouped(pager, ['service']);
    await sends(pager, on, { title: 'db-1' });
    const { teamId } = pager.placeOf('core');
    await pager.sql`update incidents set team_id = ${teamId}`;
    assert.deepEqual(await sends(pager, on, { title: 'db-2' }), ['opened 2']);
    assert.deepEqual(await sends(pager, on, { title: 'db-3' }), ['grouped 2']);
    assert.deepEqual(
      await sends(pager, on, { title: 'db-1' }),
      ['suppressed 1'],
      'its own goes on',
    );
  },
);
