// What two sides of a replay made of the same alerts, one beside the other.
import type { Incident, Status } from '../incidents/incident.ts';
import type { Rule } from '../rules/rule.ts';
import type { Arrived, Page, Side } from './side.ts';

/** What became of an alert; `status`: as it was opened, all else as it was in the end. */
export type Fate = { readonly incident: Incident; readonly status: Status };

/** On one side or on both. */
export type Difference<Of> = {
  readonly event: Arrived['event'];
  readonly title: string;
  /** Those that did something here on one side alone. */
  readonly rules: readonly string[];
  readonly saved: Of | null;
  readonly proposed: Of | null;
};

export type Compared<Of> = {
  readonly saved: number;
  readonly proposed: number;
  readonly added: readonly Difference<Of>[];
  readonly removed: readonly Difference<Of>[];
  readonly changed: readonly Difference<Of>[];
};

export type PageOf = Page & { readonly incident: Incident };

export type Differences = {
  readonly incidents: Compared<Fate>;
  /** Only the first page to each receiver about each incident. */
  readonly pages: Compared<PageOf>;
};

export function differencesOf(saved: Side, proposed: Side): Differences {
  const incidents: Difference<Fate>[] = [];
  const pages: Difference<PageOf>[] = [];
  for (const place of new Set([...saved.arrived.keys(), ...proposed.arrived.keys()])) {
    const [one, other] = [saved.arrived.get(place), proposed.arrived.get(place)];
    const arrived = one ?? other;
    if (!arrived) continue;
    const [was, becomes] = [seen(saved, one), seen(proposed, other)];
    const { event, title } = arrived;
    const shared = { event, title, rules: rulesBetween(was.rules, becomes.rules) };
    incidents.push({ ...shared, saved: was.fate, proposed: becomes.fate });
    for (const receiver of new Set([...was.pages.keys(), ...becomes.pages.keys()])) {
      const [before, after] = [was.pages.get(receiver), becomes.pages.get(receiver)];
      pages.push({ ...shared, saved: before ?? null, proposed: after ?? null });
    }
  }
  return {
    incidents: compared(inTime(incidents), isSameFate),
    pages: compared(inTime(pages), (a, b) => a.at.equals(b.at)),
  };
}

type Seen = {
  readonly fate: Fate | null;
  /** By what they are. */
  readonly rules: ReadonlyMap<string, Rule>;
  readonly pages: ReadonlyMap<string, PageOf>;
};

const nothing: Seen = { fate: null, rules: new Map(), pages: new Map() };

function seen(side: Side, arrived: Arrived | undefined): Seen {
  if (!arrived) return nothing;
  const { opened, ignoredBy } = arrived;
  const incident = side.incidentOf(arrived);
  if (!opened || !incident)
    return { ...nothing, rules: byDefinition(ignoredBy ? [ignoredBy] : []) };
  const pages = [...side.pagesOf(arrived)].map(
    ([receiver, page]) => [receiver, { ...page, incident }] as const,
  );
  const rules = byDefinition(side.rulesOn(incident));
  return { fate: { incident, status: opened.status }, rules, pages: new Map(pages) };
}

/** Whatever their ids: rules that are proposed need have none. */
const byDefinition = (rules: readonly Rule[]) =>
  new Map(rules.map((rule) => [definitionOf(rule), rule]));

const definitionOf = ({ name, condition_groups, actions, ...scope }: Rule): string =>
  JSON.stringify([name, condition_groups, actions, scope.integration_ids, scope.service_ids]);

function rulesBetween(saved: Seen['rules'], proposed: Seen['rules']): readonly string[] {
  const differing = [...saved, ...proposed].filter(
    ([definition]) => saved.has(definition) !== proposed.has(definition),
  );
  return [...new Set(differing.map(([, { name }]) => name))];
}

const isSameFate = (a: Fate, b: Fate): boolean =>
  a.status === b.status && told.every((field) => a.incident[field] === b.incident[field]);
const told = [
  ...(['title', 'priority', 'severity', 'team_id', 'integration_id'] as const),
  'escalation_policy_id',
] as const;

const inTime = <Of>(all: readonly Difference<Of>[]) =>
  all.toSorted((a, b) => Temporal.Instant.compare(a.event.at, b.event.at));

function compared<Of>(
  all: readonly Difference<Of>[],
  isSame: (saved: Of, proposed: Of) => boolean,
): Compared<Of> {
  const count = (side: 'saved' | 'proposed') => all.filter((one) => one[side] !== null).length;
  return {
    ...{ saved: count('saved'), proposed: count('proposed') },
    added: all.filter((one) => one.saved === null && one.proposed !== null),
    removed: all.filter((one) => one.saved !== null && one.proposed === null),
    changed: all.filter(
      ({ saved, proposed }) => saved !== null && proposed !== null && !isSame(saved, proposed),
    ),
  };
}
