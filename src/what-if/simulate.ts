// Who would be paged: simulates an event, or an incident from now on.
import type { AlertEvent } from '../alerts/alert.ts';
import type { AlertResult, StoredEvent } from '../engine/ports/events.ts';
import { configurationIn, policyIn } from '../incidents/configuration.ts';
import { type Actor, type Incident, minutesAfter } from '../incidents/incident.ts';
import { queryLimits } from '../limits/queries.ts';
import { conditionsIn } from '../rules/groups.ts';
import { evaluateNow, type TriedRule, triedRules } from './evaluation.ts';
import { type EntryRow, MemoryLedger, type MemoryLedgerOptions } from './memory/ledger.ts';
import { noticesIn, type StoryNotice } from './notices.ts';
import { openedForPolicy } from './policy-alone.ts';
import { type Past, Rehearsal } from './rehearsal.ts';

export type SimulationParams = {
  readonly ledgerOptions: MemoryLedgerOptions;
  readonly past: Past;
  readonly at: Temporal.Instant;
  /** Null: the incidents of `past` continue, or one is opened for `policyAlone`. */
  readonly arrival: {
    readonly event: StoredEvent;
    readonly alerts: readonly AlertEvent[];
  } | null;
  /** A policy of the configuration that pages for an incident of its own. */
  readonly policyAlone?: {
    readonly organizationId: string;
    readonly policyId: string;
    readonly teamId: string;
  };
  readonly acknowledgeAfterMinutes: number | null;
  /** Whether the simulation ends once all incidents are acknowledged. */
  readonly until: 'acknowledged' | 'exhausted';
};

export type DecidedAlert = AlertResult & {
  readonly title: string;
  readonly rules: readonly TriedRule[];
};

/** Why a simulation ends; `days` and `entries` are limits, beyond which it would continue. */
export type Ending = 'nothing' | 'acknowledged' | 'resolved' | 'exhausted' | 'days' | 'entries';

export type Story = {
  readonly alerts: readonly DecidedAlert[];
  /** How many rules have no explanation, for there are too many. */
  readonly rulesOmitted: number;
  /** As they were opened, or as they existed before. */
  readonly incidents: readonly Incident[];
  readonly entries: readonly EntryRow[];
  readonly notices: readonly StoryNotice[];
  /** Why and when it ended, with the incidents as they are then. */
  readonly ended: {
    readonly why: Ending;
    readonly at: Temporal.Instant;
    readonly incidents: readonly Incident[];
  };
};

export const somebody: Actor = { type: 'user', name: 'Somebody', via: 'api' };

export async function simulate(params: SimulationParams): Promise<Story> {
  const { ledgerOptions, at, arrival, past } = params;
  const rehearsal = new Rehearsal(new MemoryLedger(ledgerOptions), at);
  const { ledger } = rehearsal;
  rehearsal.load(past);
  const { alerts, rulesOmitted } = await decideAlerts(rehearsal, arrival);
  const incidents = arrival
    ? concernedBy(alerts, ledger)
    : params.policyAlone
      ? [await openFor(rehearsal, params.policyAlone)]
      : past.incidents;
  const why = incidents.length === 0 ? 'nothing' : await runToEnd(rehearsal, incidents, params);
  const ids = new Set(incidents.map(({ id }) => id));
  const all = [...ledger.timeline.values()].filter((line) => ids.has(line.incident_id));
  const entries = all.slice(0, queryLimits.simulationEntries);
  const notices = noticesIn(ledger, { entries, past })
    .filter(({ incidentId }) => ids.has(incidentId))
    .slice(0, queryLimits.simulationEntries);
  const left = incidents.flatMap(({ id }) => ledger.incidents.get(id) ?? []);
  const ended = { why, at: rehearsal.clock.now(), incidents: left };
  return { alerts, rulesOmitted, incidents, entries, notices, ended };
}

function openFor(
  rehearsal: Rehearsal,
  { organizationId, policyId, teamId }: NonNullable<SimulationParams['policyAlone']>,
): Promise<Incident> {
  const { configurations } = rehearsal.ledger.options;
  const configuration = configurationIn(configurations, organizationId);
  const policy = policyIn(configuration, policyId);
  return rehearsal.open((opening) =>
    openedForPolicy({ ...opening, policy, teamId, configuration }),
  );
}

/** One alert after another, so that each is evaluated on what those before it left. */
async function decideAlerts(
  rehearsal: Rehearsal,
  arrival: SimulationParams['arrival'],
): Promise<Pick<Story, 'alerts' | 'rulesOmitted'>> {
  const all: DecidedAlert[] = [];
  let rulesOmitted = 0;
  let left = queryLimits.conditionsExplained;
  if (!arrival) return { alerts: [], rulesOmitted };
  for (const alert of arrival.alerts) {
    const { event } = arrival;
    const evaluation = evaluateNow(rehearsal, { event, alert });
    const { rules, omitted } = triedRules(evaluation, left);
    rulesOmitted += omitted;
    left -= rules.reduce((sum, rule) => sum + conditionsIn(rule), 0);
    const decision = await rehearsal.receive(event, { alerts: [alert] });
    const results = decision?.alerts ?? [];
    all.push(...results.map((result) => ({ ...result, title: alert.title, rules })));
  }
  return { alerts: all, rulesOmitted };
}

const concernedBy = (alerts: readonly DecidedAlert[], { incidents }: MemoryLedger) =>
  [...new Set(alerts.map(({ incident_id: id }) => id))].flatMap((id) =>
    id === null ? [] : (incidents.get(id) ?? []),
  );

async function runToEnd(
  rehearsal: Rehearsal,
  incidents: readonly Incident[],
  { at, acknowledgeAfterMinutes: after, until }: SimulationParams,
): Promise<Ending> {
  const { ledger, clock } = rehearsal;
  const end = at.add({ hours: queryLimits.simulationDays * 24 });
  let acknowledgeAt = after === null ? null : minutesAfter(at, after);
  const states = () => incidents.map(({ id }) => ledger.incidents.get(id)?.status);
  for (;;) {
    if (ledger.timeline.size >= queryLimits.simulationEntries) return 'entries';
    // What falls due at the same instant comes before what people do.
    if (await rehearsal.runNext(clock.now())) continue;
    if (until === 'acknowledged' && !states().includes('triggered')) return endingOf(states());
    if (await rehearsal.runNext(acknowledgeAt ?? end)) continue;
    if (acknowledgeAt === null)
      return rehearsal.next() === null ? endingOf(states()) : ended(rehearsal, end);
    rehearsal.advanceTo(acknowledgeAt);
    acknowledgeAt = null;
    for (const { id } of incidents) await acknowledge(rehearsal, id);
  }
}

async function acknowledge(rehearsal: Rehearsal, id: string): Promise<void> {
  const incident = rehearsal.ledger.incidents.get(id);
  if (incident?.status === 'triggered')
    await rehearsal.perform(incident, { type: 'acknowledge', by: somebody });
}

function ended(rehearsal: Rehearsal, end: Temporal.Instant): Ending {
  rehearsal.advanceTo(end);
  return 'days';
}

function endingOf(states: readonly (Incident['status'] | undefined)[]): Ending {
  if (states.includes('triggered')) return 'exhausted';
  return states.includes('acknowledged') ? 'acknowledged' : 'resolved';
}
