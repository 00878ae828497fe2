import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computed, openComputer } from '../../../test/compute.ts';
import { daily, startOnCallApi, weekly } from '../../../test/on-call-api.ts';
import { trialApi } from '../../../test/trial-api.ts';
import { Refusal } from '../failures.ts';

const windows = Array.from({ length: 60 }, (_, hour) => ({
  from_day: 'monday',
  from_time: `${String(hour % 24).padStart(2, '0')}:00`,
  to_day: 'friday',
  to_time: `${String(hour % 24).padStart(2, '0')}:30`,
}));

/** What ran in a thread meanwhile. */
async function during(work: () => Promise<unknown>): Promise<readonly string[]> {
  const before = computed().length;
  await work();
  return computed().slice(before);
}

test('what would hold up pages is computed in a thread, and answered as before', async () => {
  await using at = await startOnCallApi();
  const layers = [
    { users: [at.ada, at.bob], rotation: daily, restriction: { type: 'weekly', windows } },
  ];
  let id = '';
  assert.deepEqual(
    await during(async () => {
      id = await at.schedule(layers);
    }),
    ['coverageWarnings'],
  );
  const path = `/on-calls/${id}`;
  const span = { from: '2026-03-02T00:00:00Z', to: '2026-09-02T00:00:00Z' };
  const bodies: Readonly<Record<string, object | undefined>> = {
    [`GET ${path}/coverage`]: undefined,
    [`GET ${path}/shifts?from=${span.from}&to=${span.to}`]: undefined,
    [`GET ${path}/now`]: undefined,
    'GET /on-calls/now': undefined,
    [`GET /users/${at.ada}/on-call`]: undefined,
    'POST /on-calls/preview': { layers, ...span },
  };
  const ran = await during(async () => {
    for (const [request, body] of Object.entries(bodies)) {
      const answer = await at.send(request, body);
      assert.equal(answer.status, 200, `${request}: ${JSON.stringify(answer.body)}`);
    }
  });
  assert.deepEqual(ran, [
    ...['coverage', 'shifts', 'nextShifts', 'nextShifts', 'personShifts', 'preview'],
  ]);
});

test('whatever is tried out is told by a thread', async () => {
  await using at = await trialApi();
  const condition_groups = [{ conditions: [{ type: 'allIncidents' }] }];
  const rule = { name: 'Rule', condition_groups, actions: [{ type: 'acknowledgeIncident' }] };
  const event = at.event({ title: 'Disk full' });
  const { integration_id, ...sample } = event;
  await at.trigger({ title: 'Memory low' });
  const bodies: Readonly<Record<string, object>> = {
    'POST /alert-rules/test': { rule, event },
    'POST /simulate': { integration_id, event: sample },
    'POST /alert-rules/replay': { rules: [rule], days: 1 },
  };
  const ran = await during(async () => {
    for (const [request, body] of Object.entries(bodies)) {
      const answer = await at.send(request, body);
      assert.equal(answer.status, 200, `${request}: ${JSON.stringify(answer.body)}`);
    }
    const incident_id = await at.incident();
    assert.equal((await at.send('POST /simulate', { incident_id })).status, 200);
  });
  assert.deepEqual(ran, ['ruleTest', 'simulation', 'replay', 'simulation']);
});

test('the mistakes of what is tried out are found in a thread too', async () => {
  await using at = await trialApi();
  const rule = { name: 'Rule', condition_groups: [], actions: [{ type: 'dance' }] };
  const { integration_id, ...event } = at.event({ title: 'Disk full' });
  const bodies: Readonly<Record<string, object>> = {
    'POST /alert-rules/test': { rule, event: { integration_id, ...event } },
    'POST /simulate': { integration_id, event, configuration: { rules: [rule] } },
    'POST /alert-rules/replay': { rules: [rule], days: 1 },
  };
  const ran = await during(async () => {
    for (const [request, body] of Object.entries(bodies)) {
      const paths = await at.pathsOf(request, body);
      assert.ok(
        paths.some((path) => path.endsWith('actions[0].type')),
        paths.join(),
      );
    }
  });
  assert.deepEqual(ran, ['ruleTest', 'simulation', 'replay']);
});

test('what is computed in no time needs no thread', async () => {
  await using at = await startOnCallApi();
  const ran = await during(async () => {
    const id = await at.schedule([{ users: [at.ada, at.bob], rotation: weekly }]);
    for (const what of ['coverage', 'shifts', 'now']) await at.send(`GET /on-calls/${id}/${what}`);
  });
  assert.deepEqual(ran, []);
});

test('a computation refuses in its own words, at its own path', async () => {
  await using at = await startOnCallApi();
  const layers = Array.from({ length: 100 }, () => ({
    users: [at.ada],
    rotation: daily,
    restriction: { type: 'weekly', windows },
  }));
  const id = await at.schedule(layers);
  const { status, body } = await at.send(`GET /on-calls/${id}/coverage`);
  assert.deepEqual([status, body.error], [422, 'validation_failed']);
  assert.equal(body.issues[0].path, 'years');
});

const anybody = { organizationId: 'a', caller: 'key' };
const next = { schedules: [], after: Temporal.Instant.from('2026-03-01T12:00Z') };

test('who has too much computed is asked to wait, and others are served', async () => {
  await using computer = openComputer({ perCallerMax: 2 });
  const { compute } = computer;
  const first = [compute(anybody, 'nextShifts', next), compute(anybody, 'nextShifts', next)];
  await assert.rejects(compute(anybody, 'nextShifts', next), {
    code: 'rate_limited',
    retryAfterSeconds: 1,
    message: 'Too many of your computations are running. Try again when they finish.',
  });
  const other = { ...anybody, caller: 'another key' };
  assert.deepEqual(await compute(other, 'nextShifts', next), []);
  assert.deepEqual(await Promise.all(first), [[], []]);
});

test('what takes too long is refused for good', async () => {
  await using computer = openComputer({ taskMsMax: 1 });
  const code = 'too_much_work';
  await assert.rejects(computer.compute(anybody, 'nextShifts', next), { code });
});

test('nothing is computed for whoever is gone', async () => {
  await using computer = openComputer();
  const requester = { ...anybody, signal: AbortSignal.abort() };
  await assert.rejects(computer.compute(requester, 'nextShifts', next), Refusal);
});
