import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daily, startOnCallApi, weekly } from '../../../test/on-call-api.ts';
import { seedOrganization } from '../../../test/world.ts';

const week = { from: '2026-03-02T00:00:00Z', to: '2026-03-09T00:00:00Z' };

test('a preview has the shifts that the schedule has once it is saved', async () => {
  await using at = await startOnCallApi();
  const timezone = 'Europe/Berlin';
  const layers = [
    { users: [at.ada, at.bob], rotation: { ...weekly, handoff_day: 'thursday' } },
    { users: [at.bob, null, at.ada], rotation: { ...daily, handoff: '09:30' } },
  ];
  const span = { from: '2026-03-02T00:00:00Z', to: '2026-06-02T00:00:00Z' };
  const preview = await at.send('POST /on-calls/preview', { timezone, layers, ...span });
  assert.equal(preview.status, 200, JSON.stringify(preview.body));
  assert.deepEqual((await at.send('GET /on-calls')).body.data, []);
  const id = await at.schedule(layers, { timezone });
  const saved = await at.send(`GET /on-calls/${id}/shifts?from=${span.from}&to=${span.to}`);
  assert.deepEqual(preview.body.data, saved.body.data);
  assert.deepEqual(preview.body.coverage, { covered: true, gap_count: 0, gaps: [] });
});

test('a preview counts from when the schedule would have been made', async () => {
  await using at = await startOnCallApi();
  const layers = [{ users: [at.ada, at.bob], rotation: weekly }];
  const body = { layers, ...week, created_at: '2026-03-04T10:00:00Z' };
  const { body: answer } = await at.send('POST /on-calls/preview', body);
  assert.deepEqual(answer.data, [
    {
      user_id: at.ada,
      layer: 0,
      start: '2026-03-04T10:00:00.000Z',
      end: '2026-03-09T00:00:00.000Z',
    },
  ]);
  assert.equal(answer.coverage.gap_count, 1);
  assert.deepEqual(answer.coverage.gaps[0].reason, 'not_in_force');
});

test('the newest of the overrides wins in a preview', async () => {
  await using at = await startOnCallApi();
  const someone = 'f'.repeat(24);
  const day = { start: '2026-03-03T00:00:00Z', end: '2026-03-04T00:00:00Z' };
  const overrides = [
    { user_id: at.bob, ...day },
    { user_id: someone, replaces_user_id: at.bob, ...day, end: '2026-03-03T12:00:00Z' },
  ];
  const layers = [{ users: [at.ada], rotation: weekly }];
  const { body } = await at.send('POST /on-calls/preview', { layers, overrides, ...week });
  assert.deepEqual(
    body.data.map(({ user_id, layer, start }: Record<string, string>) => [user_id, layer, start]),
    [
      [at.ada, 0, '2026-03-02T00:00:00.000Z'],
      [someone, 'override', '2026-03-03T00:00:00.000Z'],
      [at.bob, 'override', '2026-03-03T12:00:00.000Z'],
      [at.ada, 0, '2026-03-04T00:00:00.000Z'],
    ],
  );
});

test('a preview is refused for what a save is refused for, at the same paths', async () => {
  await using at = await startOnCallApi();
  const window = { from_day: 'monday', from_time: '24:00', to_day: 'noday', to_time: '9:00' };
  const wrong = [
    { timezone: 'Mars/Olympus', layers: [{ users: [null], rotation: weekly }] },
    { layers: [] },
    { layers: [{ users: ['ada'], rotation: weekly }] },
    { layers: [{ users: [], rotation: weekly }] },
    { layers: [{ users: [null], rotation: weekly }] },
    { layers: [{ users: [at.ada], rotation: { ...daily, handoff_day: 'monday' } }] },
    { layers: [{ users: [at.ada], rotation: { length: 0, unit: 'months', handoff: '9' } }] },
    {
      layers: [
        { users: [at.ada], rotation: weekly, restriction: { type: 'weekly', windows: [window] } },
      ],
    },
    {
      layers: [
        {
          users: [at.ada],
          rotation: weekly,
          starts_at: '2026-04-01T00:00:00Z',
          ends_at: '2026-04-01T00:00:00Z',
        },
      ],
    },
  ];
  const right = { layers: [{ users: [at.ada], rotation: weekly }] };
  for (const part of wrong) {
    const text = JSON.stringify(part);
    const preview = await at.send('POST /on-calls/preview', { ...right, ...week, ...part });
    const save = await at.send('POST /on-calls', { ...right, name: 'o', ...part });
    assert.deepEqual([preview.status, save.status], [422, 422], text);
    assert.ok(save.body.issues.length > 0, text);
    assert.deepEqual(preview.body.issues, save.body.issues, text);
  }
});

test('overrides and times of a preview are held to their rules too', async () => {
  await using at = await startOnCallApi();
  const layers = [{ users: [at.ada], rotation: weekly }];
  const previewWith = (part: object) =>
    at.send('POST /on-calls/preview', { layers, ...week, ...part });
  const from = { user_id: at.bob, start: '2026-03-03T00:00:00Z' };
  for (const [part, path] of [
    [{ overrides: [{ ...from, end: from.start }] }, 'overrides[0].end'],
    [{ overrides: [{ ...from, end: 'never' }] }, 'overrides[0].end'],
    [{ overrides: [{ ...from, end: week.to, user_id: 'bob' }] }, 'overrides[0].user_id'],
    [{ to: week.from }, 'to'],
    [{ to: '2029-01-01T00:00:00Z' }, 'to'],
    [{ from: '0001-01-01T00:00:00Z' }, 'from'],
    [{ created_at: '+200000-01-01T00:00:00Z' }, 'created_at'],
    [{ from: null }, 'from'],
    [{ name: 'o' }, 'name'],
  ] as const) {
    const { status, body } = await previewWith(part);
    const paths = body.issues?.map((issue: { path: string }) => issue.path);
    assert.deepEqual([status, paths], [422, [path]], JSON.stringify(part));
  }
  assert.equal((await at.send('POST /on-calls/preview')).status, 422);
});

test('a preview names nobody of another organization', async () => {
  await using at = await startOnCallApi();
  const other = await seedOrganization(at.sql, { users: [{ name: 'stranger', active: false }] });
  const { stranger = '' } = other.users;
  const layers = [{ users: [at.eve, stranger], rotation: daily }];
  const { status, body } = await at.send('POST /on-calls/preview', { layers, ...week });
  assert.equal(status, 200);
  const text = JSON.stringify(body);
  assert.ok(text.includes('eve Example, who is not active') && text.includes(stranger));
  assert.doesNotMatch(text, /stranger/);
});

test('a viewer may look at a preview', async () => {
  await using at = await startOnCallApi();
  const body = { layers: [{ users: [at.ada], rotation: weekly }], ...week };
  const viewer = at.world.caller({ role: 'viewer' });
  assert.equal((await at.send('POST /on-calls/preview', body, viewer)).status, 200);
});

test('an interval in which a schedule changes too often is refused with the longest that is not', async () => {
  await using at = await startOnCallApi();
  const window = { from_day: 'monday', from_time: '09:00', to_day: 'monday', to_time: '17:00' };
  const restriction = { type: 'weekly', windows: Array(100).fill(window) };
  const layers = Array(100).fill({ users: [at.ada], rotation: daily, restriction });
  const previewTo = (to: string) => at.send('POST /on-calls/preview', { layers, ...week, to });
  const { status, body } = await previewTo('2028-03-01T00:00:00Z');
  assert.deepEqual([status, body.issues[0].path], [422, 'to']);
  const [days] = /\d+/.exec(body.issues[0].message) ?? [];
  const to = Temporal.Instant.from(week.from).add({ hours: Number(days) * 24 });
  assert.equal((await previewTo(to.toString())).status, 200);
  assert.equal((await previewTo(to.add({ hours: 1 }).toString())).status, 422);
});
