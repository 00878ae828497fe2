// What a team decided beforehand: rules on what arrives, playbooks on what becomes of it.
import type { RunOccasion } from '../../resources/playbook.ts';
import type { Facts } from '../../rules/facts.ts';
import {
  type CompiledRule,
  compileRule,
  mayMatch,
  type Rule,
  timesKept,
} from '../../rules/rule.ts';
import type { Directory } from '../directory.ts';
import { withEscalation } from '../escalation.ts';
import { type Incident, type Outcome, only, then } from '../incident.ts';
import { actorOf } from './effect-entry.ts';
import { type Named, namedBy, namesNothing } from './named.ts';
import { perform, type Targets } from './perform.ts';
import type { Playbook } from './playbook.ts';

/** A rule with what its actions point to. */
type BookRule = { readonly compiled: CompiledRule; readonly named: Named };

/** A playbook that runs by itself, when its conditions hold. */
type Automatic = {
  readonly playbook: Playbook;
  readonly occasions: readonly RunOccasion[];
  /** Its conditions, as those of a rule. */
  readonly compiled: CompiledRule;
  readonly named: Named;
};

/** A team's rules that are active and enabled, in the order in which they run, and its playbooks. */
export type Book = {
  readonly rules: readonly BookRule[];
  /** Archived ones too. */
  readonly playbooks: ReadonlyMap<string, Playbook>;
  readonly automatic: readonly Automatic[];
  /** How many times are remembered, for conditions that ask how often within a while. */
  readonly timesKept: { readonly repeats: number; readonly suppressed: number };
};

/** What was decided beforehand, by team, and what that points to. */
export type Standing = {
  readonly books: ReadonlyMap<string, Book>;
  readonly targets: Omit<Targets, 'playbooks'>;
};

export type Deciding = Standing & { readonly directory: Directory; readonly now: Temporal.Instant };

export function bookOf(compiled: readonly CompiledRule[], playbooks: readonly Playbook[]): Book {
  const byId = new Map(playbooks.map((playbook) => [playbook.id, playbook]));
  const rules = compiled.map((one) => ({ compiled: one, named: namedBy(one.rule.actions, byId) }));
  const automatic = playbooks.flatMap((playbook) => automaticOf(playbook, byId));
  return {
    rules,
    playbooks: byId,
    automatic,
    timesKept: timesKept([...rules, ...automatic].map((one) => one.compiled)),
  };
}

const always: Rule['condition_groups'] = [{ conditions: [{ type: 'allIncidents' }] }];

function automaticOf(playbook: Playbook, all: Book['playbooks']): readonly Automatic[] {
  const { id, name, archived, enabled, run_automatically: occasions = [] } = playbook;
  if (archived || !enabled || occasions.length === 0) return [];
  const { condition_groups = always, actions } = playbook;
  const compiled = compileRule({ id, name, condition_groups, actions: [] });
  return [{ playbook, occasions, compiled, named: namedBy(actions, all) }];
}

export const emptyBook: Book = bookOf([], []);

export const bookFor = (
  { team_id }: { readonly team_id: string },
  { books }: Pick<Standing, 'books'>,
): Book => books.get(team_id) ?? emptyBook;

export const noStanding: Standing = {
  books: new Map(),
  targets: { policies: new Map(), receivers: new Map(), webhooks: new Map() },
};

/** The rules that apply; or the one that ignores, instead of everything else. */
export type Ruling = { readonly ignoredBy: Rule } | { readonly matched: readonly Rule[] };

/** `applied`: the ids of rules that have changed the incident, and do not again. */
export function ruling({ rules }: Book, facts: Facts, applied: readonly string[] = []): Ruling {
  const matched = rules
    .filter(({ compiled }) => compiled.matches(facts))
    .map(({ compiled }) => compiled.rule);
  const ignoring = matched.find(({ actions }) => actions.some(isIgnoring));
  if (ignoring) return { ignoredBy: ignoring };
  return { matched: matched.filter(({ id }) => !applied.includes(id)) };
}

/** What rules may point to when this arrives, whatever else arrives just before. */
export const namedOn = ({ rules }: Book, facts: Facts): readonly Named[] =>
  rules
    .filter(({ named }) => !namesNothing(named))
    .filter(({ compiled }) => compiled.isTriedOnSuppressed || mayMatch(compiled, facts))
    .map(({ named }) => named);

const isIgnoring = ({ type }: { readonly type: string }) => type === 'ignoreIncident';

type Applying = Deciding & {
  /** Of the team whose rules they are, wherever they move the incident. */
  readonly book: Book;
  readonly eventId: string;
  readonly isOpening: boolean;
};

/** Performs what the rules say, one after another. */
export function applyRules(outcome: Outcome, rules: readonly Rule[], applying: Applying): Outcome {
  return rules.reduce((before, rule) => then(before, (one) => apply(one, rule, applying)), outcome);
}

function apply(incident: Incident, rule: Rule, applying: Applying): Outcome {
  const performing = {
    ...applying,
    by: actorOf('rule', rule),
    targets: { ...applying.targets, playbooks: applying.book.playbooks },
    occasion: 'incident_triggered' as const,
    once: `rule-${rule.id}-${applying.eventId}`,
  };
  const { appliedRules } = incident.escalation;
  const marked = withEscalation(incident, { appliedRules: [...appliedRules, rule.id] });
  return rule.actions.reduce(
    (before, action) => then(before, (one) => perform(one, action, performing)),
    only(marked),
  );
}

/** What conditions ask about an incident as it is; `isSuppressed`: one more event was just counted. */
export const factsOf = (
  incident: Incident,
  { now, isSuppressed }: Pick<Facts, 'now' | 'isSuppressed'>,
): Facts => ({
  title: incident.title,
  details: incident.details,
  priority: incident.priority,
  severity: incident.severity,
  integrationId: incident.source_integration_id,
  serviceId: incident.service_id,
  repeatCount: incident.repeat_count,
  repeatedAt: incident.escalation.repeatedAt,
  suppressedCount: incident.suppressed_count,
  suppressedAt: incident.escalation.suppressedAt,
  now,
  isSuppressed,
});
