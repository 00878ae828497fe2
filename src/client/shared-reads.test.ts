import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { startClient } from '../../test/client.ts';
import { escalationPolicy } from '../resources/escalation-policy.ts';
import { integration } from '../resources/integration.ts';
import { oncallSchedule } from '../resources/oncall-schedule.ts';
import { service } from '../resources/service.ts';
import type { Records } from './records.ts';
import { shareReads } from './shared-reads.ts';

/** A client whose reads are shared, and how many requests some work makes it send. */
async function startSharedReads() {
  const at = await startClient();
  return {
    ...at,
    shared: shareReads(at.records),
    async counted(work: () => Promise<unknown>): Promise<number> {
      const before = at.sent();
      await work();
      return at.sent() - before;
    },
  };
}

/** As Terraform does it: so many at once, the next when one is done. */
async function refresh(records: Records, ids: readonly string[], atOnce = 10) {
  const left = [...ids];
  const worker = async () => {
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      const read = await records.read(service, id);
      assert.equal(read.ok && read.value.id, id);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

for (const atOnce of [1, 10, 1_000]) {
  test(`a thousand records, ${atOnce} at once, are read in at most ten calls`, async () => {
    await using at = await startSharedReads();
    const ids = await at.services(1_000);
    const calls = await at.counted(() => refresh(at.shared, ids, atOnce));
    assert.ok(calls <= 10, String(calls));
  });
}

test('two records are two calls, and three are no more than a list', async () => {
  await using at = await startSharedReads();
  const [one = '', two = '', ...more] = await at.services(50);
  assert.equal(await at.counted(() => refresh(at.shared, [one])), 1);
  assert.equal(await at.counted(() => refresh(shareReads(at.records), [one, two])), 2);
  assert.equal(await at.counted(() => refresh(shareReads(at.records), more)), 1);
});

test('few of very many records never cost more than twice their number', async () => {
  await using at = await startSharedReads();
  const ids = await at.services(3_000);
  const few = [500, 1_000, 1_500, 2_000, 2_500, 2_999].map((index) => ids[index] ?? '');
  const calls = await at.counted(() => refresh(at.shared, few));
  assert.ok(calls <= 12, String(calls));
});

test('what a list does not have is read singly: archived, of another kind, or not there', async () => {
  await using at = await startSharedReads();
  const ids = await at.services(20);
  const [first = '', second = ''] = ids;
  await at.records.archive(service, { id: first });
  await refresh(at.shared, ids);
  const archived = await at.shared.read(service, first);
  assert.ok(archived.ok && archived.value['archived_at'] !== undefined);
  const missing = await at.shared.read(service, '0'.repeat(24));
  assert.ok(!missing.ok && missing.failure.type === 'refused');
  assert.equal(missing.failure.code, 'not_found');
  const byCounter = await at.shared.read(service, '3');
  assert.equal(byCounter.ok && byCounter.value.id, second);
});

async function schedules({ ada, make }: Awaited<ReturnType<typeof startSharedReads>>) {
  const layers = [{ users: [ada], rotation: { length: 1, unit: 'weeks' } }];
  return Promise.all(
    Array.from({ length: 30 }, (_, index) => make('on-calls', { name: `s${index}`, layers })),
  );
}

test('of many schedules one is read by its own route, and the others by their list', async () => {
  await using at = await startSharedReads();
  const ids = await schedules(at);
  const calls = await at.counted(async () => {
    const all = await Promise.all(ids.map((id) => at.shared.read(oncallSchedule, id)));
    assert.deepEqual(
      all.map((read) => read.ok && read.value.id),
      ids,
    );
  });
  assert.equal(calls, 2);
});

test('an API that lists schedules and cannot read one whole answers for none', async () => {
  await using at = await startSharedReads();
  const ids = await schedules(at);
  const unknown = { type: 'unknown_route', address: '', message: '', requestId: '' } as const;
  const shared = shareReads({
    ...at.records,
    read: async () => ({ ok: false, failure: unknown }),
  });
  const all = await Promise.all(ids.map((id) => shared.read(oncallSchedule, id)));
  assert.ok(all.every((read) => !read.ok && read.failure === unknown));
});

test('an archive that moves other records leaves none of them as it was', async () => {
  await using at = await startSharedReads();
  const heir = await at.policy();
  const old = await at.policy({ archive_replacement_policy_id: heir });
  const [serviceId = ''] = at.existing['service'] ?? [];
  const ids = await Promise.all(Array.from({ length: 5 }, () => at.integration(serviceId, old)));
  const policies = () =>
    Promise.all(
      ids.map(async (id) => {
        const read = await at.shared.read(integration, id);
        return read.ok && read.value.escalation_policy_id;
      }),
    );
  assert.deepEqual(new Set(await policies()), new Set([old]));
  await at.shared.archive(escalationPolicy, { id: old });
  assert.deepEqual(new Set(await policies()), new Set([heir]));
});

test('what was read while a write was under way is not told after it', async () => {
  await using at = await startSharedReads();
  const ids = await at.services(10);
  const [id = ''] = ids;
  const { promise: refreshed, resolve: proceed } = Promise.withResolvers<void>();
  const shared = shareReads({
    ...at.records,
    async update(resource, change) {
      await refreshed;
      return at.records.update(resource, change);
    },
  });
  const writing = shared.update(service, { id, before: {}, fields: { name: 'new' } });
  await refresh(shared, ids);
  proceed();
  await writing;
  const read = await shared.read(service, id);
  assert.equal(read.ok && read.value.name, 'new');
});

test('a list that fails is asked for once, and everybody reads singly', async () => {
  await using at = await startSharedReads();
  const ids = await at.services(10);
  let pages = 0;
  const shared = shareReads({
    ...at.records,
    async page() {
      pages += 1;
      return { ok: false, failure: { type: 'not_pager', address: '', why: 'too long' } };
    },
  });
  assert.equal(await at.counted(() => refresh(shared, ids)), 10);
  assert.equal(pages, 1);
});

test('at most eight records are read singly at once', async () => {
  await using at = await startSharedReads();
  const [schedule = ''] = at.existing['oncall_schedule'] ?? [];
  let running = 0;
  let most = 0;
  const shared = shareReads({
    ...at.records,
    async read(resource, key) {
      running += 1;
      most = Math.max(most, running);
      const read = await at.records.read(resource, key);
      running -= 1;
      return read;
    },
  });
  await Promise.all(Array.from({ length: 40 }, () => shared.read(oncallSchedule, schedule)));
  assert.equal(most, 8);
});

type Step =
  | { readonly type: 'read'; readonly which: number; readonly waits: boolean }
  | { readonly type: 'update' | 'archive'; readonly which: number };

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('read' as const),
      which: fc.nat(5),
      waits: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ type: fc.constantFrom('update', 'archive'), which: fc.nat(5) }),
  },
);

test('a read answers what a single one could have, however it meets writes', async () => {
  await using at = await startSharedReads();
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 30 }), async (steps) => {
      const ids = await at.services(6);
      const shared = shareReads(at.records, { gather: () => Promise.resolve() });
      const single = async (which: number) =>
        JSON.stringify(await at.records.read(service, ids[which] ?? ''));
      // Of each record what it was after so many writes.
      const states = await Promise.all(ids.map(async (_, which) => [await single(which)]));
      let begun = 0;
      let done = 0;
      const reads: Promise<void>[] = [];
      const write = async ({ type, which }: Exclude<Step, { type: 'read' }>) => {
        const id = ids[which] ?? '';
        begun += 1;
        if (type === 'archive') await shared.archive(service, { id });
        else await shared.update(service, { id, before: {}, fields: { name: `n${begun}` } });
        done += 1;
        for (const [index, state] of states.entries())
          state[done] = index === which ? await single(which) : (state[done - 1] ?? '');
      };
      const read = async (which: number) => {
        const from = done;
        const answer = JSON.stringify(await shared.read(service, ids[which] ?? ''));
        const to = begun;
        await writing;
        assert.ok(states[which]?.slice(from, to + 1).includes(answer), answer);
      };
      let writing = Promise.resolve();
      for (const step of steps) {
        if (step.type !== 'read') {
          await writing;
          writing = write(step);
        } else {
          reads.push(read(step.which));
          if (step.waits) await reads.at(-1);
        }
      }
      await Promise.all([writing, ...reads]);
    }),
    { numRuns: 60 },
  );
});
