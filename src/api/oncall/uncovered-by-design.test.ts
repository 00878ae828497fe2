import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOnCallApi, weekly } from '../../../test/on-call-api.ts';

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const nights = days.map((from_day, index) => ({
  from_day,
  from_time: '22:00',
  to_day: days[(index + 1) % 7],
  to_time: '08:00',
}));
const daytime = days.map((day) => ({
  from_day: day,
  from_time: '08:00',
  to_day: day,
  to_time: '22:00',
}));
const night = { rotation: weekly, restriction: { type: 'weekly', windows: nights } };

test('nights alone have no gap once nobody is meant to be on call by day', async () => {
  await using at = await startOnCallApi();
  const layers = [{ users: [at.ada], ...night }];
  const zone = { timezone: 'Europe/Berlin' };
  const id = await at.schedule(layers, zone);
  const coverage = async () => (await at.send(`GET /on-calls/${id}/coverage`)).body;
  const before = await coverage();
  assert.deepEqual([before.covered, before.gap_count], [false, 3_653]);

  const saved = await at.send(`PATCH /on-calls/${id}`, { uncovered_by_design: daytime });
  assert.deepEqual([saved.status, saved.body.warnings], [200, undefined]);
  assert.deepEqual(saved.body.uncovered_by_design, daytime);
  const after = await coverage();
  assert.deepEqual([after.covered, after.gap_count, after.uncovered_seconds], [true, 0, 0]);
  const [first] = before.gaps;
  assert.deepEqual(
    after.gaps,
    before.gaps.map((gap: object) => ({ ...gap, by_design: true })),
  );

  const timeline = await at.send(`GET /on-calls/${id}/timeline?to=2026-03-04T00:00:00Z`);
  assert.deepEqual([timeline.body.gap_count, timeline.body.gaps.length], [0, 2]);
  assert.deepEqual(timeline.body.gaps[0], { ...first, by_design: true });
  const listed = await at.send('GET /on-calls/timeline?to=2026-03-04T00:00:00Z');
  assert.deepEqual(listed.body.data[0].gaps, timeline.body.gaps);
  const proposed = { ...zone, layers, uncovered_by_design: daytime };
  const interval = { from: '2026-03-02T00:00:00Z', to: '2026-03-04T00:00:00Z' };
  const preview = await at.send('POST /on-calls/preview', { ...proposed, ...interval });
  assert.deepEqual(preview.body.coverage, {
    covered: true,
    gap_count: 0,
    gaps: timeline.body.gaps,
  });

  const revisions = await at.send(`GET /on-calls/${id}/revisions`);
  assert.equal(revisions.body.data.length, 1, 'it decides nothing of who is on call');
  const removed = await at.send(`PATCH /on-calls/${id}`, { uncovered_by_design: null });
  assert.deepEqual(removed.body.warnings, [
    'Nobody is on call from 2026-03-02T07:00Z to 2026-03-02T21:00Z, and 3652 more times in 10 years: layer 1 is outside its hours.',
  ]);
  assert.equal((await coverage()).gap_count, 3_653);
});

test('what a save leaves open beyond the declared hours is warned of', async () => {
  await using at = await startOnCallApi();
  const layers = [{ users: [at.ada], ...night }];
  const id = await at.schedule(layers, { uncovered_by_design: daytime });
  const short = nights.map((window) => ({ ...window, to_time: '07:00' }));
  const edited = [{ ...layers[0], restriction: { type: 'weekly', windows: short } }];
  const saved = await at.send(`PATCH /on-calls/${id}`, { layers: edited });
  assert.deepEqual(saved.body.warnings, [
    'Nobody is on call from 2026-03-02T07:00Z to 2026-03-02T08:00Z, and 3652 more times in 10 years: layer 1 is outside its hours.',
  ]);
});

test('windows that are invalid are rejected with their path, and only managers declare them', async () => {
  await using at = await startOnCallApi();
  const id = await at.schedule([{ users: [at.ada], rotation: weekly }]);
  const [window] = daytime;
  const cases: readonly [unknown, string][] = [
    [[], 'uncovered_by_design'],
    [Array.from({ length: 101 }, () => window), 'uncovered_by_design'],
    [[window, { ...window, from_time: '24:00' }], 'uncovered_by_design[1].from_time'],
    [[{ ...window, to_day: 'someday' }], 'uncovered_by_design[0].to_day'],
    ['always', 'uncovered_by_design'],
  ];
  for (const [uncovered_by_design, path] of cases) {
    const { status, body } = await at.send(`PATCH /on-calls/${id}`, { uncovered_by_design });
    assert.deepEqual([status, body.issues?.[0].path], [422, path]);
  }
  for (const role of ['viewer', 'responder'] as const) {
    const caller = at.world.caller({ role });
    const body = { uncovered_by_design: daytime };
    assert.equal((await at.send(`PATCH /on-calls/${id}`, body, caller)).status, 403);
  }
});
