import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  buildIntegration,
  entryTypes,
  eve,
  Life,
  later,
  noon,
  paged,
} from '../../test/incident-life.ts';
import { forGood, type Incident, type Status } from './incident.ts';
import type { IncidentEvent } from './lifecycle.ts';

const ackAfterHour = buildIntegration({ ackTimeoutMinutes: 60 });

/** An incident in that status, a minute after it paged Ada. */
function inStatus(status: Status): Life {
  const life = new Life({ integration: ackAfterHour });
  if (status === 'acknowledged') life.does({ type: 'acknowledge', by: eve }, 1);
  if (status === 'resolved') life.does({ type: 'resolve', by: eve }, 1);
  return life;
}

const other: Incident = { ...new Life().incident, id: 'other', number: 8 };

type Cell = {
  readonly status: Status | 'refused';
  readonly entries: string;
  readonly pages: string;
};
type Row = { readonly event: IncidentEvent; readonly cells: Readonly<Record<Status, Cell>> };
const cell = (status: Status | 'refused', entries: string, pages = ''): Cell => ({
  status,
  entries,
  pages,
});
const refused = cell('refused', 'refused', 'refused');

const table: readonly Row[] = [
  {
    event: { type: 'acknowledge', by: eve },
    cells: {
      triggered: cell('acknowledged', 'acknowledged'),
      acknowledged: cell('acknowledged', 'unchanged'),
      resolved: refused,
    },
  },
  {
    event: { type: 'unacknowledge', by: eve },
    cells: {
      triggered: cell('triggered', 'unchanged'),
      acknowledged: cell('triggered', 'unacknowledged step_ran', 'page ada by email'),
      resolved: refused,
    },
  },
  {
    event: { type: 'escalate', by: eve },
    cells: {
      triggered: cell('triggered', 'escalated step_ran', 'page lin by email'),
      acknowledged: cell('triggered', 'escalated step_ran', 'page lin by email'),
      resolved: refused,
    },
  },
  {
    event: { type: 'resolve', by: eve },
    cells: {
      triggered: cell('resolved', 'resolved'),
      acknowledged: cell('resolved', 'resolved'),
      resolved: cell('resolved', 'unchanged'),
    },
  },
  {
    event: { type: 'reopen', by: eve, anotherIsOpen: false },
    cells: {
      triggered: refused,
      acknowledged: refused,
      resolved: cell('triggered', 'reopened step_ran', 'page ada by email'),
    },
  },
  {
    event: { type: 'mute', by: eve, until: later(90) },
    cells: {
      triggered: cell('triggered', 'muted'),
      acknowledged: cell('acknowledged', 'muted'),
      resolved: refused,
    },
  },
  {
    event: { type: 'merge', by: eve, into: other },
    cells: {
      triggered: cell('resolved', 'merged'),
      acknowledged: cell('resolved', 'merged'),
      resolved: refused,
    },
  },
  {
    event: { type: 'set_verdict', by: eve, to: 'false_alarm' },
    cells: { triggered: refused, acknowledged: refused, resolved: cell('resolved', 'verdict') },
  },
];

describe('actions by status', () => {
  for (const { event, cells } of table)
    for (const status of ['triggered', 'acknowledged', 'resolved'] as const)
      test(`${event.type} on ${status}: ${cells[status].entries}`, () => {
        const life = inStatus(status);
        const outcome = life.does(event, 2);
        const becomes = 'refused' in outcome ? 'refused' : outcome.incident.status;
        const seen = {
          status: becomes,
          entries: entryTypes(outcome).join(' '),
          pages: paged(outcome).join(', '),
        };
        assert.deepEqual(seen, cells[status]);
        if (!('refused' in outcome))
          for (const entry of outcome.entries.slice(0, 1)) assert.deepEqual(entry.actor, eve);
      });
});

test('an acknowledgement stops the policy and starts the ack timeout', () => {
  const life = inStatus('acknowledged');
  assert.equal(life.escalation.stepAt, null);
  assert.deepEqual(life.escalation.ackTimeoutAt, later(61));
  assert.deepEqual(life.incident.acknowledged_at, later(1));
  assert.deepEqual(life.wakes(60), []);
  assert.deepEqual(life.wakes(61), ['page ada by email']);
  assert.equal(life.incident.status, 'triggered');
  assert.equal(life.escalation.cycle, 1);
});

test('without an ack timeout an acknowledgement holds for ever', () => {
  const life = new Life();
  life.does({ type: 'acknowledge', by: eve }, 1);
  assert.equal(life.escalation.ackTimeoutAt, null);
  assert.deepEqual(life.wakes(100_000), []);
});

test('an acknowledgement taken back starts a cycle without the delay and with all repeats', () => {
  const integration = buildIntegration({
    repeats: true,
    policy: { ...buildIntegration().policy, delayMinutes: 30 },
  });
  const life = new Life({ integration });
  for (const at of [30, 35, 45]) life.wakes(at);
  assert.equal(life.escalation.repeatsLeft, 4);
  life.does({ type: 'acknowledge', by: eve }, 46);
  assert.deepEqual(paged(life.does({ type: 'unacknowledge', by: eve }, 47)), ['page ada by email']);
  assert.equal(life.escalation.repeatsLeft, 5);
});

test('escalating after the last step starts a new cycle at step 1', () => {
  const life = new Life();
  life.wakes(5);
  const outcome = life.does({ type: 'escalate', by: eve }, 6);
  assert.deepEqual(paged(outcome), ['page ada by email']);
  assert.equal(life.escalation.cycle, 1);
});

test('escalating counts the next wait from now', () => {
  const life = new Life({ integration: ackAfterHour });
  life.wakes(5);
  life.does({ type: 'escalate', by: eve }, 6);
  assert.deepEqual(life.escalation.stepAt, later(11));
});

test('a resolve tells those who were paged that it is over, a merge does not', () => {
  for (const [event, allClear] of [
    [{ type: 'resolve', by: eve }, true],
    [{ type: 'merge', by: eve, into: other }, false],
  ] as const) {
    const outcome = new Life().does(event, 1);
    assert.equal('refused' in outcome ? null : outcome.allClear, allClear);
  }
});

test('a resolved incident has no timer left', () => {
  const life = new Life({
    integration: buildIntegration({
      ackTimeoutMinutes: 5,
      autoResolve: { after: 1, unit: 'hours' },
    }),
  });
  life.does({ type: 'resolve', by: eve }, 1);
  const { stepAt, ackTimeoutAt, resolveAt, expiresAt, stepRemainingMs } = life.escalation;
  assert.deepEqual(
    [stepAt, ackTimeoutAt, resolveAt, expiresAt, stepRemainingMs],
    [null, null, null, null, null],
  );
});

describe('reopening', () => {
  const reopen = { type: 'reopen', by: eve, anotherIsOpen: false } as const;
  const day = 24 * 60;

  test('is allowed until 24 hours after the resolve', () => {
    for (const [at, allowed] of [
      [1 + day - 0.001, true],
      [1 + day, false],
    ] as const)
      assert.equal('refused' in inStatus('resolved').does(reopen, at), !allowed);
  });

  test('is refused while another incident of the key is open', () => {
    assert.deepEqual(inStatus('resolved').does({ ...reopen, anotherIsOpen: true }, 2), {
      refused: 'another incident with the same key is open',
    });
  });

  test('is refused for a merged one', () => {
    const life = new Life();
    life.does({ type: 'merge', by: eve, into: other }, 1);
    assert.equal('refused' in life.does(reopen, 2), true);
  });

  test('counts auto_resolve from now and starts the repeats afresh', () => {
    const life = new Life({
      integration: buildIntegration({ repeats: true, autoResolve: { after: 1, unit: 'hours' } }),
    });
    life.does({ type: 'resolve', by: eve }, 1);
    life.does(reopen, 10);
    assert.deepEqual(life.escalation.resolveAt, later(70));
    assert.equal(life.escalation.repeatsLeft, 5);
    assert.equal(life.incident.resolved_at, null);
  });
});

describe('merging', () => {
  test('resolves it as merged into the other', () => {
    const life = new Life();
    life.does({ type: 'merge', by: eve, into: other }, 1);
    assert.equal(life.incident.merged_into_id, 'other');
    assert.equal(life.incident.status, 'resolved');
  });

  test('is refused into itself and into a resolved one', () => {
    for (const into of [new Life().incident, { ...other, status: 'resolved' as const }])
      assert.equal('refused' in new Life().does({ type: 'merge', by: eve, into }, 1), true);
  });

  test('is told on the timeline of the other, which goes on and has the alerts of both', () => {
    const life = new Life();
    const before = life.incident;
    const merged = { ...other, dedup_key: 'load', title: 'Load', created_at: later(1) };
    const absorbed = { type: 'absorbed', by: eve, other: merged } as const;
    assert.deepEqual(entryTypes(life.does(absorbed, 1)), ['absorbed']);
    const { alerts, updated_at, escalation, ...rest } = life.incident;
    const { updated_at: _, escalation: own, ...unchanged } = before;
    assert.deepEqual(rest, unchanged);
    assert.deepEqual(escalation.stepAt, own.stepAt);
    assert.deepEqual(
      alerts?.map(({ dedup_key, title, state }) => [dedup_key, title, state]),
      [
        ['disk', 'Disk full', 'firing'],
        ['load', 'Load', 'firing'],
      ],
    );
  });
});

describe('labels and responders', () => {
  test('a priority set by a person is marked as such, and null removes it', () => {
    const life = new Life();
    life.does({ type: 'set_priority', by: eve, to: 'p1' }, 1);
    assert.equal(life.incident.priority, 'p1');
    assert.equal(life.escalation.prioritySetByPerson, true);
    life.does({ type: 'set_priority', by: eve, to: null }, 2);
    assert.equal(life.incident.priority, null);
    assert.deepEqual(entryTypes(life.does({ type: 'set_severity', by: eve, to: null }, 3)), [
      'unchanged',
    ]);
    assert.equal(life.escalation.severitySetByPerson, true, 'a word that changes nothing counts');
  });

  for (const [type, kind] of [
    ['reassign', 'assigned'],
    ['add_responder', 'responder_added'],
  ] as const)
    test(`${type} tells the user by e-mail and push, and the policy runs on`, () => {
      const life = new Life();
      const { stepAt } = life.escalation;
      const outcome = life.does({ type, by: eve, user: { id: 'lin', name: 'Lin' } }, 1);
      assert.deepEqual(paged(outcome), [`${kind} lin by email`]);
      assert.deepEqual(life.incident.responder_ids, ['lin']);
      assert.deepEqual(life.escalation.stepAt, stepAt);
    });

  test('a note changes nothing but the timeline', () => {
    const life = new Life();
    const before = life.incident;
    assert.deepEqual(entryTypes(life.does({ type: 'note', by: eve, text: 'on it' }, 1)), ['note']);
    assert.equal(life.incident, before);
  });
});

test('a mute for good has no end', () => {
  const life = new Life();
  life.does({ type: 'mute', by: eve, until: null }, 1);
  assert.deepEqual(life.incident.muted_until, forGood);
});

test('a mute that would end in the past is refused', () => {
  assert.equal('refused' in new Life().does({ type: 'mute', by: eve, until: noon }, 1), true);
});
