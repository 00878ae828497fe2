// Groups of alerts, as Alertmanager sends them, to a server that is killed again and again: they join,
// end in part, get worse, are acknowledged and split. Whoever gets no answer sends the same again.
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { alertIdOf } from '../../src/incidents/incident-alerts.ts';
import type { Luck } from '../simulation/luck.ts';
import { type Reply, request } from '../system/api-client.ts';
import { eventually } from '../system/eventually.ts';

const WITHIN_MILLISECONDS = 300_000;
/** From one message of a group to the next. */
const PAUSE_MILLISECONDS_MAX = 300;
/** Groups that send at the same time. */
const SENDERS = 2;
const TURNS = 8;

export type SentAlert = {
  readonly name: string;
  readonly severity: 'warning' | 'critical';
  state: 'firing' | 'resolved';
  /** Of the last answer that named one. */
  incident: number | null;
  /** The incidents that it was split from. */
  readonly splitFrom: Set<number>;
};
type Group = { readonly code: string; readonly alerts: SentAlert[] };

export type GroupHook = {
  readonly integrationId: string;
  readonly url: string;
  readonly apiUrl: string;
  readonly apiKey: string;
};

export class GroupLoad {
  readonly groups: Group[] = [];
  /** How many alerts each accepted event has. */
  readonly events = new Map<string, number>();
  /** Requests that were sent again: nobody knew whether they were accepted. */
  sentAgain = 0;
  splits = 0;
  readonly #hook: GroupHook;
  readonly #luck: Luck;
  #isStopped = false;

  constructor(hook: GroupHook, luck: Luck) {
    this.#hook = hook;
    this.#luck = luck;
  }

  stop(): void {
    this.#isStopped = true;
  }

  async run(): Promise<void> {
    const running = Array.from({ length: SENDERS }, async () => {
      while (!this.#isStopped) await this.#runGroup();
    });
    for (const each of await Promise.allSettled(running))
      if (each.status === 'rejected') throw each.reason;
  }

  async #runGroup(): Promise<void> {
    const luck = this.#luck;
    const group: Group = { code: `group-${this.groups.length + 1}`, alerts: [] };
    this.groups.push(group);
    await this.#begins(group);
    for (let turn = 0; turn < TURNS && !this.#isStopped; turn += 1) {
      await pause(luck.below(PAUSE_MILLISECONDS_MAX));
      await luck.of([
        () => this.#begins(group),
        () => this.#begins(group),
        () => this.#ends(group, firingIn(group).slice(luck.below(3))),
        () => this.#beginsAgain(group),
        () => this.#acknowledges(group),
        () => this.#splits(group),
        // Alertmanager repeats what is active.
        () => this.#sends(group, firingIn(group)),
      ])();
    }
    if (luck.chance(1 / 2)) await this.#ends(group, firingIn(group));
  }

  async #begins(group: Group): Promise<void> {
    const luck = this.#luck;
    const { alerts, code } = group;
    const severity = alerts.length > 0 && luck.chance(1 / 3) ? 'critical' : 'warning';
    for (let left = 1 + luck.below(6); left > 0; left -= 1) {
      const name = `${code}-${alerts.length + 1}`;
      alerts.push({ name, severity, state: 'firing', incident: null, splitFrom: new Set() });
    }
    await this.#sends(group, firingIn(group));
  }

  /** In one request with those that stay. */
  async #ends(group: Group, ended: readonly SentAlert[]): Promise<void> {
    for (const alert of ended) alert.state = 'resolved';
    await this.#sends(group, [...ended, ...firingIn(group)]);
  }

  async #beginsAgain(group: Group): Promise<void> {
    for (const alert of group.alerts) if (this.#luck.chance(1 / 2)) alert.state = 'firing';
    await this.#sends(group, firingIn(group));
  }

  async #sends({ code }: Group, alerts: readonly SentAlert[]): Promise<void> {
    if (alerts.length === 0) return;
    const message = {
      version: '4',
      groupKey: `{}:{job="${code}"}`,
      alerts: alerts.map(({ name, severity, state }) => ({
        status: state,
        labels: { alertname: code, instance: name, severity },
        annotations: { summary: `Disk full on ${name}` },
        fingerprint: name,
      })),
    };
    const { body } = await this.#untilAnswered([202], this.#hook.url, message);
    const answers: readonly { dedup_key: string; incident: number | null }[] = body.alerts;
    assert.deepEqual(
      answers.map(({ dedup_key }) => dedup_key),
      alerts.map(({ name }) => name),
    );
    this.events.set(body.event_id, alerts.length);
    for (const [index, alert] of alerts.entries())
      alert.incident = answers[index]?.incident ?? null;
  }

  async #acknowledges(group: Group): Promise<void> {
    const number = firingIn(group)[0]?.incident ?? null;
    if (number === null) return;
    // Acknowledged already: 409.
    await this.#untilAnswered([200, 409], this.#pathOf(number, 'acknowledge'), {});
  }

  async #splits(group: Group): Promise<void> {
    const firing = firingIn(group);
    const number = firing.at(-1)?.incident ?? null;
    if (number === null) return;
    const together = firing.filter(({ incident }) => incident === number);
    const moved = together.slice(0, Math.min(together.length - 1, 1 + this.#luck.below(3)));
    if (moved.length === 0) return;
    const { integrationId: integration_id } = this.#hook;
    const alert_ids = moved.map(({ name }) => alertIdOf({ integration_id, dedup_key: name }));
    this.splits += 1;
    // With its key it is done once, however often it is sent.
    const headers = { 'idempotency-key': `split-${this.splits}` };
    const path = this.#pathOf(number, 'alerts/split');
    const { body } = await this.#untilAnswered([201], path, { alert_ids }, headers);
    for (const alert of moved) {
      alert.splitFrom.add(number);
      alert.incident = body.number;
    }
  }

  #pathOf = (number: number, path: string) => `${this.#hook.apiUrl}/incidents/${number}/${path}`;

  /** Whatever fails while there is no server is sent again, and what is too much at once. */
  #untilAnswered(
    statuses: readonly number[],
    url: string,
    body: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Reply> {
    let tries = 0;
    const send = async () => {
      tries += 1;
      const all = { 'content-type': 'application/json', 'x-api-key': this.#hook.apiKey };
      const init = { method: 'POST', headers: { ...all, ...headers }, body: JSON.stringify(body) };
      const reply = await request(url, init).catch(() => null);
      const isLater = reply === null || [429, 502, 503].includes(reply.status);
      // The request that was cut off may still hold its key.
      if (isLater || reply.body.error === 'idempotency_running') return undefined;
      assert.ok(statuses.includes(reply.status), `${url}: ${JSON.stringify(reply)}`);
      return reply;
    };
    return eventually(`${url} is answered`, send, WITHIN_MILLISECONDS).finally(() => {
      if (tries > 1) this.sentAgain += 1;
    });
  }
}

const firingIn = ({ alerts }: Group) => alerts.filter(({ state }) => state === 'firing');
