import { postponeMinutes } from '../../engine/faults.ts';
import type { Changes, ClaimRequest, EvaluateNotice, NoticeState } from '../../engine/ledger.ts';
import type { HandedOver } from '../../engine/sending/channel.ts';
import type { Claimed, ClaimedCall, ClaimedUsageNotice } from '../../engine/sending/claimed.ts';
import { confirms } from '../../engine/sending/receipt.ts';
import { attemptsElsewhere, type TriedContact } from '../../engine/sending/routes.ts';
import type { Rooms } from '../../engine/sending/shares.ts';
import { type Incident, isDue, isPage, isSooner, minutesAfter } from '../../incidents/incident.ts';
import type { RoundPage } from '../../incidents/page-results.ts';
import { sendingLimits } from '../../limits/sending.ts';
import type { UndecidedThing } from '../../notices/notice.ts';
import type { CallContent } from '../../notices/webhooks/call.ts';
import { traitsOf } from '../../resources/channels.ts';
import { textOf } from '../../resources/declaration/field.ts';
import type { ShiftIntent } from '../../shifts/notice.ts';
import { mergedInto } from './known.ts';
import type { PostedRow } from './posted.ts';
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
  const fields = { incident_id: id, kind: 'all_clear', cycle: escalation.cycle } as const;
  const shownTo = new Set(ledger.posted.inGroup(id).map(({ recipientKey }) => recipientKey));
  const pagesFor = (one: Incident) =>
    pagesOf(one, ledger).filter(
      (page) => one.id !== id || !shownTo.has(ledger.recipientKeyOf(page)),
    );
  const intents = [incident, ...mergedInto(incident, ledger.incidents)].flatMap((one) =>
    pagesFor(one).map(({ wave: _, ...page }) => ({
      ...page,
      ...fields,
      step: -1,
      rank: 2,
      key: `${id}/${escalation.cycle}/all_clear/${ledger.recipientKeyOf(page)}`,
      why:
        one.id === id
          ? page.why
          : `Paged for INC-${one.number}, which was merged into this incident`,
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

export function claimIn(
  ledger: Outbox,
  request: ClaimRequest,
  evaluate: EvaluateNotice,
): Claimed[] {
  const wanted: Claimed[] = [];
  const written: ClaimedCall[] = [];
  const due = dueIn(ledger, request, (key) => ledger.mayClaim(key));
  request.selected?.(due.map(({ intent: { organization_id, key } }) => ({ organization_id, key })));
  for (const row of due) {
    const notice = claimedOf(ledger, row);
    if (!notice) continue;
    const verdict = evaluate(notice, false);
    if (verdict && 'holdUntil' in verdict) {
      ledger.put(ledger.outbox, row.intent.key, { ...row, wakeAt: verdict.holdUntil });
      continue;
    }
    if (verdict && 'reason' in verdict) {
      const { organization_id, key } = row.intent;
      const { reason } = verdict;
      ledger.put(ledger.outbox, key, { ...row, state: 'cancelled', reason, wakeAt: null });
      if (verdict.entry) ledger.addEntries([{ ...verdict.entry, organization_id }], request.now);
      continue;
    }
    const [attempts, wakeAt] = [row.attempts + 1, request.leaseUntil];
    ledger.put(ledger.outbox, row.intent.key, { ...row, ...verdict, attempts, wakeAt });
    if (notice.about === 'call' && verdict) written.push({ ...notice, ...verdict });
    else wanted.push(notice);
  }
  return [...wanted, ...written];
}

/** As many as are asked for of those that are free; no others are asked whether they are. */
export function dueIn(
  ledger: Pick<Outbox, 'outbox'>,
  request: ClaimRequest,
  isFree: (key: string) => boolean,
): readonly NoticeRow[] {
  const { now, busy, limit, perRecipient, shares = new Map(), rooms } = request;
  return nextOfTheirLines(ledger.outbox.withTimers())
    .filter((row) => row.wakeAt !== null && Temporal.Instant.compare(row.wakeAt, now) <= 0)
    .filter((row) => !busy.includes(row.recipientKey))
    .filter((row) => request.inAnyOrder || !isBehind(ledger, row, now))
    .sort(byUrgency)
    .filter(within({ each: perRecipient, of: shares }, ({ recipientKey }) => recipientKey))
    .filter(within(rooms?.calls, ({ intent }) => isCall(intent) && intent.organization_id))
    .filter(within(rooms?.organizations, ({ intent }) => intent.organization_id))
    .filter(
      within(
        rooms?.lanes,
        ({ intent }) => isPaced(intent) && `${intent.organization_id} ${intent.channel}`,
      ),
    )
    .filter(within(rooms?.channels, ({ intent }) => intent.channel))
    .values()
    .filter(({ intent }) => isFree(intent.key))
    .take(limit)
    .toArray();
}

/** It goes after the next try of earlier steps' pages, if that is soon. */
function isBehind(
  { outbox }: Pick<Outbox, 'outbox'>,
  later: NoticeRow,
  now: Temporal.Instant,
): boolean {
  const { intent, wakeAt, isTried, attempts, tried = [] } = later;
  if (!('step' in intent) || wakeAt === null || isWithVendor(later)) return false;
  const isToAdmins = intent.kind === 'nobody_paged';
  if (!isToAdmins && !(intent.kind === 'page' && intent.step > 0)) return false;
  const isFirst = !isTried || attempts === attemptsElsewhere(tried);
  const seconds = isFirst ? sendingLimits.earlierStepFirst : sendingLimits.earlierStepAgain;
  if (isDue(wakeAt.add({ seconds }), now)) return false;
  const round = outbox.inGroup(intent.incident_id).flatMap((row) => {
    const { intent: own } = row;
    const isOfRound = 'step' in own && own.kind === 'page' && own.cycle === intent.cycle;
    return isOfRound ? [{ ...row, step: own.step }] : [];
  });
  const lastTaken = Math.max(
    ...round.filter((row) => stateOf(row) === 'taken').map(({ step }) => step),
  );
  return round.some((row) => {
    const { step, lastEnded } = row;
    const isBefore = step > lastTaken && (isToAdmins || step < intent.step);
    const isAwaited = row.attempts > 0 || isDue(row.wakeAt, now);
    // One that goes on at another contact is tried at once.
    const isTriedHere = lastEnded && lastEnded.attempt !== attemptsElsewhere(row.tried ?? []);
    const isBehindIt = isTriedHere && !isSooner(lastEnded.at, wakeAt);
    return isBefore && stateOf(row) === 'open' && isAwaited && !isBehindIt;
  });
}

const isPaced = ({ channel }: NoticeRow['intent']) => traitsOf(channel)?.paced === true;

const isCall = ({ channel }: NoticeRow['intent']) => channel === 'webhook';

/** The first of each name, as many as there is room for; those without a name are all let through. */
function within(
  rooms: Rooms = { each: Number.POSITIVE_INFINITY, of: new Map() },
  nameOf: (row: NoticeRow) => string | false,
): (row: NoticeRow) => boolean {
  const counts = new Map<string, number>();
  return (row) => {
    const name = nameOf(row);
    if (name === false) return true;
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return count < (rooms.of.get(name) ?? rooms.each);
  };
}

/** A first try waits for the first tries before it. */
function nextOfTheirLines(rows: readonly NoticeRow[]): NoticeRow[] {
  const isFirstTry = ({ isTried, state }: NoticeRow) => !isTried && state === 'pending';
  const firsts = new Map<string, number>();
  for (const row of rows)
    if (row.orderingKey !== null && isFirstTry(row))
      firsts.set(
        row.orderingKey,
        Math.min(row.sequence, firsts.get(row.orderingKey) ?? row.sequence),
      );
  return rows.filter(
    (row) =>
      row.orderingKey === null || !isFirstTry(row) || firsts.get(row.orderingKey) === row.sequence,
  );
}

/** Before others are called a second time, all are called once. */
const byUrgency = (a: NoticeRow, b: NoticeRow) =>
  a.rank - b.rank ||
  Number(a.isTried ?? false) - Number(b.isTried ?? false) ||
  b.createdAt.epochMilliseconds - a.createdAt.epochMilliseconds ||
  (a.intent.key < b.intent.key ? -1 : 1);

function claimedOf(ledger: Outbox, row: NoticeRow): Claimed | null {
  const { intent, recipientKey, createdAt: created_at, tried = [], lostAnswers } = row;
  const { organization_id, key, channel, address, recipient, mention, why, user_id } = intent;
  const notice = {
    organization_id,
    key,
    channel,
    recipient,
    mention,
    why,
    user_id,
    recipient_key: recipientKey,
    ...('route' in intent && intent.route !== undefined && { route: intent.route }),
    address: textOf(address),
    attempt: row.attempts + 1,
    ...(lostAnswers !== undefined && { lostAnswers }),
    tried,
    earlier: [...(row.reported ?? [])]
      .filter(([number]) => number > attemptsElsewhere(tried))
      .toSorted(([a], [b]) => a - b)
      .map(([, { connectionId, vendorId, receipt }]) => ({ connectionId, vendorId, receipt })),
    created_at,
    organizationName: '',
    timezone: 'Etc/UTC',
  };
  if (channel === 'webhook') return callOf(ledger, row, notice);
  if ('story' in intent)
    return { ...notice, about: 'shift', kind: intent.kind, story: intent.story };
  if ('undecided' in intent)
    return { ...notice, about: 'undecided', kind: 'undecided', undecided: intent.undecided };
  const incident = ledger.incidents.get(intent.incident_id);
  const { kind, cycle, step, wave } = intent;
  if (!incident || kind === 'webhook') return null;
  const unknown = { serviceName: '', role: null };
  const page = { kind, cycle, step, ...(wave !== undefined && { wave }) };
  return { ...notice, about: 'incident', ...page, incident, ...unknown };
}

type Common = Omit<ClaimedUsageNotice, 'about' | 'kind' | 'usage'>;

function callOf(ledger: Outbox, row: NoticeRow, notice: Common): ClaimedCall | null {
  const { intent, content = null } = row;
  const event = eventOf(ledger, intent);
  if (event === null) return null;
  const kind = event.type === 'shift' ? event.kind : 'webhook';
  return {
    ...notice,
    about: 'call',
    kind,
    event,
    content,
    original: null,
    delivery_id: '0'.repeat(24),
    webhook: { method: 'POST', contentType: 'json', headers: {}, secrets: [], archived: false },
  };
}

function eventOf(ledger: Outbox, intent: NoticeRow['intent']): ClaimedCall['event'] | null {
  if ('story' in intent) return { type: 'shift', kind: intent.kind, story: intent.story };
  if ('undecided' in intent) return null;
  const { occasion } = intent;
  const incident = ledger.incidents.get(intent.incident_id);
  const named = { id: '0'.repeat(24), name: '' };
  const names = { team: named, service: named, integration: named, responders: [] };
  return incident && occasion
    ? { type: 'incident', occasion, subject: { incident, ...names } }
    : null;
}

/** A notice with which nothing can be done. */
export function postponeIn(ledger: Outbox, key: string, now: Temporal.Instant): null {
  const row = ledger.outbox.get(key);
  if (row?.state !== 'pending') return null;
  ledger.put(ledger.outbox, key, { ...row, wakeAt: minutesAfter(now, postponeMinutes) });
  return null;
}

/** By the incident's id; one without pages has no entry. */
export const roundsOf = (
  incidents: readonly Incident[],
  pagesOf: (incident: Incident) => readonly RoundPage[],
): ReadonlyMap<string, readonly RoundPage[]> =>
  new Map(
    incidents.map((one) => [one.id, pagesOf(one)] as const).filter(([, pages]) => pages.length > 0),
  );

/** The pages of the steps of the incident's current cycle. */
export function roundPagesIn(
  { outbox }: Pick<Outbox, 'outbox'>,
  { id, escalation: { cycle } }: Incident,
): readonly RoundPage[] {
  return outbox
    .inGroup(id)
    .flatMap((row) => {
      const { intent, lastEnded } = row;
      if (!('step' in intent) || intent.kind !== 'page' || intent.cycle !== cycle) return [];
      const { key, step, wave = 0 } = intent;
      const isTried = lastEnded !== undefined;
      const results = { state: stateOf(row), wasTaken: wasWithVendor(row), isTried };
      return [{ key, step, wave, ...results, isOnPhone: false }];
    })
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}

function stateOf(row: NoticeRow): RoundPage['state'] {
  if (row.state === 'sent') return 'taken';
  if (row.state !== 'pending') return 'over';
  return isWithVendor(row) ? 'taken' : 'open';
}

/** A vendor took it by the last attempt that has ended. */
export const isWithVendor = ({ lastEnded, reported }: NoticeRow): boolean =>
  lastEnded !== undefined && (reported?.get(lastEnded.attempt)?.isHandedOver ?? false);

/** The same by the one before it, unless it has arrived since. */
function wasWithVendor({ ended = [], lastEnded, reported }: NoticeRow): boolean {
  const before = ended.filter((attempt) => lastEnded && attempt < lastEnded.attempt);
  const { isHandedOver = false, receipt = null } = reported?.get(Math.max(...before)) ?? {};
  return isHandedOver && !(receipt !== null && confirms(receipt));
}
