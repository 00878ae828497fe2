import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daily, startOnCallApi, weekly } from '../../../test/on-call-api.ts';
import { queryLimits } from '../../limits/queries.ts';
import { gathered } from './preview-reads.ts';

test('each of several changes is answered as it is alone', async () => {
  await using at = await startOnCallApi();
  const [first, second] = [
    await at.schedule([{ users: [at.ada, at.bob], rotation: weekly }]),
    await at.schedule([{ users: [at.bob], rotation: daily }], { name: 'p' }),
  ];
  const gone = await at.schedule([{ users: [at.bob], rotation: daily }], { name: 'q' });
  assert.equal((await at.send(`DELETE /on-calls/${gone}`)).status, 200);
  const steps = [{ targets: [{ via: 'email', oncall_schedule_id: first }] }];
  assert.equal((await at.send('POST /escalation-policies', { name: 'Night', steps })).status, 201);
  const schedule = (record: object, more: object = {}) => ({
    kind: 'oncall_schedule',
    record,
    ...more,
  });
  const layers = [{ users: [at.bob], rotation: weekly }];
  const edit = { id: first, name: 'o', layers };
  const override = {
    oncall_schedule_id: second,
    user_id: at.ada,
    start: '2026-03-02T06:00:00Z',
    end: '2026-03-02T18:00:00Z',
  };
  const changes = [
    schedule(edit),
    schedule({ id: second, name: 'p', layers }),
    schedule(edit, { planned: [{ kind: 'user', record: { id: at.bob, active: false } }] }),
    schedule({ id: first, archived: true }),
    schedule({ name: 'new', layers }),
    schedule({ name: 'new' }, { unknown: ['layers', 'team_id'] }),
    { kind: 'escalation_policy', record: { name: 'new', steps } },
    { kind: 'user', record: { id: at.ada, active: false } },
    { kind: 'override', record: override },
    schedule({ id: gone, name: 'q', layers }),
    schedule({ id: at.ops, name: 'o', layers: [{ users: [at.eve], rotation: daily }] }),
    schedule({ name: 'new', layers: [{ users: [at.ops], rotation: daily }] }),
    { kind: 'dance', record: {} },
    {},
    { kind: 'override', record: { ...override, oncall_schedule_id: gone } },
  ];
  const callers = [
    at.key,
    at.world.caller({ role: 'responder' }),
    at.world.caller({ teamIds: [at.web], defaultTeamId: at.web }),
  ];
  const statuses = new Set<number>();
  for (const caller of callers)
    for (let from = 0; from < changes.length; from += queryLimits.previewsAtOnce) {
      const previews = changes.slice(from, from + queryLimits.previewsAtOnce);
      const together = await at.send('POST /previews', { previews }, caller);
      assert.equal(together.status, 200, JSON.stringify(together.body));
      for (const [index, body] of previews.entries()) {
        const alone = await at.send('POST /preview', body, caller);
        const { request_id, ...answer } = alone.body;
        assert.deepEqual(together.body.data[index], { status: alone.status, ...answer });
        statuses.add(alone.status);
      }
    }
  assert.deepEqual([...statuses].sort(), [200, 403, 409, 422]);
});

test('no, too many, and no changes at all are refused at their path', async () => {
  await using at = await startOnCallApi();
  const change = { kind: 'oncall_schedule', record: { name: 'new', layers: [] } };
  const tooMany = Array.from({ length: queryLimits.previewsAtOnce + 1 }, () => change);
  for (const body of [{}, { previews: [] }, { previews: tooMany }, { previews: change }]) {
    const answer = await at.send('POST /previews', body);
    assert.deepEqual([answer.status, answer.body.issues[0].path], [422, 'previews']);
  }
  const answer = await at.send('POST /previews', { previews: ['a'] });
  assert.deepEqual([answer.status, answer.body.issues[0].path], [422, 'previews[0]']);
});

test('what is wanted within one turn is read at once, and each key once', async () => {
  const reads: (readonly string[])[] = [];
  const read = gathered(async (keys) => {
    reads.push(keys);
    return new Map(keys.filter((key) => key !== 'none').map((key) => [key, key.toUpperCase()]));
  });
  const first = await Promise.all([read(['a', 'b']), read(['b', 'none']), read([])]);
  const [a, b] = [
    ['a', 'A'],
    ['b', 'B'],
  ] as const;
  assert.deepEqual(first, [new Map([a, b]), new Map([b]), new Map()]);
  assert.deepEqual(await read(['b', 'c']), new Map([b, ['c', 'C']]));
  assert.deepEqual(reads, [['a', 'b', 'none'], ['c']]);
});

test('a read that fails, fails all that wanted it', async () => {
  const read = gathered<string>(() => Promise.reject(new Error('lost')));
  const both = await Promise.allSettled([read(['a']), read(['b'])]);
  assert.deepEqual(
    both.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
});
