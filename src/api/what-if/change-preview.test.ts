import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daily, startOnCallApi, weekly } from '../../../test/on-call-api.ts';
import { seedOrganization } from '../../../test/world.ts';
import type { Caller } from '../route.ts';

type OnCallApi = Awaited<ReturnType<typeof startOnCallApi>>;

/** The clock stands on a Monday; only e-mail is set up. */
async function startPreviewApi() {
  const at = await startOnCallApi();
  const make = async (kind: string, body: object): Promise<string> => {
    const made = await at.send(`POST /${kind}`, body);
    assert.equal(made.status, 201, JSON.stringify(made.body));
    return made.body.id;
  };
  return {
    ...at,
    make,
    policy: (steps: readonly object[], fields: object = {}) =>
      make('escalation-policies', { name: 'Night', steps, ...fields }),
    async preview(kind: string, record: unknown, more: object = {}) {
      const answer = await at.send('POST /preview', { kind, record, ...more });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body.data;
    },
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  };
}

const codesOf = ({ warnings }: { warnings: readonly { code: string }[] }) =>
  warnings.map(({ code }) => code);
const messagesOf = ({ warnings }: { warnings: readonly { message: string }[] }) =>
  warnings.map(({ message }) => message);

const named = ({ ada, bob }: OnCallApi) => ({
  ada: { id: ada, name: 'ada Example' },
  bob: { id: bob, name: 'bob Example' },
});

test('who is on call now, and whose shifts move, is told by name', async () => {
  await using at = await startPreviewApi();
  const timezone = 'Europe/Berlin';
  const id = await at.schedule([{ users: [at.ada, at.bob], rotation: weekly }], { timezone });
  const { ada, bob } = named(at);
  at.pass({ hours: 24 });
  const layers = [{ users: [at.bob], rotation: weekly }];
  const data = await at.preview('oncall_schedule', { id, name: 'o', layers, timezone });
  assert.deepEqual(data.on_call, { at: '2026-03-03T00:00:00.000Z', before: [ada], after: [bob] });
  assert.deepEqual(data.moved_shifts.slice(0, 2), [
    {
      from: '2026-03-03T00:00:00.000Z',
      to: '2026-03-08T23:00:00.000Z',
      before: [ada],
      after: [bob],
    },
    {
      from: '2026-03-15T23:00:00.000Z',
      to: '2026-03-22T23:00:00.000Z',
      before: [ada],
      after: [bob],
    },
  ]);
  // It ends after the 60 days.
  const last = '2026-05-03T22:00:00.000Z';
  assert.deepEqual([data.moved_shifts.at(-1).to, data.moved_shifts_count], [last, 5]);
  assert.deepEqual(data.warnings, [
    {
      code: 'on_call_changes',
      path: null,
      message: 'On call now: ada Example. After this change: bob Example.',
    },
    {
      code: 'shifts_move',
      path: 'layers',
      message:
        '5 shifts move in the next 60 days: from 2026-03-03T01:00+01:00 to 2026-03-09T00:00+01:00, bob Example instead of ada Example; from 2026-03-16T00:00+01:00 to 2026-03-23T00:00+01:00, bob Example instead of ada Example; from 2026-03-30T00:00+02:00 to 2026-04-06T00:00+02:00, bob Example instead of ada Example; and 2 more.',
    },
    {
      code: 'notified',
      path: null,
      message: 'bob Example and ada Example will be notified.',
    },
  ]);
  assert.deepEqual(data.notices, [
    { kind: 'shift_start', channel: 'email', user_id: at.bob, recipient: 'bob Example' },
    { kind: 'shift_change', channel: 'email', user_id: at.ada, recipient: 'ada Example' },
    { kind: 'shift_change', channel: 'email', user_id: at.bob, recipient: 'bob Example' },
  ]);
  assert.deepEqual((await at.send(`GET /on-calls/${id}`)).body.version, 1);
});

const officeHours = {
  type: 'weekly',
  windows: [
    { from_day: 'monday', from_time: '09:00', to_day: 'friday', to_time: '17:00' },
    { from_day: 'saturday', from_time: '00:00', to_day: 'sunday', to_time: '00:00' },
  ],
} as const;

test('only gaps that a schedule did not have are told, and the steps that they empty', async () => {
  await using at = await startPreviewApi();
  const restriction = { ...officeHours, windows: officeHours.windows.slice(1) };
  const base = { users: [at.ada], rotation: daily };
  const id = await at.schedule([{ ...base, restriction: officeHours }]);
  const policy = await at.policy([
    { targets: [{ via: 'email', oncall_schedule_id: id }], escalate_after_minutes: 5 },
    { targets: [{ via: 'email', user_id: at.bob }] },
  ]);
  const data = await at.preview('oncall_schedule', {
    id,
    name: 'o',
    layers: [{ ...base, restriction }],
  });
  assert.deepEqual(data.gaps[0], {
    from: '2026-03-02T09:00:00.000Z',
    to: '2026-03-06T17:00:00.000Z',
  });
  const when =
    'from 2026-03-02T09:00+00:00 to 2026-03-06T17:00+00:00, and 521 more times in 10 years';
  assert.deepEqual(messagesOf(data).slice(0, 1), [
    `Nobody is on call ${when}: layer 1 is outside its hours.`,
  ]);
  assert.deepEqual(messagesOf(data).slice(2), [
    `Step 1 of the escalation policy "Night" reaches nobody ${when}: nobody is on call (on call of o).`,
    'ada Example will be notified.',
  ]);
  assert.deepEqual(data.unreachable_steps, [
    {
      escalation_policy: { id: policy, name: 'Night' },
      step: 1,
      from: '2026-03-02T09:00:00.000Z',
      to: '2026-03-06T17:00:00.000Z',
      reason: 'nobody is on call (on call of o)',
      message: messagesOf(data)[2],
    },
  ]);
  const same = await at.preview('oncall_schedule', {
    id,
    name: 'renamed',
    layers: [{ ...base, restriction: officeHours }],
  });
  assert.deepEqual([same.warnings, same.gaps_count, same.moved_shifts_count], [[], 0, 0]);
});

test('a plan names the people whom a change leaves without a shift', async () => {
  await using at = await startPreviewApi();
  const above = { users: [at.ada], rotation: weekly };
  const id = await at.schedule([above]);
  const layers = [{ users: [at.bob], rotation: weekly }, above];
  const { warnings } = await at.preview('oncall_schedule', { id, name: 'o', layers });
  assert.deepEqual(warnings, [
    {
      code: 'no_shift',
      path: 'layers',
      message:
        'bob Example has no shift in 10 years: their turns fall outside the hours of the layer, or a higher layer is on call.',
    },
  ]);
  await at.send(`PATCH /on-calls/${id}`, { layers });
  const same = await at.preview('oncall_schedule', { id, name: 'renamed', layers });
  assert.deepEqual(same.warnings, []);
});

test('whom the same run deactivates is on call nowhere, and no step reaches them', async () => {
  await using at = await startPreviewApi();
  const id = await at.schedule([{ users: [at.ada, at.bob], rotation: weekly }]);
  const layers = [{ users: [at.ada], rotation: weekly }];
  const planned = [{ kind: 'user', record: { id: at.ada, archived: true } }];
  const record = { id, name: 'o', layers };
  const { gaps, moved_shifts, on_call } = await at.preview('oncall_schedule', record, { planned });
  // The weeks of hers are gaps without the change, too.
  assert.deepEqual(gaps[0], { from: '2026-03-09T00:00:00.000Z', to: '2026-03-16T00:00:00.000Z' });
  assert.deepEqual([on_call.before, on_call.after], [[], []]);
  const { bob } = named(at);
  assert.deepEqual([moved_shifts[0].before, moved_shifts[0].after], [[bob], []]);
  assert.equal(moved_shifts[0].from, '2026-03-09T00:00:00.000Z');
  const steps = [{ targets: [{ via: 'email', user_id: at.ada }] }];
  const policy = await at.preview('escalation_policy', { name: 'Night', steps }, { planned });
  assert.deepEqual(codesOf(policy), ['step_reaches_nobody']);
});

test('archiving tells what still uses a record, unless the same run ends that', async () => {
  await using at = await startPreviewApi();
  const id = await at.schedule([{ users: [at.ada], rotation: daily }]);
  const steps = [{ targets: [{ via: 'email', oncall_schedule_id: id }] }];
  const policy = await at.policy(steps);
  const data = await at.preview('oncall_schedule', { id, archived: true });
  assert.deepEqual(data.on_call.after, []);
  assert.deepEqual(data.used_by, [{ kind: 'escalation_policy', id: policy, name: 'Night' }]);
  assert.deepEqual(messagesOf(data), [
    'On call now: ada Example. After this change: nobody.',
    'Step 1 of the escalation policy "Night" reaches nobody: the schedule is archived (on call of o).',
    'ada Example will be notified.',
    `The escalation policy "Night" (${policy}) still uses it.`,
  ]);
  const terraform = { 'x-managed-by': 'terraform/prod' };
  const managed = { body: { description: 'm' }, headers: terraform };
  await at.api.send(at.key, `PATCH /escalation-policies/${policy}`, managed);
  const left = async (workspace: string) => {
    const managed_by = { tool: 'terraform', workspace };
    return (await at.preview('oncall_schedule', { id, archived: true }, { managed_by })).used_by;
  };
  assert.deepEqual(await left('prod'), []);
  assert.deepEqual((await left('test'))[0].managed_by, { tool: 'terraform', workspace: 'prod' });
  const body = { kind: 'oncall_schedule', record: { id, archived: true } };
  const sent = await at.api.send(at.key, 'POST /preview', { body, headers: terraform });
  assert.deepEqual(sent.body.data.used_by, []);
  const kind = 'escalation_policy';
  const others = [{ targets: [{ via: 'email', user_id: at.bob }] }];
  const ends = [
    { kind, record: { id: policy, archived: true } },
    { kind, record: { id: policy, name: 'Night', steps: others } },
    { kind, record: { id: policy, name: 'Night', steps: null }, unknown: ['steps'] },
    {
      kind,
      record: {
        id: policy,
        name: 'Night',
        steps: [{ targets: [{ via: 'email', user_id: null }] }],
      },
      unknown: ['steps[0].targets[0].user_id'],
    },
  ];
  for (const planned of ends) {
    const { warnings, used_by } = await at.preview(
      'oncall_schedule',
      { id, archived: true },
      { planned: [planned] },
    );
    assert.deepEqual([codesOf({ warnings }), used_by], [['on_call_changes', 'notified'], []]);
  }
});

test('steps of a policy reach nobody, always or in the gaps of planned schedules', async () => {
  await using at = await startPreviewApi();
  const id = await at.schedule([{ users: [at.ada], rotation: daily }], { timezone: 'Asia/Tokyo' });
  const steps = [
    { targets: [{ via: 'sms', user_id: at.ada }], escalate_after_minutes: 5 },
    { targets: [{ via: 'email', oncall_schedule_id: id }] },
  ];
  const kind = 'escalation_policy';
  const first =
    'Step 1 of the escalation policy "p" reaches nobody: via sms pages nobody because it is not set up on this server.';
  assert.deepEqual(messagesOf(await at.preview(kind, { name: 'p', steps })), [first]);
  const layers = [{ users: [at.ada], rotation: daily, restriction: officeHours }];
  const record = { id, name: 'o', layers, timezone: 'Asia/Tokyo' };
  const planned = [{ kind: 'oncall_schedule', record }];
  const data = await at.preview(kind, { name: 'p', steps }, { planned });
  assert.deepEqual(data.warnings, [
    { code: 'step_reaches_nobody', path: 'steps[0]', message: first },
    {
      code: 'step_reaches_nobody',
      path: 'steps[1]',
      message:
        'Step 2 of the escalation policy "p" reaches nobody from 2026-03-06T17:00+09:00 to 2026-03-07T00:00+09:00, and 1043 more times in 10 years: nobody is on call (on call of o).',
    },
  ]);
  const unknown = ['steps[0].targets[0].user_id'];
  const more = { unknown, planned: [{ ...planned[0], unknown: ['layers[0].users[0]'] }] };
  assert.deepEqual(messagesOf(await at.preview(kind, { name: 'p', steps }, more)), []);
});

test('a schedule is previewed whatever of its layers is not known yet', async () => {
  await using at = await startPreviewApi();
  const layers = [{ users: [at.ada], rotation: daily }];
  const id = await at.schedule(layers);
  for (const [record, unknown] of [
    [{ name: 'o' }, 'layers'],
    [{ name: 'o', layers: null }, 'layers'],
    [{ name: 'o', layers: [null] }, 'layers[0]'],
    [{ name: 'o', layers: [{ users: [at.ada] }] }, 'layers[0].rotation'],
    [{ name: 'o', layers: [{ rotation: daily }] }, 'layers[0].users'],
    [
      { name: 'o', layers: [{ users: [at.ada], rotation: { unit: 'days' } }] },
      'layers[0].rotation.length',
    ],
    [
      {
        name: 'o',
        layers: [{ users: [at.ada], rotation: daily, restriction: { type: 'weekly' } }],
      },
      'layers[0].restriction.windows',
    ],
    [{ name: 'o', layers: [{ users: [null], rotation: daily }] }, 'layers[0].users[0]'],
    [{ name: 'o', layers }, 'timezone'],
  ] as const)
    for (const known of [{}, { id }]) {
      const body = { kind: 'oncall_schedule', record: { ...record, ...known }, unknown: [unknown] };
      const { status, body: answer } = await at.send('POST /preview', body);
      assert.equal(status, 200, `${unknown}: ${JSON.stringify(answer)}`);
    }
});

test('a mistake is told at its place in the request', async () => {
  await using at = await startPreviewApi();
  const none = 'f'.repeat(24);
  const pathsOf = async (body: object) => {
    const answer = await at.send('POST /preview', body);
    assert.equal(answer.status, 422, JSON.stringify(answer.body));
    return answer.body.issues.map(({ path }: { path: string }) => path);
  };
  const kind = 'oncall_schedule';
  const layers = [{ users: [none], rotation: daily }];
  assert.deepEqual(await pathsOf({}), ['kind', 'record']);
  assert.deepEqual(await pathsOf({ kind: 'team', record: {} }), ['kind']);
  assert.deepEqual(await pathsOf({ kind, record: [], unknown: ['x'] }), ['record']);
  assert.deepEqual(await pathsOf({ kind, record: { id: 'x', archived: 1 } }), [
    ...['record.id', 'record.archived', 'record.name', 'record.layers'],
  ]);
  assert.deepEqual(await pathsOf({ kind, record: { archived: true } }), ['record.id']);
  assert.deepEqual(await pathsOf({ kind, record: { id: none, archived: true } }), ['record.id']);
  assert.deepEqual(await pathsOf({ kind, record: { name: 'o', layers } }), [
    'record.layers[0].users[0]',
  ]);
  const policy = { name: 'p', steps: [{ targets: [{ via: 'email', user_id: none }] }] };
  assert.deepEqual(
    await pathsOf({ kind: 'escalation_policy', record: policy, unknown: ['team_id'] }),
    ['record.steps[0].targets[0].user_id'],
  );
  const planned = [{ kind, record: { id: none, name: 'o', layers } }];
  assert.deepEqual(
    await pathsOf({ kind, record: { name: 'o', layers: null }, unknown: ['layers'], planned }),
    ['planned[0].record.id', 'planned[0].record.layers[0].users[0]'],
  );
});

test('nothing of another organization or team is told, and nothing unreadable is computed', async () => {
  await using at = await startPreviewApi();
  const kind = 'oncall_schedule';
  const layers = [{ users: [at.ada], rotation: daily }];
  const id = await at.schedule(layers);
  const other = await seedOrganization(at.sql, { name: 'Other', users: [{ name: 'eve' }] });
  const stranger = other.caller();
  const as = async (caller: Caller, body: object) => {
    const { status, body: answer } = await at.send('POST /preview', { ...body }, caller);
    return [status, ...(answer.issues ?? []).map(({ path }: { path: string }) => path)];
  };
  const mine = { kind, record: { id, archived: true } };
  const theirs = { kind, record: { name: 'o', layers } };
  assert.deepEqual(await as(stranger, mine), [422, 'record.id']);
  assert.deepEqual(await as(stranger, theirs), [422, 'record.layers[0].users[0]']);
  assert.deepEqual(await as(stranger, { ...theirs, planned: [mine], unknown: ['layers'] }), [
    ...[422, 'planned[0].record.id'],
  ]);
  assert.deepEqual(await as(at.world.caller({ teamIds: [at.web] }), mine), [422, 'record.id']);
  assert.deepEqual(await as(at.world.caller({ role: 'responder' }), mine), [403]);

  const many = Array.from({ length: 100 }, () => ({
    users: [at.ada, at.bob],
    rotation: daily,
    restriction: officeHours,
  }));
  const unknown = ['nothing.at.all[3]', 'layers[7', ']', '__proto__', ''];
  const record = { id, name: 'o', layers: many, __proto__: null };
  const wide = await at.preview(kind, { id, name: 'o', layers: many });
  assert.deepEqual([wide.moved_shifts.length, wide.gaps.length], [20, 20]);
  assert.equal((await at.preview(kind, record, { unknown })).on_call, null);
  const tooMany = Array.from({ length: 2_001 }, () => 'x');
  assert.deepEqual(await as(at.key, { ...mine, unknown: tooMany }), [422, 'unknown']);

  const [one, two] = [await at.policy(steps(at.ada)), await at.policy(steps(at.ada))];
  const circle = [
    { id: one, name: 'one', steps: steps(at.ada), archive_replacement_policy_id: two },
    { id: two, name: 'two', steps: steps(at.ada), archive_replacement_policy_id: one },
  ].map((policy) => ({ kind: 'escalation_policy', record: policy }));
  const planned = [
    ...circle,
    ...circle,
    { kind, record },
    { kind, record: { id, archived: true } },
  ];
  const within = await at.preview('escalation_policy', circle[0]?.record, { planned });
  assert.deepEqual(within.warnings, []);
  assert.deepEqual((await at.preview(kind, record, { planned })).used_by, []);

  await at.send(`DELETE /on-calls/${id}`);
  assert.deepEqual(await as(at.key, { kind, record: { id, name: 'o', layers } }), [409]);
  assert.deepEqual(await as(at.key, mine), [200]);
});

const steps = (user_id: string) => [{ targets: [{ via: 'email', user_id }] }];

type Shift = { readonly user_id: string; readonly start: string; readonly end: string };
type Move = {
  readonly from: string;
  readonly to: string | null;
  readonly before: readonly { readonly id: string }[];
  readonly after: readonly { readonly id: string }[];
};

test('what a preview says of people is what is shown once the same edit is saved', async () => {
  await using at = await startPreviewApi();
  const random = randomOf(20_261_122);
  const one = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const layer = () => ({
    users: [
      one([at.ada, at.bob]),
      ...Array.from({ length: Math.floor(random() * 4) }, () => one([at.ada, at.bob, null])),
    ],
    rotation: {
      length: 1 + Math.floor(random() * 3),
      unit: one(['days', 'weeks']),
      handoff: one(['00:00', '09:30', '23:00']),
    },
    ...(random() < 0.4 && { restriction: officeHours }),
  });
  const layers = () => Array.from({ length: 1 + Math.floor(random() * 3) }, layer);
  const zones = ['Etc/UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu'];
  const id = await at.schedule(layers(), { timezone: one(zones) });
  let moved = 0;
  for (let edit = 0; edit < 12; edit += 1) {
    at.pass({ hours: 1 + Math.floor(random() * 300), minutes: Math.floor(random() * 60) });
    const now = at.clock.now();
    const [start, end] = [now.add({ hours: 30 }), now.add({ hours: 55 })].map(String);
    if (random() < 0.3)
      await at.send(`POST /on-calls/${id}/overrides`, { user_id: at.bob, start, end });
    const [compared, followed] = [60, 60 + 366].map((days) => now.add({ hours: days * 24 }));
    const span = `from=${now}&to=${followed}`;
    const shifts = async (): Promise<readonly Shift[]> =>
      (await at.send(`GET /on-calls/${id}/shifts?${span}`)).body.data;
    const { body: saved } = await at.send(`GET /on-calls/${id}`);
    const unchanged = random() < 0.5 ? saved.layers.slice(0, 1) : [];
    const body = {
      name: 'o',
      layers: [...unchanged, ...layers()],
      timezone: one([saved.timezone, ...zones]),
    };
    const before = await shifts();
    const data = await at.preview('oncall_schedule', { id, ...body });
    assert.equal((await at.send(`PUT /on-calls/${id}`, body)).status, 200);
    const [{ body: current }, after] = [await at.send(`GET /on-calls/${id}/now`), await shifts()];
    const idsOf = (people: readonly { readonly id: string }[]) => people.map((each) => each.id);
    assert.deepEqual(idsOf(data.on_call.after), current.now === null ? [] : [current.now.user.id]);
    // Whatever begins within the 60 days, to its end.
    const expected = movesBetween(before, after, [
      now.epochMilliseconds,
      followed?.epochMilliseconds ?? 0,
    ]).filter(([from]) => from < (compared?.epochMilliseconds ?? 0));
    moved += expected.length;
    assert.equal(data.moved_shifts_count, expected.length);
    assert.deepEqual(
      data.moved_shifts.map(({ from, to, ...who }: Move) => [
        ...[Date.parse(from), to && Date.parse(to)],
        ...[idsOf(who.before)[0] ?? null, idsOf(who.after)[0] ?? null],
      ]),
      expected.slice(0, 20),
    );
  }
  assert.ok(moved > 100, String(moved));
});

/** Numbers below 1, the same at each run. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

type Expected = [from: number, to: number | null, before: string | null, after: string | null];

/** Told from two lists of shifts alone: at every edge of either, who had it and who has it. */
function movesBetween(
  before: readonly Shift[],
  after: readonly Shift[],
  [first, end]: readonly [number, number],
): readonly Expected[] {
  const edges = [...before, ...after].flatMap((shift) => [shift.start, shift.end]).map(Date.parse);
  const cuts = [...new Set([first, ...edges, end])].sort((a, b) => a - b);
  const holderAt = (shifts: readonly Shift[], at: number) =>
    shifts.find((one) => Date.parse(one.start) <= at && at < Date.parse(one.end))?.user_id ?? null;
  const moves: Expected[] = [];
  for (const [index, from] of cuts.slice(0, -1).entries()) {
    const to = cuts[index + 1] ?? end;
    const [was, is] = [holderAt(before, from), holderAt(after, from)];
    const last = moves.at(-1);
    if (was === is) continue;
    if (last?.[1] === from && last[2] === was && last[3] === is) last[1] = to;
    else moves.push([from, to, was, is]);
  }
  return moves.map(([from, to, ...who]) => [from, to === end ? null : to, ...who]);
}
