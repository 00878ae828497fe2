import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { asStored, asStoredDocument, corruptionsOf, lacking } from '../../../test/as-stored.ts';
import { buildIntegration, eve, Life, later, noon } from '../../../test/incident-life.ts';
import '../../../test/seed.ts';
import type { Escalation } from '../../incidents/incident.ts';
import type { IncidentEvent } from '../../incidents/lifecycle.ts';
import type { Step } from '../../resources/escalation-policy.ts';
import { parseEscalation, parseSteps } from './stored-incident.ts';

const steps: readonly Step[] = [
  {
    targets: [
      { via: 'email', user_id: 'ada' },
      { via: 'sms', oncall_schedule_id: 'rota' },
      { via: 'slack', channel_id: 'ops', channel_name: 'Ops', mention: '@here' },
      { via: 'discord', webhook_url: { sealed: 'v2:AAAA' } },
    ],
    escalate_after_minutes: 5,
  },
  { targets: [] },
];

/** With every field that may be null set. */
const full: Escalation = {
  policyName: 'Ops',
  delayMinutes: 1,
  repeats: true,
  ackTimeoutMinutes: 30,
  autoResolve: { after: 2, unit: 'days' },
  cycle: 3,
  nextStep: 1,
  repeatsLeft: 8,
  pagedInCycle: true,
  stepAt: later(1),
  stepRemainingMs: 1_500,
  ackTimeoutAt: later(2),
  resolveAt: later(3),
  expiresAt: later(4),
  recentTriggers: [noon.epochMilliseconds],
  storm: { until: later(5), eventId: 'event' },
  stormNotifiedAt: noon,
  prioritySetByPerson: true,
  severitySetByPerson: false,
  suppressedAt: [noon.epochMilliseconds],
  repeatedAt: [noon.epochMilliseconds],
  appliedRules: ['rule'],
};

const integration = buildIntegration({
  repeats: true,
  ackTimeoutMinutes: 30,
  autoResolve: { after: 2, unit: 'hours' },
});

const anyEvent: fc.Arbitrary<IncidentEvent> = fc.oneof(
  fc.constantFrom<IncidentEvent>(
    { type: 'timer' },
    { type: 'acknowledge', by: eve },
    { type: 'unacknowledge', by: eve },
    { type: 'escalate', by: eve },
    { type: 'resolve', by: eve },
    { type: 'reopen', by: eve, anotherIsOpen: false },
    { type: 'mute', by: eve, until: null },
    { type: 'mute', by: eve, until: later(100_000) },
    { type: 'unmute', by: eve },
    { type: 'set_priority', by: eve, to: 'P1' },
  ),
  fc.record({
    type: fc.constant('suppressed' as const),
    alert: fc.record({
      dedup_key: fc.constantFrom('disk', 'another'),
      title: fc.string(),
      severity: fc.constantFrom('sev1', 'sev3'),
      priority: fc.constantFrom('p1', 'p5'),
    }),
    eventId: fc.string(),
    isLogged: fc.boolean(),
    expiresAt: fc.constantFrom(null, later(100_000)),
    remember: fc.nat(3),
  }),
);

const anyLife = fc.array(fc.tuple(anyEvent, fc.double({ min: 0, max: 30, noNaN: true })), {
  maxLength: 40,
});

test('whatever the engine writes of an incident is read back equal', () => {
  fc.assert(
    fc.property(anyLife, (events) => {
      const life = new Life({ integration });
      let at = 0;
      for (const [event, minutes] of events) {
        at += minutes;
        life.does(event, at);
        assert.deepEqual(parseEscalation(asStoredDocument(life.escalation)), life.escalation);
        assert.deepEqual(parseSteps(asStored(life.incident.steps)), life.incident.steps);
      }
    }),
  );
});

test('what has all that there can be is read back equal', () => {
  assert.deepEqual(parseEscalation(asStoredDocument(full)), full);
  assert.deepEqual(parseSteps(asStored(steps)), steps);
});

describe('what cannot be read is named:', () => {
  const named = (error: unknown, path: string) => {
    assert.ok(error instanceof Error);
    assert.equal(error.name, 'UnreadableDocument');
    assert.ok(error.message.startsWith(path), `${error.message} names ${path}`);
    return true;
  };

  for (const { path, document } of corruptionsOf(asStoredDocument(full), 'escalation'))
    test(path, () => {
      assert.throws(
        () => parseEscalation(document),
        (error) => named(error, path),
      );
    });

  for (const { path, document } of corruptionsOf(asStored(steps), 'steps'))
    test(path, () => {
      assert.throws(
        () => parseSteps(document),
        (error) => named(error, path),
      );
    });

  for (const key of Object.keys(full))
    test(`an escalation without its ${key}`, () => {
      assert.throws(
        () => parseEscalation(lacking(full, key)),
        (error) => named(error, `escalation.${key} `),
      );
    });

  test('a version that is not known here', () => {
    const message = 'escalation.v is not 1, the one version known here';
    assert.throws(() => parseEscalation({ ...full, v: 2 }), { message });
    assert.throws(() => parseSteps({ v: 2, steps: [] }), { message: /^steps\.v / });
  });

  test('a step that is due at a negative place', () => {
    const message = 'escalation.nextStep must be a whole number';
    assert.throws(() => parseEscalation(asStoredDocument({ ...full, nextStep: -1 })), { message });
  });
});

test('a document without a version is of the first', () =>
  assert.deepEqual(parseEscalation(asStored(full)), full));

test('what a newer server wrote beside it is kept for it', () => {
  const newer = { ...full, pausedBy: 'lin' };
  assert.deepEqual(parseEscalation(asStoredDocument(newer)), newer);
  const step = { targets: [{ via: 'email', user_id: 'ada', delay: 3 }], parallel: true };
  assert.deepEqual(parseSteps([step]), [step]);
});
