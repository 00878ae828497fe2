// The notices of the ledger in memory, as rows, and how they are written.

import type { Changes } from '../../engine/ports/changes.ts';
import type { NoticeState } from '../../engine/ports/sending.ts';
import type { HandedOver } from '../../engine/sending/channel.ts';
import type { TriedContact } from '../../engine/sending/retry-routes.ts';
import { allClearFields, allClearPrefix, mergedWhy } from '../../incidents/all-clear.ts';
import { type Incident, isPage } from '../../incidents/incident.ts';
import type { UndecidedThing } from '../../notices/kinds/undecided.ts';
import type { CallContent } from '../../notices/webhooks/call.ts';
import { traitsOf } from '../../resources/channels.ts';
import type { ShiftIntent } from '../../shifts/notice.ts';
import { mergedInto } from './known.ts';
import type { PostedRow } from './posted-messages.ts';
import type { Rows, Table } from './table.ts';

export type IncidentIntent = Changes['intents'][number];
type OwnShiftIntent = ShiftIntent & { readonly organization_id: string };
/** Of what could not be decided: it hangs on nothing that may be broken. */
type UndecidedIntent = Pick<IncidentIntent, Addressing> & {
  readonly kind: 'undecided';
  readonly undecided: UndecidedThing;
};
type Addressing = Exclude<keyof OwnShiftIntent & keyof IncidentIntent, 'kind'>;

export type NoticeRow = {
  readonly intent: IncidentIntent | OwnShiftIntent | UndecidedIntent;
  readonly recipientKey: string;
  readonly rank: number;
  /** Its first try waits for those before it under the same ordering key. */
  readonly orderingKey: string | null;
  readonly sequence: number;
  readonly state: NoticeState;
  readonly reason: string | null;
  /** Of a call whose first try was claimed. */
  readonly content?: CallContent;
  readonly attempts: number;
  /** Those whose end was recorded. */
  readonly ended?: readonly number[];
  /** When the last of them, by its number, has ended. */
  readonly lastEnded?: { readonly attempt: number; readonly at: Temporal.Instant };
  /** Its first try failed, or could not be made: it holds up no line. */
  readonly isTried?: boolean;
  readonly createdAt: Temporal.Instant;
  readonly wakeAt: Temporal.Instant | null;
  /** Of its attempts, by number, those that a vendor took or reported about. */
  readonly reported?: ReadonlyMap<number, ReportedRow>;
  /** Of a page, the contacts at which it has ended. */
  readonly tried?: readonly TriedContact[];
  readonly lostAnswers?: number;
};

export type ReportedRow = HandedOver & {
  readonly isHandedOver: boolean;
  readonly handedOverAt: Temporal.Instant | null;
};

export type Addressed = Pick<NoticeRow['intent'], 'organization_id' | 'channel' | 'address'>;

/** The part of the ledger that notices are written to. */
export type Outbox = {
  readonly outbox: Table<NoticeRow>;
  readonly incidents: Table<Incident>;
  readonly posted: Table<PostedRow>;
  put<K, V>(rows: Rows<K, V>, key: K, value: V): void;
  addEntries(entries: Changes['entries'], at: Temporal.Instant): void;
  recipientKeyOf(addressed: Addressed): string;
  /** Whether no other process claims the notice now. */
  mayClaim(key: string): boolean;
};

/** Notices are found by their incident. */
export const groupsOfNotice = ({ intent }: NoticeRow): readonly string[] =>
  'incident_id' in intent ? [intent.incident_id] : [];

export function insertNotices(
  ledger: Outbox,
  intents: readonly IncidentIntent[],
  now: Temporal.Instant,
): void {
  for (const intent of intents) {
    const recipientKey = ledger.recipientKeyOf(intent);
    const { rank, kind, incident_id } = intent;
    const orderingKey = kind === 'webhook' ? `${recipientKey} ${incident_id}` : null;
    insert(ledger, {
      intent,
      recipientKey,
      rank,
      orderingKey,
      reason: null,
      createdAt: now,
    });
  }
}

/** Unless its key is known: saying something twice cannot be decided. */
export function insert(
  ledger: Pick<Outbox, 'outbox' | 'put'>,
  row: Omit<NoticeRow, 'sequence' | 'state' | 'attempts' | 'wakeAt'>,
): void {
  const { key } = row.intent;
  if (ledger.outbox.has(key)) return;
  const isPending = row.reason === null;
  const state = isPending ? 'pending' : 'cancelled';
  const wakeAt = isPending ? row.createdAt : null;
  const sequence = ledger.outbox.size;
  ledger.put(ledger.outbox, key, { ...row, sequence, state, attempts: 0, wakeAt });
}

/**
 * To everybody to whom a page of it, or of what was merged into it, went out or may have. A page of
 * its own that can be changed where it stands becomes the all-clear instead.
 */
export function insertAllClear(ledger: Outbox, incident: Incident, now: Temporal.Instant): void {
  const { id, escalation } = incident;
  const fields = { ...allClearFields, incident_id: id, cycle: escalation.cycle };
  const shownTo = new Set(ledger.posted.inGroup(id).map(({ recipientKey }) => recipientKey));
  const pagesFor = (one: Incident) =>
    pagesOf(one, ledger).filter(
      (page) => one.id !== id || !shownTo.has(ledger.recipientKeyOf(page)),
    );
  const intents = [incident, ...mergedInto(incident, ledger.incidents)].flatMap((one) =>
    pagesFor(one).map(({ wave: _, ...page }) => ({
      ...page,
      ...fields,
      key: `${allClearPrefix(incident)}${ledger.recipientKeyOf(page)}`,
      why: one.id === id ? page.why : mergedWhy(one.number),
    })),
  );
  insertNotices(ledger, intents, now);
}

/**
 * Pages that a mute held or that wait for their next try, but for those that are being sent or claimed, or
 * await a receipt.
 */
export function wakePages(
  ledger: Outbox,
  { incident_id }: Pick<IncidentIntent, 'incident_id'>,
  now: Temporal.Instant,
): void {
  for (const row of ledger.outbox.inGroup(incident_id)) {
    const { intent, state, attempts, ended = [], wakeAt, reported } = row;
    const isHandedOver = reported?.get(attempts)?.isHandedOver ?? false;
    const isUnderWay = isHandedOver || (attempts > 0 && !ended.includes(attempts));
    const isLater = wakeAt !== null && Temporal.Instant.compare(wakeAt, now) > 0;
    const isHeld = isPage(intent) && state === 'pending' && isLater && !isUnderWay;
    if (isHeld && ledger.mayClaim(intent.key))
      ledger.put(ledger.outbox, intent.key, { ...row, wakeAt: now });
  }
}

function pagesOf({ id }: Incident, { outbox }: Pick<Outbox, 'outbox'>): readonly IncidentIntent[] {
  const pages = outbox
    .inGroup(id)
    .flatMap(({ intent, state, attempts }) =>
      isPage(intent) &&
      (traitsOf(intent.channel)?.allClear ?? true) &&
      (state === 'sent' || attempts > 0)
        ? [intent]
        : [],
    );
  // Of several to one receiver the first by its key is told of.
  return pages.sort((a, b) => (a.key < b.key ? -1 : 1));
}
