// Decides events in their order inside one transaction: the shell around incidents/receive.ts.
import type { AlertEvent, Reading } from '../alerts/alert.ts';
import type { Incident, Outcome } from '../incidents/incident.ts';
import {
  type Known,
  type Received,
  type Receiver,
  receive,
  whyDropped,
} from '../incidents/receive.ts';
import type { Ids } from './ids.ts';
import {
  type AlertResult,
  type Changes,
  type Decision,
  type EventOutcome,
  type Key,
  keyText,
  type Needed,
  type StoredEvent,
  type Tx,
} from './ledger.ts';

export type Readable = { readonly event: StoredEvent; readonly reading: Reading };
export type Decided = Readable & {
  readonly decision: Decision;
  /** The whole request was counted onto this event's row instead of being stored. */
  readonly stormEventId: string | null;
};

type Deciding = { readonly tx: Tx; readonly ids: Ids; readonly now: Temporal.Instant };

/** The caller holds the receivers' locks. Writes incidents, timeline and outbox; not the events. */
export async function decideEvents(
  readables: readonly Readable[],
  receivers: ReadonlyMap<string, Receiver>,
  deciding: Deciding,
): Promise<{
  decided: readonly Decided[];
  changes: Changes;
  numbers: ReadonlyMap<string, number>;
}> {
  const { tx, now } = deciding;
  const live = readables.filter(({ event }) => {
    const receiver = receivers.get(event.integration_id);
    return receiver !== undefined && whyDropped(receiver) === null;
  });
  const known = await tx.known(keysOf(live));
  const desk = new Desk(known);
  const directory = await tx.directory(needs(live, receivers, desk));
  const decided = readables.map((readable): Decided => {
    const { event, reading } = readable;
    const receiver = receivers.get(event.integration_id);
    if ('unreadable' in reading) return unreadable(readable, reading.unreadable);
    if (!receiver) return unreadable(readable, 'the integration is gone');
    const results = reading.alerts.map((alert) => {
      const context = { directory, now, eventId: event.id, newId: () => deciding.ids.next() };
      const given = { known: desk.known(event, alert), context };
      return desk.take(event, alert, receive(receiver, alert, given));
    });
    return decidedOf(readable, results);
  });
  const changes = desk.changes();
  const numbers = await tx.save(changes, now);
  return { decided, changes, numbers: new Map([...desk.numbers(), ...numbers]) };
}

const unreadable = (readable: Readable, reason: string): Decided => ({
  ...readable,
  decision: { outcome: 'unreadable', reason, alerts: [] },
  stormEventId: null,
});

type Result = { readonly alert: AlertEvent; readonly received: Received };

function decidedOf(readable: Readable, results: readonly Result[]): Decided {
  const alerts: AlertResult[] = results.map(({ alert, received }) => ({
    action: alert.action,
    dedup_key: alert.dedup_key,
    outcome: received.outcome,
    incident_id: received.incidentId,
    reason: received.reason,
  }));
  const outcomes = new Set(alerts.map((one) => one.outcome));
  const [first] = outcomes;
  const outcome: EventOutcome = outcomes.size > 1 ? 'mixed' : (first ?? 'ignored');
  const reason = alerts.length === 0 ? 'the request holds no alert' : (alerts[0]?.reason ?? null);
  const storm = results[0]?.received.stormEventId ?? null;
  const allCounted =
    results.length > 0 && results.every((one) => one.received.stormEventId !== null);
  return {
    ...readable,
    decision: { outcome, reason: outcome === 'mixed' ? null : reason, alerts },
    stormEventId: allCounted ? storm : null,
  };
}

const keyOf = (event: StoredEvent, alert: AlertEvent): Key => ({
  organization_id: event.organization_id,
  integration_id: event.integration_id,
  dedup_key: alert.dedup_key,
});

function keysOf(readables: readonly Readable[]): Key[] {
  const keys = new Map<string, Key>();
  for (const { event, reading } of readables) {
    if ('unreadable' in reading) continue;
    for (const alert of reading.alerts) {
      const key = keyOf(event, alert);
      keys.set(keyText(key), key);
    }
  }
  return [...keys.values()];
}

function needs(
  readables: readonly Readable[],
  receivers: ReadonlyMap<string, Receiver>,
  desk: Desk,
): Needed[] {
  const perOrganization = new Map<string, NeededSets>();
  const involved = new Set(readables.map(({ event }) => event.integration_id));
  for (const id of involved) {
    const receiver = receivers.get(id);
    if (!receiver) continue;
    const needed = neededOf(perOrganization, receiver.organization_id);
    needed.teamIds.add(receiver.team_id);
    for (const step of receiver.policy.steps) addTargets(needed, step.targets);
  }
  for (const incident of desk.incidents())
    neededOf(perOrganization, incident.organization_id).teamIds.add(incident.team_id);
  return [...perOrganization.values()];
}

type NeededSets = {
  organization_id: string;
  userIds: Set<string>;
  scheduleIds: Set<string>;
  teamIds: Set<string>;
};

function neededOf(all: Map<string, NeededSets>, organizationId: string): NeededSets {
  const found = all.get(organizationId) ?? {
    organization_id: organizationId,
    userIds: new Set(),
    scheduleIds: new Set(),
    teamIds: new Set(),
  };
  all.set(organizationId, found);
  return found;
}

function addTargets(needed: NeededSets, targets: Incident['steps'][number]['targets']): void {
  for (const target of targets) {
    if (target.user_id !== undefined) needed.userIds.add(target.user_id);
    if (target.oncall_schedule_id !== undefined) needed.scheduleIds.add(target.oncall_schedule_id);
  }
}

/** What advancing these incidents may ask of the directory, per organisation. */
export function neededFor(incidents: readonly Incident[]): Needed[] {
  const perOrganization = new Map<string, NeededSets>();
  for (const incident of incidents) {
    const needed = neededOf(perOrganization, incident.organization_id);
    needed.teamIds.add(incident.team_id);
    for (const step of incident.steps) addTargets(needed, step.targets);
  }
  return [...perOrganization.values()];
}

/** The incidents as they stand while one batch is decided, and what it changed. */
class Desk {
  readonly #open = new Map<string, string[]>();
  readonly #known: ReadonlyMap<string, Known>;
  readonly #byId = new Map<string, Incident>();
  readonly #repeats = new Map<string, number>();
  readonly #opened = new Set<string>();
  readonly #changed = new Set<string>();
  readonly #outcomes: Outcome[] = [];

  constructor(known: ReadonlyMap<string, Known>) {
    this.#known = known;
    for (const [text, one] of known) {
      this.#open.set(
        text,
        one.open.map((incident) => incident.id),
      );
      for (const incident of one.open) this.#byId.set(incident.id, incident);
    }
  }

  known(event: StoredEvent, alert: AlertEvent): Known {
    const text = keyText(keyOf(event, alert));
    const loaded = this.#known.get(text);
    const open = (this.#open.get(text) ?? []).flatMap((id) => {
      const incident = this.#byId.get(id);
      return incident && incident.status !== 'resolved' ? [incident] : [];
    });
    return {
      open,
      repeatCount: (loaded?.repeatCount ?? 0) + (this.#repeats.get(text) ?? 0),
      carried: loaded?.carried ?? { priority: null, severity: null },
    };
  }

  take(event: StoredEvent, alert: AlertEvent, received: Received): Result {
    const text = keyText(keyOf(event, alert));
    for (const outcome of received.outcomes) {
      const { incident } = outcome;
      this.#byId.set(incident.id, incident);
      this.#outcomes.push(outcome);
      if (received.opened) {
        this.#opened.add(incident.id);
        this.#open.set(text, [...(this.#open.get(text) ?? []), incident.id]);
        this.#repeats.set(text, (this.#repeats.get(text) ?? 0) + 1);
      } else if (!this.#opened.has(incident.id)) this.#changed.add(incident.id);
    }
    return { alert, received };
  }

  incidents(): Iterable<Incident> {
    return this.#byId.values();
  }

  /** Numbers of the incidents that had one before. */
  numbers(): Map<string, number> {
    const had = [...this.#byId.values()].filter((incident) => incident.number > 0);
    return new Map(had.map((incident) => [incident.id, incident.number]));
  }

  changes(): Changes {
    return changesOf(this.#outcomes, {
      opened: this.#all(this.#opened),
      changed: this.#all(this.#changed),
    });
  }

  #all(ids: ReadonlySet<string>): Incident[] {
    return [...ids].flatMap((id) => this.#byId.get(id) ?? []);
  }
}

/** Outcomes, in order, as what has to be written. */
export function changesOf(
  outcomes: readonly Outcome[],
  incidents: Pick<Changes, 'opened' | 'changed'>,
): Changes {
  const organizationOf = new Map(
    outcomes.map(({ incident }) => [incident.id, incident.organization_id]),
  );
  const withOrganization = <T extends { readonly incident_id: string }>(one: T) => ({
    ...one,
    organization_id: organizationOf.get(one.incident_id) ?? '',
  });
  return {
    ...incidents,
    entries: outcomes.flatMap((outcome) => outcome.entries.map(withOrganization)),
    intents: outcomes.flatMap((outcome) => outcome.intents.map(withOrganization)),
    allClear: outcomes.filter((outcome) => outcome.allClear).map((outcome) => outcome.incident),
  };
}
