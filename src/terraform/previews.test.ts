import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, type Fields, failed } from '../client/answer.ts';
import type { Client } from '../client/client.ts';
import { queryLimits } from '../limits/queries.ts';
import type { PlannedRecord } from './planning/planned-record.ts';
import { createPreviews, type Preview } from './previews.ts';
import type { Value } from './protocol/value.ts';

const budget = { retriesMax: 20, totalMs: 120_000 };
const warning = (...messages: string[]): Answer => ({
  ok: true,
  status: 200,
  body: { data: { warnings: messages.map((message) => ({ code: 'gap', path: null, message })) } },
});

type Options = {
  readonly now?: () => number;
  readonly saved?: readonly PlannedRecord[];
  /** What several are answered with, in place of the answer of each. */
  readonly together?: Answer;
};

/** Previews of an API that answers so, and has these policies, with all that it was sent. */
function start(answer: (body: Fields) => Answer, { now, saved = [], together }: Options = {}) {
  const sent: Fields[] = [];
  let requests = 0;
  let lists = 0;
  const client: Client = {
    address: 'http://a',
    async send({ path, body }) {
      if (path === '/previews') {
        requests += 1;
        if (together) return together;
        const { previews: bodies } = body as { previews: Fields[] };
        sent.push(...bodies);
        const answers = bodies.map(answer);
        // What is not about one of them fails the whole request.
        return (
          answers.find(isWhole) ?? { ok: true, status: 200, body: { data: answers.map(entry) } }
        );
      }
      if (path !== '/preview') {
        lists += 1;
        const data = saved.map(({ record }) => record);
        return { ok: true, status: 200, body: { data, next_cursor: null } };
      }
      requests += 1;
      sent.push(body as Fields);
      return answer(body as Fields);
    },
    close() {},
  };
  const previews = createPreviews(client, {
    budget,
    managedBy: { tool: 'terraform', workspace: 'prod' },
    ...(now && { now }),
  });
  const plan = async (planned: PlannedRecord, prior: Value = null) => {
    previews.remember({ planned, prior });
    return messagesOf(await previews.of({ planned, prior }));
  };
  const unreachableOf = (id: string) => previews.unreachableOf(id).map(({ message }) => message);
  return { sent, plan, lists: () => lists, requests: () => requests, unreachableOf };
}

const isWhole = (answer: Answer) =>
  !answer.ok &&
  (answer.failure.type !== 'refused' ||
    answer.failure.status === 429 ||
    answer.failure.status >= 500);

/** As it stands among those of one request. */
function entry(answer: Answer): Fields {
  if (answer.ok) return { status: answer.status, ...answer.body };
  if (answer.failure.type !== 'refused') throw new Error('it is no answer');
  const { status, code, message, issues } = answer.failure;
  return { status, error: code, message, issues };
}

const messagesOf = ({ effects, unknown }: Preview) => ({
  warnings: effects.map(({ message }) => message),
  ...(unknown !== undefined && { unknown }),
});

const schedule = (id: string | undefined, name = 's'): PlannedRecord => ({
  kind: 'oncall_schedule',
  unknown: [],
  record: { ...(id !== undefined && { id }), name },
});

test('a record is previewed with what the run planned before, each as it was last', async () => {
  const saved = [policy('p', 'a', 'b', 'c')];
  const { sent, plan, lists } = start(() => warning('Nobody is on call.'), { saved });
  const planned = [
    schedule('a'),
    schedule(undefined, 'new'),
    schedule('b'),
    schedule('a', 'other'),
  ];
  for (const one of planned)
    assert.deepEqual(await plan(one), { warnings: ['Nobody is on call.'] });
  assert.deepEqual(sent.at(-1), { ...schedule('a', 'other'), planned: [schedule('b')] });
  await plan(schedule('c'));
  assert.deepEqual(sent.at(-1)?.['planned'], [schedule('a', 'other'), schedule('b')]);
  assert.equal(lists(), 1);
});

const policy = (id: string | undefined, ...ids: string[]): PlannedRecord => {
  const targets = ids.map((one) => ({ via: 'email', oncall_schedule_id: one }));
  const record = { ...(id !== undefined && { id }), name: 'p', steps: [{ targets }] };
  return { kind: 'escalation_policy', record, unknown: [] };
};
const idsIn = ({ planned }: Fields) =>
  (planned as PlannedRecord[]).map(({ record }) => record['id']);

const related = [
  { of: 'a policy: the schedules that it names', planned: policy('p9', 's2'), ids: ['s2'] },
  { of: 'a new policy', planned: policy(undefined, 's1'), ids: ['s1'] },
  {
    of: 'a schedule: those that a step pages with it, and policies that name it',
    planned: schedule('s1'),
    ids: ['s2', 'p1'],
  },
  { of: 'a schedule of another step', planned: schedule('s4'), ids: ['s1', 'p1'] },
  { of: 'a schedule that a policy named', planned: schedule('s3'), ids: ['p2'] },
  { of: 'a new schedule: nothing', planned: schedule(undefined), ids: [] },
];
for (const { of, planned, ids } of related)
  test(`what a record is previewed with is all that may matter to ${of}`, async () => {
    const { sent, plan } = start(() => warning(), { saved: [policy('p9', 's1', 's2')] });
    for (const one of [schedule('s1'), schedule('s2'), policy('p1', 's1', 's4')]) await plan(one);
    await plan(policy('p2'), policy('p2', 's3').record as Value);
    await plan(planned);
    assert.deepEqual(idsIn(sent.at(-1) ?? {}), ids);
  });

test('no more is sent with a record than the API takes, and what was planned last', async () => {
  const { sent, plan } = start(() => warning());
  const ids = Array.from({ length: queryLimits.previewPlanned + 1 }, (_, each) => String(each));
  for (const id of ids) await plan(schedule(id));
  await plan(policy(undefined, ...ids));
  assert.deepEqual(idsIn(sent.at(-1) ?? {}), ids.slice(1));
});

const refused = (status: number, ...paths: string[]) => refusedAs(status, 'no', paths);
const refusedAs = (status: number, code: string, paths: readonly string[] = []) =>
  failed({
    type: 'refused',
    status,
    code,
    message: 'No.',
    requestId: '',
    issues: paths.map((path) => ({ path, message: 'is wrong' })),
  });

test('a record that is refused as wrong is not sent with others', async () => {
  let answer: Answer = warning();
  const saved = [policy('p', 'a', 'b', 'c', 'd', 'e', 'f')];
  const { sent, plan } = start(() => answer, { saved });
  for (const id of ['a', 'b', 'c']) await plan(schedule(id));
  answer = refused(422, 'planned[1].record.name');
  await plan(schedule('d'));
  answer = refused(422, 'record.name');
  await plan(schedule('e'));
  await plan(schedule('f'));
  assert.deepEqual(idsIn(sent.at(-1) ?? {}), ['a', 'c', 'd']);
});

for (const status of [400, 404, 409, 422])
  test(`a record that is answered by ${status} has no warnings, and others are asked`, async () => {
    const { sent, plan } = start(() => refused(status));
    for (const id of ['a', 'b']) assert.deepEqual(await plan(schedule(id)), { warnings: [] });
    assert.equal(sent.length, 2);
  });

for (const code of ['too_large', 'too_much_work'])
  test(`of a record that is refused as ${code} the effects are not known, and others are asked`, async () => {
    let answer: Answer = refusedAs(413, code);
    const { sent, plan } = start(() => answer);
    assert.deepEqual(await plan(policy('p', 'a')), { warnings: [], unknown: 'No.' });
    answer = warning();
    assert.deepEqual(await plan(schedule('a')), { warnings: [] });
    assert.deepEqual(idsIn(sent.at(-1) ?? {}), ['p']);
  });

const lasting: [string, Answer, RegExp][] = [
  ...[401, 403, 429, 500].map((status): [string, Answer, RegExp] => [
    `an answer of ${status}`,
    refused(status),
    /^No\.$/,
  ]),
  [
    'an older API',
    failed({ type: 'unknown_route', address: 'http://a', message: 'Unknown route', requestId: '' }),
    /is too old to support this/,
  ],
  [
    'one that cannot be reached',
    failed({ type: 'unreachable', address: 'http://a', why: 'it sleeps' }),
    /it sleeps/,
  ],
  ['another answer', { ok: true, status: 200, body: { data: {} } }, /its answer is no preview/],
];
for (const [what, answer, why] of lasting)
  test(`after ${what} nothing more is asked in the run, and each record says why`, async () => {
    const { sent, plan } = start(() => answer);
    for (const id of ['a', 'b']) {
      const { warnings, unknown } = await plan(schedule(id));
      assert.deepEqual(warnings, []);
      assert.match(unknown ?? '', why);
    }
    assert.equal(sent.length, 1);
  });

test('what a role may not preview is asked once for each kind, and other kinds are still asked', async () => {
  const { sent, plan } = start(({ kind }) =>
    kind === 'override' ? warning('Bob is on call.') : refused(403),
  );
  const override = { kind: 'override', record: {}, unknown: [] };
  for (const id of ['a', 'b']) assert.match((await plan(schedule(id))).unknown ?? '', /^No\.$/);
  assert.equal((await plan(override)).unknown, undefined);
  assert.equal(sent.length, 2);
});

test('those that wait at the same time are asked in one request, up to its limit', async () => {
  const { sent, plan, requests } = start(({ record }) =>
    warning((record as Fields)['name'] as string),
  );
  const names = Array.from({ length: queryLimits.previewsAtOnce + 1 }, (_, each) => `s${each}`);
  const all = await Promise.all(names.map((name) => plan(schedule(undefined, name))));
  assert.deepEqual(
    all.map(({ warnings }) => warnings),
    names.map((name) => [name]),
  );
  assert.deepEqual([sent.length, requests()], [names.length, 2]);
});

test('of those of one request each has its own answer', async () => {
  const { plan } = start(({ kind, record }) => {
    if (kind === 'override') return refused(403);
    return (record as Fields)['name'] === 'large' ? refusedAs(422, 'too_much_work') : warning('ok');
  });
  const override = { kind: 'override', record: {}, unknown: [] };
  const planned = [schedule('a', 'large'), schedule('b'), override];
  const all = await Promise.all(planned.map((one) => plan(one)));
  const no = { warnings: [], unknown: 'No.' };
  assert.deepEqual(all, [no, { warnings: ['ok'] }, no]);
});

test('after one request fails, those that wait are not sent', async () => {
  const { plan, requests } = start(() => refused(500));
  const count = 3 * queryLimits.previewsAtOnce;
  const all = await Promise.all(Array.from({ length: count }, () => plan(schedule(undefined))));
  assert.equal(all.filter(({ unknown }) => unknown === 'No.').length, count);
  assert.equal(requests(), 1);
});

const alone: [string, Answer][] = [
  [
    'an older API, which has no such route,',
    failed({ type: 'unknown_route', address: 'http://a', message: 'Unknown route', requestId: '' }),
  ],
  ['an API for which that is too large', refusedAs(413, 'too_large')],
];
for (const [what, together] of alone)
  test(`${what} is asked for one after the other`, async () => {
    const { sent, plan } = start(() => warning('ok'), { together });
    const all = await Promise.all(['a', 'b', 'c'].map((id) => plan(schedule(id))));
    assert.deepEqual(
      all,
      all.map(() => ({ warnings: ['ok'] })),
    );
    assert.equal(sent.length, 3);
  });

test('a run that was stopped tells nothing', async () => {
  const { plan } = start(() => failed({ type: 'aborted' }));
  assert.deepEqual(await plan(schedule('a')), { warnings: [] });
});

test('a slow API is asked for 30 seconds in a run, and each later record says so', async () => {
  let now = 0;
  const slow = () => {
    now += 4_000;
    return warning('slow');
  };
  const { sent, plan } = start(slow, { now: () => now });
  for (let each = 0; each < 8; each += 1) await plan(schedule(undefined));
  for (let each = 0; each < 2; each += 1)
    assert.match((await plan(schedule(undefined))).unknown ?? '', /waited 30 seconds/);
  assert.equal(sent.length, 8);
});

const stepOf = (id: string, managed_by?: object) => ({
  escalation_policy: { id, name: id, ...(managed_by && { managed_by }) },
  message: `Step 1 of ${id} reaches nobody.`,
});

test('a step of a policy of this configuration waits for the plan of the policy', async () => {
  const prod = { tool: 'terraform', workspace: 'prod' };
  const steps = [
    stepOf('planned', prod),
    stepOf('stays', prod),
    stepOf('by-hand'),
    stepOf('elsewhere', { ...prod, workspace: 'test' }),
  ];
  const messages = ['Nobody is on call.', ...steps.map(({ message }) => message)];
  const { plan, unreachableOf } = start(() => {
    const answer = warning(...messages);
    const data = {
      ...(answer.ok ? (answer.body['data'] as object) : {}),
      unreachable_steps: steps,
    };
    return { ok: true, status: 200, body: { data } };
  });
  assert.deepEqual(unreachableOf('planned'), []);
  assert.deepEqual(await plan(schedule('s')), {
    warnings: [
      'Nobody is on call.',
      'Step 1 of planned reaches nobody.',
      'Step 1 of by-hand reaches nobody.',
      'Step 1 of elsewhere reaches nobody.',
    ],
  });
  assert.deepEqual(unreachableOf('stays'), ['Step 1 of stays reaches nobody.']);
  assert.deepEqual(unreachableOf('stays'), [], 'only once');
});

test('of a policy that is planned while a schedule is previewed, its own preview tells', async () => {
  const prod = { tool: 'terraform', workspace: 'prod' };
  let isMoved = false;
  const { plan } = start(({ kind }) => {
    const steps = [stepOf('moves', prod)];
    const reported: Answer = {
      ok: true,
      status: 200,
      body: { data: { warnings: steps, unreachable_steps: steps } },
    };
    if (kind === 'escalation_policy') return reported;
    // The request with the schedule is under way.
    if (!isMoved) moved = plan(policy('moves', 's'));
    isMoved = true;
    return reported;
  });
  let moved = Promise.resolve({ warnings: [] as string[] });
  assert.deepEqual(await plan(schedule('s')), { warnings: [] });
  assert.deepEqual(await moved, { warnings: ['Step 1 of moves reaches nobody.'] });
  const later = { warnings: ['Step 1 of moves reaches nobody.'] };
  assert.deepEqual(await plan(schedule('s', 'renamed')), later, 'it was sent with it');
});
