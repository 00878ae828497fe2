// One integration and its incidents: what Pager makes of a tool's messages, in memory and without a
// server.
import assert from 'node:assert/strict';
import type { Json, Mail, Reading } from '../src/alerts/alert.ts';
import { typeOf } from '../src/alerts/index.ts';
import type { Decision, StoredEvent } from '../src/engine/ports/events.ts';
import type { RoutedIntegration } from '../src/incidents/configuration.ts';
import type { Finding } from '../src/incidents/findings.ts';
import { type Incident, isOpen } from '../src/incidents/incident.ts';
import { MemoryLedger } from '../src/what-if/memory/ledger.ts';
import { Rehearsal } from '../src/what-if/rehearsal.ts';
import { buildConfiguration } from './configuration.ts';
import { posted, pushed } from './http-event.ts';
import { buildIntegration, eve, later, noon } from './incident-life.ts';
import { noFaults } from './no-faults.ts';

/** `address`: its path, with a query. */
export type Message =
  | { readonly json: Json; readonly address?: string }
  | { readonly text: string }
  | { readonly mail: Mail };

export class SimulatedIntegration {
  readonly #integration: RoutedIntegration;
  readonly #rehearsal: Rehearsal;
  #now = noon;
  #events = 0;

  constructor(fields: Partial<RoutedIntegration> = {}) {
    this.#integration = buildIntegration(fields);
    const configuration = buildConfiguration({ integrations: [this.#integration] });
    const configurations = new Map([[configuration.organization_id, configuration]]);
    const ledger = new MemoryLedger({ configurations, faults: noFaults });
    this.#rehearsal = new Rehearsal(ledger, noon);
  }

  get now(): Temporal.Instant {
    return this.#now;
  }

  get incidents(): readonly Incident[] {
    return [...this.#rehearsal.ledger.incidents.values()];
  }

  /** The titles of what is open, in the order in which it opened. */
  get open(): readonly string[] {
    return this.incidents.filter(isOpen).map(({ title }) => title);
  }

  /** Of the pages so far the incidents' numbers. */
  get paged(): readonly number[] {
    const { ledger } = this.#rehearsal;
    const paged = ledger.outbox.values();
    return [...paged].flatMap(({ intent }) => {
      if (!('incident_id' in intent) || intent.kind !== 'page') return [];
      return ledger.incidents.get(intent.incident_id)?.number ?? [];
    });
  }

  /** What the attention strip would show of the integration. */
  get findings(): readonly Finding[] {
    return [...this.#rehearsal.ledger.findings.values()].filter(({ text }) => text !== null);
  }

  /** So many minutes after noon, with what is due until then. */
  async at(minutes: number): Promise<void> {
    const until = later(minutes);
    while (await this.#rehearsal.runNext(until));
    this.#rehearsal.advanceTo(until);
    this.#now = until;
  }

  /** A second later. */
  async receives(message: Message): Promise<Decision> {
    await this.#tick();
    return this.decides(this.reading(message));
  }

  reading(message: Message): Reading {
    const type = typeOf(this.#integration.slug);
    assert.ok(type);
    const about = { receivedAt: this.#now, integrationName: 'Checks' };
    if ('mail' in message) return type.read({ source: 'mail', ...message.mail }, about);
    const [contentType, text] =
      'json' in message
        ? ['application/json', JSON.stringify(message.json)]
        : ['text/plain', message.text];
    const body = new TextEncoder().encode(text);
    const [path = '', query = ''] =
      'json' in message ? (message.address ?? '/push-events').split('?') : ['/push-events'];
    return type.read({ ...posted, path, query, contentType, body }, about);
  }

  async decides(reading: Reading): Promise<Decision> {
    this.#events += 1;
    const { organization_id, integration_id } = this.#integration;
    const event: StoredEvent = {
      ...pushed,
      id: `event-${this.#events}`,
      organization_id,
      integration_id,
      received_at: this.#now,
      body: new Uint8Array(),
    };
    const decision = await this.#rehearsal.receive(event, reading);
    assert.ok(decision);
    return decision;
  }

  /** A person's action on the incident of that title. */
  async does(title: string, type: 'resolve' | 'acknowledge'): Promise<void> {
    await this.#tick();
    await this.#rehearsal.perform(this.#of(title), { type, by: eve });
  }

  async merges(title: string, into: string): Promise<void> {
    await this.#tick();
    const intoId = this.#of(into).id;
    await this.#rehearsal.perform(this.#of(title), { type: 'merge', by: eve, intoId });
  }

  #of(title: string): Incident {
    const incident = this.incidents.filter(isOpen).find((one) => one.title === title);
    assert.ok(incident, `nothing open is called ${title}`);
    return incident;
  }

  async #tick(): Promise<void> {
    this.#now = this.#now.add({ seconds: 1 });
    while (await this.#rehearsal.runNext(this.#now));
    this.#rehearsal.advanceTo(this.#now);
  }
}
