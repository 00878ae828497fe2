// Whatever rules and playbooks do to an incident, and people beside them, it is not forgotten.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { buildConfiguration } from '../../test/configuration.ts';
import { buildIntegration, byMail, eve, later, received } from '../../test/incident-life.ts';
import type { Condition } from '../resources/condition.ts';
import type { Rule } from '../rules/match-rule.ts';
import { advanceWithPlaybooks } from './actions/automatic-playbooks.ts';
import { performRequest } from './actions/requested-action.ts';
import type { Configuration, Playbook } from './configuration.ts';
import { type Incident, type Intent, type Outcome, type Refused, wakeAt } from './incident.ts';
import type { IncidentEvent } from './lifecycle.ts';

const { policy } = buildIntegration();
const night = { ...policy, id: 'night', delayMinutes: 3, steps: [byMail('lin', 5), byMail('ada')] };
const nobody = { ...policy, id: 'nobody', archived: true, steps: [byMail('stranger')] };
const integrations = [
  buildIntegration({ repeats: true }),
  buildIntegration({ integration_id: 'nobody', policy: nobody }),
  buildIntegration({
    integration_id: 'theirs',
    team_id: 'core',
    policy: night,
    ackTimeoutMinutes: 7,
    autoResolve: { after: 1, unit: 'hours' },
  }),
];

const action = fc.constantFrom<
  Exclude<Rule['actions'][number], { type: 'ignoreIncident' | 'groupIncident' }>
>(
  { type: 'priority', priority: 'p1' },
  { type: 'acknowledgeIncident' },
  { type: 'resolveIncident' },
  { type: 'resolveTimer', after: 4, unit: 'minutes' },
  { type: 'escalationPolicy', escalation_policy_id: 'night' },
  { type: 'escalationPolicy', escalation_policy_id: 'nobody' },
  { type: 'integration', integration_id: 'nobody' },
  { type: 'routeToTeam', team_id: 'core', integration_id: 'theirs' },
  { type: 'playbook', playbook_id: 'first' },
  { type: 'playbook', playbook_id: 'second' },
);
const actions = fc.array(action, { minLength: 1, maxLength: 4 });
const condition = fc.constantFrom<Condition>(
  { type: 'allIncidents' },
  { type: 'incidentSuppressed', count: 2 },
);
const rules = fc.array(fc.record({ condition, actions }), { maxLength: 3 }).map((all) =>
  all.map(({ condition, actions }, index): Rule => {
    const condition_groups = [{ conditions: [condition] }];
    return { id: `rule${index}`, name: `Rule ${index}`, condition_groups, actions };
  }),
);
const occasions = ['triggered', 'escalated', 'acknowledged', 'resolved'] as const;
const playbook = (id: string) =>
  fc.tuple(actions, fc.subarray([...occasions])).map(([actions, run_automatically]): Playbook => {
    const fields = { id, name: id, team_id: 'team', archived: false, enabled: true };
    return { ...fields, actions, run_automatically };
  });
const configurations = fc
  .tuple(rules, playbook('first'), playbook('second'))
  .map(([drawnRules, ...playbooks]) =>
    buildConfiguration({
      teamIds: ['team', 'core'],
      rules: drawnRules,
      playbooks: ['team', 'core'].flatMap((team_id) =>
        playbooks.map((one) => ({ ...one, team_id })),
      ),
      integrations,
      policies: [night, nobody],
    }),
  );

const people = ['acknowledge', 'unacknowledge', 'escalate', 'resolve', 'unmute'] as const;
const happening = fc.record({
  what: fc.constantFrom(...people, 'timer', 'trigger', 'mute', 'reopen', 'play'),
  minutes: fc.nat(8),
});
type Happening = { readonly what: string; readonly at: number };

function happens(
  on: Incident,
  { what, at }: Happening,
  configuration: Configuration,
): Outcome | Refused {
  const now = later(at);
  const deciding = { configuration, now };
  const by = eve;
  const does = (event: IncidentEvent) => advanceWithPlaybooks(on, event, deciding);
  switch (what) {
    case 'trigger': {
      const again = {
        known: { open: [on] },
        configuration,
        now,
        eventId: `${at}`,
      };
      return received(again).outcomes[0] ?? { refused: 'nothing came of it' };
    }
    case 'play':
      return performRequest(
        on,
        { type: 'perform', by, action: { type: 'playbook', playbook_id: 'first' } },
        deciding,
      );
    case 'mute':
      return does({ type: 'mute', by, until: later(at + 5) });
    case 'reopen':
      return does({ type: 'reopen', by, anotherIsOpen: false });
    default:
      // One of the others, which need no more than somebody who does it.
      return does({ type: what, by } as IncidentEvent);
  }
}

/** What is wrong with it, if anything; `intents`: all that were ever decided. */
function forgotten({ status, escalation, ...rest }: Incident, intents: readonly Intent[]) {
  const { cycle, stepAt, stepRemainingMs, ackTimeoutAt, ackTimeoutMinutes } = escalation;
  const wakes = wakeAt({ status, escalation, ...rest }) !== null;
  const isPaged = intents.some(({ kind, ...one }) => one.cycle === cycle && kind !== 'webhook');
  switch (status) {
    case 'triggered':
      if (ackTimeoutAt !== null) return 'an ack timeout without an acknowledgement';
      return isPaged || stepAt !== null || stepRemainingMs !== null
        ? null
        : 'nobody is or will be paged';
    case 'acknowledged':
      if (stepAt !== null || stepRemainingMs !== null) return 'paging goes on';
      return (ackTimeoutAt === null) === (ackTimeoutMinutes === null) ? null : 'a wrong timeout';
    case 'resolved':
      return wakes ? 'a timer runs on' : null;
  }
}

test('an incident is paged, waits to be, is in somebody’s hands or over, whatever is done', () => {
  const story = fc.array(happening, { maxLength: 12 });
  fc.assert(
    fc.property(configurations, story, (configuration, happenings) => {
      const [opened] = received({ configuration }).outcomes;
      assert.ok(opened);
      let { incident } = opened;
      const intents = [...opened.intents];
      assert.equal(forgotten(incident, intents), null);
      let at = 0;
      for (const { what, minutes } of happenings) {
        at += minutes + 0.01;
        if (what === 'trigger' && incident.status === 'resolved') continue;
        const outcome = happens(incident, { what, at }, configuration);
        if ('refused' in outcome) continue;
        ({ incident } = outcome);
        intents.push(...outcome.intents);
        assert.equal(forgotten(incident, intents), null, `after ${what} at ${at}`);
      }
    }),
    { numRuns: 2_000 },
  );
});
