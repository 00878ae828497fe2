// One of the two sides of a replay: the past events with one set of rules.
import type { AlertEvent, Reading } from '../alerts/alert.ts';
import type { AlertResult, StoredEvent } from '../engine/ports/events.ts';
import type { Incident, Status } from '../incidents/incident.ts';
import { isWorseThan, worstAmong } from '../incidents/raise-severity.ts';
import type { Rule } from '../rules/match-rule.ts';
import { evaluateNow } from './evaluation.ts';
import { MemoryLedger, type MemoryLedgerOptions } from './memory/ledger.ts';
import type { IncidentIntent } from './memory/outbox.ts';
import { Rehearsal } from './rehearsal.ts';

/** An alert of an event that opened something, or would have without a rule. */
export type ReplayedAlert = {
  readonly event: { readonly id: string; readonly at: Temporal.Instant };
  readonly title: string;
  /** Null: a rule ignored it. */
  readonly opened: { readonly incidentId: string; readonly status: Status } | null;
  readonly ignoredBy: Rule | null;
};

/** Keeps incidents but no timelines, which a replay does not compare. */
class ForgetfulLedger extends MemoryLedger {
  override addEntries(): void {}
}

export class Side {
  /** By event and index in it. */
  readonly alerts = new Map<string, ReplayedAlert>();
  readonly #rehearsal: Rehearsal;
  readonly #rules: ReadonlyMap<string, Rule>;

  constructor(options: MemoryLedgerOptions, from: Temporal.Instant) {
    this.#rehearsal = new Rehearsal(new ForgetfulLedger(options), from);
    const teams = [...options.configurations.values()].flatMap(({ teams }) => [...teams.values()]);
    this.#rules = new Map(teams.flatMap(({ rules }) => rules.map((rule) => [rule.id, rule])));
  }

  get noticeCount(): number {
    return this.#rehearsal.ledger.outbox.size;
  }

  /** See `Rehearsal.runNext`. */
  runNext(until: Temporal.Instant): Promise<boolean> {
    return this.#rehearsal.runNext(until);
  }

  async receive(event: StoredEvent, alerts: readonly AlertEvent[]): Promise<void> {
    this.#rehearsal.advanceTo(event.received_at);
    for (const index of this.#rehearsal.decisionOrder(event, alerts)) {
      const alert = alerts[index];
      if (alert === undefined) continue;
      const reading: Reading = { alerts: [alert] };
      const decision = await this.#rehearsal.receive(event, reading);
      for (const result of decision?.alerts ?? []) this.#note(event, { alert, index, result });
    }
  }

  /** How many alerts joined an open incident. */
  joined = 0;

  #note(
    event: StoredEvent,
    { alert, index, result }: { alert: AlertEvent; index: number; result: AlertResult },
  ): void {
    if (result.outcome === 'grouped') this.joined += 1;
    const opened = result.outcome === 'opened' ? this.#incident(result.incident_id) : null;
    const ignoredBy = result.outcome === 'ignored' ? this.#ignoring(event, alert) : null;
    if (opened === null && ignoredBy === null) return;
    this.alerts.set(`${event.id} ${index}`, {
      event: { id: event.id, at: event.received_at },
      title: alert.title,
      opened: opened && { incidentId: opened.id, status: opened.status },
      ignoredBy,
    });
  }

  /** An ignored alert was not counted, so a second evaluation has the same result. */
  #ignoring(event: StoredEvent, alert: AlertEvent): Rule | null {
    const ruled = evaluateNow(this.#rehearsal, { event, alert })?.ruled;
    return ruled && 'ignoredBy' in ruled ? ruled.ignoredBy : null;
  }

  #incident(id: string | null): Incident | null {
    return id === null ? null : (this.#rehearsal.ledger.incidents.get(id) ?? null);
  }

  /**
   * How many alerts joined an incident and were worse than what its pages until then showed, and no
   * page followed: counted from what was sent alone.
   */
  quietThoughWorse(): number {
    const { incidents, outbox } = this.#rehearsal.ledger;
    let quiet = 0;
    for (const { id, alerts = [] } of incidents.values()) {
      const pages = outbox
        .inGroup(id)
        .filter(({ intent, state }) => intent.kind === 'page' && state !== 'cancelled')
        .map(({ createdAt }) => createdAt.epochMilliseconds);
      for (const alert of alerts) {
        const at = alert.first_at.epochMilliseconds;
        const last = pages.filter((page) => page <= at).sort((a, b) => b - a)[0];
        if (last === undefined || pages.some((page) => page >= at)) continue;
        const seen = alerts.filter(({ first_at }) => first_at.epochMilliseconds <= last);
        if (isWorseThan(alert, worstAmong(seen))) quiet += 1;
      }
    }
    return quiet;
  }

  /** The incident at the end of the replay. */
  incidentOf({ opened }: ReplayedAlert): Incident | null {
    return opened && this.#incident(opened.incidentId);
  }

  /** The rules that were applied to the incident. */
  rulesOn({ escalation }: Incident): readonly Rule[] {
    return escalation.appliedRules.flatMap((id) => this.#rules.get(id) ?? []);
  }

  /** The first page to each person or chat about an incident, oldest first. */
  pagesOf({ opened }: ReplayedAlert): ReadonlyMap<string, Page> {
    const pages = new Map<string, Page>();
    if (opened === null) return pages;
    for (const { intent, recipientKey, state, createdAt } of this.#rehearsal.ledger.outbox.inGroup(
      opened.incidentId,
    ))
      if ('incident_id' in intent && actionableKinds.has(intent.kind) && state === 'sent')
        pages.set(recipientKey, pages.get(recipientKey) ?? { intent, at: createdAt });
    return pages;
  }
}

export type Page = { readonly intent: IncidentIntent; readonly at: Temporal.Instant };

/** The kinds of notices that ask somebody to act. */
const actionableKinds: ReadonlySet<string> = new Set<IncidentIntent['kind']>([
  'page',
  'nobody_paged',
  'not_all_paged',
  'assigned',
  'responder_added',
]);
