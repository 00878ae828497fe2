import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildFacts } from '../../test/facts.ts';
import type { RuleAction } from '../resources/action.ts';
import { effectTexts } from './effect-text.ts';

const grouping: Extract<RuleAction, { type: 'groupIncident' }> = {
  type: 'groupIncident',
  by: ['title', 'severity'],
  across: 'team',
};

const cases: readonly [RuleAction, string][] = [
  [
    grouping,
    'Joins the open incident with the same title and severity from any integration of the team.',
  ],
  [
    { ...grouping, across: 'service', window_minutes: 1 },
    'Joins the open incident with the same title and severity from any integration of the service, up to 1 minute after its last alert.',
  ],
  [
    { ...grouping, by: ['group'], across: 'integration' },
    'Joins the open incident with the same group from this integration.',
  ],
  [{ ...grouping, by: [] }, 'Opens an incident for this alert alone.'],
];

for (const [action, text] of cases)
  test(text, () => assert.deepEqual(effectTexts([action], buildFacts(), new Map()), [text]));
