import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildConfiguration } from '../../../test/configuration.ts';
import { disk, grouped } from '../../../test/group-world.ts';
import { later } from '../../../test/incident-life.ts';
import type { AlertEvent } from '../../alerts/alert.ts';
import { testEventPath } from './arrival.ts';
import { groupsOf } from './groups.ts';

const { organization_id, integration_id } = grouped;
const across = {
  id: 'rule',
  name: 'Outages',
  condition_groups: [{ conditions: [{ type: 'allIncidents' as const }] }],
  actions: [{ type: 'groupIncident' as const, by: ['group'], across: 'team' as const }],
};

function groupsIn(alerts: readonly AlertEvent[], { path = '', rules = [across] } = {}) {
  const configuration = buildConfiguration({ integrations: [grouped], rules });
  const event = { organization_id, integration_id, path };
  const configurations = new Map([[organization_id, configuration]]);
  return groupsOf([{ event, reading: { alerts } }], configurations, later(0));
}

const end = disk('db-3', { action: 'resolve' });

test('alerts of one group lock its incidents once, and an end locks none', () => {
  const [group, ...others] = groupsIn([disk('db-1'), disk('db-2'), end]);
  assert.deepEqual([group?.acrossTeam, others], ['team', []]);
  const [own, ...more] = groupsIn([disk('db-1'), end], { rules: [] });
  assert.deepEqual([own && 'acrossTeam' in own, more], [false, []]);
  assert.deepEqual(groupsIn([end]), []);
});

test('a test joins no group, and so locks none', () => {
  assert.deepEqual(groupsIn([disk('db-1')], { path: testEventPath }), []);
});
