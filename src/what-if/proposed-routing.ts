// Integrations, services, policies, rules and playbooks as they would be after a save.
import type { Configuration, RecordKind, Team } from '../incidents/configuration.ts';
import type { Rule } from '../rules/match-rule.ts';
import type {
  ProposedIntegration,
  ProposedPlaybook,
  ProposedPolicy,
  ProposedRecord,
  ProposedRule,
} from './proposed-record.ts';

/** Where a rule runs among those of its team. */
export type Place = { readonly position: number | null; readonly counter: number };

/** What events are routed by. */
export type Routing = {
  readonly configuration: Configuration;
  /** Of the rules, by id. */
  readonly places: ReadonlyMap<string, Place>;
  /** Ids of records of which not all is known: nothing is said of whom they page. */
  readonly unclear: ReadonlySet<string>;
};

/** Of a new record that no other can name yet. */
export const NEW = 'new';

/** With the record saved or archived. Schedules are left as they are. */
export function withRecord(routing: Routing, record: ProposedRecord): Routing {
  switch (record.kind) {
    case 'schedule':
      return record.id !== null && !record.archived && record.declared === null
        ? unclearWith(routing, record.id)
        : routing;
    case 'policy':
      return withPolicy(routing, record);
    case 'integration':
      return withIntegration(routing, record);
    case 'service':
      return replaced(routing, 'services', record);
    case 'rule':
      return withRule(routing, record);
    case 'playbook':
      return withPlaybook(routing, record);
  }
}

const unclearWith = (routing: Routing, id: string): Routing => ({
  ...routing,
  unclear: new Set([...routing.unclear, id]),
});

/** With these values in the place of its own; one that is not known stays unknown. */
function replaced(
  routing: Routing,
  kind: Extract<RecordKind, 'services' | 'policies' | 'integrations'>,
  { id, ...fields }: { readonly id: string | null; readonly archived: boolean },
): Routing {
  const { configuration } = routing;
  const was = id === null ? undefined : configuration[kind].get(id);
  if (id === null || was === undefined) return routing;
  const records = new Map<string, unknown>([...configuration[kind], [id, { ...was, ...fields }]]);
  return { ...routing, configuration: { ...configuration, [kind]: records } };
}

function withPolicy(routing: Routing, { id, archived, steps, ...own }: ProposedPolicy): Routing {
  if (id === null) return routing;
  // An archived policy still pages.
  if (archived) return replaced(routing, 'policies', { id, archived });
  const isUnclear = steps.some((_step, index) => own.isUnknown(index)) || own.isUnknown(0);
  const saved = { id, archived, name: own.name, steps };
  return isUnclear ? unclearWith(routing, id) : replaced(routing, 'policies', saved);
}

function withIntegration(routing: Routing, { id, archived, fields }: ProposedIntegration): Routing {
  if (id === null) return routing;
  const { escalation_policy_id: policy, service_id: service, ...own } = fields;
  const saved = {
    id,
    archived,
    ...own,
    ...(policy && { escalation_policy_id: policy }),
    ...(service && { service_id: service }),
  };
  const done = replaced(routing, 'integrations', saved);
  const isOff = archived || fields.enabled === false;
  return !isOff && (policy === null || service === null) ? unclearWith(done, id) : done;
}

/** The team whose rule or playbook it is. */
export function teamWith(
  { configuration }: Pick<Routing, 'configuration'>,
  { kind, id, teamId }: Pick<ProposedRule | ProposedPlaybook, 'kind' | 'id' | 'teamId'>,
): Team | undefined {
  if (teamId !== undefined) return configuration.teams.get(teamId);
  const list = kind === 'rule' ? 'rules' : 'playbooks';
  return configuration.teams.values().find((team) => team[list].some((one) => one.id === id));
}

const inTeam = (routing: Routing, team: Team): Routing => ({
  ...routing,
  configuration: {
    ...routing.configuration,
    teams: new Map([...routing.configuration.teams, [team.id, team]]),
  },
});

function withRule(routing: Routing, proposed: ProposedRule): Routing {
  const team = teamWith(routing, proposed);
  if (team === undefined) return routing;
  const { id, rule, position, archived, isUnclear } = proposed;
  const own = id ?? NEW;
  const others = team.rules.filter((one) => one.id !== own);
  const known = routing.places.get(own);
  const place: Place = {
    position: position === undefined ? (known?.position ?? null) : position,
    counter: known?.counter ?? Number.MAX_SAFE_INTEGER,
  };
  const places = new Map([...routing.places, [own, place]]);
  const placed = { ...routing, places };
  if (isUnclear) return unclearWith(placed, own);
  if (archived || rule === null) return inTeam(placed, { ...team, rules: others });
  const isAfter = (one: Rule) => runsBefore(place, places.get(one.id) ?? last);
  const index = others.findIndex(isAfter);
  const rules = index === -1 ? [...others, rule] : others.toSpliced(index, 0, rule);
  return inTeam(placed, { ...team, rules });
}

const last: Place = { position: null, counter: Number.MAX_SAFE_INTEGER };

const rankOf = ({ position }: Place) => position ?? Number.MAX_SAFE_INTEGER;

/** As the engine orders them. */
const runsBefore = (one: Place, other: Place): boolean =>
  rankOf(one) - rankOf(other) < 0 || (rankOf(one) === rankOf(other) && one.counter < other.counter);

function withPlaybook(routing: Routing, proposed: ProposedPlaybook): Routing {
  const team = teamWith(routing, proposed);
  if (team === undefined) return routing;
  const { id, playbook, archived, isUnclear } = proposed;
  const own = id ?? NEW;
  if (isUnclear) return unclearWith(routing, own);
  const was = team.playbooks.find((one) => one.id === own);
  const saved = playbook ?? was;
  if (saved === undefined) return routing;
  const next = { ...saved, id: own, team_id: team.id, archived };
  // They run in the order in which they were made.
  const playbooks = was
    ? team.playbooks.map((one) => (one === was ? next : one))
    : [...team.playbooks, next];
  return inTeam(routing, { ...team, playbooks });
}
