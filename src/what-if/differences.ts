// What two sides of a replay made of the same alerts, one beside the other.
import type { Incident, Status } from '../incidents/incident.ts';
import { queryLimits } from '../limits/queries.ts';
import type { Rule } from '../rules/rule.ts';
import type { Arrived, Page, Side } from './side.ts';

/** What became of an alert; `status`: as it was opened, all else as it was in the end. */
export type Fate = { readonly incident: Incident; readonly status: Status };

export type PageOf = Page & { readonly incident: Incident };

/** What either side, or both, made of one alert. */
export type Difference<Of> = {
  readonly event: Arrived['event'];
  readonly title: string;
  /** Those that did something here on one side alone. */
  readonly rules: readonly string[];
  readonly saved: Of | null;
  readonly proposed: Of | null;
};

export type Some<Of> = { readonly count: number; readonly examples: readonly Difference<Of>[] };

export type Compared<Of> = {
  readonly saved: number;
  readonly proposed: number;
  readonly added: Some<Of>;
  readonly removed: Some<Of>;
  readonly changed: Some<Of>;
};

export type Differences = {
  readonly incidents: Compared<Fate>;
  /** Only the first page to each receiver about each incident. */
  readonly pages: Compared<PageOf>;
};

type Kept<Of> = { count: number; readonly examples: Difference<Of>[] };

type Both<Of> = { readonly saved: Of | null; readonly proposed: Of | null };

class Comparison<Of> implements Compared<Of> {
  saved = 0;
  proposed = 0;
  readonly added: Kept<Of> = { count: 0, examples: [] };
  readonly removed: Kept<Of> = { count: 0, examples: [] };
  readonly changed: Kept<Of> = { count: 0, examples: [] };
  readonly #isSame: (saved: Of, proposed: Of) => boolean;

  constructor(isSame: (saved: Of, proposed: Of) => boolean) {
    this.#isSame = isSame;
  }

  take({ saved, proposed }: Both<Of>, about: () => Omit<Difference<Of>, keyof Both<Of>>): void {
    if (saved !== null) this.saved += 1;
    if (proposed !== null) this.proposed += 1;
    const kind = this.#kindOf({ saved, proposed });
    if (kind === null) return;
    this[kind].count += 1;
    if (this[kind].examples.length < queryLimits.replayExamples)
      this[kind].examples.push({ ...about(), saved, proposed });
  }

  #kindOf({ saved, proposed }: Both<Of>) {
    if (saved === null) return proposed === null ? null : 'added';
    if (proposed === null) return 'removed';
    return this.#isSame(saved, proposed) ? null : 'changed';
  }
}

/** In the order of time. */
export function differencesOf(saved: Side, proposed: Side): Differences {
  const incidents = new Comparison<Fate>(isSameFate);
  const pages = new Comparison<PageOf>((a, b) => a.at.equals(b.at));
  for (const place of [...new Set([...saved.arrived.keys(), ...proposed.arrived.keys()])].sort()) {
    const [one, other] = [saved.arrived.get(place), proposed.arrived.get(place)];
    const arrived = one ?? other;
    if (!arrived) continue;
    const [was, becomes] = [seen(saved, one), seen(proposed, other)];
    const { event, title } = arrived;
    const about = () => ({ event, title, rules: rulesBetween(was.rules, becomes.rules) });
    incidents.take({ saved: was.fate, proposed: becomes.fate }, about);
    for (const receiver of new Set([...was.pages.keys(), ...becomes.pages.keys()])) {
      const [before, after] = [was.pages.get(receiver), becomes.pages.get(receiver)];
      pages.take({ saved: before ?? null, proposed: after ?? null }, about);
    }
  }
  return { incidents, pages };
}

type Seen = {
  readonly fate: Fate | null;
  readonly rules: readonly Rule[];
  readonly pages: ReadonlyMap<string, PageOf>;
};

const nothing: Seen = { fate: null, rules: [], pages: new Map() };

function seen(side: Side, arrived: Arrived | undefined): Seen {
  if (!arrived) return nothing;
  const { opened, ignoredBy } = arrived;
  const incident = side.incidentOf(arrived);
  if (!opened || !incident) return { ...nothing, rules: ignoredBy ? [ignoredBy] : [] };
  const pages = [...side.pagesOf(arrived)].map(
    ([receiver, page]) => [receiver, { ...page, incident }] as const,
  );
  const fate = { incident, status: opened.status };
  return { fate, rules: side.rulesOn(incident), pages: new Map(pages) };
}

/** Whatever their ids: rules that are proposed need have none. */
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

const isSameFate = (a: Fate, b: Fate): boolean =>
  a.status === b.status && told.every((field) => a.incident[field] === b.incident[field]);
const told = [
  'title',
  'priority',
  'severity',
  'team_id',
  'integration_id',
  'escalation_policy_id',
] as const;
