import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { buildConfiguration } from '../../test/configuration.ts';
import {
  buildAlert,
  buildIntegration,
  entryTypes,
  eve,
  Life,
  later,
  noon,
  opened,
  paged,
  received,
  unknown,
  withSteps,
} from '../../test/incident-life.ts';
import { openUndecided } from './decide-alert.ts';

const open = () => new Life().incident;
const acknowledged = () => {
  const life = new Life();
  life.does({ type: 'acknowledge', by: eve }, 1);
  return life.incident;
};

describe('an alert', () => {
  const { service } = buildIntegration();
  const rows = [
    { title: 'opens an incident', outcome: 'opened', fields: {} },
    {
      title: 'is suppressed onto an open one',
      outcome: 'suppressed',
      fields: { known: { open: [open()] } },
    },
    {
      title: 'is suppressed onto an acknowledged one',
      outcome: 'suppressed',
      fields: { known: { open: [acknowledged()] } },
    },
    {
      title: 'opens another where suppression is disabled',
      outcome: 'opened',
      fields: {
        known: { open: [open()] },
        integration: buildIntegration({ disableSuppression: true }),
      },
    },
    {
      title: 'that resolves with nothing open is ignored',
      outcome: 'ignored',
      fields: { alert: buildAlert({ action: 'resolve' }) },
    },
    {
      title: 'that acknowledges with nothing open is ignored',
      outcome: 'ignored',
      fields: { alert: buildAlert({ action: 'acknowledge' }) },
    },
    {
      title: 'resolves the open one',
      outcome: 'resolved',
      fields: { alert: buildAlert({ action: 'resolve' }), known: { open: [acknowledged()] } },
    },
    {
      title: 'acknowledges the open one',
      outcome: 'acknowledged',
      fields: { alert: buildAlert({ action: 'acknowledge' }), known: { open: [open()] } },
    },
    {
      title: 'to an archived integration is dropped',
      outcome: 'dropped',
      fields: { integration: buildIntegration({ archived: true }) },
    },
    {
      title: 'to a disabled integration is dropped',
      outcome: 'dropped',
      fields: { integration: buildIntegration({ enabled: false }) },
    },
    {
      title: 'of an archived service is dropped',
      outcome: 'dropped',
      fields: { integration: buildIntegration({ service: { ...service, archived: true } }) },
    },
  ] as const;
  for (const { title, outcome, fields } of rows)
    test(title, () => {
      const result = received(fields);
      assert.equal(result.outcome, outcome);
      const pages = result.outcomes.flatMap(paged);
      assert.deepEqual(pages, outcome === 'opened' ? ['page ada by email'] : []);
      if (outcome === 'dropped' || outcome === 'ignored') {
        assert.ok(result.reason);
        assert.deepEqual(result.outcomes, []);
      }
    });

  test('that resolves, resolves all open ones of the key', () => {
    const [a, b] = [open(), { ...open(), id: 'second' }];
    const result = received({
      integration: buildIntegration({ disableSuppression: true }),
      alert: buildAlert({ action: 'resolve', title: 'Another title' }),
      known: { open: [a, b] },
    });
    assert.deepEqual(
      result.outcomes.map(({ incident }) => [incident.id, incident.status, incident.title]),
      [
        ['incident', 'resolved', 'Disk full'],
        ['second', 'resolved', 'Disk full'],
      ],
    );
  });

  test('that its source no longer watches leaves the incident open, and says so', () => {
    const alert = buildAlert({ action: 'resolve', unwatched: 'REMOVED' });
    const { outcome, reason, outcomes } = received({ alert, known: { open: [open()] } });
    assert.equal(outcome, 'ignored');
    assert.match(reason ?? '', /no longer monitors it .*\(REMOVED\), so the incident stays open/);
    assert.deepEqual(
      outcomes.map(({ incident, entries, allClear }) => [
        incident.status,
        entries[0]?.text,
        allClear,
      ]),
      [
        [
          'triggered',
          'The source no longer monitors this and will not report its end (REMOVED)',
          false,
        ],
      ],
    );
    assert.deepEqual(received({ alert }).outcomes, []);
  });

  test('that is suppressed is counted and pages nobody', () => {
    const [outcome] = received({ known: { open: [open()] } }).outcomes;
    assert.equal(outcome?.incident.suppressed_count, 1);
    assert.deepEqual(outcome && [entryTypes(outcome), paged(outcome)], [['suppressed'], []]);
  });

  test('does not make a merged-into incident expire that did not', () => {
    const alert = buildAlert({ expires_at: later(5) });
    const [outcome] = received({ alert, known: { open: [open()] } }).outcomes;
    assert.equal(outcome?.incident.escalation.expiresAt, null);
  });
});

describe('a new incident', () => {
  test('has the priority and severity of the alert', () => {
    const { incident } = opened({ alert: buildAlert({ priority: 'p2', severity: 'sev1' }) });
    assert.deepEqual([incident.priority, incident.severity], ['p2', 'sev1']);
    assert.equal(incident.escalation.prioritySetByPerson, false);
  });

  test('keeps what a person set on the last one, and hands it on', () => {
    const { incident } = opened({
      alert: buildAlert({ priority: 'p2', severity: 'sev1' }),
      known: { carried: { priority: 'p5', severity: null } },
    });
    assert.deepEqual([incident.priority, incident.severity], ['p5', 'sev1']);
    const { prioritySetByPerson, severitySetByPerson } = incident.escalation;
    assert.deepEqual([prioritySetByPerson, severitySetByPerson], [true, false]);
  });

  test('knows how often its key came before', () => {
    assert.equal(opened({ known: { repeatCount: 3 } }).incident.repeat_count, 3);
  });

  test('copies the steps of the policy', () => {
    const integration = withSteps([{ targets: [{ via: 'email', user_id: 'lin' }] }]);
    assert.equal(opened({ integration }).incident.steps, integration.policy.steps);
  });

  test('of an archived policy pages by its last steps, with a warning', () => {
    const integration = buildIntegration({
      policy: { ...buildIntegration().policy, archived: true },
    });
    const outcome = opened({ integration });
    assert.deepEqual(entryTypes(outcome), ['opened', 'archived_policy', 'step_ran']);
    assert.deepEqual(paged(outcome), ['page ada by email']);
  });
});

describe('an alert whose decision failed', () => {
  const conditions = {
    configuration: buildConfiguration(),
    now: noon,
    eventId: 'e',
    integrationId: 'integration',
  };
  const context = { ...conditions, newId: () => 'new' };
  const failure = 'no such luck';

  test('opens its incident all the same, and paging is tried a minute later', () => {
    const input = { keyState: unknown, context, failure };
    const result = openUndecided(buildIntegration(), buildAlert(), input);
    assert.equal(result.outcome, 'opened');
    const [outcome] = result.outcomes;
    assert.deepEqual(outcome?.incident.escalation.stepAt, later(1));
    assert.deepEqual(outcome && entryTypes(outcome), ['opened', 'undecided', 'nobody_paged']);
    assert.deepEqual(outcome && paged(outcome), ['nobody_paged boss by email']);
  });

  test('is told on the open incident', () => {
    const known = { ...unknown, open: [open()] };
    const alert = buildAlert({ action: 'resolve' });
    const result = openUndecided(buildIntegration(), alert, {
      keyState: known,
      context,
      failure,
    });
    assert.equal(result.outcome, 'ignored');
    assert.deepEqual(result.outcomes.flatMap(entryTypes), ['undecided']);
  });
});
