// How turns run on through saves, from when they are counted, and what a write by Terraform keeps.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daily, startOnCallApi, weekly } from '../../../test/on-call-api.ts';

type Api = Awaited<ReturnType<typeof startOnCallApi>>;
type Rotation = Readonly<Record<string, unknown>>;

const officeDays = {
  type: 'weekly',
  windows: [{ from_day: 'monday', from_time: '09:00', to_day: 'friday', to_time: '17:00' }],
};

const nowOf = async (at: Api, id: string) =>
  (await at.send(`GET /on-calls/${id}/now`)).body.now?.user.id ?? null;

const endOf = async (at: Api, id: string) => {
  const span = `from=${at.clock.now()}&to=${at.clock.now().add({ hours: 24 * 60 })}`;
  const { body } = await at.send(`GET /on-calls/${id}/shifts?${span}`);
  return body.data[0].end;
};

const configOf = async (at: Api, id: string) =>
  (await at.send(`GET /on-calls/${id}/config`)).body.layers[0];

test('corrections end the running turn near the planned end, and previews say the same', async () => {
  await using at = await startOnCallApi();
  const users = [at.ada, at.bob];
  const rotation = { ...weekly, length: 2 };
  const id = await at.schedule([{ users, rotation }]);
  at.pass({ hours: 24 * 8 });
  const corrections = [
    { rotation: { ...rotation, handoff: '10:00' }, end: '2026-03-16T10:00:00.000Z' },
    { rotation: { ...rotation, handoff_day: 'wednesday' }, end: '2026-03-18T00:00:00.000Z' },
    { rotation: { ...rotation, length: 3 }, end: '2026-03-23T00:00:00.000Z' },
    { rotation: { ...rotation, handoff: '08:00' }, end: '2026-03-16T08:00:00.000Z' },
  ];
  for (const { rotation: corrected, end } of corrections) {
    const body = { layers: [{ users, rotation: corrected }] };
    const record = { name: 'o', ...body, id };
    const preview = await at.send('POST /preview', { kind: 'oncall_schedule', record });
    assert.equal(preview.status, 200, JSON.stringify(preview.body));
    const saved = await at.send(`PATCH /on-calls/${id}`, body);
    assert.equal(saved.status, 200, JSON.stringify(saved.body));
    assert.deepEqual([await nowOf(at, id), await endOf(at, id)], [at.ada, end]);
    const [moved] = preview.body.data.moved_shifts;
    assert.ok(moved === undefined || moved.from > `${at.clock.now()}`, JSON.stringify(moved));
    at.pass({ minutes: 5 });
  }
  assert.deepEqual(Object.keys((await configOf(at, id)).anchor), ['at', 'turn']);
});

test('a person who was removed by mistake has the turn back, in the preview too', async () => {
  await using at = await startOnCallApi();
  const both = { layers: [{ users: [at.ada, at.bob], rotation: weekly }] };
  const id = await at.schedule(both.layers);
  at.pass({ hours: 30 });
  await at.send(`PATCH /on-calls/${id}`, { layers: [{ users: [at.bob], rotation: weekly }] });
  assert.equal(await nowOf(at, id), at.bob);
  at.pass({ hours: 1 });
  const record = { name: 'o', ...both, id };
  const preview = await at.send('POST /preview', { kind: 'oncall_schedule', record });
  const ids = preview.body.data.on_call.after.map((user: { id: string }) => user.id);
  assert.deepEqual(ids, [at.ada]);
  await at.send(`PATCH /on-calls/${id}`, both);
  assert.equal(await nowOf(at, id), at.ada);
});

test('names and defaults that are written out regenerate nothing', async () => {
  await using at = await startOnCallApi();
  const users = [at.ada, at.bob];
  const id = await at.schedule([{ users, rotation: weekly }]);
  const before = await configOf(at, id);
  at.pass({ hours: 24 });
  const written = { ...weekly, handoff: '00:00', handoff_day: 'monday', counts: 'all' };
  const layers = [{ name: 'Nights', users, rotation: written }];
  const saved = await at.send(`PATCH /on-calls/${id}`, { layers });
  assert.equal(saved.status, 200, JSON.stringify(saved.body));
  const { name, rotation, ...after } = await configOf(at, id);
  assert.deepEqual([name, rotation], ['Nights', written]);
  const { rotation: _rotation, ...same } = before;
  assert.deepEqual(after, same);
  const { body } = await at.send(
    `GET /on-calls/${id}/shifts?from=2026-03-02T00:00:00Z&to=2026-03-04T00:00:00Z`,
  );
  assert.equal(body.data.length, 1);
});

test('a layer that starts later begins there with its first person, until then at every edit', async () => {
  await using at = await startOnCallApi();
  const starts_at = '2026-03-11T00:00:00Z';
  const rotation = { ...weekly, handoff: '09:00' };
  const id = await at.schedule([{ users: [at.ada, at.bob], rotation, starts_at }]);
  at.pass({ hours: 24 * 3 });
  await at.send(`PATCH /on-calls/${id}`, {
    layers: [{ users: [at.bob, at.ada], rotation, starts_at }],
  });
  const { body } = await at.send(
    `GET /on-calls/${id}/shifts?from=2026-03-02T00:00:00Z&to=2026-03-20T00:00:00Z`,
  );
  assert.deepEqual(
    body.data.map(({ user_id, start }: Record<string, string>) => [user_id, start]),
    [
      [at.bob, '2026-03-11T00:00:00.000Z'],
      [at.ada, '2026-03-16T09:00:00.000Z'],
    ],
  );
});

test('since says whose turn it is, and the preview whom it replaces', async () => {
  await using at = await startOnCallApi();
  const users = [at.ada, at.bob];
  const rotation = { ...weekly, length: 2 };
  const id = await at.schedule([{ users, rotation: { ...rotation, since: '2026-02-16' } }]);
  assert.deepEqual(
    [await nowOf(at, id), await endOf(at, id)],
    [at.bob, '2026-03-16T00:00:00.000Z'],
  );
  const moved = { layers: [{ users, rotation: { ...rotation, since: '2026-02-23' } }] };
  const record = { name: 'o', ...moved, id };
  const preview = await at.send('POST /preview', { kind: 'oncall_schedule', record });
  const { before, after } = preview.body.data.on_call;
  assert.deepEqual([before[0].id, after[0].id], [at.bob, at.ada]);
  const [warning] = preview.body.data.warnings;
  assert.equal(warning.message, 'On call now: bob Example. After this change: ada Example.');
  await at.send(`PATCH /on-calls/${id}`, moved);
  assert.deepEqual(
    [await nowOf(at, id), await endOf(at, id)],
    [at.ada, '2026-03-09T00:00:00.000Z'],
  );
  at.pass({ hours: 24 });
  const hour = { ...rotation, since: '2026-02-23', handoff: '10:00' };
  await at.send(`PATCH /on-calls/${id}`, { layers: [{ users, rotation: hour }] });
  assert.deepEqual(
    [await nowOf(at, id), await endOf(at, id)],
    [at.ada, '2026-03-09T10:00:00.000Z'],
  );
});

test('a date that a layer has already is not read again, and not refused', async () => {
  await using at = await startOnCallApi();
  const users = [at.ada, at.bob];
  const rotation = { ...weekly, since: '2026-02-23' };
  const layer = { users, rotation };
  const id = await at.schedule([layer]);
  const wednesdays = { users, rotation: { ...rotation, handoff_day: 'wednesday' } };
  const record = { name: 'o', id, layers: [wednesdays] };
  const preview = await at.send('POST /preview', { kind: 'oncall_schedule', record });
  assert.equal(preview.status, 200, JSON.stringify(preview.body));
  for (const layers of [[wednesdays], [wednesdays, layer], [layer, wednesdays]]) {
    const saved = await at.send(`PATCH /on-calls/${id}`, { layers });
    assert.equal(saved.status, 200, JSON.stringify(saved.body));
  }
  for (const layers of [
    [layer, wednesdays, wednesdays],
    [layer, { users, rotation: { ...wednesdays.rotation, since: '2026-02-16' } }],
  ]) {
    const refused = await at.send(`PATCH /on-calls/${id}`, { layers });
    const [{ message }] = refused.body.issues;
    assert.match(message, /^must be a wednesday, .* is a monday$/);
  }
});

test('names and defaults written out are saved, and are no edit of who is on call', async () => {
  await using at = await startOnCallApi();
  const users = [at.ada, at.bob];
  const id = await at.schedule([{ users, rotation: weekly }]);
  const before = await configOf(at, id);
  const written = { ...weekly, handoff: '00:00', handoff_day: 'monday' };
  const named = [{ name: 'Nights', users, rotation: written }];
  const saved = await at.send(`PATCH /on-calls/${id}`, { layers: named });
  assert.deepEqual(saved.body.layers, named);
  const after = await configOf(at, id);
  assert.deepEqual([after.id, after.anchor, after.name], [before.id, before.anchor, 'Nights']);
  const revisions = await at.send(`GET /on-calls/${id}/revisions`);
  assert.equal(revisions.body.data.length, 1);
  const [cursor] = await at.sql<{ edits: number }[]>`
    select edits from shift_cursors where oncall_schedule_id = ${id}`;
  assert.equal(cursor?.edits, 1);
});

test('since and counts are refused where they make no sense, by saves and previews alike', async () => {
  await using at = await startOnCallApi();
  const layerWith = (rotation: Rotation, fields: object = {}) => ({
    users: [at.ada],
    rotation,
    ...fields,
  });
  const later = { starts_at: '2026-04-01T00:00:00Z' };
  const span = { from: '2026-03-02T00:00:00Z', to: '2026-03-09T00:00:00Z' };
  for (const [layer, path, message] of [
    [layerWith({ ...weekly, since: '2026-02-24' }), 'since', /^must be a monday, .* is a tuesday$/],
    [layerWith({ ...daily, since: '2026-02-30' }), 'since', /is not a date in the calendar$/],
    [layerWith({ ...daily, since: 'soon' }), 'since', /2026-01-26/],
    [layerWith({ ...daily, since: '2026-03-03' }), 'since', /^must not be in the future: today is/],
    [
      layerWith({ ...daily, since: '2026-03-01' }, later),
      'since',
      /while starts_at is in the futur/,
    ],
    [layerWith({ ...weekly, counts: 'open' }), 'counts', /only with unit days$/],
  ] as const) {
    const text = JSON.stringify(layer);
    const saved = await at.send('POST /on-calls', { name: 'o', layers: [layer] });
    assert.equal(saved.status, 422, text);
    assert.equal(saved.body.issues[0].path, `layers[0].rotation.${path}`);
    assert.match(saved.body.issues[0].message, message);
    const preview = await at.send('POST /on-calls/preview', { layers: [layer], ...span });
    assert.deepEqual([preview.status, preview.body.issues], [422, saved.body.issues], text);
  }
  const begun = layerWith({ ...daily, since: '2026-03-02' }, { starts_at: '2026-03-01T00:00:00Z' });
  assert.equal((await at.send('POST /on-calls', { name: 'o', layers: [begun] })).status, 201);
});

test('they are refused while a server of the release before may be connected', async () => {
  await using at = await startOnCallApi();
  await at.sql`update schedule_rules set in_force_from = null`;
  const rotation = { ...daily, since: '2026-03-02', counts: 'open' };
  const layers = [{ users: [at.ada], rotation, name: 'Days' }];
  const span = { from: '2026-03-02T00:00:00Z', to: '2026-03-09T00:00:00Z' };
  for (const answer of [
    await at.send('POST /on-calls', { name: 'o', layers }),
    await at.send('POST /on-calls/preview', { layers, ...span }),
  ])
    assert.deepEqual(
      [answer.status, answer.body.issues?.map(({ path }: { path: string }) => path)],
      [422, ['layers[0].rotation.since', 'layers[0].rotation.counts']],
    );
  const id = await at.schedule([{ users: [at.ada, at.bob], rotation: weekly }]);
  at.pass({ hours: 24 });
  const longer = [{ users: [at.ada, at.bob], rotation: { ...weekly, length: 3 } }];
  await at.send(`PATCH /on-calls/${id}`, { layers: longer });
  // As 0.1.0 does: no turn is longer than the others, which it would not see.
  assert.equal(await endOf(at, id), '2026-03-09T00:00:00.000Z');
});

test('a daily turn may count open days only; who never has a shift leads there', async () => {
  await using at = await startOnCallApi();
  // Ada always has the mondays, on which the layer is closed.
  const users = [at.ada, ...Array(6).fill(at.bob)];
  const windows = ['tuesday', 'wednesday', 'friday'].map((day) => ({
    from_day: day,
    from_time: '09:00',
    to_day: day,
    to_time: '17:00',
  }));
  const all = { users, rotation: daily, restriction: { type: 'weekly', windows } };
  const below = { users: [at.bob], rotation: weekly };
  const made = await at.send('POST /on-calls', { name: 'o', layers: [below, all] });
  assert.deepEqual(made.body.warnings, [
    'ada Example has no shift in 10 years: their turns fall outside the hours of the layer, or a higher layer is on call.',
    'In layer 2, set the rotation’s counts to open to share its days among everyone: turns then consist only of days on which the layer has hours.',
  ]);
  const open = { ...all, rotation: { ...daily, counts: 'open' } };
  const saved = await at.send(`PUT /on-calls/${made.body.id}`, {
    name: 'o',
    layers: [below, open],
  });
  assert.equal(saved.body.warnings, undefined);
  const inside = {
    users,
    rotation: { ...daily, counts: 'open', handoff: '10:00' },
    restriction: officeDays,
  };
  const noon = await at.send(`PUT /on-calls/${made.body.id}`, {
    name: 'o',
    layers: [below, inside],
  });
  assert.deepEqual(noon.body.warnings, [
    'In layer 2, the handoff at 10:00 is inside a window: the person on call changes during that window.',
  ]);
});

test('a write by Terraform keeps of an equal layer what it cannot say, and removes it of a changed one', async () => {
  await using at = await startOnCallApi();
  const dated = { since: '2026-02-16' };
  const layers = [
    {
      users: [at.ada, null, at.bob],
      rotation: { ...daily, counts: 'open' },
      ends_at: '2030-01-01T00:00:00Z',
    },
    { users: [at.bob, at.ada], rotation: { ...weekly, ...dated } },
  ];
  const id = await at.schedule(layers);
  const terraform = { 'x-managed-by': 'terraform/prod' };
  const write = (written: readonly object[]) =>
    at.api.send(at.key, `PATCH /on-calls/${id}`, { body: { layers: written }, headers: terraform });
  const expressed = [
    { users: [at.ada, at.bob], rotation: daily },
    { name: 'Weeks', users: [at.bob, at.ada], rotation: weekly },
  ];
  const before = await configOf(at, id);
  at.pass({ hours: 24 });
  const preserved = await write(expressed);
  assert.equal(preserved.status, 200, JSON.stringify(preserved.body));
  assert.deepEqual(preserved.body.layers, [layers[0], { name: 'Weeks', ...layers[1] }]);
  assert.deepEqual(await configOf(at, id), before);
  const [first] = expressed;
  const changed = await write([{ ...first, users: [at.bob] }, expressed[1] ?? {}]);
  assert.deepEqual(changed.body.layers, [
    { users: [at.bob], rotation: daily },
    { name: 'Weeks', ...layers[1] },
  ]);
  const byHand = await at.send(`PATCH /on-calls/${id}`, { layers: expressed });
  assert.deepEqual(byHand.body.layers, expressed);
});

test('a write by Terraform keeps the hours in which nobody is meant to be on call', async () => {
  await using at = await startOnCallApi();
  const layers = [{ users: [at.ada], rotation: weekly }];
  const uncovered_by_design = [
    { from_day: 'monday', from_time: '08:00', to_day: 'friday', to_time: '22:00' },
  ];
  const id = await at.schedule(layers, { uncovered_by_design });
  const put = (headers: Record<string, string>) =>
    at.api.send(at.key, `PUT /on-calls/${id}`, { body: { name: 'Nights', layers }, headers });
  const byTerraform = await put({ 'x-managed-by': 'terraform/prod' });
  assert.deepEqual(byTerraform.body.uncovered_by_design, uncovered_by_design);
  assert.equal((await put({})).body.uncovered_by_design, undefined);
});
