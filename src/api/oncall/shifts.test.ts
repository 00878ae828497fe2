import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daily, startOnCallApi, weekly } from '../../../test/on-call-api.ts';

const pathsOf = ({ issues }: { issues: { path: string }[] }) => issues.map(({ path }) => path);

test('shifts are cut to the interval that is asked for', async () => {
  await using at = await startOnCallApi();
  const id = await at.schedule([{ users: [at.ada, at.bob], rotation: daily }]);
  const span = 'from=2026-03-02T12:00:00Z&to=2026-03-04T06:00:00%2B01:00';
  const answer = await at.send(`GET /on-calls/${id}/shifts?${span}`);
  assert.deepEqual(
    [answer.status, answer.body],
    [
      200,
      {
        data: [
          {
            user_id: at.ada,
            layer: 0,
            start: '2026-03-02T12:00:00.000Z',
            end: '2026-03-03T00:00:00.000Z',
            shift_start: '2026-03-02T00:00:00.000Z',
            shift_end: '2026-03-03T00:00:00.000Z',
          },
          {
            user_id: at.bob,
            layer: 0,
            start: '2026-03-03T00:00:00.000Z',
            end: '2026-03-04T00:00:00.000Z',
          },
          {
            user_id: at.ada,
            layer: 0,
            start: '2026-03-04T00:00:00.000Z',
            end: '2026-03-04T05:00:00.000Z',
            shift_start: '2026-03-04T00:00:00.000Z',
            shift_end: '2026-03-05T00:00:00.000Z',
          },
        ],
      },
    ],
  );
  const byDefault = (await at.send(`GET /on-calls/1/shifts`)).body.data;
  assert.deepEqual(
    [byDefault.length, byDefault[0].start, byDefault.at(-1).end],
    [14, '2026-03-02T00:00:00.000Z', '2026-03-16T00:00:00.000Z'],
  );
});

test('what an interval cuts has its whole beside it, however long ago it began', async () => {
  await using at = await startOnCallApi();
  const long = { users: [at.ada, at.bob], rotation: { length: 10, unit: 'weeks' } };
  const id = await at.schedule([long]);
  at.pass({ hours: 60 * 24 });
  // A save that leaves the layer alone; only what was in force since is read at first.
  await at.send(`PUT /on-calls/${id}`, { name: 'o', layers: [long, { users: [null] }] });
  const span = 'from=2026-05-05T00:00:00Z&to=2026-05-06T00:00:00Z';
  const whole = { shift_start: '2026-03-02T00:00:00.000Z', shift_end: '2026-05-11T00:00:00.000Z' };
  const cut = { start: '2026-05-05T00:00:00.000Z', end: '2026-05-06T00:00:00.000Z', ...whole };
  const shifts = [{ user_id: at.ada, layer: 0, ...cut }];
  for (const query of ['', '&layer=0'])
    assert.deepEqual(
      (await at.send(`GET /on-calls/${id}/shifts?${span}${query}`)).body.data,
      shifts,
    );
  const one = (await at.send(`GET /on-calls/${id}/timeline?${span}`)).body;
  assert.deepEqual(one.shifts, shifts);
  assert.deepEqual(one.layers[0].shifts, [{ user_id: at.ada, ...cut }]);
  assert.deepEqual((await at.send(`GET /on-calls/timeline?${span}`)).body.data[0].shifts, shifts);
});

test('one layer can be asked for alone, as if no other were there', async () => {
  await using at = await startOnCallApi();
  const layer = (user: string) => ({ users: [user], rotation: weekly });
  const id = await at.schedule([layer(at.ada), layer(at.bob)]);
  const users = async (query: string) =>
    (await at.send(`GET /on-calls/${id}/shifts${query}`)).body.data.map(
      ({ user_id, layer: index }: { user_id: string; layer: number }) => [user_id, index],
    );
  assert.deepEqual(await users(''), Array(2).fill([at.bob, 1]));
  assert.deepEqual(await users('?layer=0'), Array(2).fill([at.ada, 0]));
  assert.deepEqual(await users('?layer=7'), []);
});

test('the past is told as it was, of an archived schedule too', async () => {
  await using at = await startOnCallApi();
  const id = await at.schedule([{ users: [at.ada], rotation: weekly }]);
  at.pass({ hours: 24 });
  const layers = [{ users: [at.bob], rotation: weekly }];
  await at.send(`PATCH /on-calls/${id}`, { layers });
  at.pass({ hours: 24 });
  await at.send(`DELETE /on-calls/${id}`);
  at.pass({ hours: 24 });
  const query = 'from=2026-02-25T00:00:00Z&to=2026-03-25T00:00:00Z';
  const all = (await at.send(`GET /on-calls/${id}/shifts?${query}`)).body.data;
  assert.deepEqual(
    all.map(({ user_id, start, end }: Record<string, string>) => [user_id, start, end]),
    [
      [at.ada, '2026-03-02T00:00:00.000Z', '2026-03-03T00:00:00.000Z'],
      [at.bob, '2026-03-03T00:00:00.000Z', '2026-03-04T00:00:00.000Z'],
    ],
  );
  assert.equal((await at.send(`GET /on-calls/${id}/now`)).body.now, null);
});

test('an interval that is unreadable, turned around or too long is refused at its place', async () => {
  await using at = await startOnCallApi();
  const id = await at.schedule([{ users: [at.ada], rotation: weekly }]);
  for (const [query, path] of [
    ['from=yesterday', 'from'],
    ['to=2026-13-01T00:00:00Z', 'to'],
    ['from=2026-03-02', 'from'],
    ['from=2026-03-02T00:00:00Z&to=2026-03-02T00:00:00Z', 'to'],
    ['to=2026-03-01T00:00:00Z', 'to'],
    ['from=2026-03-02T00:00:00Z&to=2028-06-01T00:00:00Z', 'to'],
    ['from=%2B275760-09-13T00:00:00Z', 'from'],
    ['from=0001-01-01T00:00:00Z', 'from'],
    ['layer=-1', 'layer'],
    ['layer=top', 'layer'],
  ] as const) {
    const answer = await at.send(`GET /on-calls/${id}/shifts?${query}`);
    assert.deepEqual([answer.status, pathsOf(answer.body)], [422, [path]], query);
  }
  for (const request of [`${id}/now?at=now`, 'now?at=now', 'now?user_id=ada'])
    assert.equal((await at.send(`GET /on-calls/${request}`)).status, 422, request);
  assert.equal((await at.send(`GET /on-calls/${id}/now?when=now`)).status, 400);
});

test('more shifts than one answer holds are refused with the way to get them', async () => {
  await using at = await startOnCallApi();
  const windows = Array.from({ length: 100 }, (_, index) => {
    const [day, minute] = [index % 7, Math.floor(index / 7) * 90];
    const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
    const clock = (minutes: number) =>
      new Temporal.PlainTime().add({ minutes }).toString({ smallestUnit: 'minute' });
    const [from_day, to_day] = [days[day], days[day]];
    return { from_day, from_time: clock(minute), to_day, to_time: clock(minute + 30) };
  });
  const restriction = { type: 'weekly', windows };
  const busy = { users: [at.ada], rotation: daily, restriction };
  const base = { users: [at.bob], rotation: daily };
  const id = await at.schedule([base, busy]);
  const from = '2026-03-02T00:00:00Z';
  const whole = await at.send(`GET /on-calls/${id}/shifts?from=${from}&to=2028-03-01T00:00:00Z`);
  assert.deepEqual([whole.status, pathsOf(whole.body)], [422, ['to']]);
  const [until] = /\S+Z/.exec(whole.body.issues[0].message) ?? [];
  const part = await at.send(`GET /on-calls/${id}/shifts?from=${from}&to=${until}`);
  assert.deepEqual([part.status, part.body.data.length], [200, 20_000]);
});

test('now and next are whole shifts with whose they are', async () => {
  await using at = await startOnCallApi();
  const id = await at.schedule([{ users: [at.ada, at.bob], rotation: weekly }]);
  at.pass({ hours: 100 });
  const answer = await at.send(`GET /on-calls/${id}/now`);
  const person = (user: string, first_name: string) => ({
    user: { id: user, first_name, last_name: 'Example' },
    layer: 0,
  });
  assert.deepEqual(answer.body, {
    at: '2026-03-06T04:00:00.000Z',
    now: {
      ...person(at.ada, 'ada'),
      start: '2026-03-02T00:00:00.000Z',
      end: '2026-03-09T00:00:00.000Z',
    },
    next: {
      ...person(at.bob, 'bob'),
      start: '2026-03-09T00:00:00.000Z',
      end: '2026-03-16T00:00:00.000Z',
    },
  });
  const before = await at.send(`GET /on-calls/${id}/now?at=2026-03-01T12:00:00Z`);
  assert.equal(before.body.now, null);
  assert.equal(before.body.next.start, '2026-03-02T00:00:00.000Z');
});

test('a running shift is told from its start, however long ago and whatever was saved since', async () => {
  await using at = await startOnCallApi();
  const long = { users: [at.ada, at.bob], rotation: { length: 20, unit: 'weeks' } };
  const id = await at.schedule([long]);
  const other = { users: [at.bob], rotation: daily, ends_at: '2026-03-03T00:00:00Z' };
  for (let day = 0; day < 40; day += 1) {
    at.pass({ hours: 24 });
    await at.send(`PATCH /on-calls/${id}`, { layers: day % 2 === 0 ? [long, other] : [long] });
  }
  const { now } = (await at.send(`GET /on-calls/${id}/now`)).body;
  assert.deepEqual([now.user.id, now.start], [at.ada, '2026-03-02T00:00:00.000Z']);
  const [listed] = (await at.send('GET /on-calls/now')).body.data;
  assert.equal(listed.start, '2026-03-02T00:00:00.000Z');
});

test('the next shift may come after a time with nobody, but is not looked for beyond a year', async () => {
  await using at = await startOnCallApi();
  const until = (ends_at: string) => ({ users: [at.ada], rotation: daily, ends_at });
  const from = (starts_at: string) => ({ users: [at.bob], rotation: daily, starts_at });
  const soon = await at.schedule([until('2026-03-02T08:00:00Z'), from('2026-12-01T00:00:00Z')]);
  const { now, next } = (await at.send(`GET /on-calls/${soon}/now`)).body;
  assert.deepEqual([now.end, next.start], ['2026-03-02T08:00:00.000Z', '2026-12-01T00:00:00.000Z']);
  const late = await at.schedule([until('2026-03-02T08:00:00Z'), from('2027-12-01T00:00:00Z')]);
  assert.equal((await at.send(`GET /on-calls/${late}/now`)).body.next, null);
});
