// Rows in memory that cannot be read, and what becomes of them: as PostgreSQL has it, word by word.
import assert from 'node:assert/strict';
import { type Fault, type Faults, postponeMinutes } from '../../src/engine/faults.ts';
import { failureOf } from '../../src/engine/log.ts';
import type { Changes } from '../../src/engine/ports/changes.ts';
import type { UnreadableIncident } from '../../src/engine/ports/incidents.ts';
import type { UnreadableNotice } from '../../src/engine/ports/sending.ts';
import { Unreadable } from '../../src/engine/unreadable.ts';
import { adminsOf, type Configuration, NotConfigured } from '../../src/incidents/configuration.ts';
import { type Incident, isDue, minutesAfter, wakeAt } from '../../src/incidents/incident.ts';
import type { RoundPage } from '../../src/incidents/page-results.ts';
import { reachPerson } from '../../src/incidents/target-recipients.ts';
import type { UndecidedThing } from '../../src/notices/kinds/undecided.ts';
import { byChannel } from '../../src/resources/channels.ts';
import { parseEscalation } from '../../src/storage/ledger/stored-incident.ts';
import { parseNotice } from '../../src/storage/outbox/stored-notice.ts';
import type { KnownRows } from '../../src/what-if/memory/known.ts';
import type { MemoryLedger } from '../../src/what-if/memory/ledger.ts';
import { insert, type NoticeRow } from '../../src/what-if/memory/outbox.ts';
import { roundPagesIn } from '../../src/what-if/memory/round-pages.ts';
import { type ShiftCursorRow, wakeShiftCursor } from './shift-cursors.ts';

/** By its id; a notice by its key. */
export type Row = { readonly of: 'incident' | 'notice' | 'shift_cursor'; readonly id: string };

/** As locks name it. */
export const nameOf = ({ of, id }: Row): string => `${of} ${id}`;

/** Of no version that is known. */
export const unknownDocument = { v: 2 };

/** Notices are given up after as many hours. */
const abandonedAfter = { hours: 24 } as const;

type Rows = Pick<MemoryLedger, 'incidents' | 'outbox' | 'put' | 'addEntries' | 'recipientKeyOf'> & {
  readonly shiftCursors: Map<string, ShiftCursorRow>;
  /** Rows that cannot be read now, or could not be once. */
  readonly corruptions: Map<string, boolean>;
  /** Until when incidents are postponed that did not say so themselves. */
  readonly postponements: Map<string, Temporal.Instant | null>;
  readonly faults: Faults;
  configurationOf(organizationId: string): Configuration;
};
type Failing = { readonly error: unknown; readonly now: Temporal.Instant };

function failureIn(parse: (document: unknown) => unknown): unknown {
  try {
    return parse(unknownDocument);
  } catch (error) {
    return error;
  }
}
const incidentFailure = failureIn(parseEscalation);
const noticeFailure = failureIn(parseNotice);
const cursorFailure = (id: string) => new Error(`the shift cursor of ${id} leads nowhere`);

export const isCorrupt = ({ corruptions }: Pick<Rows, 'corruptions'>, row: Row): boolean =>
  corruptions.get(nameOf(row)) === true;

const kinds = ['incident', 'notice', 'shift_cursor'] as const;

/** Those that cannot be read now. */
export const corruptRows = ({ corruptions }: Pick<Rows, 'corruptions'>): readonly Row[] =>
  [...corruptions].flatMap(([name, isNow]) => {
    const of = kinds.find((kind) => name.startsWith(`${kind} `));
    return isNow && of ? [{ of, id: name.slice(of.length + 1) }] : [];
  });

/** What it tells of cannot be read. */
export function isExpected(ledger: Rows, { of, id, error }: Fault): boolean {
  // There is no admin just now.
  if (error instanceof NotConfigured) return id.startsWith('undecided/');
  if (of === 'incident') return isCorrupt(ledger, { of, id });
  if (of === 'schedule') return isCorrupt(ledger, { of: 'shift_cursor', id });
  const row = of === 'notice' ? ledger.outbox.get(id) : undefined;
  return row !== undefined && failureOfNotice(ledger, row) !== null;
}

/** Without those that cannot be read, of which is told. */
export function readableIn(
  ledger: Rows,
  incidents: readonly Incident[],
  unreadable: (incident: UnreadableIncident) => void = () => {},
): readonly Incident[] {
  return incidents.filter(({ id, team_id, number }) => {
    if (!isCorrupt(ledger, { of: 'incident', id })) return true;
    ledger.faults({ of: 'incident', id, error: incidentFailure });
    unreadable({ id, team_id, error: new Unreadable(`INC-${number}`, incidentFailure) });
    return false;
  });
}

/** When it is due: what was postponed not before that, although it may say so itself. */
export const wakeOf = ({ postponements }: Pick<Rows, 'postponements'>, incident: Incident) =>
  postponements.get(incident.id) ?? wakeAt(incident);

export function dueIncidentsIn(ledger: Rows, now: Temporal.Instant): readonly Incident[] {
  const at = (incident: Incident) => wakeOf(ledger, incident)?.epochMilliseconds ?? Infinity;
  return [...ledger.incidents.values()]
    .filter((one) => isDue(wakeOf(ledger, one), now))
    .sort((a, b) => at(a) - at(b) || (a.id < b.id ? -1 : 1));
}

/** Of those that are due and cannot be read each waits. */
export function readableOfDue(
  ledger: Rows,
  due: readonly Incident[],
  now: Temporal.Instant,
): readonly Incident[] {
  return due.filter(({ id }) => {
    if (!isCorrupt(ledger, { of: 'incident', id })) return true;
    putOffIncidentIn(ledger, id, { error: incidentFailure, now });
    return false;
  });
}

export function putOffIncidentIn(ledger: Rows, id: string, { error, now }: Failing): void {
  ledger.faults({ of: 'incident', id, error });
  const incident = ledger.incidents.get(id);
  if (!incident || incident.status === 'resolved') return;
  ledger.put(ledger.postponements, id, minutesAfter(now, postponeMinutes));
  const { organization_id, team_id, number, title, updated_at } = incident;
  const reason = failureOf(error);
  const text = `Could not be processed. Pager retries in ${postponeMinutes} minutes: ${reason}`;
  const entry = { incident_id: id, type: 'undecided', text, actor: null, details: null };
  ledger.addEntries([{ organization_id, ...entry }], now);
  const undecided = { of: 'incident', id, name: `INC-${number} ${title}`, reason } as const;
  const since = `${updated_at.epochMilliseconds}`;
  notifyOfUndecidedIn(ledger, { organization_id, team_id, since, undecided }, now);
}

type Undecided = {
  readonly organization_id: string;
  readonly team_id: string;
  readonly key?: string;
  readonly since: string;
  readonly undecided: UndecidedThing;
};

/** The admins of its team. */
export function notifyOfUndecidedIn(
  ledger: Rows,
  { organization_id, team_id, key, since, undecided }: Undecided,
  now: Temporal.Instant,
): void {
  const configuration = ledger.configurationOf(organization_id);
  const about = `undecided/${undecided.of}/${key ?? undecided.id}/${since}`;
  const reached = adminsOf(configuration, team_id)
    .map((admin) => reachPerson(admin, 'email', configuration))
    .filter((one) => one.reached);
  if (reached.length === 0) {
    const error = new NotConfigured(`nobody can be notified of ${about}`);
    ledger.faults({ of: 'notice', id: about, error });
  }
  for (const one of reached) {
    const { channel, address, personId, name: recipient } = one;
    const intent = {
      organization_id,
      key: `${about}/${channel}/${personId}`,
      kind: 'undecided' as const,
      channel,
      address,
      recipient,
      mention: null,
      user_id: personId,
      undecided,
      why: 'you are an admin of its team',
    };
    const recipientKey = ledger.recipientKeyOf(intent);
    insert(ledger, {
      intent,
      recipientKey,
      rank: 0,
      orderingKey: null,
      reason: null,
      createdAt: now,
    });
  }
}

/** A page that cannot be read does not say how often its cycle had gone back before it. */
export const readRound = (
  ledger: Pick<Rows, 'outbox' | 'corruptions'>,
  incident: Incident,
): readonly RoundPage[] =>
  roundPagesIn(ledger, incident).map((page) =>
    isCorrupt(ledger, { of: 'notice', id: page.key }) ? { ...page, wave: 0 } : page,
  );

/** Of an incident that cannot be read, that there was one is known, and nothing else. */
export const knownRows = (ledger: Rows): KnownRows => ({
  get: (id) =>
    readableIn(
      ledger,
      [ledger.incidents.get(id)].filter((one) => one !== undefined),
    )[0],
  inGroup: (group) =>
    ledger.incidents.inGroup(group).map((incident): Incident => {
      const [read] = readableIn(ledger, [incident]);
      const { escalation } = incident;
      const nothing = { repeatedAt: [], prioritySetByPerson: false, severitySetByPerson: false };
      const unread = { status: 'resolved', merged_into_id: null } as const;
      return read ?? { ...incident, ...unread, escalation: { ...escalation, ...nothing } };
    }),
});

/** Why it cannot be handed out; null: it can. */
export function failureOfNotice(ledger: Rows, { intent }: NoticeRow): unknown {
  if (isCorrupt(ledger, { of: 'notice', id: intent.key })) return noticeFailure;
  if (!('incident_id' in intent)) return null;
  return isCorrupt(ledger, { of: 'incident', id: intent.incident_id }) ? incidentFailure : null;
}

export type BrokenNotice = { readonly row: NoticeRow; readonly error: unknown };

/** They wait; answers those that were not known to be broken. */
export function putOffNotices(
  ledger: Rows,
  broken: readonly BrokenNotice[],
  now: Temporal.Instant,
): readonly UnreadableNotice[] {
  const entries: Changes['entries'][number][] = [];
  const newly: UnreadableNotice[] = [];
  for (const { row, error } of broken.toSorted(byPlace)) {
    const { organization_id, key, kind, channel } = row.intent;
    const reason = `could not be sent, or recorded as sent: ${failureOf(error)}`;
    const isOver = Temporal.Instant.compare(row.createdAt, now.subtract(abandonedAfter)) < 0;
    const end = isOver
      ? ({ state: 'cancelled', wakeAt: null } as const)
      : ({ state: 'pending', wakeAt: minutesAfter(now, postponeMinutes) } as const);
    ledger.put(ledger.outbox, key, { ...row, reason, ...end, isTried: true });
    ledger.faults({ of: 'notice', id: key, error });
    const incident_id = 'incident_id' in row.intent ? row.intent.incident_id : null;
    const isNew = row.reason !== reason;
    if (isNew) newly.push({ organization_id, key, kind, channel, incident_id });
    if (incident_id === null || !(isNew || isOver)) continue;
    const text = `A notice ${byChannel(channel)} ${reason}; it ${isOver ? 'was abandoned' : 'waits'}`;
    const entry = { incident_id, type: 'undecided', text, actor: null, details: { key } };
    entries.push({ organization_id, ...entry });
  }
  ledger.addEntries(entries, now);
  return newly;
}

/** Those that do not decode first, then those whose incident does not. */
const byPlace = (a: BrokenNotice, b: BrokenNotice) => placeOf(a) - placeOf(b);
const placeOf = ({ error }: BrokenNotice) => (error === noticeFailure ? 0 : 1);

/** Each for itself when one of them cannot be read, which then is postponed. */
export function readableShiftCursors(
  ledger: Rows,
  due: readonly ShiftCursorRow[],
  now: Temporal.Instant,
): readonly (readonly ShiftCursorRow[])[] {
  const broken = due.filter(({ schedule: { id } }) =>
    isCorrupt(ledger, { of: 'shift_cursor', id }),
  );
  if (broken.length === 0) return [due];
  for (const { schedule } of broken)
    postponeShiftCursorIn(ledger, schedule.id, { error: cursorFailure(schedule.id), now });
  return due.filter((row) => !broken.includes(row)).map((row) => [row]);
}

export function postponeShiftCursorIn(ledger: Rows, id: string, { error, now }: Failing): void {
  ledger.faults({ of: 'schedule', id, error });
  const row = ledger.shiftCursors.get(id);
  if (!row) return;
  wakeShiftCursor(ledger, row, minutesAfter(now, postponeMinutes));
  const { organization_id, name } = row.schedule;
  const [team_id = ''] = ledger.configurationOf(organization_id).teams.keys();
  const undecided = { of: 'schedule', id, name, reason: failureOf(error) } as const;
  const since = `${row.cursor.advanced_to.epochMilliseconds}`;
  notifyOfUndecidedIn(ledger, { organization_id, team_id, since, undecided }, now);
}

/** Of each incident that was due and could not be read the admins are told, if there are any. */
export function checkAdminsNotified(ledger: Rows, notified: ReadonlySet<string>): void {
  const notices = [...ledger.outbox.values()].map(({ intent }) => `notice ${intent.key}`);
  const all = [...notices, ...notified];
  for (const [id, until] of ledger.postponements) {
    const isReported = all.some((one) => one.startsWith(`notice undecided/incident/${id}/`));
    assert.ok(until === null || isReported, `nobody is told that ${id} cannot be read`);
  }
}
