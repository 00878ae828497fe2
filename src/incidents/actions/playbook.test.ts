import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildPerforming, buildPlaybook } from '../../../test/action-targets.ts';
import { eve, Life, paged } from '../../../test/incident-life.ts';
import type { PlaybookAction } from '../../resources/action.ts';
import type { Playbook } from '../configuration.ts';
import type { Outcome } from '../incident.ts';
import { cancellationReason } from '../notice-cancellation.ts';
import { perform } from './perform.ts';
import { runPlaybook } from './playbook.ts';
import { actorOf } from './timeline-entries.ts';

const { incident } = new Life();
const note = (text: string): PlaybookAction => ({ type: 'note', text });
const run = (id: string): PlaybookAction => ({ type: 'playbook', playbook_id: id });
const textsOf = ({ entries }: Outcome) => entries.map((one) => one.text);

/** The first playbook runs, asked by Eve; it may name the others. */
function ran(...playbooks: readonly Playbook[]): Outcome {
  const [first] = playbooks;
  assert.ok(first);
  return runPlaybook(incident, first, buildPerforming({ by: eve, playbooks }));
}

test('its actions run in order, each in the name of the playbook', () => {
  const actions = [note('one'), { type: 'priority', priority: 'p1' }, note('two')] as const;
  const outcome = ran(buildPlaybook({ id: 'a', name: 'Outage', actions: [...actions] }));
  assert.deepEqual(textsOf(outcome), [
    'Eve ran the playbook Outage',
    'one',
    'The playbook Outage set the priority to P1',
    'two',
  ]);
  assert.equal(outcome.incident.priority, 'p1');
  assert.deepEqual(
    outcome.entries.map(({ type, actor, details }) => ({ type, by: actor?.id, details })),
    [
      { type: 'playbook_run', by: 'eve', details: { playbook_id: 'a' } },
      { type: 'note', by: 'a', details: { playbook_id: 'a', action: 'note' } },
      { type: 'playbook_applied', by: 'a', details: { playbook_id: 'a', action: 'priority' } },
      { type: 'note', by: 'a', details: { playbook_id: 'a', action: 'note' } },
    ],
  );
});

test('a note counts the alerts of the incident', () => {
  const noted = buildPlaybook({ id: 'a', name: 'A', actions: [note('{{alerts_total}} alerts')] });
  const several = { ...incident, alerts_firing: 2, alerts_total: 12 };
  const byHand = { ...incident, source_integration_id: null };
  const counts = [incident, several, byHand].map((one) =>
    textsOf(runPlaybook(one, noted, buildPerforming({ by: eve, playbooks: [noted] }))).at(-1),
  );
  assert.deepEqual(counts, ['1 alerts', '12 alerts', '0 alerts']);
});

test('an action that fails does not stop the rest', () => {
  const outcome = ran(
    buildPlaybook({
      id: 'a',
      name: 'Outage',
      actions: [
        { type: 'outboundWebhook', outbound_webhook_id: 'closed' },
        { type: 'outboundWebhook', outbound_webhook_id: 'desk' },
      ],
    }),
  );
  assert.deepEqual(textsOf(outcome).slice(1), [
    'The playbook Outage could not call a webhook: the webhook Closed is archived',
    'The playbook Outage calls the webhook Desk',
  ]);
  assert.deepEqual(paged(outcome), ['webhook Desk by webhook']);
});

test('what comes after the end of the incident is told as not done', () => {
  const actions = [{ type: 'resolveIncident' }, { type: 'priority', priority: 'p1' }, note('bye')];
  const outcome = ran(
    buildPlaybook({ id: 'a', name: 'End', actions: actions as PlaybookAction[] }),
  );
  assert.deepEqual(textsOf(outcome).slice(1), [
    'The playbook End resolved',
    'The playbook End could not set the priority: it is resolved',
    'bye',
  ]);
  assert.equal(outcome.allClear, true);
});

test('a playbook that is named runs where it is named', () => {
  const outcome = ran(
    buildPlaybook({ id: 'a', name: 'Outer', actions: [note('1'), run('b'), note('4')] }),
    buildPlaybook({ id: 'b', name: 'Inner', actions: [note('2'), note('3')] }),
  );
  assert.deepEqual(textsOf(outcome), [
    'Eve ran the playbook Outer',
    '1',
    'The playbook Outer ran the playbook Inner',
    '2',
    '3',
    '4',
  ]);
});

for (const [fields, reason] of [
  [{ archived: true }, 'is archived'],
  [{ enabled: false }, 'is disabled'],
] as const)
  test(`a playbook that ${reason} is skipped, and the rest goes on`, () => {
    const inner = buildPlaybook({ id: 'b', name: 'Inner', ...fields });
    const outcome = ran(
      buildPlaybook({ id: 'a', name: 'Outer', actions: [run('b'), note('on')] }),
      inner,
    );
    assert.deepEqual(textsOf(outcome).slice(1), [
      `The playbook Outer could not run a playbook: Inner ${reason}`,
      'on',
    ]);
    assert.deepEqual(paged(ran(inner)), []);
  });

test('a page to somebody is still wanted when the policy changes after it', () => {
  const outcome = ran(
    buildPlaybook({
      id: 'a',
      actions: [
        { type: 'pagePerson', user_id: 'lin', via: 'sms' },
        { type: 'escalationPolicy', escalation_policy_id: 'managers' },
      ],
    }),
  );
  assert.deepEqual(paged(outcome), ['page lin by sms', 'page boss by email']);
  for (const intent of outcome.intents)
    assert.equal(cancellationReason(intent, outcome.incident), null);
});

test('a loop is cut where it would begin again', () => {
  const outcome = ran(
    buildPlaybook({ id: 'a', name: 'A', actions: [run('b'), note('after')] }),
    buildPlaybook({ id: 'b', name: 'B', actions: [note('within'), run('a')] }),
  );
  assert.deepEqual(textsOf(outcome), [
    'Eve ran the playbook A',
    'The playbook A ran the playbook B',
    'within',
    'The playbook B could not run a playbook: A is already running and would never end',
    'after',
  ]);
});

test('a hundred actions run, and no more in one run', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => note(String(index)));
  const exactly = ran(buildPlaybook({ id: 'a', actions: hundred }));
  assert.equal(textsOf(exactly).at(-1), '99');
  const twice = [run('b'), run('b')];
  const tooMany = ran(
    buildPlaybook({ id: 'a', name: 'A', actions: twice }),
    buildPlaybook({ id: 'b', name: 'B', actions: hundred }),
  );
  assert.deepEqual(textsOf(tooMany).slice(-2), [
    '98',
    'The playbook B could not run a playbook: a run ends after 100 actions',
  ]);
});

test('playbooks that double at each level end as soon as any other', () => {
  const levels = Array.from({ length: 40 }, (_, level) =>
    buildPlaybook({ id: String(level), actions: [run(String(level + 1)), run(String(level + 1))] }),
  );
  const last = buildPlaybook({ id: '40' });
  assert.ok(ran(...levels, last).entries.length <= 102);
});

test('one that runs by itself says so, and overrides no person', () => {
  const playbook = buildPlaybook({
    id: 'a',
    name: 'Outage',
    actions: [{ type: 'priority', priority: 'p1' }],
  });
  const life = new Life();
  life.does({ type: 'set_priority', by: eve, to: 'p3' }, 1);
  const by = actorOf('playbook', playbook);
  assert.deepEqual(textsOf(runPlaybook(life.incident, playbook, buildPerforming({ by }))), [
    'The playbook Outage ran automatically',
    'The playbook Outage could not set the priority: a person set it to P3',
  ]);
});

test('a rule runs it in its own name', () => {
  const playbook = buildPlaybook({ id: 'a', name: 'Outage', actions: [note('seen')] });
  const performing = buildPerforming({ playbooks: [playbook] });
  const { entries } = perform(incident, { type: 'playbook', playbook_id: 'a' }, performing);
  assert.deepEqual(entries[0]?.details, { rule_id: 'night', playbook_id: 'a' });
  assert.equal(entries[0]?.text, 'The rule Night ran the playbook Outage');
});
