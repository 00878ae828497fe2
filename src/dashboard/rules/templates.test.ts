import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alertRoutingRule } from '../../resources/alert-routing-rule.ts';
import { problemsOf } from '../form/check.ts';
import { draftOf } from '../form/draft.ts';
import { fieldsOf } from '../form/form.ts';
import { newRuleSearch, ruleSearch } from './search.ts';
import { type RuleFields, ruleSentence } from './sentence.ts';
import { forEvent, isTemplate, templateNames, templateOf } from './templates.ts';

const nameOf = (_: string, id: string) => `<${id}>`;
const sentenceOf = (rule: object) => ruleSentence(rule as RuleFields, nameOf);

test('a rule from a template can be saved as it is', () => {
  for (const name of templateNames) {
    const draft = draftOf(fieldsOf(alertRoutingRule), templateOf(name, 'Europe/Berlin'));
    assert.deepEqual(problemsOf(alertRoutingRule, draft), [], name);
  }
});

test('an unknown template is none', () => {
  assert.ok(isTemplate('night'));
  assert.ok(!isTemplate('toString'));
  assert.ok(!isTemplate(undefined));
});

test('a rule for an event begins with its title, and covers its integration', () => {
  const draft = forEvent({ title: 'Disk full', integrationId: 'a'.repeat(24) });
  assert.equal(
    sentenceOf({ ...draft, actions: [{ type: 'ignoreIncident' }] }),
    'If the title contains “Disk full”: ignore the alert',
  );
  assert.deepEqual(draft['integration_ids'], ['a'.repeat(24)]);
  assert.ok(!('integration_ids' in forEvent({ title: 'Disk full', integrationId: undefined })));
  const ofAll = forEvent({ title: undefined, integrationId: 'a'.repeat(24) });
  assert.equal(
    sentenceOf({ ...ofAll, actions: [{ type: 'ignoreIncident' }] }),
    sentenceOf({
      condition_groups: [{ conditions: [{ type: 'allIncidents' }] }],
      actions: [{ type: 'ignoreIncident' }],
    }),
  );
});

test('a rule is one sentence', () => {
  const rule = {
    condition_groups: [
      {
        conditions: [
          { type: 'incidentDetails', key: 'host', comparator: 'doesNotEqual', text: 'db-1' },
          { type: 'incidentRepeatedWithin', count: 2, minutes: 60 },
        ],
      },
      { conditions: [{ type: 'allIncidents' }] },
    ],
    actions: [
      { type: 'priority', priority: 'p1' },
      { type: 'escalationPolicy', escalation_policy_id: 'night' },
      { type: 'resolveTimer', after: 1, unit: 'hours' },
    ],
  };
  assert.equal(
    sentenceOf(rule),
    'If host does not equal “db-1” and the same alert opened 2 incidents within 60 minutes, or if any alert arrives: set priority to P1, page with <night>, resolve after 1 hour',
  );
});

test('the address of a rule names an event by its id and nothing else', () => {
  const event = 'a'.repeat(24);
  assert.deepEqual(ruleSearch({ tab: 'try', event }), { tab: 'try', event });
  assert.deepEqual(ruleSearch({ event: '../x' }), {});
  assert.deepEqual(newRuleSearch({ template: 'night', event: 7 }), { template: 'night' });
  assert.deepEqual(newRuleSearch({ event, integration: event }), { event, integration: event });
});
