// The stored events of an integration, read again in their order: which problems they report by the
// keys of this release, and to which open incidents those belong. The release before made other keys
// of the same messages, and took some ends for problems. docs/decisions/0080-exchanged-keys.md.
import type { AlertEvent } from '../alerts/alert.ts';
import { settled } from '../alerts/in-doubt.ts';
import { formerKeyOf } from './former-keys.ts';
import { type Incident, isSooner } from './incident.ts';
import type { KeyEnd } from './key-end.ts';
import { endTaken, isLateEnd, latenessOf } from './lateness.ts';

/** An incident that is open, or merged into another. */
export type MatchingIncident = Pick<
  Incident,
  'id' | 'status' | 'dedup_key' | 'merged_into_id' | 'suppressed_count'
> & {
  /** Others were merged into it. */
  readonly hasMerged: boolean;
};

/** A stored event, read by this release. */
export type ReadAgain = {
  readonly id: string;
  readonly receivedAt: Temporal.Instant;
  readonly alerts: readonly AlertEvent[];
  /** What was decided about its alerts when it came, by their former keys. */
  readonly results: readonly {
    readonly dedup_key: string;
    readonly outcome: string;
    readonly incident_id: string | null;
  }[];
};

type Problem = {
  /** The last trigger. */
  readonly last: AlertEvent;
  readonly eventId: string;
  /** The last of the instants that its triggers had. */
  readonly lastTime: AlertEvent['sourceTime'];
  /** The incidents that it was reported to. */
  readonly incidents: Set<string>;
  readonly isOver: boolean;
};

/** The event of an alert, and the incidents to which that went. */
type Report = { readonly event: ReadAgain; readonly incidents: Set<string> };

type Apart = {
  /** The incident that it was part of. */
  readonly from: string;
  readonly alert: AlertEvent;
  readonly eventId: string;
};

export type NewKey = Pick<AlertEvent, 'dedup_key' | 'raw_key'>;

export type ReplayedKeys = {
  /** The keys of incidents whose problem is known, by id. */
  readonly keys: ReadonlyMap<string, NewKey>;
  /** Problems that shared an incident, and still last: each opens an incident of its own. */
  readonly apart: readonly Apart[];
  /** Open incidents of which every alert is stored, and every problem is over. */
  readonly over: readonly string[];
};

export class KeyReplay {
  readonly #byId: ReadonlyMap<string, MatchingIncident>;
  /** By the incident that they were merged into, and their key. */
  readonly #merged: ReadonlyMap<string, readonly MatchingIncident[]>;
  /** By their key of this release, the oldest first. */
  readonly #problems = new Map<string, Problem>();
  readonly #ends = new Map<string, KeyEnd>();
  /** How many of its alerts were read again, by incident. */
  readonly #alerts = new Map<string, number>();
  /** Incidents of which a problem ended. */
  readonly #ended = new Set<string>();
  /** Incidents that may last although their problems ended. */
  readonly #inDoubt = new Set<string>();

  constructor(matching: readonly MatchingIncident[]) {
    this.#byId = new Map(matching.map((one) => [one.id, one]));
    this.#merged = Map.groupBy(matching, ({ merged_into_id: into, dedup_key }) =>
      mergedKey(into ?? '', dedup_key),
    );
  }

  /** Events are taken in the order in which they came. */
  add(event: ReadAgain): void {
    const results = Map.groupBy(event.results, ({ dedup_key }) => dedup_key);
    const counted = new Set<string>();
    for (const alert of event.alerts) {
      const plain = settled(alert, (key) => this.#titlesOf(key));
      const incidents = new Set<string>();
      for (const former of new Set([formerKeyOf(alert), formerKeyOf(plain)])) {
        const own = results.get(former) ?? [];
        if (!counted.has(former)) this.#count(own);
        counted.add(former);
        for (const { incident_id: id } of own)
          if (id !== null) for (const one of this.#under(former, id)) incidents.add(one.id);
      }
      this.#take(plain, { event, incidents });
    }
  }

  #titlesOf(key: string): readonly string[] {
    const problem = this.#problems.get(key);
    return problem === undefined || problem.isOver ? [] : [problem.last.title];
  }

  #count(results: ReadAgain['results']): void {
    for (const { outcome, incident_id: id } of results) {
      if (id === null) continue;
      if (outcome === 'opened' || outcome === 'suppressed')
        this.#alerts.set(id, (this.#alerts.get(id) ?? 0) + 1);
      // It had ended, and a person reopened it.
      if (outcome === 'resolved') this.#inDoubt.add(id);
    }
  }

  /** The incidents that have the key, of an alert that went to this incident. */
  #under(former: string, id: string): readonly MatchingIncident[] {
    const one = this.#byId.get(id);
    const merged = this.#merged.get(mergedKey(id, former)) ?? [];
    return one?.dedup_key === former ? [one, ...merged] : merged;
  }

  #take(alert: AlertEvent, by: Report): void {
    if (alert.action === 'acknowledge') return;
    if (alert.unwatched !== undefined) {
      for (const id of by.incidents) this.#inDoubt.add(id);
      return;
    }
    const problem = this.#problems.get(alert.dedup_key);
    if (alert.action === 'trigger') this.#trigger(alert, problem, by);
    else this.#end(alert, problem, by);
  }

  #trigger(alert: AlertEvent, problem: Problem | undefined, { event, incidents }: Report): void {
    const { dedup_key: key } = alert;
    if (latenessOf(alert, this.#ends.get(key), event.receivedAt)?.opens === false) {
      // Its problem is over.
      for (const id of incidents) this.#ended.add(id);
      return;
    }
    const lastTime = later(problem?.lastTime, alert.sourceTime);
    // One that went to no incident, as when a rule ignored it, shows all the same that it lasts again.
    const isNew = problem === undefined || (problem.isOver && incidents.size > 0);
    const all = isNew ? incidents : problem.incidents;
    for (const id of incidents) all.add(id);
    // The oldest stay first.
    if (problem?.isOver) this.#problems.delete(key);
    const { id: eventId } = event;
    this.#problems.set(key, { last: alert, eventId, lastTime, incidents: all, isOver: false });
  }

  #end(alert: AlertEvent, problem: Problem | undefined, { event, incidents }: Report): void {
    // What Prometheus sends itself ends by its timer.
    if (alert.direct !== undefined || isLateEnd(alert.sourceTime, problem?.lastTime)) return;
    const { dedup_key: key } = alert;
    for (const id of incidents) this.#ended.add(id);
    if (problem !== undefined) {
      for (const id of problem.incidents) this.#ended.add(id);
      this.#problems.set(key, { ...problem, isOver: true });
    }
    const taken = endTaken(alert, { open: [], end: this.#ends.get(key) ?? null }, event.receivedAt);
    if (taken !== undefined) this.#ends.set(key, taken);
  }

  result(): ReplayedKeys {
    const lasting = new Map<string, Problem[]>();
    for (const problem of this.#problems.values()) {
      if (problem.isOver) continue;
      for (const id of problem.incidents) {
        const own = lasting.get(id) ?? [];
        own.push(problem);
        lasting.set(id, own);
      }
    }
    const keys = new Map<string, NewKey>();
    for (const [id, [first]] of lasting) if (first) keys.set(id, newKeyOf(first.last));
    const all = [...this.#byId.values()];
    const taken = new Set(all.map(({ id, dedup_key }) => keys.get(id)?.dedup_key ?? dedup_key));
    const apart: Apart[] = [];
    for (const [from, problems] of lasting) {
      if (this.#byId.get(from)?.status === 'resolved') continue;
      for (const { last: alert, eventId } of problems) {
        if (taken.has(alert.dedup_key)) continue;
        taken.add(alert.dedup_key);
        apart.push({ from, alert, eventId });
      }
    }
    const over = all.filter((one) => !lasting.has(one.id) && this.#isOver(one));
    return { keys, apart, over: over.map(({ id }) => id) };
  }

  /** In doubt it is not: further alerts may have been counted only, cut or removed. */
  #isOver({ id, status, suppressed_count, hasMerged }: MatchingIncident): boolean {
    const isWhole = (this.#alerts.get(id) ?? 0) > suppressed_count;
    const isInDoubt = hasMerged || this.#inDoubt.has(id);
    return status !== 'resolved' && isWhole && this.#ended.has(id) && !isInDoubt;
  }
}

const newKeyOf = ({ dedup_key, raw_key }: AlertEvent): NewKey => ({
  dedup_key,
  ...(raw_key !== undefined && { raw_key }),
});

const mergedKey = (into: string, dedup_key: string): string => `${into} ${dedup_key}`;

const later = (
  one: AlertEvent['sourceTime'],
  other: AlertEvent['sourceTime'],
): AlertEvent['sourceTime'] =>
  one !== undefined && (other === undefined || (one.by === other.by && isSooner(other.at, one.at)))
    ? one
    : other;
