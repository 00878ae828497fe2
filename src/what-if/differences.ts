// Compares what the two sides of a replay made of the same alerts.
import type { Incident, Status } from '../incidents/incident.ts';
import { queryLimits } from '../limits/queries.ts';
import type { Rule } from '../rules/match-rule.ts';
import type { Page, ReplayedAlert, Side } from './side.ts';

/** The incident of an alert: its `status` as it was opened, all else as at the end. */
export type IncidentOutcome = { readonly incident: Incident; readonly status: Status };

export type IncidentPage = Page & { readonly incident: Incident };

/** What either side, or both, made of one alert. */
export type Difference<Of> = {
  readonly event: ReplayedAlert['event'];
  readonly title: string;
  /** The names of the rules that changed something on one side only. */
  readonly rules: readonly string[];
  readonly saved: Of | null;
  readonly proposed: Of | null;
};

export type DifferenceGroup<Of> = {
  readonly count: number;
  readonly examples: readonly Difference<Of>[];
};

export type Compared<Of> = {
  readonly saved: number;
  readonly proposed: number;
  readonly added: DifferenceGroup<Of>;
  readonly removed: DifferenceGroup<Of>;
  readonly changed: DifferenceGroup<Of>;
};

export type Differences = {
  readonly incidents: Compared<IncidentOutcome>;
  /** Only the first page to each recipient about each incident. */
  readonly pages: Compared<IncidentPage>;
};

type GroupBuilder<Of> = { count: number; readonly examples: Difference<Of>[] };

type Pair<Of> = { readonly saved: Of | null; readonly proposed: Of | null };

class Comparison<Of> implements Compared<Of> {
  saved = 0;
  proposed = 0;
  readonly added: GroupBuilder<Of> = { count: 0, examples: [] };
  readonly removed: GroupBuilder<Of> = { count: 0, examples: [] };
  readonly changed: GroupBuilder<Of> = { count: 0, examples: [] };
  readonly #isSame: (saved: Of, proposed: Of) => boolean;

  constructor(isSame: (saved: Of, proposed: Of) => boolean) {
    this.#isSame = isSame;
  }

  add({ saved, proposed }: Pair<Of>, about: () => Omit<Difference<Of>, keyof Pair<Of>>): void {
    if (saved !== null) this.saved += 1;
    if (proposed !== null) this.proposed += 1;
    const kind = this.#kindOf({ saved, proposed });
    if (kind === null) return;
    this[kind].count += 1;
    if (this[kind].examples.length < queryLimits.replayExamples)
      this[kind].examples.push({ ...about(), saved, proposed });
  }

  #kindOf({ saved, proposed }: Pair<Of>) {
    if (saved === null) return proposed === null ? null : 'added';
    if (proposed === null) return 'removed';
    return this.#isSame(saved, proposed) ? null : 'changed';
  }
}

/** In the order of time. */
export function differencesOf(saved: Side, proposed: Side): Differences {
  const incidents = new Comparison<IncidentOutcome>(isSameOutcome);
  const pages = new Comparison<IncidentPage>((a, b) => a.at.equals(b.at));
  for (const key of [...new Set([...saved.alerts.keys(), ...proposed.alerts.keys()])].sort()) {
    const [one, other] = [saved.alerts.get(key), proposed.alerts.get(key)];
    const alert = one ?? other;
    if (!alert) continue;
    const [was, becomes] = [resultOf(saved, one), resultOf(proposed, other)];
    const { event, title } = alert;
    const about = () => ({ event, title, rules: rulesBetween(was.rules, becomes.rules) });
    incidents.add({ saved: was.outcome, proposed: becomes.outcome }, about);
    for (const recipientKey of new Set([...was.pages.keys(), ...becomes.pages.keys()])) {
      const [before, after] = [was.pages.get(recipientKey), becomes.pages.get(recipientKey)];
      pages.add({ saved: before ?? null, proposed: after ?? null }, about);
    }
  }
  return { incidents, pages };
}

type AlertResult = {
  readonly outcome: IncidentOutcome | null;
  readonly rules: readonly Rule[];
  readonly pages: ReadonlyMap<string, IncidentPage>;
};

const nothing: AlertResult = { outcome: null, rules: [], pages: new Map() };

function resultOf(side: Side, alert: ReplayedAlert | undefined): AlertResult {
  if (!alert) return nothing;
  const { opened, ignoredBy } = alert;
  const incident = side.incidentOf(alert);
  if (!opened || !incident) return { ...nothing, rules: ignoredBy ? [ignoredBy] : [] };
  const pages = [...side.pagesOf(alert)].map(
    ([recipientKey, page]) => [recipientKey, { ...page, incident }] as const,
  );
  const outcome = { incident, status: opened.status };
  return { outcome, rules: side.rulesOn(incident), pages: new Map(pages) };
}

/** Compared by definition, for proposed rules need have no ids. */
function rulesBetween(saved: readonly Rule[], proposed: readonly Rule[]): readonly string[] {
  const [one, other] = [saved, proposed].map((rules) => new Set(rules.map(definitionOf)));
  const differing = [...saved, ...proposed].filter((rule) => {
    const definition = definitionOf(rule);
    return one?.has(definition) !== other?.has(definition);
  });
  return [...new Set(differing.map(({ name }) => name))];
}

const definitionOf = ({ name, condition_groups, actions, ...scope }: Rule): string =>
  JSON.stringify([name, condition_groups, actions, scope.integration_ids, scope.service_ids]);

const isSameOutcome = (a: IncidentOutcome, b: IncidentOutcome): boolean =>
  a.status === b.status && comparedFields.every((field) => a.incident[field] === b.incident[field]);
const comparedFields = [
  'title',
  'priority',
  'severity',
  'team_id',
  'integration_id',
  'escalation_policy_id',
] as const;
