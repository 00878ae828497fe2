import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daily, startOnCallApi, weekly } from '../../../test/on-call-api.ts';
import { seedOrganization } from '../../../test/world.ts';

const day = (number: number) => `2026-03-${String(number).padStart(2, '0')}T00:00:00.000Z`;

test('all schedules over one interval have their shifts, gaps and names', async () => {
  await using at = await startOnCallApi();
  const all = await at.schedule([{ users: [at.ada, at.bob], rotation: daily }], { name: 'all' });
  const later = { users: [at.eve, at.bob], rotation: weekly, starts_at: day(4) };
  const web = await at.schedule([{ ...later, users: [at.bob] }], {
    name: 'web',
    team_id: at.web,
    timezone: 'Europe/Berlin',
  });
  const gone = await at.schedule([{ users: [at.ada], rotation: daily }], { name: 'gone' });
  await at.send(`DELETE /on-calls/${gone}`);
  const span = `from=${day(3)}&to=${day(5)}`;
  const { status, body } = await at.send(`GET /on-calls/timeline?${span}`);
  assert.equal(status, 200, JSON.stringify(body));
  const shift = (user_id: string, start: string, end: string) => ({
    user_id,
    layer: 0,
    start,
    end,
  });
  assert.deepEqual(body, {
    from: day(3),
    to: day(5),
    data: [
      {
        oncall_schedule_id: all,
        name: 'all',
        team_id: at.ops,
        timezone: 'Etc/UTC',
        shifts: [shift(at.bob, day(3), day(4)), shift(at.ada, day(4), day(5))],
        gap_count: 0,
        gaps: [],
      },
      {
        oncall_schedule_id: web,
        name: 'web',
        team_id: at.web,
        timezone: 'Europe/Berlin',
        shifts: [
          {
            ...shift(at.bob, day(4), day(5)),
            shift_start: day(4),
            shift_end: '2026-03-08T23:00:00.000Z',
          },
        ],
        gap_count: 1,
        gaps: [
          {
            start: day(2),
            end: day(4),
            layer: 0,
            reason: 'not_started',
            message: 'Layer 1 has not started yet.',
          },
        ],
      },
    ],
    names: { [at.ada]: 'ada Example', [at.bob]: 'bob Example' },
    next_cursor: null,
  });
  const names = async (query: string) =>
    (await at.send(`GET /on-calls/timeline?${span}&${query}`)).body.data.map(
      ({ name }: { name: string }) => name,
    );
  assert.deepEqual(await names(`team_id=${at.web}`), ['web']);
  assert.deepEqual(await names(`team_id=${at.web},${at.ops}`), ['all', 'web']);
  const first = (await at.send(`GET /on-calls/timeline?${span}&limit=1`)).body;
  assert.deepEqual(await names(`limit=1&cursor=${first.next_cursor}`), ['web']);
});

test('an override is in a timeline with whom it replaces', async () => {
  await using at = await startOnCallApi();
  const id = await at.schedule([{ users: [at.ada], rotation: weekly }]);
  const override = { user_id: at.bob, replaces_user_id: at.ada, start: day(3), end: day(4) };
  const made = (await at.send(`POST /on-calls/${id}/overrides`, override)).body;
  const replaced = { override_id: made.id, replaces_user_id: at.ada };
  const { body } = await at.send(`GET /on-calls/${id}/timeline?from=${day(2)}&to=${day(5)}`);
  const continuing = { shift_start: day(4), shift_end: day(9) };
  const spans = [
    { user_id: at.ada, layer: 0, start: day(2), end: day(3) },
    { user_id: at.bob, layer: 'override', start: day(3), end: day(4), ...replaced },
    { user_id: at.ada, layer: 0, start: day(4), end: day(5), ...continuing },
  ];
  assert.deepEqual(body.shifts, spans);
  assert.deepEqual(body.layers, [
    {
      layer: 0,
      shifts: [
        {
          user_id: at.ada,
          start: day(2),
          end: day(5),
          shift_start: day(2),
          shift_end: day(9),
        },
      ],
    },
  ]);
  assert.deepEqual(body.overrides, [{ ...replaced, user_id: at.bob, start: day(3), end: day(4) }]);
  assert.deepEqual(body.names, { [at.ada]: 'ada Example', [at.bob]: 'bob Example' });
  const of = (await at.send(`GET /on-calls/timeline?from=${day(2)}&to=${day(5)}`)).body;
  assert.deepEqual(of.data[0].shifts, spans);
});

test('the past is as it was: moved and removed layers, who left since, no gap before the first save', async () => {
  await using at = await startOnCallApi();
  const first = { users: [at.ada], rotation: daily };
  const hours = {
    type: 'weekly',
    windows: [{ from_day: 'monday', from_time: '08:00', to_day: 'monday', to_time: '09:00' }],
  };
  const night = { users: [at.bob], rotation: weekly, restriction: hours };
  const id = await at.schedule([first, night]);
  at.pass({ hours: 24 });
  await at.send(`PUT /on-calls/${id}`, { name: 'o', layers: [night] });
  await at.sql`update users set active = false where id = ${at.ada}`;
  at.pass({ hours: 24 });
  const { body } = await at.send(
    `GET /on-calls/${id}/timeline?from=2026-02-20T00:00:00Z&to=${day(5)}`,
  );
  const [at8, at9] = ['2026-03-02T08:00:00.000Z', '2026-03-02T09:00:00.000Z'];
  assert.deepEqual(
    body.shifts.map((one: Record<string, string>) => [one['user_id'], one['start'], one['end']]),
    [
      [at.ada, day(2), at8],
      [at.bob, at8, at9],
      [at.ada, at9, day(3)],
    ],
  );
  assert.deepEqual(
    body.layers.map((one: { layer: number; shifts: { start: string; end: string }[] }) => [
      one.layer,
      one.shifts.map(({ start, end }) => [start, end]),
    ]),
    [
      [0, [[at8, at9]]],
      [null, [[day(2), day(3)]]],
    ],
  );
  // It began in the past, and goes on.
  assert.deepEqual(
    body.gaps.map((gap: Record<string, string>) => [gap['start'], gap['end'], gap['reason']]),
    [[day(3), '2026-03-09T08:00:00.000Z', 'outside_windows']],
  );
});

test('a gap and an override have their whole at the edges of a timeline', async () => {
  await using at = await startOnCallApi();
  const id = await at.schedule([
    { users: [at.ada], rotation: daily, starts_at: day(4), ends_at: day(6) },
  ]);
  const cover = { user_id: at.bob, start: day(8), end: day(11) };
  const made = (await at.send(`POST /on-calls/${id}/overrides`, cover)).body;
  const of = async (from: number, to: number) =>
    (await at.send(`GET /on-calls/${id}/timeline?from=${day(from)}&to=${day(to)}`)).body;
  const gapsOf = async (from: number, to: number) =>
    (await of(from, to)).gaps.map((gap: Record<string, string>) => [gap['start'], gap['end']]);
  assert.deepEqual(await gapsOf(3, 5), [[day(2), day(4)]]);
  assert.deepEqual(await gapsOf(5, 7), [[day(6), day(8)]]);
  assert.deepEqual(await gapsOf(12, 13), [[day(11), null]]);
  const { shifts, overrides } = await of(9, 10);
  const whole = { start: day(9), end: day(10), shift_start: day(8), shift_end: day(11) };
  assert.deepEqual(overrides, [{ override_id: made.id, user_id: at.bob, ...whole }]);
  assert.deepEqual(shifts, [
    { override_id: made.id, user_id: at.bob, layer: 'override', ...whole },
  ]);
  const coverage = async (query: string) =>
    (await at.send(`GET /on-calls/${id}/coverage?${query}`)).body;
  const { gaps, uncovered_seconds, to } = await coverage('years=1');
  assert.deepEqual(
    gaps.map((gap: Record<string, string>) => [gap['start'], gap['end']]),
    [
      [day(2), day(4)],
      [day(6), day(8)],
      [day(11), null],
    ],
  );
  const seconds = (from: string, end: string) => (Date.parse(end) - Date.parse(from)) / 1_000;
  assert.equal(uncovered_seconds, 4 * 24 * 3_600 + seconds(day(11), to), 'of the year alone');
  at.pass({ hours: 5 * 24 });
  const [running] = (await coverage('years=1')).gaps;
  assert.deepEqual([running.start, running.end], [day(6), day(8)], 'it began before now');
});

test('a gap that runs is one, and an inactive person’s turn is one from now on', async () => {
  await using at = await startOnCallApi();
  const id = await at.schedule([{ users: [at.ada, null, at.ada, at.bob], rotation: daily }]);
  at.pass({ hours: 36 });
  await at.sql`update users set active = false where id = ${at.bob}`;
  const { body } = await at.send(`GET /on-calls/${id}/timeline?from=${day(2)}&to=${day(6)}`);
  assert.deepEqual(
    body.gaps.map((gap: Record<string, string>) => [gap['start'], gap['end'], gap['reason']]),
    [
      [day(3), day(4), 'turn_with_nobody'],
      [day(5), day(6), 'missing'],
    ],
  );
});

test('a page of timelines is shorter where schedules change often, and continues', async () => {
  await using at = await startOnCallApi();
  const windows = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].flatMap((each) =>
    ['01', '03', '05', '07', '09', '11', '13', '15', '17', '19'].map((hour) => ({
      from_day: each,
      from_time: `${hour}:00`,
      to_day: each,
      to_time: `${hour}:30`,
    })),
  );
  const layer = { users: [at.ada], rotation: daily, restriction: { type: 'weekly', windows } };
  const layers = Array.from({ length: 20 }, () => layer);
  for (const name of ['1', '2', '3']) await at.schedule(layers, { name });
  const seen: string[][] = [];
  for (let cursor = ''; cursor !== null; ) {
    const from = cursor && `&cursor=${cursor}`;
    const { status, body } = await at.send(
      `GET /on-calls/timeline?from=${day(1)}&to=2026-05-01T00:00:00Z${from}`,
    );
    assert.equal(status, 200);
    seen.push(body.data.map(({ name }: { name: string }) => name));
    cursor = body.next_cursor;
  }
  assert.deepEqual(seen, [['1'], ['2'], ['3']]);
});

test('a timeline refuses what is too long, and is of the caller’s organization only', async () => {
  await using at = await startOnCallApi();
  const id = await at.schedule([{ users: [at.ada], rotation: weekly }]);
  const long = await at.send(`GET /on-calls/timeline?from=${day(1)}&to=2026-06-01T00:00:00Z`);
  assert.deepEqual(
    [long.status, long.body.issues],
    [422, [{ path: 'to', message: 'must be at most 62 days after from' }]],
  );
  const other = (await seedOrganization(at.sql, { users: [{ name: 'mallory' }] })).caller();
  assert.equal((await at.send(`GET /on-calls/${id}/timeline`, undefined, other)).status, 404);
  assert.deepEqual((await at.send('GET /on-calls/timeline', undefined, other)).body.data, []);
});
