import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { actionTargets, buildPerforming, buildPlaybook } from '../../../test/action-targets.ts';
import { anyFields } from '../../../test/any-fields.ts';
import { buildConfiguration } from '../../../test/configuration.ts';
import { byMail, eve, Life, later, noon, paged } from '../../../test/incident-life.ts';
import { playbook } from '../../resources/playbook.ts';
import { NotConfigured, type RoutedIntegration } from '../configuration.ts';
import { type Incident, newCycle } from '../incident.ts';
import type { IncidentEvent } from '../lifecycle.ts';
import { perform } from './perform.ts';
import type { Action } from './perform-context.ts';

const triggered = new Life().incident;
const acknowledged = inLife({ type: 'acknowledge', by: eve });
const resolved = inLife({ type: 'resolve', by: eve });
const muted = inLife({ type: 'mute', by: eve, until: null });
const byPerson: Incident = {
  ...triggered,
  priority: 'p2',
  escalation: { ...triggered.escalation, prioritySetByPerson: true, severitySetByPerson: true },
};

function inLife(event: IncidentEvent): Incident {
  const life = new Life();
  life.does(event, 1);
  return life.incident;
}

type Row = {
  readonly title: string;
  readonly action: Action;
  readonly on?: Incident;
  readonly options?: Parameters<typeof buildPerforming>[0];
  readonly entry: string;
  readonly pages?: readonly string[];
  /** All that changes of the incident, and of its escalation. */
  readonly changes?: Partial<Omit<Incident, 'escalation'>>;
  readonly escalation?: Partial<Incident['escalation']>;
};

const opening = { isOpening: true };
const requested = { occasion: 'incident_requested' } as const;
const { now } = buildPerforming();
const pagesBoss = ['page boss by email'];
const ofManagers = { escalation_policy_id: 'managers', steps: [byMail('boss')] };
const ofMail = { ...ofManagers, integration_id: 'mail' };
const anew = { ...newCycle, cycle: 1 };
const running = { ...anew, nextStep: 1, pagedInCycle: true, stepAt: null };
/** Its first step has three minutes until one of its pages must be tried. */
const cycle = {
  steppedAt: now,
  ...running,
  takenBy: now.add({ minutes: 3 }),
};
const unpaged = { ...anew, nextStep: 0, pagedInCycle: false };
/** Nobody waits for its pages. */
const awaitingNothing = { takenBy: null, takenByRemainingMs: null };

const rows: readonly Row[] = [
  {
    title: 'priority sets it, and not as a person does',
    action: { type: 'priority', priority: 'p1' },
    entry: 'rule_applied: The rule Night set the priority to P1',
    changes: { priority: 'p1' },
  },
  {
    title: 'priority leaves alone what a person set',
    action: { type: 'priority', priority: 'p1' },
    on: byPerson,
    entry: 'action_failed: The rule Night could not set the priority: a person set it to P2',
  },
  {
    title: 'priority overrides a person when a person asks for it',
    action: { type: 'priority', priority: 'p1' },
    on: byPerson,
    options: requested,
    entry: 'rule_applied: The rule Night set the priority to P1',
    changes: { priority: 'p1' },
  },
  {
    title: 'priority is noted when it is so already',
    action: { type: 'priority', priority: 'p1' },
    on: { ...triggered, priority: 'p1' },
    entry:
      'unchanged: The rule Night tried to set the priority, which changed nothing: it was already P1',
  },
  {
    title: 'severity sets it',
    action: { type: 'severity', severity: 'sev1' },
    entry: 'rule_applied: The rule Night set the severity to SEV1',
    changes: { severity: 'sev1' },
  },
  {
    title: 'severity leaves alone what a person took away',
    action: { type: 'severity', severity: 'sev1' },
    on: byPerson,
    entry: 'action_failed: The rule Night could not set the severity: a person set it to none',
  },
  {
    title: 'reassignIncident makes one the only responder, and tells them',
    action: { type: 'reassignIncident', user_id: 'lin' },
    on: { ...triggered, responder_ids: ['ada'] },
    entry: 'rule_applied: The rule Night assigned it to lin',
    pages: ['assigned lin by email'],
    changes: { responder_ids: ['lin'] },
  },
  {
    title: 'reassignIncident does not give it to somebody inactive',
    action: { type: 'reassignIncident', user_id: 'away' },
    entry: 'action_failed: The rule Night could not reassign it: Away is not active',
  },
  {
    title: 'addResponder asks one more',
    action: { type: 'addResponder', user_id: 'lin' },
    on: { ...triggered, responder_ids: ['ada'] },
    entry: 'rule_applied: The rule Night added lin as responder',
    pages: ['responder_added lin by email'],
    changes: { responder_ids: ['ada', 'lin'] },
  },
  {
    title: 'pagePerson pages beside the policy, which runs on',
    action: { type: 'pagePerson', user_id: 'lin', via: 'sms' },
    entry: 'rule_applied: The rule Night pages lin by SMS',
    pages: ['page lin by sms'],
  },
  {
    title: 'pagePerson says why somebody cannot be reached',
    action: { type: 'pagePerson', user_id: 'lin', via: 'phone' },
    entry: 'action_failed: The rule Night could not page someone: lin by phone: channel not set up',
  },
  {
    title: 'pagePerson pages nobody after an acknowledgement',
    action: { type: 'pagePerson', user_id: 'lin', via: 'sms' },
    on: acknowledged,
    entry: 'action_failed: The rule Night could not page someone: it is acknowledged',
  },
  {
    title: 'pagePerson pages nobody during a mute',
    action: { type: 'pagePerson', user_id: 'lin', via: 'sms' },
    on: muted,
    entry: 'action_failed: The rule Night could not page someone: it is muted',
  },
  {
    title: 'escalationPolicy starts a cycle of the other policy',
    action: { type: 'escalationPolicy', escalation_policy_id: 'managers' },
    entry: 'rule_applied: The rule Night changed the policy to Managers',
    pages: pagesBoss,
    changes: ofManagers,
    escalation: { ...cycle, policyName: 'Managers' },
  },
  {
    title: 'escalationPolicy pages nobody of its own while an incident opens',
    action: { type: 'escalationPolicy', escalation_policy_id: 'managers' },
    options: opening,
    entry: 'rule_applied: The rule Night changed the policy to Managers',
    changes: ofManagers,
    escalation: { policyName: 'Managers' },
  },
  {
    title: 'escalationPolicy waits with an acknowledged one until it pages again',
    action: { type: 'escalationPolicy', escalation_policy_id: 'managers' },
    on: acknowledged,
    entry: 'rule_applied: The rule Night changed the policy to Managers',
    changes: ofManagers,
    escalation: { ...unpaged, policyName: 'Managers' },
  },
  {
    title: 'escalationPolicy holds its first page during a mute',
    action: { type: 'escalationPolicy', escalation_policy_id: 'managers' },
    on: muted,
    entry: 'rule_applied: The rule Night changed the policy to Managers',
    changes: ofManagers,
    escalation: { ...unpaged, policyName: 'Managers', stepRemainingMs: 0 },
  },
  {
    title: 'escalationPolicy starts nothing anew with the policy it has',
    action: { type: 'escalationPolicy', escalation_policy_id: 'policy' },
    entry:
      'unchanged: The rule Night tried to change the escalation policy, which changed nothing: it was already Ops',
  },
  {
    title: 'integration moves it to that service and policy, and pages anew',
    action: { type: 'integration', integration_id: 'mail' },
    entry: 'rule_applied: The rule Night moved it to Mail, on Shop',
    pages: pagesBoss,
    changes: ofMail,
    escalation: {
      ...cycle,
      policyName: 'Managers',
      repeats: true,
      stepAt: now.add({ minutes: 10 }),
    },
  },
  {
    title: 'integration leaves it where it is when that one takes no events',
    action: { type: 'integration', integration_id: 'gone' },
    entry:
      'action_failed: The rule Night could not move it to another integration: the integration is archived',
  },
  {
    title: 'integration does not lead to another team',
    action: { type: 'integration', integration_id: 'theirs' },
    entry:
      'action_failed: The rule Night could not move it to another integration: the integration Theirs belongs to another team',
  },
  {
    title: 'routeToTeam leads to another team by its integration',
    action: { type: 'routeToTeam', team_id: 'others', integration_id: 'theirs' },
    options: opening,
    entry: 'rule_applied: The rule Night moved it to Theirs, on Shop',
    changes: { ...ofManagers, integration_id: 'theirs', team_id: 'others' },
    escalation: { policyName: 'Managers' },
  },
  {
    title: 'routeToTeam fails when the integration is not of that team',
    action: { type: 'routeToTeam', team_id: 'others', integration_id: 'mail' },
    entry:
      'action_failed: The rule Night could not route it to another team: the integration Mail belongs to another team',
  },
  {
    title: 'outboundWebhook calls it',
    action: { type: 'outboundWebhook', outbound_webhook_id: 'desk' },
    entry: 'rule_applied: The rule Night calls the webhook Desk',
    pages: ['webhook Desk by webhook'],
  },
  {
    title: 'outboundWebhook calls it for a resolved incident too',
    action: { type: 'outboundWebhook', outbound_webhook_id: 'desk' },
    on: resolved,
    entry: 'rule_applied: The rule Night calls the webhook Desk',
    pages: ['webhook Desk by webhook'],
  },
  {
    title: 'outboundWebhook calls no archived one',
    action: { type: 'outboundWebhook', outbound_webhook_id: 'closed' },
    entry: 'action_failed: The rule Night could not call a webhook: the webhook Closed is archived',
  },
  {
    title: 'resolveTimer counts from now',
    action: { type: 'resolveTimer', after: 2, unit: 'hours' },
    entry: 'rule_applied: The rule Night set it to resolve automatically in 2 hours',
    escalation: { resolveAt: now.add({ hours: 2 }) },
  },
  {
    title: 'acknowledgeIncident stops the policy',
    action: { type: 'acknowledgeIncident' },
    entry: 'acknowledged: The rule Night acknowledged, so nobody else is paged',
    changes: { status: 'acknowledged', acknowledged_at: now },
    escalation: { stepAt: null, isAcknowledgedByRule: true, ...awaitingNothing },
  },
  {
    title: 'resolveIncident ends it',
    action: { type: 'resolveIncident' },
    entry: 'resolved: The rule Night resolved',
    changes: { status: 'resolved', resolved_at: now },
    escalation: { stepAt: null, recentTriggers: [], ...awaitingNothing },
  },
  {
    title: 'ignoreIncident does nothing to an incident that is there',
    action: { type: 'ignoreIncident' },
    entry: 'nothing',
  },
  {
    title: 'title is made from what is known of the incident',
    action: { type: 'title', template: '[shop] {{title}}' },
    entry: 'rule_applied: The rule Night changed the title to [shop] Disk full',
    changes: { title: '[shop] Disk full' },
    escalation: { isTitled: true },
  },
  {
    title: 'title stays when nothing would be left of it',
    action: { type: 'title', template: '{{details.shop}}' },
    entry:
      'unchanged: The rule Night tried to change the title, which changed nothing: it was already the same',
  },
  {
    title: 'note is made from what is known of the incident',
    action: { type: 'note', text: 'See the runbook of {{title}}.' },
    on: resolved,
    entry: 'note: See the runbook of Disk full.',
  },
  {
    title: 'note is not written when it would be empty',
    action: { type: 'note', text: '{{details.shop}}' },
    entry: 'action_failed: The rule Night could not write a note: the note is empty',
  },
  {
    title: 'addLink adds it',
    action: { type: 'addLink', href: 'https://wiki.example.test/', text: 'Runbook' },
    entry: 'rule_applied: The rule Night added the link Runbook',
    changes: { links: [{ href: 'https://wiki.example.test/', text: 'Runbook' }] },
  },
  {
    title: 'addLink adds none twice',
    action: { type: 'addLink', href: 'https://wiki.example.test/' },
    on: { ...triggered, links: [{ href: 'https://wiki.example.test/' }] },
    entry:
      'unchanged: The rule Night tried to add a link, which changed nothing: the incident already has it',
  },
];

describe('an action', () => {
  for (const { title, action, on = triggered, options, ...then } of rows)
    test(title, () => {
      const { incident, entries, intents } = perform(on, action, buildPerforming(options));
      const [first] = entries;
      assert.equal(first ? `${first.type}: ${first.text}` : 'nothing', then.entry);
      assert.deepEqual(paged({ incident, entries, intents, allClear: false }), then.pages ?? []);
      const changes = { ...then.changes, ...(incident !== on && { updated_at: now }) };
      const escalation = { ...on.escalation, ...then.escalation };
      assert.deepEqual(incident, { ...on, ...changes, escalation });
    });
});

test('the first entry of every action names the rule and the action', () => {
  for (const { title, action, on = triggered, options, entry } of rows) {
    if (entry === 'nothing') continue;
    const [first] = perform(on, action, buildPerforming(options)).entries;
    assert.equal(first?.actor?.id, 'night', title);
    assert.partialDeepStrictEqual(first.details, { rule_id: 'night', action: action.type }, title);
  }
});

test('a note that was cut holds no half of a letter', () => {
  const text = `${'x'.repeat(9_999)}😀`;
  const [first] = perform(triggered, { type: 'note', text }, buildPerforming()).entries;
  assert.equal(first?.text.isWellFormed(), true);
});

describe('a move', () => {
  const [mail] = actionTargets.integrations;
  assert.ok(mail);
  /** To an integration with these timers. */
  const movedTo = (on: Incident, timers: Partial<RoutedIntegration>) => {
    const integrations = [{ ...mail, ...timers }];
    const performing = buildPerforming({ configuration: buildConfiguration({ integrations }) });
    const action = { type: 'integration', integration_id: 'mail' } as const;
    return perform(on, action, performing).incident.escalation;
  };
  const anHour = { autoResolve: { after: 1, unit: 'hours' } } as const;

  test('sets the resolve timer of the other integration, from the creation on', () => {
    assert.deepEqual(movedTo(triggered, anHour).resolveAt, noon.add({ hours: 1 }));
  });

  test('leaves a resolve timer that a rule has set', () => {
    const timer = { type: 'resolveTimer', after: 5, unit: 'minutes' } as const;
    const { incident } = perform(triggered, timer, buildPerforming());
    assert.deepEqual(movedTo(incident, anHour).resolveAt, later(15));
  });

  test('counts the ack timeout of the other integration, from the acknowledgement on', () => {
    assert.deepEqual(movedTo(acknowledged, { ackTimeoutMinutes: 30 }).ackTimeoutAt, later(31));
    const { escalation } = acknowledged;
    const timed = { ...acknowledged, escalation: { ...escalation, ackTimeoutAt: later(60) } };
    assert.equal(movedTo(timed, { ackTimeoutMinutes: null }).ackTimeoutAt, null);
    assert.equal(movedTo(triggered, { ackTimeoutMinutes: 30 }).ackTimeoutAt, null);
  });
});

test('an archived policy pages by its last steps, with a warning', () => {
  const action = { type: 'escalationPolicy', escalation_policy_id: 'old' } as const;
  const { entries, intents } = perform(triggered, action, buildPerforming());
  assert.deepEqual(
    intents.map(({ recipient }) => recipient),
    ['boss'],
  );
  assert.equal(entries[1]?.text, 'The policy Old is archived, so its last steps are used');
});

test('a webhook’s call says on what occasion, and who asked for it', () => {
  const action = { type: 'outboundWebhook', outbound_webhook_id: 'desk' } as const;
  const performing = buildPerforming({ occasion: 'incident_acknowledged' });
  const [intent] = perform(acknowledged, action, performing).intents;
  assert.deepEqual(intent, {
    key: 'incident/webhook/desk/run',
    incident_id: 'incident',
    kind: 'webhook',
    channel: 'webhook',
    address: 'desk',
    user_id: null,
    recipient: 'Desk',
    mention: null,
    why: 'The rule Night',
    cycle: 0,
    step: -1,
    rank: 2,
    occasion: 'incident_acknowledged',
  });
});

const playbooks = [
  buildPlaybook({ id: 'empty', actions: [] }),
  buildPlaybook({ id: 'disabled', enabled: false }),
];
const anyPlaybook = anyFields(playbook, {
  user: ['ada', 'lin', 'away'],
  team: ['team', 'others'],
  escalation_policy: ['policy', 'managers', 'old'],
  integration: ['mail', 'gone', 'theirs'],
  outbound_webhook: ['desk', 'closed'],
  playbook: ['empty', 'disabled'],
});
const anyAction = anyPlaybook.map(({ actions }) => (actions as readonly Action[])[0] as Action);
const anyIncident = fc.constantFrom(triggered, acknowledged, resolved, muted, byPerson);

test('no action throws, and each but one that ignores says something', () => {
  fc.assert(
    fc.property(anyIncident, anyAction, fc.boolean(), (incident, action, isOpening) => {
      const outcome = perform(incident, action, buildPerforming({ isOpening, playbooks }));
      assert.notEqual(outcome.entries.length, 0);
      assert.equal(
        outcome.entries.every((one) => one.incident_id === incident.id),
        true,
      );
    }),
  );
});

test('what is done twice in one run tells nobody anew', () => {
  fc.assert(
    fc.property(anyIncident, anyAction, (incident, action) => {
      const keys = (at: number) =>
        perform(incident, action, buildPerforming({ now: later(at), playbooks })).intents.map(
          ({ key }) => key,
        );
      assert.deepEqual(keys(30), keys(20));
      assert.equal(new Set(keys(20)).size, keys(20).length);
    }),
  );
});

test('done again, an action leaves the incident as the first time did', () => {
  fc.assert(
    fc.property(anyIncident, anyAction, (incident, action) => {
      const performing = buildPerforming({ isOpening: true, playbooks });
      const once = perform(incident, action, performing).incident;
      const again = perform(once, action, performing).incident;
      // A template may hold the title itself.
      if (action.type !== 'title') assert.deepEqual(again, once);
    }),
  );
});

test('what an action names and the configuration lacks is a fault, and no answer', () => {
  const missing: readonly Action[] = [
    { type: 'reassignIncident', user_id: 'nobody' },
    { type: 'pagePerson', user_id: 'nobody', via: 'email' },
    { type: 'escalationPolicy', escalation_policy_id: 'none' },
    { type: 'integration', integration_id: 'none' },
    { type: 'outboundWebhook', outbound_webhook_id: 'none' },
    { type: 'playbook', playbook_id: 'none' },
  ];
  for (const action of missing)
    assert.throws(() => perform(triggered, action, buildPerforming()), NotConfigured, action.type);
});
