// Rules that group alerts: which decides, whose alerts join, and what the timeline says.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { disk, GroupWorld, group, pagesOf } from '../../test/group-world.ts';
import { buildAlert, buildIntegration, byMail, eve } from '../../test/incident-life.ts';
import type { RuleAction } from '../resources/action.ts';
import type { Condition } from '../resources/condition.ts';
import type { Rule } from '../rules/match-rule.ts';
import { combineEntries } from './combined-entries.ts';
import { mayGroup, teamsGroupingAcross } from './group-key.ts';

type GroupAction = Extract<RuleAction, { type: 'groupIncident' }>;

const by = (names: readonly string[], fields: Partial<GroupAction> = {}): GroupAction => ({
  type: 'groupIncident',
  by: [...names],
  across: 'team',
  ...fields,
});

const rule = (
  actions: readonly RuleAction[],
  fields: Partial<Rule> & { readonly condition?: Condition } = {},
): Rule => {
  const { condition = { type: 'allIncidents' }, ...own } = fields;
  const condition_groups = [{ conditions: [condition] }];
  return { id: 'rule', name: 'Outages', condition_groups, actions: [...actions], ...own };
};

const shop = { id: 'service', name: 'Shop', archived: false };
const web = { id: 'web', name: 'Web', archived: false };
const first = buildIntegration({ integration_id: 'first', service: shop });
const second = buildIntegration({ integration_id: 'second', service: shop });
const third = buildIntegration({ integration_id: 'third', service: web });
const theirs = buildIntegration({ integration_id: 'theirs', team_id: 'core', service: web });
const others = [second, third, theirs];

const labelled = (name: string, cluster: string) =>
  buildAlert({ dedup_key: name, title: name, details: { labels: { cluster } } });

/** What becomes of an alert of the same cluster that comes from each of the others. */
function joining(action: GroupAction): readonly string[] {
  const world = new GroupWorld(first, [rule([action])], others);
  world.sends(labelled('a', 'eu'));
  return [first, second, third].map(
    (from) => world.sends(labelled(`of ${from.integration_id}`, 'eu'), 1, from).outcome,
  );
}

describe('a rule that groups', () => {
  const cluster = ['details.labels.cluster'];

  test('has alerts of the integration, the service or the team join one incident', () => {
    const ownOnes = { integration: 1, service: 2, team: 3 } as const;
    for (const across of ['integration', 'service', 'team'] as const) {
      const expected = ['grouped', 'grouped', 'grouped'].fill('opened', ownOnes[across]);
      assert.deepEqual(joining(by(cluster, { across })), expected, across);
    }
  });

  test('groups by the values that it names', () => {
    const world = new GroupWorld(first, [rule([by(cluster)])], others);
    world.sends(labelled('a', 'eu'));
    assert.equal(world.sends(labelled('b', 'us'), 1).outcome, 'opened');
    assert.equal(world.sends(buildAlert({ dedup_key: 'c' }), 1).outcome, 'opened');
    assert.equal(world.sends(labelled('d', 'us'), 1, third).incidentId, 'incident2');
  });

  test('says so on the timeline, once for many', () => {
    const world = new GroupWorld(first, [rule([by(cluster)])]);
    world.sends(labelled('a', 'eu'));
    const entries = ['b', 'c'].flatMap((name) =>
      world.sends(labelled(name, 'eu'), 1).outcomes.flatMap((one) => one.entries),
    );
    assert.equal(entries[0]?.text, 'b joined, grouped by the rule Outages');
    assert.deepEqual(
      combineEntries(entries).map(({ text, details }) => [text, details]),
      [
        [
          '2 alerts joined, grouped by the rule Outages: b, c',
          { event_id: 'event', rule_id: 'rule', rule: 'Outages', alerts: 2, titles: ['b', 'c'] },
        ],
      ],
    );
  });

  test('wins over the integration, and the first over those after it', () => {
    const grouped = { ...first, grouping: { by: ['group'], window: null } };
    const apart = rule([by([], { across: 'integration' })], { id: 'apart' });
    const outcomes = (rules: readonly Rule[]) => {
      const world = new GroupWorld(grouped, rules);
      return ['a', 'b'].map((name) => world.sends(disk(name, { group })).outcome);
    };
    assert.deepEqual(outcomes([]), ['opened', 'grouped']);
    assert.deepEqual(outcomes([apart]), ['opened', 'opened']);
    assert.deepEqual(outcomes([rule([by(['group'])]), apart]), ['opened', 'grouped']);
    assert.deepEqual(outcomes([apart, rule([by(['group'])])]), ['opened', 'opened']);
  });

  test('covers what its conditions and its scope match, as the tool sent it', () => {
    const condition = {
      type: 'incidentSeverity',
      comparator: 'equals',
      severity: 'sev1',
    } as const;
    const worse = rule([{ type: 'severity', severity: 'sev1' }], { id: 'worse' });
    const world = new GroupWorld(first, [worse, rule([by(['service'])], { condition })], others);
    const sends = (name: string, severity: 'sev1' | 'sev2', from = first) =>
      world.sends(buildAlert({ dedup_key: name, severity }), 1, from).outcome;
    assert.deepEqual(
      [sends('a', 'sev1'), sends('b', 'sev2'), sends('c', 'sev1')],
      ['opened', 'opened', 'grouped'],
    );
    const scoped = rule([by(['service'])], { integration_ids: ['first'] });
    const other = new GroupWorld(first, [scoped], others);
    other.sends(buildAlert({ dedup_key: 'a' }));
    assert.equal(other.sends(buildAlert({ dedup_key: 'b' }), 1, second).outcome, 'opened');
    assert.equal(other.sends(buildAlert({ dedup_key: 'c' }), 1).outcome, 'grouped');
  });

  test('has a window of its own', () => {
    const world = new GroupWorld(first, [rule([by(['service'], { window_minutes: 10 })])], others);
    world.sends(buildAlert({ dedup_key: 'a' }));
    assert.equal(world.sends(buildAlert({ dedup_key: 'b' }), 9, second).outcome, 'grouped');
    assert.equal(world.sends(buildAlert({ dedup_key: 'c' }), 19).outcome, 'opened');
  });

  test('groups nothing where every alert opens its own incident', () => {
    const alone = { ...first, disableSuppression: true };
    const world = new GroupWorld(alone, [rule([by(['service'])])]);
    world.sends(buildAlert({ dedup_key: 'a' }));
    assert.equal(world.sends(buildAlert({ dedup_key: 'b' }), 1).outcome, 'opened');
  });

  test('that does more joins what it did that to, and nothing else', () => {
    const night = { ...first.policy, id: 'night', name: 'Night', steps: [byMail('lin')] };
    const target = buildIntegration({ integration_id: 'target', policy: night });
    const action = { type: 'escalationPolicy', escalation_policy_id: 'night' } as const;
    const routed = rule([by(['service']), action]);
    const world = new GroupWorld(first, [routed], [target, ...others]);
    assert.deepEqual(pagesOf(world.sends(buildAlert({ dedup_key: 'a' }))), ['page lin by email']);
    assert.equal(world.sends(buildAlert({ dedup_key: 'b' }), 1, second).outcome, 'grouped');
    const loud = rule([{ type: 'reassignIncident', user_id: 'ada' }], {
      id: 'loud',
      condition: { type: 'incidentMessage', comparator: 'equals', text: 'c' },
    });
    const other = new GroupWorld(first, [routed, loud], [target, ...others]);
    other.sends(buildAlert({ dedup_key: 'a' }));
    const own = other.sends(buildAlert({ dedup_key: 'c', title: 'c' }), 1);
    assert.equal(own.outcome, 'opened');
  });

  test('still pages for what is worse, by the policy of the incident', () => {
    const policy = { ...first.policy, steps: [byMail('ada')] };
    const world = new GroupWorld({ ...first, policy }, [rule([by(['service'])])], others);
    world.sends(buildAlert({ dedup_key: 'a', priority: 'p3' }));
    world.does(1, { type: 'acknowledge', by: eve }, 1);
    const worse = world.sends(buildAlert({ dedup_key: 'b', priority: 'p1' }), 2, second);
    assert.deepEqual([worse.outcome, pagesOf(worse)], ['grouped', ['page ada by email']]);
    assert.equal(world.incident(1).status, 'triggered');
  });

  test('is one of the rules that a team decides by alone', () => {
    const { configuration } = new GroupWorld(first, [rule([by(['service'])])], others);
    assert.deepEqual(
      [first, theirs].map((one) => mayGroup(one, configuration)),
      [true, false],
    );
    assert.deepEqual(
      [...teamsGroupingAcross(configuration, ['second', 'theirs', 'unknown'])],
      [first.team_id],
    );
    const own = rule([by(['service'], { across: 'integration' })]);
    const inside = new GroupWorld(first, [own], others).configuration;
    assert.deepEqual([...teamsGroupingAcross(inside, ['second'])], []);
  });
});
