// The engine's ledger in memory, for simulations: incidents, timelines and notices.
// It stores no events and watches no schedules. test/contracts proves that it behaves as the ledger
// on PostgreSQL does.
import type { Faults } from '../../engine/faults.ts';
import type { Transactor } from '../../engine/ledger.ts';
import type { Acted, ActionTx, ReplyKey } from '../../engine/ports/actions.ts';
import type { Changes, IntegrationFinding } from '../../engine/ports/changes.ts';
import type { TimerTx } from '../../engine/ports/incidents.ts';
import {
  groupTextOf,
  type KeyStateReader,
  keyText,
  keyTextOf,
  rawKeyTextOf,
} from '../../engine/ports/keys.ts';
import type { ReceiptTx, SendingTx } from '../../engine/ports/sending.ts';
import type { PastEntry } from '../../incidents/actions-without-effect.ts';
import { type Configurations, configurationIn } from '../../incidents/configuration.ts';
import { type Actor, type Incident, isOpen, wakeAt } from '../../incidents/incident.ts';
import { alertsOf } from '../../incidents/incident-alerts.ts';
import type { KeyEnd } from '../../incidents/key-end.ts';
import { wakesPages } from '../../incidents/notice-cancellation.ts';
import { textOf } from '../../resources/declaration/field.ts';
import { claimIn, postponeIn } from './claim.ts';
import { finishIn, recordReceiptIn } from './finished.ts';
import { alertText, endOf, groupsIn, knownIn, knownRawIn } from './known.ts';
import {
  type Addressed,
  groupsOfNotice,
  insertAllClear,
  insertNotices,
  type NoticeRow,
  wakePages,
} from './outbox.ts';
import { type PostedRow, wakePosted } from './posted-messages.ts';
import { roundPagesIn, roundsOf } from './round-pages.ts';
import { type Rows, Table } from './table.ts';

export type EntryRow = Changes['entries'][number] & { readonly at: Temporal.Instant };

/** What transactions read; it does not change while the ledger is used. */
export type MemoryLedgerOptions = {
  readonly configurations: Configurations;
  readonly faults: Faults;
  /** The same text for the same receiver; by address when absent. */
  readonly recipientKeyOf?: (addressed: Addressed) => string;
};

/** The parts of a transaction that simulations use. */
export type StoryTx = KeyStateReader & TimerTx & ActionTx & SendingTx & ReceiptTx;

export class MemoryLedger implements Transactor<StoryTx> {
  readonly options: MemoryLedgerOptions;
  readonly incidents = new Table<Incident>({ groupsOf, wakeAt });
  readonly timeline = new Map<number, EntryRow>();
  readonly outbox = new Table<NoticeRow>({ groupsOf: groupsOfNotice, wakeAt: (row) => row.wakeAt });
  readonly posted = new Table<PostedRow>({
    groupsOf: (row) => [row.incidentId],
    wakeAt: (row) => row.wakeAt,
  });
  readonly replies = new Map<string, Acted>();
  /** By the text of the key. */
  readonly ends = new Map<string, KeyEnd>();
  /** By integration and kind. */
  readonly findings = new Map<string, IntegrationFinding>();
  /** The last number of an incident, by organisation. */
  readonly counters = new Map<string, number>();

  constructor(options: MemoryLedgerOptions) {
    this.options = options;
  }

  transact<T>(work: (tx: StoryTx) => Promise<T>): Promise<T> {
    return work(this.tx());
  }

  recipientKeyOf({ organization_id, channel, address }: Addressed): string {
    const known = this.options.recipientKeyOf?.({ organization_id, channel, address });
    return known ?? `${channel} ${textOf(address)}`;
  }

  /** Whether no other process claims the notice now. */
  mayClaim(_key: string): boolean {
    return true;
  }

  /** The one way in which rows are written. */
  put<K, V>(rows: Rows<K, V>, key: K, value: V): void {
    rows.set(key, value);
  }

  addEntries(entries: Changes['entries'], at: Temporal.Instant): void {
    for (const entry of entries) this.put(this.timeline, this.timeline.size, { ...entry, at });
  }

  protected tx(): StoryTx {
    return {
      configurations: async (ids) => {
        const { configurations } = this.options;
        return new Map([...ids].map((id) => [id, configurationIn(configurations, id)]));
      },
      keyStates: async (keys) => knownIn(this.incidents, keys, this.ends),
      // One transaction at a time.
      lockGroupingTeams: async () => {},
      groups: async (groups) => groupsIn(this.incidents, groups),
      rawKeyStates: async (keys) => knownRawIn(this.incidents, keys),
      dueIncidents: async (now, limit) => this.incidents.due(now).slice(0, limit),
      // Here somebody always listens.
      deafSpells: async () => new Map(),
      lockIncidents: async (organizationId, ids) =>
        [...new Set(ids)]
          .sort()
          .flatMap((id) => this.incidents.get(id) ?? [])
          .filter((one) => one.organization_id === organizationId),
      // It stores them whole.
      withContents: async (incident) => incident,
      anotherIsOpen: async (incident) =>
        [keyTextOf(incident), ...alertsOf(incident).map(alertText)]
          .flatMap((text) => this.incidents.inGroup(text))
          .map((one) => endOf(one, this.incidents))
          .some((one) => one.id !== incident.id && isOpen(one)),
      actedBefore: async (reply) => this.replies.get(replyText(reply)) ?? null,
      recordActed: async ({ incidentId, unchanged, ...reply }) =>
        this.put(this.replies, replyText(reply), { incidentId, unchanged }),
      pastEntries: async ({ id }, { types, limit }) =>
        [...this.timeline.values()]
          .filter((one) => one.incident_id === id && types.includes(one.type))
          .reverse()
          .slice(0, limit)
          .map(pastEntryOf),
      save: async (changes, now) => this.save(changes, now),
      claim: async (request, evaluate) => claimIn(this, request, evaluate),
      postponeNotice: async ({ key }, { now }) => postponeIn(this, key, now),
      postponeIncident: async () => {},
      finish: async (attempts) => finishIn(this, attempts),
      recordReceipt: async (report, now, arrived) =>
        recordReceiptIn(this, report, { now, arrived }),
      roundPages: async (incidents) => roundsOf(incidents, (one) => roundPagesIn(this, one)),
    };
  }

  protected save(changes: Changes, now: Temporal.Instant): ReadonlyMap<string, number> {
    for (const incident of changes.changed) this.put(this.incidents, incident.id, incident);
    for (const { key, end } of changes.ends ?? []) this.put(this.ends, keyText(key), end);
    for (const one of changes.findings ?? []) {
      const about = `${one.integration_id} ${one.kind}`;
      const isOfAnother = this.findings.get(about)?.subject !== one.subject;
      if (one.text !== null || !isOfAnother) this.put(this.findings, about, one);
    }
    this.addEntries(changes.entries, now);
    insertNotices(this, changes.intents, now);
    for (const entry of changes.entries) if (wakesPages(entry)) wakePages(this, entry, now);
    for (const { id } of changes.changed) if (!changes.counted?.has(id)) wakePosted(this, id, now);
    for (const incident of changes.allClear) insertAllClear(this, incident, now);
    const numbers = new Map<string, number>();
    for (const incident of changes.opened) {
      const number = (this.counters.get(incident.organization_id) ?? 0) + 1;
      this.put(this.counters, incident.organization_id, number);
      this.put(this.incidents, incident.id, { ...incident, number });
      numbers.set(incident.id, number);
    }
    return numbers;
  }
}

function pastEntryOf({ type, actor, details }: EntryRow): PastEntry {
  // As what is noted of them has it.
  const { account = null } = (details ?? {}) as { readonly account?: string };
  return { type, account, actor: actor && { ...pick(actor), id: actor.id ?? null } };
}

const pick = ({ type, name, via }: Actor) => ({ type, name, via });

const replyText = ({ organizationId, connectionId, eventId }: ReplyKey): string =>
  `${organizationId} ${connectionId} ${eventId}`;

/** Incidents are found by their keys and groups, and by the incident into which they were merged. */
const groupsOf = (incident: Incident): readonly string[] => [
  ...[
    keyTextOf(incident),
    rawKeyTextOf(incident),
    groupTextOf(incident),
    incident.merged_into_id,
  ].filter((group) => group != null),
  ...(incident.alerts ?? []).map(alertText),
];
