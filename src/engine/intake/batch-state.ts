import type { AlertEvent } from '../../alerts/alert.ts';
import type { KeyState } from '../../incidents/alert-context.ts';
import { combineEntries } from '../../incidents/combined-entries.ts';
import type { DecisionResult } from '../../incidents/decision-result.ts';
import { type Incident, isOpen, isSooner, type Outcome } from '../../incidents/incident.ts';
import { countAlerts } from '../../incidents/incident-alerts.ts';
import type { RawKeyState } from '../../incidents/raw-keys.ts';
import type { Changes, IntegrationFinding, RememberedEnd } from '../ports/changes.ts';
import type { StoredEvent } from '../ports/events.ts';
import {
  groupText,
  groupTextOf,
  type Key,
  keyText,
  type OpenGroups,
  rawKeyText,
  rawKeyTextOf,
} from '../ports/keys.ts';

type Keyed = Pick<AlertEvent, 'dedup_key' | 'sourceTime' | 'direct'>;

export const keyOf = (event: StoredEvent, alert: Keyed): Key => ({
  organization_id: event.organization_id,
  integration_id: event.integration_id,
  dedup_key: alert.dedup_key,
  ...((alert.sourceTime ?? alert.direct) !== undefined && { isTimed: true as const }),
});

export type AlertDecision = { readonly alert: AlertEvent; readonly result: DecisionResult };

type Loaded = {
  readonly keyStates: ReadonlyMap<string, KeyState>;
  readonly rawKeyStates: ReadonlyMap<string, RawKeyState>;
  /** Null: nothing joins. */
  readonly groups: OpenGroups | null;
};

/** The incidents while one batch is decided, after the events decided so far; and all changes. */
export class BatchState {
  readonly #open = new Map<string, string[]>();
  readonly #loaded: ReadonlyMap<string, KeyState>;
  readonly #byId = new Map<string, Incident>();
  readonly #repeats = new Map<string, readonly number[]>();
  readonly #opened = new Set<string>();
  readonly #changed = new Set<string>();
  readonly #outcomes: Outcome[] = [];
  readonly #ends = new Map<string, RememberedEnd>();
  readonly #findings = new Map<string, IntegrationFinding>();
  readonly #loadedRaw: ReadonlyMap<string, RawKeyState>;
  /** The incidents that came with each raw key, or lead to one that did. */
  readonly #ofRaw = new Map<string, Set<string>>();

  /** By the text of the group, the newest first. */
  readonly #ofGroup = new Map<string, string[]>();
  readonly #mayJoin: boolean;

  constructor({ keyStates: loaded, rawKeyStates: loadedRaw, groups }: Loaded) {
    this.#loaded = loaded;
    this.#loadedRaw = loadedRaw;
    this.#mayJoin = groups !== null;
    for (const [text, incidents] of groups ?? []) {
      this.#ofGroup.set(
        text,
        incidents.map(({ id }) => id),
      );
      for (const incident of incidents) this.#put(incident);
    }
    for (const [text, one] of loaded) {
      this.#open.set(
        text,
        one.open.map((incident) => incident.id),
      );
      for (const incident of one.open) this.#put(incident);
    }
    for (const [text, { open }] of loadedRaw)
      for (const incident of open) {
        this.#put(incident);
        this.#addRaw(text, incident.id);
      }
  }

  #put(incident: Incident): void {
    this.#byId.set(incident.id, incident);
    const text = rawKeyTextOf(incident);
    if (text !== undefined) this.#addRaw(text, incident.id);
  }

  #addRaw(text: string, id: string): void {
    this.#ofRaw.set(text, (this.#ofRaw.get(text) ?? new Set()).add(id));
  }

  /** Of the raw key of an end. */
  rawKeyState(
    { integration_id }: StoredEvent,
    { action, raw_key }: AlertEvent,
  ): RawKeyState | undefined {
    if (action !== 'resolve' || raw_key === undefined) return undefined;
    const text = rawKeyText({ integration_id, raw_key });
    const all = [...(this.#ofRaw.get(text) ?? [])].flatMap((id) => this.#byId.get(id) ?? []);
    const ends = [
      this.#loadedRaw.get(text)?.lastResolvedAt ?? null,
      ...all.map(({ resolved_at }) => resolved_at),
    ];
    return { open: all.filter(isOpen), lastResolvedAt: latestOf(ends) };
  }

  /** Open incidents of the group, the newest first. */
  group({ organization_id }: StoredEvent, group_key: string): readonly Incident[] {
    if (!this.#mayJoin) return [];
    const ids = this.#ofGroup.get(groupText({ organization_id, group_key })) ?? [];
    return ids.flatMap((id) => this.#byId.get(id) ?? []).filter(isOpen);
  }

  keyState(event: StoredEvent, alert: Keyed): KeyState {
    const text = keyText(keyOf(event, alert));
    const loaded = this.#loaded.get(text);
    const open = (this.#open.get(text) ?? []).flatMap((id) => {
      const incident = this.#byId.get(id);
      return incident && incident.status !== 'resolved' ? [incident] : [];
    });
    const repeats = this.#repeats.get(text) ?? [];
    return {
      open,
      ...(loaded?.exchanged && { exchanged: loaded.exchanged }),
      repeatCount: (loaded?.repeatCount ?? 0) + repeats.length,
      repeatedAt: [...(loaded?.repeatedAt ?? []), ...repeats],
      end: this.#ends.get(text)?.end ?? loaded?.end ?? null,
      carried: loaded?.carried ?? { priority: null, severity: null },
    };
  }

  record(event: StoredEvent, alert: AlertEvent, result: DecisionResult): AlertDecision {
    const key = keyOf(event, alert);
    const text = keyText(key);
    if (result.end) {
      const ended = keyOf(event, { ...alert, dedup_key: result.endedKey ?? alert.dedup_key });
      this.#ends.set(keyText(ended), { key: ended, end: result.end });
    }
    const { organization_id, integration_id, id: event_id } = event;
    for (const one of result.findings ?? []) {
      const about = `${integration_id} ${one.kind} ${one.subject}`;
      // In the order of the last about each.
      this.#findings.delete(about);
      this.#findings.set(about, { ...one, organization_id, integration_id, event_id });
    }
    for (const outcome of result.outcomes) {
      const { incident } = outcome;
      this.#put(incident);
      this.#outcomes.push(outcome);
      if (result.opened) {
        this.#opened.add(incident.id);
        this.#open.set(text, [...(this.#open.get(text) ?? []), incident.id]);
        const at = incident.created_at.epochMilliseconds;
        this.#repeats.set(text, [...(this.#repeats.get(text) ?? []), at]);
        this.#addToGroup(incident);
      } else if (!this.#opened.has(incident.id)) this.#changed.add(incident.id);
    }
    // Its key leads to the incident from now on.
    if (result.outcome === 'grouped' && result.incidentId !== null)
      this.#open.set(text, [...(this.#open.get(text) ?? []), result.incidentId]);
    return { alert, result };
  }

  #addToGroup(incident: Incident): void {
    const text = groupTextOf(incident);
    if (text === undefined) return;
    this.#ofGroup.set(text, [incident.id, ...(this.#ofGroup.get(text) ?? [])]);
  }

  incidents(): Iterable<Incident> {
    return this.#byId.values();
  }

  /** Numbers of the incidents that were opened before this batch. */
  numbers(): Map<string, number> {
    const numbered = [...this.#byId.values()].filter((incident) => incident.number > 0);
    return new Map(numbered.map((incident) => [incident.id, incident.number]));
  }

  changes(): Changes {
    const changed = this.#all(this.#changed);
    const before = new Map([...this.#loaded.values()].flatMap(({ open }) => open.map(byId)));
    const counted = changed.filter((one) => isOnlyCounted(before.get(one.id), one));
    const changes = changesOf(this.#outcomes, { opened: this.#all(this.#opened), changed });
    return {
      ...changes,
      entries: combineEntries(changes.entries),
      counted: new Set(counted.map(({ id }) => id)),
      ends: [...this.#ends.values()],
      ...(this.#findings.size > 0 && { findings: [...this.#findings.values()] }),
    };
  }

  #all(ids: ReadonlySet<string>): Incident[] {
    return [...ids].flatMap((id) => this.#byId.get(id) ?? []);
  }
}

const latestOf = (instants: readonly (Temporal.Instant | null)[]): Temporal.Instant | null =>
  instants.reduce(
    (latest, one) => (latest && (!one || isSooner(one, latest)) ? latest : one),
    null,
  );

const byId = (incident: Incident) => [incident.id, incident] as const;

const countedFields: ReadonlySet<string> = new Set([
  ...([
    'suppressed_count',
    'updated_at',
    'escalation',
    'alerts',
  ] as const satisfies (keyof Incident)[]),
]);

/** Whether only the fields that count repeats differ. */
const isOnlyCounted = (before: Incident | undefined, now: Incident): boolean =>
  before !== undefined &&
  Object.entries(now).every(
    ([name, value]) => countedFields.has(name) || value === before[name as keyof Incident],
  ) &&
  now.alerts?.length === before.alerts?.length &&
  countAlerts(now).firing === countAlerts(before).firing;

/** What the outcomes, in their order, write. */
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
