import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyOf, emptyReport } from './report.ts';

test('what is empty is not sent, and details are sent by their names', () => {
  assert.deepEqual(bodyOf({ ...emptyReport, title: 'Slow' }), { title: 'Slow' });
  const details = [
    { id: 1, name: ' region ', value: 'eu' },
    { id: 2, name: ' ', value: 'without a name' },
    { id: 3, name: 'since', value: '' },
  ];
  const chosen = { service: 's', policy: 'p', priority: 'p2', severity: 'sev1' };
  assert.deepEqual(bodyOf({ title: 'Slow', ...chosen, details }), {
    title: 'Slow',
    service_id: 's',
    escalation_policy_id: 'p',
    priority: 'p2',
    severity: 'sev1',
    details: { region: 'eu', since: '' },
  });
});
