import assert from 'node:assert/strict';
import { incidentRoutes } from '../../src/api/incidents/routes.ts';
import type { Caller } from '../../src/api/route.ts';
import { createIds } from '../../src/engine/ids.ts';
import { type Reply, testApi } from '../api.ts';
import { compute } from '../compute.ts';
import { seedOrganization } from '../world.ts';
import { type Pager, story } from './story.ts';

/** Asks why, about a person by name. */
async function startWhy(pager: Pager) {
  const { sql, clock, secrets } = pager;
  const { ledger, configurations } = pager.serve();
  const shared = { sql, ledger, configurations, clock, secrets, ids: createIds(clock) };
  const parts = { ...shared, compute, publicUrl: '', committed: () => {}, faults: pager.faults };
  const api = await testApi({ sql, clock, routes: [incidentRoutes(parts)].flat() });
  const { organizationId } = pager.scope;
  const viewer: Caller = {
    kind: 'session',
    organizationId,
    id: pager.users['lin'] ?? '',
    name: 'Lin',
    role: 'viewer',
    teamIds: null,
    defaultTeamId: null,
  };
  return {
    why: (query = '', caller: Partial<Caller> = {}): Promise<Reply> =>
      api.send({ ...viewer, ...caller }, `GET /incidents/1/why${query}`),
    [Symbol.asyncDispose]: () => api[Symbol.asyncDispose](),
  };
}

story(
  'why somebody was paged, and somebody else was not, is told from the ledger',
  async (pager) => {
    const { users } = pager;
    const rota = await pager.schedule([users['ada'] ?? '']);
    await pager.standIn(rota, 'eve', { from: '09:00', to: '12:00' });
    const targets = [{ via: 'email' as const, oncall_schedule_id: rota }];
    const steps = [{ targets, escalate_after_minutes: 5 }, pager.step('lin')];
    const on = await pager.integration({ steps });
    await pager.trigger(on, { title: 'disk full' });
    await pager.trigger(on, { title: 'disk full' });
    await pager.at('09:03');
    await pager.does(1, { type: 'acknowledge' });
    await pager.at('09:10');
    await using api = await startWhy(pager);

    const own = await api.why();
    assert.equal(own.status, 200, JSON.stringify(own.body));
    assert.equal(own.body.user.id, users['lin']);
    assert.equal(own.body.paged, false);
    assert.match(own.body.answer, /step 2, which names lin Example, was not reached \(Eve ack/);

    const { body } = await api.why(`?user_id=${users['eve']}`);
    const why = 'Step 1 of 2 of the policy Ops';
    assert.equal(body.answer, `eve Example was paged by e-mail at 2026-03-02T09:00:00Z: ${why}.`);
    assert.deepEqual(
      body.chain.map((link: { text: string; source: { type: string } }) => [
        link.source.type,
        link.text,
      ]),
      [
        ['event', 'An event arrived by HTTP'],
        ['timeline', 'Opened by an alert to Checks, on Shop'],
        ['timeline', 'Step 1 of 2 pages eve Example (on call of Rota, by an override) by e-mail'],
        [
          'event',
          'The same alert arrived again, 1 time so far. It is counted on INC-1, and nobody is paged for it',
        ],
        ['page', `The page by e-mail was created: ${why}`],
        ['attempt', 'The page by e-mail, attempt 1: delivered'],
        ['timeline', 'Eve acknowledged, so nobody else is paged'],
      ],
    );

    const ada = await api.why(`?user_id=${users['ada']}`);
    assert.match(ada.body.answer, /^ada Example was not paged: no step that ran names/);
  },
);

story(
  'why is told about people of the organisation, to those who may see the incident',
  async (pager) => {
    const on = await pager.integration({ steps: [pager.step('ada')] });
    await pager.trigger(on, { title: 'disk full' });
    await using api = await startWhy(pager);
    const other = await seedOrganization(pager.sql, { users: [{ name: 'mallory' }] });
    const stranger = other.users['mallory'] ?? '';
    const statusOf = async (query: string, caller?: Partial<Caller>) =>
      (await api.why(query, caller)).status;
    assert.equal(await statusOf('', { organizationId: other.organizationId }), 404);
    assert.equal(await statusOf('', { teamIds: [] }), 404);
    for (const id of [stranger, 'nobody', '']) assert.equal(await statusOf(`?user_id=${id}`), 422);
    const key = await api.why('', { kind: 'key' });
    assert.equal(key.status, 422);
    assert.deepEqual(key.body.issues, [
      { path: 'user_id', message: 'is required for requests with an API key' },
    ]);
  },
);

story('a playbook, an assignment and a merge are told as what they are', async (pager) => {
  const { users } = pager;
  const on = await pager.integration({ steps: [pager.step('ada', 5), pager.step('boss')] });
  for (const title of ['disk full', 'cpu hot']) await pager.trigger(on, { title });
  const page = { type: 'pagePerson', user_id: users['lin'] ?? '', via: 'email' } as const;
  const playbook_id = await pager.playbook({ name: 'Wake Lin', actions: [page] });
  await pager.does(1, { type: 'perform', action: { type: 'playbook', playbook_id } });
  await pager.does(1, { type: 'add_responder', user: { id: users['eve'], name: 'eve Example' } });
  await pager.at('09:01');
  await pager.does(1, { type: 'merge', intoId: await pager.idOf(2) });
  await using api = await startWhy(pager);
  const answerTo = async (name: string) =>
    (await api.why(`?user_id=${users[name]}`)).body.answer.replace(/ at 2026-03-02T/g, ' at ');
  assert.equal(
    await answerTo('lin'),
    'lin Example was paged by e-mail at 09:00:00Z: The playbook Wake Lin.',
  );
  assert.equal(
    await answerTo('eve'),
    'eve Example was not paged: eve Example was added as a responder, but the notice by e-mail is not a page.',
  );
  assert.equal(
    await answerTo('boss'),
    'boss Example was not paged: step 2, which names boss Example, was not reached (Eve merged it into INC-2, at 09:01:00Z).',
  );
});
