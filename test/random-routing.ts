// Random organizations whose events are routed by rules, playbooks and policies, and random changes
// of them: as a preview is asked for each, and as the organization is once it is saved.
import type { Configuration, Playbook, RoutedIntegration } from '../src/incidents/configuration.ts';
import type { RuleAction } from '../src/resources/action.ts';
import type { ConditionGroups } from '../src/resources/condition.ts';
import type { Step } from '../src/resources/escalation-policy.ts';
import type { Rule } from '../src/rules/match-rule.ts';
import { type ChangeContext, type ChangeSides, sidesOf } from '../src/what-if/change-sides.ts';
import { sidesOfNaming } from '../src/what-if/deactivation.ts';
import { sidesOfChannels } from '../src/what-if/lost-channels.ts';
import type { ProposedRecord } from '../src/what-if/proposed-record.ts';
import type { Place } from '../src/what-if/proposed-routing.ts';
import { withInactive } from '../src/what-if/proposed-schedule.ts';
import { buildConfiguration, buildPerson, buildRota } from './configuration.ts';
import { buildIntegration } from './incident-life.ts';
import { instant, layer, schedule } from './schedules.ts';

export const now = instant('2026-03-09T12:00:00Z');
const people = ['ada', 'lin', 'eve'] as const;
/** By connections. */
const vendors = ['phone', 'telegram'] as const;
export const titles = ['disk', 'load', 'disk load', 'other'] as const;
export type Random = { <T>(all: readonly T[]): T; chance(share: number): boolean };

export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) >>> 0;
    return state / 2 ** 32;
  };
  const one = <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)] as T;
  return Object.assign(one, { chance: (share: number) => next() < share });
}

const rotas = [
  buildRota('web', schedule([layer({ users: ['ada'] })]), { name: 'Web' }),
  buildRota('shop', schedule([layer({ users: ['lin'] })]), { name: 'Shop' }),
  buildRota('idle', schedule([]), { name: 'Idle' }),
];

/** A rule or a playbook with its place. */
type Organization = {
  readonly integrations: readonly RoutedIntegration[];
  readonly rules: readonly { readonly rule: Rule; readonly place: Place }[];
  readonly playbooks: readonly Playbook[];
};

const target = (random: Random): Step['targets'][number] =>
  random.chance(0.5)
    ? { via: random(['email', 'email', ...vendors]), user_id: random(people) }
    : { via: random(['email', ...vendors]), oncall_schedule_id: random(['web', 'shop', 'idle']) };

const policies = (random: Random) =>
  ['p1', 'p2', 'p3'].map((id) => ({
    id,
    name: id,
    archived: false,
    delayMinutes: 0,
    steps: Array.from({ length: random([1, 2, 3]) }, () => ({
      targets: Array.from({ length: random([1, 1, 2]) }, () => target(random)),
      escalate_after_minutes: 5,
    })),
  }));

const groupsOf = (random: Random): ConditionGroups =>
  random.chance(0.25)
    ? [{ conditions: [{ type: 'allIncidents' }] }]
    : [
        {
          conditions: [
            { type: 'incidentMessage', comparator: 'contains', text: random(['disk', 'load']) },
          ],
        },
      ];

const actionOf = (random: Random): RuleAction =>
  random<() => RuleAction>([
    () => ({ type: 'ignoreIncident' }),
    () => ({ type: 'acknowledgeIncident' }),
    () => ({ type: 'resolveIncident' }),
    () => ({ type: 'reassignIncident', user_id: random(people) }),
    () => ({ type: 'escalationPolicy', escalation_policy_id: random(['p1', 'p2', 'p3']) }),
    () => ({ type: 'integration', integration_id: random(['i1', 'i2', 'i3']) }),
    () => ({ type: 'routeToTeam', team_id: 'other', integration_id: 'foreign' }),
    () => ({ type: 'playbook', playbook_id: random(['b1', 'b2']) }),
    () => ({ type: 'severity', severity: 'sev1' }),
  ])();

const ruleOf = (random: Random, id: string): Rule => ({
  id,
  name: id,
  condition_groups: groupsOf(random),
  actions: Array.from({ length: random([1, 1, 2]) }, () => actionOf(random)),
  ...(random.chance(0.4) && { integration_ids: [random(['i1', 'i2', 'i3'])] }),
});

const playbookOf = (random: Random, id: string): Playbook => ({
  id,
  name: id,
  team_id: 'team',
  archived: false,
  enabled: random.chance(0.8),
  actions: [
    random<() => Playbook['actions'][number]>([
      () => ({ type: 'acknowledgeIncident' }),
      () => ({ type: 'pagePerson', user_id: random(people), via: random(['email', ...vendors]) }),
      () => ({ type: 'addResponder', user_id: random(people) }),
      () => ({ type: 'escalationPolicy', escalation_policy_id: random(['p1', 'p2', 'p3']) }),
    ])(),
  ],
  ...(random.chance(0.4) && {
    run_automatically: ['triggered'],
    ...(random.chance(0.5) && { condition_groups: groupsOf(random) }),
  }),
});

export type World = Organization & {
  readonly policies: ReturnType<typeof policies>;
  /** The channels that connections serve. */
  readonly connected: readonly string[];
  /** By person, where they have a contact beside their e-mail address. */
  readonly contacts: Readonly<Record<string, readonly string[]>>;
  readonly inactive: readonly string[];
};

export function worldOf(random: Random): World {
  const all = policies(random);
  const services = ['s1', 's2'].map((id) => ({ id, name: id, archived: false }));
  const integrations = ['i1', 'i2', 'i3', 'foreign'].map((id) =>
    buildIntegration({
      integration_id: id,
      name: id,
      team_id: id === 'foreign' ? 'other' : 'team',
      enabled: random.chance(0.8),
      ackTimeoutMinutes: random([null, null, 30]),
      policy: random(all),
      service: random(services),
    }),
  );
  const rules = Array.from({ length: random([0, 1, 2, 3]) }, (_, index) => ({
    rule: ruleOf(random, `r${index}`),
    place: { position: random([null, 1, 2, 3]), counter: index },
  }));
  const playbooks = ['b1', 'b2'].map((id) => playbookOf(random, id));
  const some = (share: number) => vendors.filter(() => random.chance(share));
  const connected = some(0.7);
  const contacts = Object.fromEntries(people.map((id) => [id, some(0.7)]));
  return { integrations, rules, playbooks, policies: all, connected, contacts, inactive: [] };
}

const rank = ({ position }: Place) => position ?? Number.MAX_SAFE_INTEGER;

export function configurationOf(world: World): Configuration {
  const { integrations, rules, playbooks, policies: all, contacts } = world;
  const connected = new Set(world.connected);
  const inactive = new Set(world.inactive);
  const ordered = rules.toSorted(
    (a, b) => rank(a.place) - rank(b.place) || a.place.counter - b.place.counter,
  );
  const addressesOf = (id: string) =>
    Object.fromEntries(['email', ...(contacts[id] ?? [])].map((one) => [one, [`${one} ${id}`]]));
  const built = buildConfiguration({
    people: people.map((id) =>
      buildPerson(id, { active: !inactive.has(id), addresses: addressesOf(id) }),
    ),
    integrations,
    policies: all,
    schedules: rotas.map((rota) => ({
      ...rota,
      schedule: withInactive(rota.schedule, inactive, now),
    })),
    rules: ordered.map(({ rule }) => rule),
    playbooks,
    channels: new Set(['email', ...connected]),
  });
  return { ...built, connected };
}

/** A change, as a preview of it is computed, and as it is once it is saved. */
export type Change = {
  readonly about: object;
  /** Of the rule or playbook that changes. */
  readonly ruleId: string;
  readonly sides: ChangeSides | null;
  readonly saved: World;
  /** What is said by the schedules that it changes. */
  readonly isOnCall: boolean;
};

export function changeOf(random: Random, world: World): Change {
  const context: ChangeContext = {
    configuration: configurationOf(world),
    now,
    years: 1,
    nextEdits: new Map(),
    inactive: new Set(),
    past: new Map(),
    policies: [],
    inoperative: () => [],
    rulePlaces: new Map(world.rules.map(({ rule, place }) => [rule.id, place])),
  };
  if (random.chance(0.2)) {
    const connected = vendors.filter((one) => random.chance(0.3) === world.connected.includes(one));
    const sides = sidesOfChannels({ connected: new Set(connected), planned: [] }, context);
    return {
      about: { connected },
      ruleId: '',
      sides,
      saved: { ...world, connected },
      isOnCall: false,
    };
  }
  if (random.chance(0.2)) {
    const userId = random(people);
    const sides = sidesOfNaming({ userId, planned: [], areNew: true }, context);
    const saved = { ...world, inactive: [userId] };
    return { about: { userId }, ruleId: '', sides, saved, isOnCall: userId !== 'eve' };
  }
  const { record, saved } = recordChangeOf(random, world);
  const sides = sidesOf({ record, planned: [] }, context);
  return { about: record, ruleId: record.id ?? 'new', sides, saved, isOnCall: false };
}

type RecordChange = { readonly record: ProposedRecord; readonly saved: World };

function recordChangeOf(random: Random, world: World): RecordChange {
  const of = { teamId: 'team', isUnclear: false } as const;
  const own = random(world.integrations.slice(0, 3));
  const id = own.integration_id;
  const withIntegration = (next: RoutedIntegration): World => ({
    ...world,
    integrations: world.integrations.map((one) => (one.integration_id === id ? next : one)),
  });
  switch (random(['integration', 'archived', 'service', 'rule', 'rule', 'removed', 'playbook'])) {
    case 'integration': {
      const next = {
        ...own,
        enabled: random.chance(0.7),
        policy: random(world.policies),
        ackTimeoutMinutes: random([own.ackTimeoutMinutes, null, 30]),
      };
      const { name, enabled, ackTimeoutMinutes } = next;
      const moved = { escalation_policy_id: next.policy.id, service_id: next.service.id };
      const fields = { name, enabled, ackTimeoutMinutes, ...moved };
      return {
        record: { kind: 'integration', id, archived: false, fields },
        saved: withIntegration(next),
      };
    }
    case 'archived':
      return {
        record: { kind: 'integration', id, archived: true, fields: {} },
        saved: withIntegration({ ...own, archived: true }),
      };
    case 'service': {
      const integrations = world.integrations.map((one) => ({
        ...one,
        service: { ...one.service, archived: one.service.id === own.service.id },
      }));
      return {
        record: { kind: 'service', id: own.service.id, archived: true },
        saved: { ...world, integrations },
      };
    }
    case 'removed': {
      const [removed] = world.rules;
      if (removed === undefined) return recordChangeOf(random, world);
      return {
        record: {
          kind: 'rule',
          id: removed.rule.id,
          archived: true,
          ...of,
          rule: null,
          position: undefined,
        },
        saved: { ...world, rules: world.rules.slice(1) },
      };
    }
    case 'playbook': {
      const [first, second] = world.playbooks as [Playbook, Playbook];
      const next = random.chance(0.8) ? playbookOf(random, 'b1') : { ...first, enabled: false };
      return {
        record: { kind: 'playbook', id: 'b1', archived: false, ...of, playbook: next },
        saved: { ...world, playbooks: [next, second] },
      };
    }
    default: {
      const known = world.rules.find(() => random.chance(0.6));
      const position = random([null, 0, 2, 4]);
      const own =
        known && random.chance(0.4) ? known.rule : ruleOf(random, known?.rule.id ?? 'new');
      const place = { position, counter: known?.place.counter ?? Number.MAX_SAFE_INTEGER };
      const others = world.rules.filter((one) => one !== known);
      return {
        record: {
          kind: 'rule',
          id: known?.rule.id ?? null,
          archived: false,
          ...of,
          rule: own,
          position,
        },
        saved: { ...world, rules: [...others, { rule: own, place }] },
      };
    }
  }
}
