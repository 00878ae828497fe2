// Alerts of one group are one incident: what joins, what pages, and what ends it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { disk, GroupWorld, grouped, pagesOf, typesOf } from '../../test/group-world.ts';
import {
  buildAlert,
  buildIntegration,
  byMail,
  entryTypes,
  eve,
  later,
  paged,
  withSteps,
} from '../../test/incident-life.ts';
import type { AlertEvent } from '../alerts/alert.ts';
import type { Rule } from '../rules/match-rule.ts';
import { combineEntries, titlesIn } from './combined-entries.ts';
import { groupOf } from './group-key.ts';
import type { Entry } from './incident.ts';
import { countAlerts } from './incident-alerts.ts';

describe('an alert of a group whose incident is open', () => {
  test('joins it and pages nobody', () => {
    const world = new GroupWorld();
    assert.equal(world.sends(disk('db-1')).outcome, 'opened');
    const joined = world.sends(disk('db-2'), 1);
    assert.deepEqual(
      [joined.outcome, joined.reason, joined.opened, pagesOf(joined), typesOf(joined)],
      ['grouped', 'it joined the open incident of its group', false, [], ['alert_joined']],
    );
    assert.deepEqual(world.states(1), [
      ['db-1', 'firing', 1],
      ['db-2', 'firing', 1],
    ]);
    assert.equal(world.sends(disk('db-2'), 2).outcome, 'suppressed');
    assert.deepEqual(world.states(1)[1], ['db-2', 'firing', 2]);
    assert.deepEqual(countAlerts(world.incident(1)), { firing: 2, total: 2 });
  });

  test('that another integration, another group or no group sends opens its own', () => {
    for (const fields of [{ group: '{}:{alertname="Load"}' }, { group: '{}:{}' }, {}]) {
      const world = new GroupWorld();
      world.sends(disk('db-1'));
      const { group: _, ...rest } = disk('db-2');
      assert.equal(world.sends({ ...rest, ...fields }, 1).outcome, 'opened');
    }
    for (const other of [
      buildIntegration(),
      { ...grouped, disableSuppression: true },
      { ...grouped, formerKeys: true as const },
    ]) {
      const world = new GroupWorld(other);
      world.sends(disk('db-1'));
      assert.equal(world.sends(disk('db-2'), 1).outcome, 'opened');
    }
  });

  test('opens its own if the last joined longer ago than the window', () => {
    const window = { after: 10, unit: 'minutes' } as const;
    const world = new GroupWorld({ ...grouped, grouping: { by: ['group'], window } });
    world.sends(disk('db-1'));
    assert.equal(world.sends(disk('db-2'), 9).outcome, 'grouped');
    assert.equal(world.sends(disk('db-3'), 18).outcome, 'grouped');
    assert.equal(world.sends(disk('db-4'), 28).outcome, 'opened');
    assert.equal(world.sends(disk('db-5'), 29).incidentId, 'incident2', 'the newest');
  });

  test('opens its own while the incident is muted, or acknowledged half an hour ago', () => {
    const muted = new GroupWorld();
    muted.sends(disk('db-1'));
    muted.does(1, { type: 'mute', by: eve, until: null }, 1);
    assert.equal(muted.sends(disk('db-2'), 2).outcome, 'opened');
    const acknowledged = new GroupWorld();
    acknowledged.sends(disk('db-1'));
    acknowledged.does(1, { type: 'acknowledge', by: eve }, 1);
    assert.equal(acknowledged.sends(disk('db-2'), 30).outcome, 'grouped');
    const own = acknowledged.sends(disk('db-3'), 31);
    assert.equal(own.outcome, 'opened');
    assert.match(
      own.outcomes[0]?.entries.map(({ text }) => text).join() ?? '',
      /INC-1 of the same group was acknowledged more than 30 minutes ago/,
    );
  });

  test('opens its own if a rule would do more than label it, or has acknowledged the incident', () => {
    const about = (text: string, actions: Rule['actions']): Rule => ({
      id: 'rule',
      name: 'Rule',
      condition_groups: [
        { conditions: [{ type: 'incidentMessage', comparator: 'contains', text }] },
      ],
      actions,
    });
    const away = new GroupWorld(grouped, [
      about('db-2', [{ type: 'reassignIncident', user_id: 'lin' }]),
    ]);
    away.sends(disk('db-1'));
    assert.equal(away.sends(disk('db-2'), 1).outcome, 'opened');
    const ignored = new GroupWorld(grouped, [about('db-2', [{ type: 'ignoreIncident' }])]);
    ignored.sends(disk('db-1'));
    assert.equal(ignored.sends(disk('db-2'), 1).outcome, 'ignored');
    const done = new GroupWorld(grouped, [
      about('db', [{ type: 'reassignIncident', user_id: 'lin' }]),
    ]);
    done.sends(disk('db-1'));
    assert.equal(done.sends(disk('db-2'), 1).outcome, 'grouped', 'it has been done already');
    const quiet = new GroupWorld(grouped, [about('db', [{ type: 'acknowledgeIncident' }])]);
    quiet.sends(disk('db-1'));
    assert.equal(quiet.sends(disk('db-2'), 1).outcome, 'opened');
  });

  test('opens another once there are a thousand', () => {
    const world = new GroupWorld();
    world.sends(disk('db-0'));
    for (let index = 1; index < 1_000; index += 1) world.sends(disk(`db-${index}`));
    const next = world.sends(disk('db-1000'));
    assert.equal(next.outcome, 'opened');
    const texts = next.outcomes.flatMap(({ entries }) => entries.map(({ text }) => text));
    assert.ok(texts.includes('Continues INC-1, which has 1000 alerts'), texts.join());
    assert.equal(world.sends(disk('db-1001')).incidentId, 'incident2');
  });

  test('counts auto_resolve from the last join', () => {
    const autoResolve = { after: 1, unit: 'hours' } as const;
    const world = new GroupWorld({ ...grouped, autoResolve });
    world.sends(disk('db-1'));
    world.sends(disk('db-2'), 40);
    assert.deepEqual(world.incident(1).escalation.resolveAt, later(100));
  });
});

describe('what the pages did not show', () => {
  test('pages: a worse alert that joins starts again, acknowledged or not', () => {
    for (const isAcknowledged of [true, false]) {
      const world = new GroupWorld();
      world.sends(disk('db-1', { priority: 'p3' }));
      if (isAcknowledged) world.does(1, { type: 'acknowledge', by: eve }, 1);
      const worse = world.sends(disk('db-2', { priority: 'p1' }), 2);
      assert.deepEqual(pagesOf(worse), ['page ada by email']);
      assert.deepEqual(typesOf(worse), [
        'alert_joined',
        'worse',
        isAcknowledged ? 'unacknowledged' : 'paged_again',
        'step_ran',
      ]);
      const { status, priority, title } = world.incident(1);
      assert.deepEqual([status, priority, title], ['triggered', 'p1', 'Disk full on db-2']);
      assert.deepEqual(pagesOf(world.sends(disk('db-3', { priority: 'p1' }), 3)), [], 'only once');
      assert.deepEqual(pagesOf(world.sends(disk('db-2', { priority: 'p1' }), 4)), []);
    }
  });

  test('pages: the same alert, worse than before', () => {
    const world = new GroupWorld(buildIntegration());
    world.sends(disk('db-1', { severity: 'sev3' }));
    world.does(1, { type: 'acknowledge', by: eve }, 1);
    assert.deepEqual(pagesOf(world.sends(disk('db-1', { severity: 'sev1' }), 2)), [
      'page ada by email',
    ]);
    world.does(1, { type: 'acknowledge', by: eve }, 3);
    assert.deepEqual(pagesOf(world.sends(disk('db-1', { severity: 'sev1' }), 4)), []);
  });

  test('does not page for what a person set lower, more than once', () => {
    const world = new GroupWorld();
    world.sends(disk('db-1', { priority: 'p3' }));
    world.does(1, { type: 'set_priority', by: eve, to: 'p5' }, 1);
    assert.deepEqual(pagesOf(world.sends(disk('db-2', { priority: 'p3' }), 2)), []);
    assert.deepEqual(pagesOf(world.sends(disk('db-3', { priority: 'p1' }), 3)), [
      'page ada by email',
    ]);
    assert.equal(world.incident(1).priority, 'p5');
    assert.deepEqual(pagesOf(world.sends(disk('db-4', { priority: 'p1' }), 4)), []);
  });

  test('waits for the first page if that is to come', () => {
    const world = new GroupWorld({ ...grouped, policy: { ...grouped.policy, delayMinutes: 5 } });
    world.sends(disk('db-1', { priority: 'p3' }));
    assert.deepEqual(pagesOf(world.sends(disk('db-2', { priority: 'p1' }), 1)), []);
    assert.deepEqual(world.incident(1).escalation.stepAt, later(5));
  });

  test('ends a mute for good, and waits for one that ends', () => {
    for (const until of [later(60), null]) {
      const world = new GroupWorld(buildIntegration());
      world.sends(disk('db-1', { severity: 'sev3' }));
      world.does(1, { type: 'mute', by: eve, until }, 1);
      const worse = world.sends(disk('db-1', { severity: 'sev1' }), 2);
      assert.equal(pagesOf(worse).length, until === null ? 1 : 0);
      assert.equal(typesOf(worse).includes('unmuted'), until === null);
      if (until === null) continue;
      const ended = world.does(1, { type: 'timer' }, 60);
      assert.deepEqual(paged(ended), ['page ada by email']);
    }
  });

  test('is paged once no step is left, at most every five minutes', () => {
    const world = new GroupWorld({ ...withSteps([byMail('ada')]), grouping: grouped.grouping });
    world.sends(disk('db-1'));
    assert.deepEqual(pagesOf(world.sends(disk('db-2'))), [], 'the page shows it');
    const soon = world.sends(disk('db-3'), 1);
    assert.deepEqual([pagesOf(soon), typesOf(soon)], [[], ['alert_joined', 'paged_again']]);
    assert.deepEqual(typesOf(world.sends(disk('db-4'), 2)), ['alert_joined']);
    // The page was taken.
    const one = world.incident(1);
    const taken = { ...one, escalation: { ...one.escalation, takenBy: null } };
    world.incidents = [taken];
    assert.deepEqual(paged(world.does(1, { type: 'timer' }, 5)), ['page ada by email']);
    const late = world.sends(disk('db-5'), 20);
    assert.deepEqual(pagesOf(late), ['page ada by email']);
  });
});

describe('the end of an alert', () => {
  test('leaves the incident open while another fires', () => {
    const world = new GroupWorld();
    world.sends(disk('db-1'));
    world.sends(disk('db-2'));
    const first = world.sends(disk('db-1', { action: 'resolve' }), 1);
    assert.deepEqual([first.outcome, typesOf(first)], ['resolved', ['alert_resolved']]);
    assert.equal(world.incident(1).status, 'triggered');
    assert.equal(world.sends(disk('db-1', { action: 'resolve' }), 2).outcome, 'ignored');
    const again = world.sends(disk('db-1'), 3);
    assert.deepEqual([again.outcome, pagesOf(again)], ['suppressed', []]);
    assert.deepEqual(world.states(1)[0], ['db-1', 'firing', 2]);
    world.sends(disk('db-1', { action: 'resolve' }), 4);
    const last = world.sends(disk('db-2', { action: 'resolve' }), 5);
    assert.deepEqual(typesOf(last), ['resolved']);
    assert.equal(world.incident(1).status, 'resolved');
    assert.deepEqual(countAlerts(world.incident(1)), { firing: 0, total: 2 });
    assert.equal(world.sends(disk('db-2'), 6).outcome, 'opened');
  });

  test('by a person is that of all, and reopening has those fire again that ended with it', () => {
    const world = new GroupWorld();
    world.sends(disk('db-1'));
    world.sends(disk('db-2'));
    world.sends(disk('db-3'));
    world.sends(disk('db-3', { action: 'resolve' }), 1);
    world.does(1, { type: 'resolve', by: eve }, 2);
    assert.deepEqual(countAlerts(world.incident(1)), { firing: 0, total: 3 });
    world.does(1, { type: 'reopen', by: eve, anotherIsOpen: false }, 3);
    assert.deepEqual(
      world.states(1).map(([key, state]) => [key, state]),
      [
        ['db-1', 'firing'],
        ['db-2', 'firing'],
        ['db-3', 'resolved'],
      ],
    );
  });

  test('by silence is each alert’s own', () => {
    const world = new GroupWorld();
    world.sends(disk('db-1', { expires_at: later(5) }));
    world.sends(disk('db-2', { expires_at: later(9) }));
    assert.deepEqual(world.incident(1).escalation.expiresAt, later(5));
    world.sends(disk('db-1', { expires_at: later(7) }), 2);
    assert.deepEqual(world.incident(1).escalation.expiresAt, later(7));
    assert.deepEqual(entryTypes(world.does(1, { type: 'timer' }, 7)), ['alert_resolved']);
    assert.deepEqual(world.incident(1).escalation.expiresAt, later(9));
    world.sends(disk('db-1', { expires_at: later(20) }), 8);
    assert.deepEqual(entryTypes(world.does(1, { type: 'timer' }, 9)), ['alert_resolved']);
    assert.deepEqual(entryTypes(world.does(1, { type: 'timer' }, 20)), ['expired', 'resolved']);
  });

  test('an acknowledgement by the tool acknowledges the incident only of its only firing alert', () => {
    const world = new GroupWorld();
    world.sends(disk('db-1'));
    world.sends(disk('db-2'));
    const first = world.sends(disk('db-1', { action: 'acknowledge' }), 1);
    assert.deepEqual([first.outcome, typesOf(first)], ['ignored', ['unchanged']]);
    world.sends(disk('db-2', { action: 'resolve' }), 2);
    assert.equal(world.sends(disk('db-1', { action: 'acknowledge' }), 3).outcome, 'acknowledged');
    assert.equal(world.incident(1).status, 'acknowledged');
  });
});

describe('what alerts are grouped by', () => {
  const keyOf = (by: readonly string[], fields: Partial<AlertEvent> = {}) => {
    const integration = { ...grouped, grouping: { by, window: null } };
    const { configuration } = new GroupWorld(integration);
    const context = { configuration, now: later(0) };
    return groupOf(integration, buildAlert(fields), context)?.key ?? null;
  };
  const labels = { cluster: 'eu', 'a.b': 1, list: ['x', 'y'], long: 'x'.repeat(10_000) };
  const details = { labels };

  test('is equal for equal values alone, whatever they are', () => {
    for (const path of ['labels.cluster', 'labels.a.b', 'labels.list', 'labels.long', 'labels']) {
      const by = [`details.${path}`];
      assert.equal(keyOf(by, { details, dedup_key: 'a' }), keyOf(by, { details, dedup_key: 'b' }));
      assert.notEqual(keyOf(by, { details }), null, path);
    }
    const differing = { labels: { ...labels, long: `${'x'.repeat(9_999)}y` } };
    assert.notEqual(
      keyOf(['details.labels.long'], { details }),
      keyOf(['details.labels.long'], { details: differing }),
    );
    assert.notEqual(keyOf(['title'], { title: '1' }), keyOf(['service', 'title'], { title: '1' }));
  });

  test('is nothing if one is missing', () => {
    for (const by of [['details.labels.zone'], ['severity'], ['group'], ['title', 'priority'], []])
      assert.equal(keyOf(by, { details }), null, by.join());
    assert.equal(keyOf(['details.x'], { details: { x: null } }), null);
    assert.equal(keyOf(['title'], { raw_key: 'none' }), null);
  });
});

test('what one request says of many alerts is one entry', () => {
  const about = (type: string, text: string, details: object): Entry => ({
    incident_id: 'i',
    type,
    text,
    actor: null,
    details,
  });
  const joined = ['a', 'b', 'c', 'd', 'e'].map((title) =>
    about('alert_joined', `${title} joined`, { event_id: 'e1', title }),
  );
  const note = about('alert_note', 'The sender omitted 3 more alerts', { event_id: 'e1' });
  const [first] = joined;
  assert.ok(first);
  const other = about('alert_joined', 'f joined', { event_id: 'e2', title: 'f' });
  const step = about('step_ran', 'Step 1', {});
  assert.deepEqual(
    combineEntries([...joined.slice(0, 2), step, note, { ...note }, ...joined.slice(2), other]).map(
      ({ text }) => text,
    ),
    ['5 alerts joined: a, b, c, 2 more', 'Step 1', 'The sender omitted 3 more alerts', 'f joined'],
  );
  assert.deepEqual(combineEntries([first, step]), [first, step]);
  const [together] = combineEntries(joined);
  assert.deepEqual(
    [together, other].map((one) => titlesIn(one?.details)),
    [['a', 'b', 'c'], ['f']],
  );
  assert.deepEqual(titlesIn(null), []);
});
