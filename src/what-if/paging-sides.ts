// Which events a change of routing concerns, and what they are paged with before and after it.
import { occasionsOf } from '../incidents/actions/routing-rules.ts';
import type { Configuration, Integration, Policy, Team } from '../incidents/configuration.ts';
import { queryLimits } from '../limits/queries.ts';
import type { ConditionGroups } from '../resources/condition.ts';
import { conditionsText } from '../rules/condition-words.ts';
import { always, areAlwaysMet } from '../rules/groups.ts';
import { type Rule, scopeOf } from '../rules/match-rule.ts';
import { isRouting, partFor, type Routed } from './paging-part.ts';
import type { ProposedPlaybook, ProposedRecord, ProposedRule } from './proposed-record.ts';
import { NEW, type Routing, teamWith, withRecord } from './proposed-routing.ts';

/** What an event meets: the rules that it matches, and the playbooks whose conditions it meets. */
export type Encounter = {
  readonly rules: readonly Rule[];
  readonly playbookIds: readonly string[];
};

export type EventsOf = {
  readonly integration: { readonly id: string; readonly name: string };
  /** Which of its events, such as ` that match the rule "Quiet" (severity equals sev3)`. */
  readonly events: string;
  /** Their conditions ask for the time: who is on call now may not be then. */
  readonly isTimed: boolean;
  /** Other rules or playbooks may match as well. */
  readonly mayDiffer: boolean;
  readonly before: Encounter;
  readonly after: Encounter;
  /** Those that match one of these others too, of which something is said if nothing is of all. */
  readonly among?: readonly EventsOf[];
};

export type PagingSides = {
  readonly now: Temporal.Instant;
  readonly before: Configuration;
  readonly after: Configuration;
  readonly events: readonly EventsOf[];
  /** See `Routing`. */
  readonly unclear: ReadonlySet<string>;
};

export type Sides = { readonly before: Routing; readonly after: Routing };

/** Null: the change routes no events. */
export function pagingSidesOfRecord(
  record: ProposedRecord,
  before: Routing,
  now: Temporal.Instant,
): PagingSides | null {
  const after = withRecord(before, record);
  return pagingSides({ before, after }, eventsConcerned(record, { before, after }), now);
}

export function pagingSides(
  { before, after }: Sides,
  concerned: readonly EventsOf[],
  now: Temporal.Instant,
): PagingSides | null {
  const events = concerned.slice(0, queryLimits.previewIntegrations);
  if (events.length === 0) return null;
  const all = events.flatMap((one) => [one, ...(one.among ?? [])]);
  const rules = new Set(all.flatMap((one) => [...one.before.rules, ...one.after.rules]));
  const ids = events.map(({ integration }) => integration.id);
  const [was, is] = [before, after].map(({ configuration }) =>
    partFor(configuration, ids, rules),
  ) as [Configuration, Configuration];
  return { now, before: was, after: is, events, unclear: after.unclear.union(before.unclear) };
}

function eventsConcerned(record: ProposedRecord, sides: Sides): readonly EventsOf[] {
  switch (record.kind) {
    case 'schedule':
    case 'policy':
      return [];
    case 'integration':
      return ofIntegrations(({ id }) => id === record.id, sides);
    case 'service':
      return ofIntegrations(({ service_id: id }) => id === record.id, sides);
    case 'rule':
      return record.isUnclear ? [] : ofRule(record, sides);
    case 'playbook':
      return record.isUnclear ? [] : ofPlaybook(record, sides);
  }
}

export const integrationsOf = (
  { configuration }: Routing,
  isConcerned: (one: Integration) => boolean,
) =>
  configuration.integrations
    .values()
    .filter((one) => !one.archived && isConcerned(one))
    .toArray();

/** All events of these integrations, and of others those that a rule or a playbook moves there. */
function ofIntegrations(
  isConcerned: (one: Integration) => boolean,
  sides: Sides,
): readonly EventsOf[] {
  const own = integrationsOf(sides.before, isConcerned);
  const ids = new Set(own.map(({ id }) => id));
  const leadsThere = (action: Routed) =>
    'integration_id' in action && ids.has(action.integration_id);
  return [
    ...own.map((one) => eventsOf(one, everyEvent, sides)),
    ...integrationsOf(sides.before, ({ id }) => !ids.has(id)).flatMap((one) =>
      eventsLed(one, leadsThere, sides),
    ),
  ];
}

/** The events of an integration of which a rule or a playbook does this. */
export function eventsLed(
  one: Integration,
  does: (action: Routed) => boolean,
  sides: Sides,
): readonly EventsOf[] {
  const { playbooks = [] } = sides.after.configuration.teams.get(one.team_id) ?? {};
  const doing = playbooks.filter(({ actions }) => actions.some(does));
  const rules = rulesAt(one, sides.after).filter(({ actions }) =>
    actions.some((each) => does(each) || doing.some(({ id }) => runs(each, id))),
  );
  return [
    ...rules.flatMap((rule) => ofRuleAt(one, { old: rule, next: rule }, sides)),
    ...doing
      .filter(runsWhenTriggered)
      .flatMap((each) => ofAutomatic(one, { id: each.id, old: each, next: each }, sides)),
  ];
}

type Side = keyof Sides;

type Matching = {
  /** '': all of them. */
  readonly events: string;
  readonly isTimed: boolean;
  /** Rules that they match, beside those that every event matches. */
  readonly ruleIds: Readonly<Record<Side, readonly string[]>>;
  readonly playbookIds: Readonly<Record<Side, readonly string[]>>;
};

const none = { before: [], after: [] } as const;
export const everyEvent: Matching = {
  events: '',
  isTimed: false,
  ruleIds: none,
  playbookIds: none,
};

export function eventsOf(one: Integration, matching: Matching, sides: Sides): EventsOf {
  const others = othersAt(one, matching, sides);
  const among = others
    .slice(0, queryLimits.previewItems)
    .map((each) => bareEvents(one, each, { sides, mayDiffer: others.length > 1 }));
  return { ...bareEvents(one, matching, { sides, mayDiffer: others.length > 0 }), among };
}

type Bare = { readonly sides: Sides; readonly mayDiffer: boolean };

const bareEvents = (
  one: Integration,
  { events, isTimed, ruleIds, playbookIds }: Matching,
  { sides, mayDiffer }: Bare,
): EventsOf => ({
  integration: { id: one.id, name: one.name },
  events,
  isTimed,
  mayDiffer,
  before: { rules: metAt(one, ruleIds.before, sides.before), playbookIds: playbookIds.before },
  after: { rules: metAt(one, ruleIds.after, sides.after), playbookIds: playbookIds.after },
});

/** The rules that every event there matches, and these, in their order. */
const metAt = (one: Integration, ids: readonly string[], routing: Routing): readonly Rule[] =>
  rulesAt(one, routing).filter(
    (rule) => ids.includes(rule.id) || areAlwaysMet(rule.condition_groups),
  );

const rulesAt = (one: Integration, { configuration }: Routing): readonly Rule[] =>
  configuration.teams.get(one.team_id)?.rules.filter((rule) => covers(rule, one)) ?? [];

/** The same events if they match one more rule, or run one more playbook. */
function othersAt(
  one: Integration,
  { events, isTimed: isTimedAlready, ruleIds, playbookIds }: Matching,
  { before, after }: Sides,
): readonly Matching[] {
  const met = new Set([...ruleIds.before, ...ruleIds.after]);
  const rules = rulesAt(one, after).filter(
    ({ id, condition_groups, actions }) =>
      !met.has(id) &&
      !areAlwaysMet(condition_groups) &&
      opening(condition_groups).length > 0 &&
      isRouting(actions) &&
      rulesAt(one, before).some((rule) => rule.id === id),
  );
  const ran = new Set([...playbookIds.before, ...playbookIds.after]);
  const playbooks = after.configuration.teams.get(one.team_id)?.playbooks ?? [];
  const also = (more: string, groups: Groups) => ({
    events: `${events}${more}`,
    isTimed: isTimedAlready || isTimed(groups),
  });
  const isAll = events === '';
  return [
    ...rules.map(({ id, name, condition_groups }) => ({
      ...also(
        `${isAll ? ' that match' : ' and also match'} the rule ${quoted(name)}`,
        condition_groups,
      ),
      ruleIds: withId(ruleIds, id),
      playbookIds,
    })),
    ...playbooks
      .filter((each) => !ran.has(each.id) && mayRun(each))
      .map(({ id, name, condition_groups = [] }) => ({
        ...also(
          `${isAll ? ' that' : ' and also'} run the playbook ${quoted(name)}`,
          condition_groups,
        ),
        ruleIds,
        playbookIds: withId(playbookIds, id),
      })),
  ];
}

const withId = ({ before, after }: Matching['ruleIds'], id: string) => ({
  before: [...before, id],
  after: [...after, id],
});

const quoted = (name: string) => JSON.stringify(name);

const covers = (rule: Rule, { id, service_id }: Integration): boolean =>
  scopeOf(rule)({ integrationId: id, serviceId: service_id });

type Groups = ConditionGroups;

/** Those by which it matches an event that opens an incident. */
const opening = (groups: Groups): Groups =>
  groups.filter(({ conditions }) =>
    conditions.every(({ type }) => !type.startsWith('incidentSuppressed')),
  );

/** Conditions by the clock and of days. */
const isTimed = (groups: Groups): boolean =>
  groups.some(({ conditions }) =>
    conditions.some(({ type }) => type === 'incidentTiming' || type === 'incidentDays'),
  );

type AnyPlaybook = Team['playbooks'][number];

const runsWhenTriggered = (one: AnyPlaybook): boolean => occasionsOf(one).includes('triggered');

const mayRun = (one: AnyPlaybook): boolean =>
  runsWhenTriggered(one) && isRouting(one.actions) && !areAlwaysMet(one.condition_groups ?? always);

function ofRule(record: ProposedRule, sides: Sides): readonly EventsOf[] {
  const own = record.id ?? NEW;
  const team = teamWith(sides.before, record) ?? teamWith(sides.after, record);
  const [was, is] = [sides.before, sides.after].map(({ configuration }) =>
    configuration.teams.get(team?.id ?? '')?.rules.find(({ id }) => id === own),
  );
  const concerned = integrationsOf(sides.before, (one) => {
    return one.team_id === team?.id && [was, is].some((rule) => rule && covers(rule, one));
  });
  return concerned.flatMap((one) => {
    const [old, next] = [was, is].map((rule) => (rule && covers(rule, one) ? rule : undefined));
    return ofRuleAt(one, { old, next }, sides);
  });
}

type Versions = { readonly old: Rule | undefined; readonly next: Rule | undefined };

function ofRuleAt(one: Integration, { old, next }: Versions, sides: Sides): readonly EventsOf[] {
  const meeting = (text: string, groups: Groups, matching: Versions): EventsOf[] => {
    if (groups.length === 0) return [];
    const ruleIds = { before: idsOf(matching.old), after: idsOf(matching.next) };
    const of = { events: eventsThat(text, groups), isTimed: isTimed(groups), ruleIds };
    return [eventsOf(one, { ...of, playbookIds: none }, sides)];
  };
  const name = quoted((next ?? old)?.name ?? '');
  const [former = [], later = []] = [old, next].map((rule) =>
    opening(rule?.condition_groups ?? []),
  );
  const isSame = JSON.stringify(former) === JSON.stringify(later);
  if (isSame || old === undefined || next === undefined)
    return meeting(`match the rule ${name}`, next ? later : former, { old, next });
  return [
    ...meeting(`no longer match the rule ${name}`, former, { old, next: undefined }),
    ...meeting(`now match the rule ${name}`, later, { old: undefined, next }),
  ];
}

const idsOf = (rule: Rule | undefined): readonly string[] => (rule ? [rule.id] : []);

function eventsThat(text: string, groups: Groups): string {
  const conditions = conditionsText(groups);
  return conditions === null ? '' : ` that ${text} (${conditions})`;
}

/** Of a playbook that runs by itself, and of the rules that run it. */
function ofPlaybook(record: ProposedPlaybook, sides: Sides): readonly EventsOf[] {
  const own = record.id ?? NEW;
  const team = teamWith(sides.before, record) ?? teamWith(sides.after, record);
  const [was, is] = [sides.before, sides.after].map(({ configuration }) =>
    configuration.teams.get(team?.id ?? '')?.playbooks.find(({ id }) => id === own),
  );
  const [old, next] = [was, is].map((one) => (one && runsWhenTriggered(one) ? one : undefined));
  const concerned = integrationsOf(sides.before, (one) => one.team_id === team?.id);
  return concerned.flatMap((one) => [
    ...(old || next ? ofAutomatic(one, { id: own, old, next }, sides) : []),
    ...rulesAt(one, sides.after)
      .filter(({ actions }) => actions.some((each) => runs(each, own)))
      .flatMap((rule) => ofRuleAt(one, { old: rule, next: rule }, sides)),
  ]);
}

const runs = (action: Rule['actions'][number], playbookId: string): boolean =>
  action.type === 'playbook' && action.playbook_id === playbookId;

type Automatic = {
  readonly id: string;
  readonly old: AnyPlaybook | undefined;
  readonly next: AnyPlaybook | undefined;
};

function ofAutomatic(
  one: Integration,
  { id, old, next }: Automatic,
  sides: Sides,
): readonly EventsOf[] {
  const text = `run the playbook ${quoted((next ?? old)?.name ?? '')}`;
  const [former, later] = [old, next].map((each) => each && (each.condition_groups ?? always));
  const meeting = (which: string, groups: Groups, playbookIds: Matching['playbookIds']) => {
    const of = { events: eventsThat(which, groups), isTimed: isTimed(groups), ruleIds: none };
    return eventsOf(one, { ...of, playbookIds }, sides);
  };
  if (former && later && JSON.stringify(former) !== JSON.stringify(later))
    return [
      meeting(`no longer ${text}`, former, { before: [id], after: [] }),
      meeting(`now ${text}`, later, { before: [], after: [id] }),
    ];
  return [meeting(text, later ?? former ?? always, { before: [id], after: [id] })];
}

/** The policy that the integration is to have, if it is another one than before. */
export function newPolicyOf(record: ProposedRecord, { configuration }: Routing): Policy | null {
  if (record.kind !== 'integration' || record.archived || record.fields.enabled === false)
    return null;
  const { escalation_policy_id: id } = record.fields;
  const was = record.id === null ? undefined : configuration.integrations.get(record.id);
  if (id === undefined || id === null || id === was?.escalation_policy_id) return null;
  return configuration.policies.get(id) ?? null;
}
