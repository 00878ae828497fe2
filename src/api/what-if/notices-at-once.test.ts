// What a preview says is announced at once is what the engine then announces: nothing less, nothing more.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { announcing, type Notice, textOf } from '../../../test/announced-shifts.ts';
import { startOnCallApi } from '../../../test/on-call-api.ts';

const windows = [{ from_day: 'monday', from_time: '09:00', to_day: 'friday', to_time: '17:00' }];
type Layer = {
  readonly users: readonly string[];
  readonly rotation: object;
  readonly restriction: object | undefined;
};
const layers: fc.Arbitrary<readonly Layer[]> = fc.array(
  fc.record({
    users: fc.uniqueArray(fc.constantFrom('ada', 'bob'), { minLength: 1, maxLength: 2 }),
    rotation: fc.record({
      length: fc.constantFrom(1, 2),
      unit: fc.constantFrom('days', 'weeks'),
    }),
    restriction: fc.constantFrom(undefined, { type: 'weekly', windows }),
  }),
  { minLength: 1, maxLength: 3 },
);

type Edit = {
  /** Hours until the edit. */
  readonly after: number;
  /** Whether the engine has seen what was before it. */
  readonly isAwake: boolean;
  /** Null: a person is switched on or off, or an override is made, changed or removed. */
  readonly layers: readonly Layer[] | null;
  readonly override: OverrideEdit | null;
};
type OverrideEdit = {
  /** Hours from the edit. */
  readonly start: number;
  readonly length: number;
  readonly user: string;
  /** Whether one that there is goes. */
  readonly isRemoved: boolean;
};
const edits: fc.Arbitrary<readonly Edit[]> = fc.array(
  fc.record({
    after: fc.integer({ min: 0, max: 60 }),
    isAwake: fc.boolean(),
    layers: fc.oneof({ weight: 1, arbitrary: layers }, { weight: 1, arbitrary: fc.constant(null) }),
    override: fc.option(
      fc.record({
        start: fc.integer({ min: -20, max: 60 }),
        length: fc.integer({ min: 25, max: 80 }),
        user: fc.constantFrom('ada', 'bob'),
        isRemoved: fc.boolean(),
      }),
      { freq: 2 },
    ),
  }),
  { minLength: 1, maxLength: 5 },
);

test('what a preview says is announced is announced, and nothing else', async () => {
  await using at = await startOnCallApi();
  const announce = announcing(at);
  const people: Record<string, string> = { ada: at.ada, bob: at.bob };
  const recordOf = (declared: readonly Layer[]) => ({
    name: 'o',
    timezone: 'Europe/Berlin',
    layers: declared.map(({ users, rotation, restriction }) => ({
      users: users.map((user) => people[user]),
      rotation,
      ...(restriction && { restriction }),
    })),
  });
  const preview = async (kind: string, record: object): Promise<string[] | null> => {
    const { status, body } = await at.send('POST /preview', { kind, record });
    if (status === 422) return null;
    assert.equal(status, 200, JSON.stringify(body));
    const { data } = body;
    const all: readonly Notice[] = [
      ...data.notices,
      ...(data.schedules ?? []).flatMap((one: { notices: readonly Notice[] }) => one.notices),
    ];
    return all.filter(({ reason }) => reason === undefined).map(textOf);
  };
  const run = async (declared: readonly Layer[], all: readonly Edit[]) => {
    const planned = await preview('oncall_schedule', recordOf(declared));
    const id = await at.schedule(recordOf(declared).layers, { timezone: 'Europe/Berlin' });
    assert.deepEqual((await announce()).sort(), planned?.sort(), 'a new schedule');
    let isActive: boolean = true;
    let own: { readonly id: string; readonly end: string } | null = null;
    for (const { after, isAwake, layers: next, override } of all) {
      at.pass({ hours: after });
      if (isAwake) await announce();
      if (next === null && override !== null) {
        const now = at.clock.now();
        if (own !== null && Temporal.Instant.compare(own.end, now) <= 0) own = null;
        const [start, end] = [override.start, override.start + override.length].map((hours) =>
          String(now.add({ hours })),
        ) as [string, string];
        const fields = { user_id: people[override.user], start, end };
        const known: object = own === null ? {} : { id: own.id };
        const isRemoved: boolean = own !== null && override.isRemoved;
        const record = isRemoved
          ? { ...known, archived: true }
          : { ...known, oncall_schedule_id: id, ...fields };
        const expected = await preview('override', record);
        if (!isAwake) await announce();
        const route = `/on-calls/${id}/overrides`;
        const { status, body } = await at.send(
          own === null ? `POST ${route}` : `${isRemoved ? 'DELETE' : 'PUT'} ${route}/${own.id}`,
          isRemoved ? undefined : fields,
        );
        // A person who is inactive is not put on call.
        assert.equal(status >= 400, expected === null, JSON.stringify(body));
        if (status < 400) own = isRemoved ? null : { id: body.id, end };
        assert.deepEqual((await announce()).sort(), (expected ?? []).sort(), 'an override');
        continue;
      }
      if (next === null) {
        isActive = !isActive;
        const expected: readonly string[] | null = isActive
          ? null
          : await preview('user', { id: at.ada, active: false });
        // What nobody has heard of yet is announced with it, and is not its doing.
        if (!isAwake) await announce();
        await at.setActive(at.ada, isActive);
        const heard = (await announce()).sort();
        if (expected !== null) assert.deepEqual(heard, expected.toSorted(), 'a deactivation');
        continue;
      }
      const expected = await preview('oncall_schedule', { id, ...recordOf(next) });
      if (!isAwake) await announce();
      const { status, body } = await at.send(`PUT /on-calls/${id}`, recordOf(next));
      // A person who is inactive is not put on a schedule.
      assert.equal(status, expected === null ? 422 : 200, JSON.stringify(body));
      assert.deepEqual((await announce()).sort(), (expected ?? []).sort(), 'an edit');
    }
    await at.setActive(at.ada, true);
    await announce();
    const archived = await preview('oncall_schedule', { id, archived: true });
    assert.equal((await at.send(`DELETE /on-calls/${id}`)).status, 200);
    assert.deepEqual((await announce()).sort(), archived?.sort(), 'an archiving');
  };
  await fc.assert(fc.asyncProperty(layers, edits, run), { numRuns: 20, endOnFailure: true });
});
