import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { asStored, refusesEachCorruption } from '../../../test/as-stored.ts';
import type { PlaybookAction, RuleAction } from '../../resources/action.ts';
import { parsePlaybookActions, parseRuleActions } from './stored-actions.ts';

const effects: PlaybookAction[] = [
  { type: 'priority', priority: 'p1' },
  { type: 'severity', severity: 'sev2' },
  { type: 'reassignIncident', user_id: 'ada' },
  { type: 'escalationPolicy', escalation_policy_id: 'night' },
  { type: 'integration', integration_id: 'other' },
  { type: 'routeToTeam', team_id: 'team', integration_id: 'theirs' },
  { type: 'outboundWebhook', outbound_webhook_id: 'hook' },
  { type: 'resolveTimer', after: 30, unit: 'minutes' },
  { type: 'acknowledgeIncident' },
  { type: 'resolveIncident' },
  { type: 'playbook', playbook_id: 'book' },
  { type: 'title', template: '{{title}}' },
];
const rules = [...effects, { type: 'ignoreIncident' }] as RuleAction[];
const playbooks: PlaybookAction[] = [
  ...effects,
  { type: 'addResponder', user_id: 'lin' },
  { type: 'pagePerson', user_id: 'lin', via: 'sms' },
  { type: 'note', text: 'looked at' },
  { type: 'addLink', href: 'https://wiki.test', text: 'What to do' },
];

const sorts = {
  'of rules': { parse: parseRuleActions, document: rules },
  'of playbooks': { parse: parsePlaybookActions, document: playbooks },
};
for (const [whose, { parse, document }] of Object.entries(sorts))
  describe(whose, () => {
    test('actions are read back as they were written', () => {
      assert.deepEqual(parse(asStored(document)), document);
    });
    refusesEachCorruption(parse, { path: 'actions', document });

    test('an action that is not known here is named', () => {
      const names = /^actions\[1\]\.type must be one of priority, /;
      const newer = [{ type: 'resolveIncident' }, { type: 'launch' }];
      assert.throws(
        () => parse(newer),
        ({ message }: Error) => names.test(message),
      );
    });
  });
