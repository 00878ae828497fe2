import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { buildConfiguration } from '../../test/configuration.ts';
import {
  buildAlert,
  buildIntegration,
  entryTypes,
  eve,
  later,
  received,
} from '../../test/incident-life.ts';
import type { AlertEvent } from '../alerts/alert.ts';
import { priorities, severities } from '../resources/priorities.ts';
import type { Rule } from '../rules/match-rule.ts';
import type { Configuration } from './configuration.ts';
import type { Incident } from './incident.ts';
import { advance } from './lifecycle.ts';

type Fields = Partial<AlertEvent>;
const integration = buildIntegration();

const textsOf = (outcomes: ReturnType<typeof received>['outcomes']) =>
  outcomes
    .flatMap(({ entries }) => entries.filter(({ type }) => type === 'worse'))
    .map(({ text }) => text);

/** The incident after each of the alerts, a minute apart, and what its timeline has of worse ones. */
function after(
  alerts: readonly Fields[],
  rules: readonly Rule[] = [],
  change: (incident: Incident, configuration: Configuration) => Incident = (one) => one,
) {
  const configuration = buildConfiguration({ integrations: [integration], rules });
  let incident: Incident | undefined;
  const results: ReturnType<typeof received>[] = [];
  for (const [index, fields] of alerts.entries()) {
    const open = incident === undefined ? [] : [incident];
    const result = received({
      integration,
      configuration,
      alert: buildAlert(fields),
      known: { open },
      now: later(index),
      eventId: `e${index}`,
    });
    results.push(result);
    incident = result.outcomes.at(-1)?.incident ?? incident;
    if (index === 0 && incident) incident = change(incident, configuration);
  }
  if (!incident) throw new Error('nothing opened');
  return { incident, texts: results.flatMap(({ outcomes }) => textsOf(outcomes)), results };
}

const person = (incident: Incident, configuration: Configuration): Incident => {
  const deed = { type: 'set_severity', by: eve, to: 'sev3' } as const;
  const outcome = advance(incident, deed, { configuration, now: later(0) });
  if ('refused' in outcome) throw new Error(outcome.refused);
  return outcome.incident;
};

describe('a trigger onto an open incident', () => {
  const warning = { title: 'load WARNING on db-9', severity: 'sev3' } as const;
  const critical = { title: 'load CRITICAL on db-9', severity: 'sev1' } as const;

  test('that is more severe raises severity and title, and the timeline shows it', () => {
    const { incident, texts } = after([warning, critical]);
    assert.deepEqual([incident.severity, incident.title], ['sev1', critical.title]);
    assert.deepEqual(texts, [
      'The alert is worse than before: severity SEV1 instead of SEV3; the title was load WARNING on db-9',
    ]);
  });

  test('that is no worse than one before it changes nothing but the count', () => {
    for (const again of [warning, critical, { title: 'no severity' }]) {
      const { incident, texts } = after([critical, again]);
      assert.deepEqual([incident.severity, incident.title], ['sev1', critical.title]);
      assert.deepEqual([texts, incident.suppressed_count], [[], 1]);
    }
    const { texts } = after([warning, critical, warning, critical, critical]);
    assert.equal(texts.length, 1);
  });

  test('the first that has a severity or a priority at all raises it', () => {
    const { incident, texts } = after([{}, { severity: 'sev2' }, { priority: 'p1' }]);
    assert.deepEqual([incident.severity, incident.priority], ['sev2', 'p1']);
    assert.equal(texts.length, 2);
  });

  test('raises nothing that a person set; the timeline has what the alert reports', () => {
    const { incident, texts } = after([{ ...warning, severity: 'sev2' }, critical], [], person);
    assert.deepEqual([incident.severity, incident.title], ['sev3', critical.title]);
    assert.match(texts.join(), /severity SEV1, but a person set it to SEV3/);
  });

  test('does not replace a title that a rule gave, nor that of an incident it was merged into', () => {
    const titled = rule({ actions: [{ type: 'title', template: 'DB: {title}' }] });
    assert.equal(after([warning, critical], [titled]).incident.title.slice(0, 3), 'DB:');
    const merged = after([warning, { ...critical, dedup_key: 'another' }]);
    assert.deepEqual([merged.incident.severity, merged.incident.title], ['sev1', warning.title]);
  });

  test('is compared with what alerts reported: what a rule lowered stays low', () => {
    const lowering = rule({ actions: [{ type: 'severity', severity: 'sev3' }] });
    const { incident, texts } = after([critical, critical, critical], [lowering]);
    assert.deepEqual([incident.severity, texts], ['sev3', []]);
  });

  test('of an incident of an earlier release is compared with what the incident has', () => {
    const earlier = (incident: Incident): Incident => {
      const { worst: _worst, ...escalation } = incident.escalation;
      return { ...incident, escalation };
    };
    assert.equal(after([warning, critical], [], earlier).incident.severity, 'sev1');
    assert.deepEqual(after([critical, critical], [], earlier).texts, []);
  });

  test('is kept singly during a storm', () => {
    const many = Array.from({ length: 30 }, () => warning);
    const configuration = buildConfiguration({ integrations: [integration] });
    let open: readonly Incident[] = [];
    for (const fields of many) {
      const known = { open };
      const result = received({ integration, configuration, known, alert: buildAlert(fields) });
      open = result.outcomes.map(({ incident }) => incident);
    }
    const known = { open };
    const counted = received({ integration, configuration, known, alert: buildAlert(warning) });
    assert.notEqual(counted.stormEventId, null);
    const worse = received({ integration, configuration, known, alert: buildAlert(critical) });
    assert.deepEqual(
      [worse.stormEventId, worse.outcomes.flatMap((one) => entryTypes(one))],
      [null, ['suppressed', 'worse', 'paged_again', 'step_ran']],
    );
  });

  test('whatever comes, the incident has the worst of all that was reported, each told once', () => {
    const anyAlert = fc.record(
      { severity: fc.constantFrom(...severities), priority: fc.constantFrom(...priorities) },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(anyAlert, { minLength: 1, maxLength: 12 }), (alerts) => {
        const { incident, texts } = after(alerts);
        const worst = (field: 'severity' | 'priority') =>
          alerts.flatMap((alert) => alert[field] ?? []).sort()[0] ?? null;
        assert.equal(incident.severity, worst('severity'));
        assert.equal(incident.priority, worst('priority'));
        assert.ok(texts.length <= severities.length + priorities.length);
      }),
    );
  });
});

const bad = { type: 'incidentSeverity', comparator: 'equals', severity: 'sev1' } as const;

function rule(fields: Partial<Rule>): Rule {
  return {
    id: 'rule',
    name: 'Worst first',
    condition_groups: [{ conditions: [{ type: 'allIncidents' }] }],
    actions: [],
    ...fields,
  } as Rule;
}

describe('when an alert has become worse, a rule that looks at the severity', () => {
  const alerts = [{ severity: 'sev3' }, { severity: 'sev1' }, { severity: 'sev1' }] as const;
  const comparing = (actions: Rule['actions']) =>
    rule({ condition_groups: [{ conditions: [bad] }] as Rule['condition_groups'], actions });

  test('applies, and does so once', () => {
    const { incident, results } = after(alerts, [
      comparing([{ type: 'priority', priority: 'p1' }]),
    ]);
    assert.equal(incident.priority, 'p1');
    assert.deepEqual(incident.escalation.appliedRules, ['rule']);
    assert.deepEqual(
      results.map(({ ruled }) => ruled),
      [false, true, false],
    );
  });

  for (const type of ['acknowledgeIncident', 'resolveIncident', 'ignoreIncident'] as const)
    test(`does not ${type}`, () => {
      const { incident, results } = after(alerts, [
        comparing([{ type }, { type: 'priority', priority: 'p1' }]),
      ]);
      assert.deepEqual([incident.status, incident.priority], ['triggered', 'p1']);
      assert.deepEqual(results.map(({ outcome }) => outcome).slice(0, 2), ['opened', 'suppressed']);
    });

  test('is left alone if it looks at something else, or has applied before', () => {
    const { incident } = after(alerts, [rule({ actions: [{ type: 'priority', priority: 'p5' }] })]);
    assert.equal(incident.priority, 'p5');
    assert.deepEqual(incident.escalation.appliedRules, ['rule']);
  });
});
