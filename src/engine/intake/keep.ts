// What is stored of decided events: all, or only what an incident needs once the budget of the day
// is spent. Nothing is cut before it was decided; docs/decisions/0073-storage-budget.md.
import { isUtf8 } from 'node:buffer';
import {
  bytesWithin,
  headersWithin,
  jsonWithin,
  linksWithin,
  mailWithin,
  textWithin,
} from '../../alerts/cut.ts';
import { leftOf, type Spent, spentBy } from '../../alerts/storage-budget.ts';
import type { Incident } from '../../incidents/incident.ts';
import { eventsLimits } from '../../limits/events.ts';
import type { Changes } from '../ports/changes.ts';
import type { EventOrderingKey, EventOutcome, StoredEvent } from '../ports/events.ts';
import type { SpentBytes, StoredBytes } from '../ports/stored-bytes.ts';
import type { Decided } from './decide.ts';

export type StorageBudget = {
  /** Bytes of an organization in a day; null: no limit. */
  readonly bytes: number | null;
  /** What is stored of any event. */
  readonly least?: Least;
};

type Least = {
  readonly body: number;
  readonly request: number;
  readonly details: number;
  readonly links: number;
  readonly alerts: number;
};

const usualLeast: Least = {
  body: eventsLimits.bodyStored,
  request: eventsLimits.requestStored,
  details: eventsLimits.detailsStored,
  links: eventsLimits.linksStored,
  alerts: eventsLimits.alertsStored,
};

/** About what a row of an event takes with its indexes, and an incident with timeline and notices. */
const PER_EVENT = 1_024;
const PER_INCIDENT = 4 * 1_024;

/** Outcomes of events that are of no incident. */
const countable: ReadonlySet<EventOutcome> = new Set(['dropped', 'ignored', 'unreadable']);

/** What is left for each integration while one transaction stores. */
export class StorageRoom {
  readonly least: Least;
  readonly #budget: number | null;
  readonly #organizations = new Map<string, number>();
  readonly #integrations = new Map<string, number>();
  readonly #wasCut: ReadonlySet<string>;
  /** By integration and outcome. */
  readonly #rows = new Map<string, string>();
  readonly #stored = new Map<string, StoredBytes>();

  constructor(
    { bytes, least = usualLeast }: StorageBudget = { bytes: null },
    spent: readonly SpentBytes[] = [],
  ) {
    this.least = least;
    this.#budget = bytes;
    for (const one of spent) {
      this.#integrations.set(one.integration_id, one.integration);
      this.#organizations.set(one.organization_id, one.organization);
    }
    for (const { integration_id, rows } of spent)
      for (const [outcome, id] of Object.entries(rows))
        this.#rows.set(`${integration_id} ${outcome}`, id);
    this.#wasCut = new Set(spent.flatMap((one) => (one.cutEvents > 0 ? [one.integration_id] : [])));
  }

  leftFor(event: StoredEvent): number {
    return leftOf(this.#budget, this.#spent(event));
  }

  /** `bytes` may be fewer than none, of what was counted whole before it was decided. */
  store({ organization_id, integration_id }: StoredEvent, bytes: number): void {
    this.#integrations.set(integration_id, (this.#integrations.get(integration_id) ?? 0) + bytes);
    this.#organizations.set(
      organization_id,
      (this.#organizations.get(organization_id) ?? 0) + bytes,
    );
    const { bytes: before } = this.#storedOf({ organization_id, integration_id });
    this.#change({ organization_id, integration_id }, { bytes: before + bytes });
  }

  countCut(event: StoredEvent): void {
    this.#change(event, { cutEvents: this.#storedOf(event).cutEvents + 1 });
  }

  /**
   * The event that stands for this one, which does not fit: of those that are of no incident, only
   * the first of each outcome has a row on a day. Null: it has one.
   */
  standsFor({ event, decision }: Decided): string | null {
    const { outcome, alerts } = decision;
    const isCountable = countable.has(outcome) && alerts.every((one) => one.incident_id === null);
    if (!isCountable) return null;
    const key = `${event.integration_id} ${outcome}`;
    const first = this.#rows.get(key);
    if (first !== undefined) return first;
    this.#rows.set(key, event.id);
    this.#change(event, { rows: { ...this.#storedOf(event).rows, [outcome]: event.id } });
    return null;
  }

  #storedOf({ organization_id, integration_id }: EventOrderingKey): StoredBytes {
    const nothing = { organization_id, integration_id, bytes: 0, cutEvents: 0, rows: {} };
    return this.#stored.get(integration_id) ?? nothing;
  }

  #change(of: EventOrderingKey, change: Partial<StoredBytes>): void {
    this.#stored.set(of.integration_id, { ...this.#storedOf(of), ...change });
  }

  /** What this transaction stored, one of each integration. */
  get stored(): readonly StoredBytes[] {
    return [...this.#stored.values()];
  }

  /** Of these, those of which the first events of the day were cut. */
  get newlyCut(): readonly StoredBytes[] {
    return this.stored.filter(
      ({ cutEvents, integration_id }) => cutEvents > 0 && !this.#wasCut.has(integration_id),
    );
  }

  #spent({ organization_id, integration_id }: StoredEvent): Spent {
    return {
      integration: this.#integrations.get(integration_id) ?? 0,
      organization: this.#organizations.get(organization_id) ?? 0,
    };
  }
}

type Decisions = { readonly decided: readonly Decided[]; readonly changes: Changes };

/**
 * `wasCounted`: of events that were stored before they were decided, whether they were counted
 * today.
 */
export function keepWithin(
  room: StorageRoom,
  { decided, changes }: Decisions,
  wasCounted?: (event: StoredEvent) => boolean,
): Decisions {
  const cut = new Map<string, Incident>();
  const copiesOf = copiesIn(changes);
  const stored = decided.map((one): Decided => {
    const { event, stormEventId } = one;
    // It is only counted.
    if (stormEventId !== null) return one;
    const isStored = wasCounted !== undefined;
    if (wasCounted?.(event)) room.store(event, -sizeOf(event));
    const copied = copiesOf(one);
    const size = sizeOfDecided(one) + sizeOfCopies(copied);
    const spent = spentBy(size, room.leftFor(event));
    if (spent !== null) {
      room.store(event, spent);
      return one;
    }
    // One that is stored already keeps its row.
    const first = isStored ? null : room.standsFor(one);
    if (first !== null) {
      room.countCut(event);
      return { ...one, stormEventId: first };
    }
    const short = cutDecided(one, room.least);
    const shortCopies = copied.map((copy) => (copy.opened ? cutCopy(copy, room.least) : copy));
    if (sizeOfDecided(short) + sizeOfCopies(shortCopies) < size) room.countCut(event);
    for (const { incident, opened } of shortCopies) if (opened) cut.set(incident.id, incident);
    return short;
  });
  const opened = changes.opened.map((incident) => cut.get(incident.id) ?? incident);
  return { decided: stored, changes: { ...changes, opened } };
}

/** An incident whose details an event has stored so many times. */
type Copy = { readonly incident: Incident; readonly opened: boolean; readonly times: number };

const sizeOfCopies = (copies: readonly Copy[]): number =>
  copies.reduce(
    (sum, { incident, opened, times }) =>
      sum + (opened ? PER_INCIDENT : 0) + times * contentOf(incident),
    0,
  );

/** What an event takes that is stored as it is; what is no text is stored as base64. */
export function sizeOf(event: StoredEvent): number {
  const { body } = event;
  const isText = isUtf8(body) && !body.includes(0);
  return PER_EVENT + bytesOf(event) + (isText ? 0 : Math.ceil(body.byteLength / 3));
}

/** With what was decided about each of its alerts. */
const sizeOfDecided = ({ event, decision }: Decided): number =>
  sizeOf(event) + Buffer.byteLength(JSON.stringify(decision.alerts));

/** Once where it was opened, and once with each webhook that is called about it. */
function copiesIn(changes: Changes): (one: Decided) => readonly Copy[] {
  const incidents = new Map([...changes.opened, ...changes.changed].map((one) => [one.id, one]));
  const calls = callsIn(changes);
  return (one) => {
    const opened = new Set(idsIn(one, 'opened'));
    return [...new Set(idsIn(one))].flatMap((id): Copy[] => {
      const incident = incidents.get(id);
      const times = (opened.has(id) ? 1 : 0) + (calls.get(id) ?? 0);
      // They are counted with the first event that is about the incident.
      calls.delete(id);
      const isCopied = incident !== undefined && times > 0;
      return isCopied ? [{ incident, opened: opened.has(id), times }] : [];
    });
  };
}

const idsIn = ({ decision }: Decided, outcome?: string): readonly string[] =>
  decision.alerts.flatMap((alert) =>
    outcome === undefined || alert.outcome === outcome ? (alert.incident_id ?? []) : [],
  );

/** How many webhooks are called for each incident: what is sent to them contains its details. */
function callsIn({ intents }: Changes): Map<string, number> {
  const calls = new Map<string, number>();
  for (const { kind, incident_id } of intents)
    if (kind === 'webhook') calls.set(incident_id, (calls.get(incident_id) ?? 0) + 1);
  return calls;
}

const contentOf = ({ details, links }: Incident): number =>
  Buffer.byteLength(JSON.stringify([details, links]));

/** What a sender decides the size of. */
export const bytesOf = ({ body, path, query, headers, mail }: StoredEvent): number =>
  body.byteLength +
  JSON.stringify([path, query, headers]).length +
  (mail === null ? 0 : JSON.stringify(mail).length);

const cutDecided = (one: Decided, least: Least): Decided => ({
  ...one,
  event: cutEvent(one.event, least),
  decision: { ...one.decision, alerts: one.decision.alerts.slice(0, least.alerts) },
});

function cutEvent(event: StoredEvent, { body: most, request }: Least): StoredEvent {
  const { body, path, query, headers, mail } = event;
  const cut = {
    ...event,
    body: bytesWithin(body, most),
    path: textWithin(path, request),
    query: query === null ? null : textWithin(query, request),
    headers: headers === null ? null : headersWithin(headers, request),
    mail: mail && mailWithin(mail, { text: most, heading: request }),
  };
  return bytesOf(cut) < bytesOf(event) ? { ...cut, cut_from: body.byteLength } : event;
}

const cutCopy = (copy: Copy, { details, links }: Least): Copy => {
  const { incident } = copy;
  return {
    ...copy,
    incident: {
      ...incident,
      // It came as JSON.
      details: jsonWithin(incident.details as Parameters<typeof jsonWithin>[0], details),
      links: linksWithin(incident.links, links),
    },
  };
};
