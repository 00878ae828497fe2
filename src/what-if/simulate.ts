// Who would be paged? The whole story of an event, or of an incident from now on.
import type { AlertEvent } from '../alerts/alert.ts';
import type { AlertResult, StoredEvent } from '../engine/ledger.ts';
import { type Actor, type Incident, minutesAfter } from '../incidents/incident.ts';
import { queryLimits } from '../limits/queries.ts';
import { conditionsIn } from '../rules/groups.ts';
import { judgedNow, rulesTried, type TriedRule } from './judged.ts';
import { type EntryRow, type Given, MemoryLedger } from './memory/ledger.ts';
import { type Past, Rehearsal } from './rehearsal.ts';
import { type Told, toldIn } from './told.ts';

export type Question = {
  readonly given: Given;
  readonly past: Past;
  readonly at: Temporal.Instant;
  /** None: the incidents there are go on. */
  readonly arrives: {
    readonly event: StoredEvent;
    readonly alerts: readonly AlertEvent[];
  } | null;
  readonly acknowledgeAfterMinutes: number | null;
  /** Whether the story ends once it is acknowledged. */
  readonly until: 'acknowledged' | 'exhausted';
};

export type Decided = AlertResult & {
  readonly title: string;
  readonly rules: readonly TriedRule[];
};

/** Why a story ends; `days` and `lines`: it would go on, but is not followed further. */
export type Ending = 'nothing' | 'acknowledged' | 'resolved' | 'exhausted' | 'days' | 'lines';

export type Story = {
  readonly alerts: readonly Decided[];
  /** Of how many rules it is not told how they were judged. */
  readonly rulesUntold: number;
  /** As they were opened, or as they were already. */
  readonly incidents: readonly Incident[];
  readonly lines: readonly EntryRow[];
  readonly told: readonly Told[];
  /** With the incidents as they are then. */
  readonly ended: {
    readonly why: Ending;
    readonly at: Temporal.Instant;
    readonly incidents: readonly Incident[];
  };
};

export const somebody: Actor = { type: 'user', name: 'Somebody', via: 'api' };

export async function simulate(question: Question): Promise<Story> {
  const { given, at, arrives, past } = question;
  const rehearsal = new Rehearsal(new MemoryLedger(given), at);
  const { ledger } = rehearsal;
  rehearsal.has(past);
  const { alerts, rulesUntold } = await decided(rehearsal, arrives);
  const incidents = arrives ? concernedBy(alerts, ledger) : past.incidents;
  const why = incidents.length === 0 ? 'nothing' : await goOn(rehearsal, incidents, question);
  const ids = new Set(incidents.map(({ id }) => id));
  const all = [...ledger.timeline.values()].filter((line) => ids.has(line.incident_id));
  const lines = all.slice(0, queryLimits.simulationLines);
  const told = toldIn(ledger, { lines, past })
    .filter(({ incidentId }) => ids.has(incidentId))
    .slice(0, queryLimits.simulationLines);
  const left = incidents.flatMap(({ id }) => ledger.incidents.get(id) ?? []);
  const ended = { why, at: rehearsal.clock.now(), incidents: left };
  return { alerts, rulesUntold, incidents, lines, told, ended };
}

/** One alert after another, so that each is judged on what those before it left. */
async function decided(
  rehearsal: Rehearsal,
  arrives: Question['arrives'],
): Promise<Pick<Story, 'alerts' | 'rulesUntold'>> {
  const all: Decided[] = [];
  let rulesUntold = 0;
  let left = queryLimits.conditionsExplained;
  if (!arrives) return { alerts: [], rulesUntold };
  for (const alert of arrives.alerts) {
    const { event } = arrives;
    const judged = judgedNow(rehearsal, { event, alert });
    const { rules, untold } = rulesTried(judged, left);
    rulesUntold += untold;
    left -= rules.reduce((sum, rule) => sum + conditionsIn(rule), 0);
    const decision = await rehearsal.takes(event, { alerts: [alert] });
    const results = decision?.alerts ?? [];
    all.push(...results.map((result) => ({ ...result, title: alert.title, rules })));
  }
  return { alerts: all, rulesUntold };
}

const concernedBy = (alerts: readonly Decided[], { incidents }: MemoryLedger) =>
  [...new Set(alerts.map(({ incident_id: id }) => id))].flatMap((id) =>
    id === null ? [] : (incidents.get(id) ?? []),
  );

async function goOn(
  rehearsal: Rehearsal,
  incidents: readonly Incident[],
  { at, acknowledgeAfterMinutes: after, until }: Question,
): Promise<Ending> {
  const { ledger, clock } = rehearsal;
  const end = at.add({ hours: queryLimits.simulationDays * 24 });
  let acknowledgeAt = after === null ? null : minutesAfter(at, after);
  const states = () => incidents.map(({ id }) => ledger.incidents.get(id)?.status);
  for (;;) {
    if (ledger.timeline.size >= queryLimits.simulationLines) return 'lines';
    // What falls due at the same instant comes before what people do.
    if (await rehearsal.goesOn(clock.now())) continue;
    if (until === 'acknowledged' && !states().includes('triggered')) return restOf(states());
    if (await rehearsal.goesOn(acknowledgeAt ?? end)) continue;
    if (acknowledgeAt === null)
      return rehearsal.next() === null ? restOf(states()) : ended(rehearsal, end);
    rehearsal.waits(acknowledgeAt);
    acknowledgeAt = null;
    for (const { id } of incidents) await acknowledge(rehearsal, id);
  }
}

async function acknowledge(rehearsal: Rehearsal, id: string): Promise<void> {
  const incident = rehearsal.ledger.incidents.get(id);
  if (incident?.status === 'triggered')
    await rehearsal.does(incident, { type: 'acknowledge', by: somebody });
}

function ended(rehearsal: Rehearsal, end: Temporal.Instant): Ending {
  rehearsal.waits(end);
  return 'days';
}

function restOf(states: readonly (Incident['status'] | undefined)[]): Ending {
  if (states.includes('triggered')) return 'exhausted';
  return states.includes('acknowledged') ? 'acknowledged' : 'resolved';
}
