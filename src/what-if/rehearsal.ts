// Runs the engine on its own clock and a ledger in memory. Every notice is delivered at
// once, unless its channel is only written to a folder.
import type { AlertEvent, Reading } from '../alerts/alert.ts';
import { type Action, act } from '../engine/actions.ts';
import type { Clock } from '../engine/clock.ts';
import { createIds } from '../engine/ids.ts';
import { runDueIncidents } from '../engine/incident-timers.ts';
import { changesOf } from '../engine/intake/batch-state.ts';
import { decideEvents, loadDecisionInput } from '../engine/intake/decide.ts';
import { decisionOrder } from '../engine/intake/decision-order.ts';
import type { Decision, StoredEvent } from '../engine/ports/events.ts';
import type { SendingTx } from '../engine/ports/sending.ts';
import { attemptResult } from '../engine/sending/attempt-result.ts';
import type { Delivery } from '../engine/sending/channel.ts';
import type { Claimed } from '../engine/sending/claimed.ts';
import { evaluateNotice } from '../engine/sending/evaluate-notice.ts';
import { recordAttempts } from '../engine/sending/record-attempts.ts';
import { configurationIn, routedIntegrationIn } from '../incidents/configuration.ts';
import { mayGroup } from '../incidents/group-key.ts';
import type { Incident, Outcome } from '../incidents/incident.ts';
import { onlyWritten } from '../incidents/target-recipients.ts';
import type { MemoryLedger } from './memory/ledger.ts';
import type { IncidentIntent, NoticeRow } from './memory/outbox.ts';

type PastNotice = Omit<NoticeRow, 'intent' | 'rank' | 'orderingKey' | 'sequence'> & {
  readonly intent: IncidentIntent;
};

/** Incidents that exist before the rehearsal, and their notices. */
export type Past = {
  readonly incidents: readonly Incident[];
  readonly notices: readonly PastNotice[];
};

const claimedAtOnce = 1_000;

export class Rehearsal {
  readonly ledger: MemoryLedger;
  readonly clock: Clock = { now: () => this.#now };
  readonly #ids = createIds(this.clock);
  #now: Temporal.Instant;

  constructor(ledger: MemoryLedger, from: Temporal.Instant) {
    this.ledger = ledger;
    this.#now = from;
  }

  /** Puts what exists before the rehearsal into the ledger. */
  load({ incidents, notices }: Past): void {
    const { ledger } = this;
    for (const incident of incidents) ledger.put(ledger.incidents, incident.id, incident);
    for (const notice of notices)
      ledger.put(ledger.outbox, notice.intent.key, {
        ...notice,
        rank: notice.intent.rank,
        orderingKey: null,
        sequence: 0,
      });
  }

  /** In which order the alerts of an event are decided, by their indexes. */
  decisionOrder(
    { organization_id, integration_id }: StoredEvent,
    alerts: readonly AlertEvent[],
  ): readonly number[] {
    const { configurations } = this.ledger.options;
    const configuration = configurationIn(configurations, organization_id);
    const areGrouped =
      configuration.integrations.has(integration_id) &&
      mayGroup(routedIntegrationIn(configuration, integration_id), configuration);
    return decisionOrder(alerts, areGrouped);
  }

  /** Decides an event that arrives now. */
  receive(event: StoredEvent, reading: Reading): Promise<Decision | null> {
    const { faults } = this.ledger.options;
    const arrivals = [{ event, reading }];
    return this.ledger.transact(async (tx) => {
      const context = await loadDecisionInput(tx, arrivals, this.#now);
      const decisionInput = { ...context, ids: this.#ids, now: this.#now, faults };
      const { decided, changes } = decideEvents(arrivals, decisionInput);
      await tx.save(changes, this.#now);
      return decided[0]?.decision ?? null;
    });
  }

  /** Opens an incident without an event; of its new id. */
  open(decide: (opening: { readonly id: string; readonly now: Temporal.Instant }) => Outcome) {
    return this.ledger.transact(async (tx): Promise<Incident> => {
      const outcome = decide({ id: this.#ids.next(), now: this.#now });
      const { incident } = outcome;
      await tx.save(changesOf([outcome], { opened: [incident], changed: [] }), this.#now);
      return incident;
    });
  }

  /** Performs a person's action now. */
  async perform({ organization_id, id }: Incident, action: Action): Promise<void> {
    const acting = { ledger: this.ledger, clock: this.clock, committed: () => {} };
    const on = { organizationId: organization_id, id };
    await act(acting, on, { action, mayTouch: () => true });
  }

  /** Sets the clock, without running what is due. */
  advanceTo(until: Temporal.Instant): void {
    if (isBefore(this.#now, until)) this.#now = until;
  }

  /** When the next timer or notice is due. */
  next(): Temporal.Instant | null {
    const incident = this.ledger.incidents.next();
    const notice = this.ledger.outbox.next();
    if (incident === null || notice === null) return incident ?? notice;
    return isBefore(notice, incident) ? notice : incident;
  }

  /** Runs what is due next, if that is not later than `until`; answers whether anything was. */
  async runNext(until: Temporal.Instant): Promise<boolean> {
    const next = this.next();
    if (next === null || isBefore(until, next)) return false;
    this.advanceTo(next);
    await runDueIncidents(this.ledger, this.clock, this.ledger.options.faults);
    await this.ledger.transact((tx) => this.#deliver(tx));
    return true;
  }

  /** A channel that is only written to a folder reaches nobody. */
  #deliveryOf({ about, channel, organization_id }: Claimed): Delivery {
    const { written } = configurationIn(this.ledger.options.configurations, organization_id);
    if (written.has(channel)) return { outcome: 'failed', reason: onlyWritten };
    return { outcome: 'delivered', ...(about === 'call' && { status: 200 }) };
  }

  async #deliver(tx: SendingTx): Promise<void> {
    const now = this.#now;
    const share = { busy: [], limit: claimedAtOnce, perRecipient: claimedAtOnce };
    const inAnyOrder = true;
    const claimed = await tx.claim({ now, leaseUntil: now, ...share, inAnyOrder }, (notice) =>
      evaluateNotice(notice, { now, limitReached: false, hardAlertLimit: false }),
    );
    const results = claimed.map((one) =>
      attemptResult(one, this.#deliveryOf(one), { now, random: noLuck }),
    );
    await recordAttempts(tx, results, now);
  }
}

/** Only retries draw random numbers. */
const noLuck = () => 0;

const isBefore = (a: Temporal.Instant, b: Temporal.Instant): boolean =>
  Temporal.Instant.compare(a, b) < 0;
