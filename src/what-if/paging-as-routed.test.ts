// What a preview says of whom events page is what the engine then does with them, and nothing else
// changes: random organizations, random changes, and every event that their rules tell apart.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { buildConfiguration, buildPerson, buildRota } from '../../test/configuration.ts';
import { posted } from '../../test/http-event.ts';
import { buildIntegration } from '../../test/incident-life.ts';
import { noFaults as faults } from '../../test/no-faults.ts';
import { instant, layer, schedule } from '../../test/schedules.ts';
import type { Configuration, Playbook, RoutedIntegration } from '../incidents/configuration.ts';
import type { RuleAction } from '../resources/action.ts';
import type { ConditionGroups } from '../resources/condition.ts';
import type { Step } from '../resources/escalation-policy.ts';
import { compiledOf, type Rule } from '../rules/match-rule.ts';
import { type ChangeContext, sidesOf } from './change-sides.ts';
import { messageOf, type PageChange, pageChanges } from './paging-changes.ts';
import type { ProposedRecord } from './proposed-record.ts';
import type { Place } from './proposed-routing.ts';
import { simulate } from './simulate.ts';

const now = instant('2026-03-09T12:00:00Z');
const people = ['ada', 'lin', 'eve'] as const;
const titles = ['disk', 'load', 'disk load', 'other'] as const;
type Random = { <T>(all: readonly T[]): T; chance(share: number): boolean };

function randomOf(seed: number): Random {
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
    ? { via: random(['email', 'email', 'phone']), user_id: random(people) }
    : { via: 'email', oncall_schedule_id: random(['web', 'shop', 'idle']) };

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
      () => ({ type: 'pagePerson', user_id: random(people), via: 'email' }),
      () => ({ type: 'addResponder', user_id: random(people) }),
      () => ({ type: 'escalationPolicy', escalation_policy_id: random(['p1', 'p2', 'p3']) }),
    ])(),
  ],
  ...(random.chance(0.4) && {
    run_automatically: ['triggered'],
    ...(random.chance(0.5) && { condition_groups: groupsOf(random) }),
  }),
});

type World = Organization & { readonly policies: ReturnType<typeof policies> };

function worldOf(random: Random): World {
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
  return { integrations, rules, playbooks, policies: all };
}

const rank = ({ position }: Place) => position ?? Number.MAX_SAFE_INTEGER;

function configurationOf({ integrations, rules, playbooks, policies: all }: World): Configuration {
  const ordered = rules.toSorted(
    (a, b) => rank(a.place) - rank(b.place) || a.place.counter - b.place.counter,
  );
  return buildConfiguration({
    people: people.map((id) => buildPerson(id)),
    integrations,
    policies: all,
    schedules: rotas,
    rules: ordered.map(({ rule }) => rule),
    playbooks,
  });
}

/** A change, as it is proposed and as it is once it is saved. */
type Change = { readonly record: ProposedRecord; readonly saved: World };

function changeOf(random: Random, world: World): Change {
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
      if (removed === undefined) return changeOf(random, world);
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

type Pages = { readonly first: readonly string[]; readonly later: readonly string[] };

/** Whom the engine pages about one event, until nobody is left to page. */
async function pagesOf(
  configuration: Configuration,
  integrationId: string,
  title: string,
): Promise<Pages> {
  const ledgerOptions = { configurations: new Map([['org', configuration]]), faults };
  const event = {
    ...posted,
    organization_id: 'org',
    id: 'event',
    integration_id: integrationId,
    received_at: now,
    body: new Uint8Array(),
    mapping_revision: null,
    mail: null,
    path: '',
    content_type: '',
  };
  const alerts = [{ action: 'trigger', dedup_key: 'key', title } as const];
  const story = await simulate({
    ledgerOptions,
    past: { incidents: [], notices: [] },
    at: now,
    arrival: { event, alerts },
    acknowledgeAfterMinutes: null,
    until: 'exhausted',
  });
  const pages = story.notices.filter(
    ({ kind, reason }) => ['page', 'assigned', 'responder_added'].includes(kind) && reason === null,
  );
  const first = bare(pages.filter(({ at }) => at.equals(now)));
  return { first, later: bare(pages).filter((name) => !first.includes(name)) };
}

const bare = (names: readonly { readonly name: string }[]) =>
  [...new Set(names.map(({ name }) => name.replace(/ \(.*\)$/, '')))].sort();

const asPages = ({ first, later }: PageChange['before']): Pages => {
  const names = bare(first);
  return { first: names, later: bare(later).filter((name) => !names.includes(name)) };
};

test('an event pages whom its preview says, before and after a change, and no others change', async () => {
  let matched = 0;
  let silent = 0;
  const run = async (seed: number) => {
    const random = randomOf(seed);
    const world = worldOf(random);
    const { record, saved } = changeOf(random, world);
    const configuration = configurationOf(world);
    const context: ChangeContext = {
      configuration,
      now,
      years: 1,
      nextEdits: new Map(),
      inactive: new Set(),
      past: new Map(),
      policies: [],
      inoperative: () => [],
      rulePlaces: new Map(world.rules.map(({ rule, place }) => [rule.id, place])),
    };
    const sides = sidesOf({ record, planned: [] }, context);
    const changes = pageChanges(sides?.paging ?? null);
    const after = configurationOf(saved);
    for (const { integration_id: id } of world.integrations.slice(0, 3))
      for (const title of titles) {
        const [was, is] = [
          await pagesOf(configuration, id, title),
          await pagesOf(after, id, title),
        ];
        const own = changes.filter((one) => one.integrations.some((each) => each.id === id));
        const isChanged = JSON.stringify(was) !== JSON.stringify(is);
        const messages = own.map(messageOf);
        const about = JSON.stringify(
          { seed, id, title, was, is, record, messages, world },
          null,
          1,
        );
        const others = countOthers(record, { id, title }, saved);
        if (isChanged && others < 2) assert.ok(own.length > 0, `nothing is reported: ${about}`);
        const isReported = (one: EventsOf) => changes.some(({ about: of }) => of.includes(one));
        const examined = sides?.paging?.events.flatMap((one) =>
          isReported(one) ? [one] : [one, ...(one.among ?? [])],
        );
        const met = examined?.filter((one) => isMet(one, { id, title }, [world, saved]));
        for (const one of met ?? []) {
          const reported = own.find(({ about: of }) => of.includes(one));
          const [before, later] = reported
            ? [asPages(reported.before), asPages(reported.after)]
            : [was, was];
          assert.deepEqual([was, is], [before, reported ? later : is], about);
          if (reported === undefined) assert.deepEqual(is, was, about);
          if (reported) matched += 1;
          else silent += 1;
        }
      }
  };
  await fc.assert(fc.asyncProperty(fc.integer(), run), { numRuns: 100, endOnFailure: true });
  assert.ok(matched > 50 && silent > 25, `${matched} matched, ${silent} silent`);
});

type Event = { readonly id: string; readonly title: string };
type EventsOf = NonNullable<NonNullable<ReturnType<typeof sidesOf>>['paging']>['events'][number];

const factsOf = ({ id, title }: Event, { integrations }: World) => ({
  title,
  details: null,
  priority: null,
  severity: null,
  integrationId: id,
  repeatCount: 0,
  repeatedAt: [],
  suppressedCount: 0,
  suppressedAt: [],
  now,
  serviceId: integrations.find((one) => one.integration_id === id)?.service.id ?? '',
  isSuppressed: false,
});

const isAlways = (groups: ConditionGroups = []): boolean =>
  groups.some(({ conditions }) => conditions[0]?.type === 'allIncidents');

const holds = ({ id, name, condition_groups }: Playbook, event: Event, world: World): boolean =>
  condition_groups !== undefined &&
  compiledOf({ id, name, condition_groups, actions: [] }).matches(factsOf(event, world));

/** How many rules and playbooks the event meets by conditions, beside the one that changes. */
function countOthers({ id: own }: ProposedRecord, event: Event, world: World): number {
  const rules = world.rules.filter(
    ({ rule }) =>
      !isAlways(rule.condition_groups) &&
      rule.id !== (own ?? 'new') &&
      compiledOf(rule).matches(factsOf(event, world)),
  );
  const playbooks = world.playbooks.filter(
    (one) => one.id !== own && !isAlways(one.condition_groups) && holds(one, event, world),
  );
  return rules.length + playbooks.length;
}

/** Whether the event meets these rules and playbooks, and no others, on both sides. */
function isMet(one: EventsOf, event: Event, worlds: readonly World[]): boolean {
  if (one.integration.id !== event.id) return false;
  return worlds.every((world, side) => {
    const met = side === 0 ? one.before : one.after;
    const matched = world.rules.filter(({ rule }) =>
      compiledOf(rule).matches(factsOf(event, world)),
    );
    const ids = new Set(met.rules.map((rule) => rule.id));
    const areRules = matched.length === ids.size && matched.every(({ rule }) => ids.has(rule.id));
    const arePlaybooks = world.playbooks.every(
      (each) =>
        each.condition_groups === undefined ||
        isAlways(each.condition_groups) ||
        holds(each, event, world) === met.playbookIds.includes(each.id),
    );
    return areRules && arePlaybooks;
  });
}
