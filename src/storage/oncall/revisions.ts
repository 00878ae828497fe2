// What was in force when: every edit of a schedule appends a revision, in the edit's transaction.
import type { Ids } from '../../engine/ids.ts';
import { contentOf } from '../../oncall/revisions/content.ts';
import { type Declared, type DeclaredLayer, editLayers } from '../../oncall/revisions/edits.ts';
import type { Former } from '../../oncall/revisions/undo.ts';
import type { ManagedBy } from '../../resources/declaration/managed-by.ts';
import type { Queries } from '../database/database.ts';
import type { Act } from '../organizations/audit.ts';
import type { RecordChange, RecordHooks } from '../records/record-hooks.ts';
import { type Anchor, json, type StoredRecord } from '../records/rows.ts';
import { type LockedActivity, lockActivity, noteInactive } from './activity.ts';
import { anchorsOf, layersOf } from './layers.ts';
import { withdrawRequestsOf } from './open-cover-requests.ts';
import { countEdit, type EditCounted, insertShiftCursor } from './shift-cursor.ts';
import { parseAnchors, parseByDesign, parseLayers } from './stored-layers.ts';

/** How many edits are remembered when one is taken back. */
const REVISIONS_FOR_UNDO = 50;

type ScheduleFields = Readonly<Record<string, unknown>>;

/** The part of a schedule that decides who is on call, and when nobody is meant to be. */
export function declaredSchedule(fields: ScheduleFields) {
  const { timezone, layers, uncovered_by_design: windows } = fields;
  // What was sent was read against the declaration.
  return {
    timezone: String(timezone),
    layers: parseLayers(layers),
    ...(windows !== undefined && { uncovered_by_design: parseByDesign(windows) }),
  };
}

/** A schedule has an anchor for each of its layers, and a revision for each of its edits. */
export const scheduleHooks: RecordHooks = {
  columns: { names: ['anchors'], read: (row) => ({ anchors: parseAnchors(row['anchors']) }) },
  prepare: ({ tx, ids, act }, { fields }) => ({
    anchors: json(tx, anchorsOfNew(ids, fields, act.now)),
  }),
  created: ({ tx, act }, schedule) => beginHistory(tx, { act, schedule }),
  changing: async ({ tx, ids, act }, change) => {
    if (change.archived) await withdrawRequestsOf(tx, act, change.before.id);
    return revise(tx, ids, { act, ...change });
  },
};

/** What is kept of the layers of a schedule that is made now. */
function anchorsOfNew(ids: Ids, fields: ScheduleFields, now: Temporal.Instant): readonly Anchor[] {
  const after = declaredSchedule(fields);
  const nobodyKnown = { before: null, past: [], isActive: () => true };
  return anchorsOf(editLayers({ ...nobodyKnown, after, now, nextId: () => ids.next() }));
}

type NewHistory = { readonly act: Act; readonly schedule: StoredRecord };

async function beginHistory(tx: Queries, { act, schedule }: NewHistory): Promise<void> {
  const { organizationId, now } = act;
  const { id, fields, anchors = [] } = schedule;
  const declared = declaredSchedule(fields);
  const activity = await lockActivity(tx, { organizationId, userIds: namedBy(declared.layers) });
  await insertShiftCursor(tx, { organizationId, scheduleId: id, now });
  const edit = { edit: 1, at: now };
  const after = { ...declared, anchors, archived: false };
  await insertRevision(tx, { act, scheduleId: id, edit, after, activity });
}

type ScheduleRevision = RecordChange & { readonly act: Act };

/** The columns that change with it; none when the write says nothing of who is on call. */
async function revise(tx: Queries, ids: Ids, { act, before, ...after }: ScheduleRevision) {
  const { id: scheduleId, anchors, archived_at } = before;
  if (anchors === undefined) throw new Error(`the schedule ${scheduleId} has no anchors`);
  const [was, is] = [declaredSchedule(before.fields), declaredSchedule(after.fields)];
  const { archived } = after;
  if (archived === (archived_at !== null) && isSame(was, is)) return {};
  const { organizationId, now } = act;
  const activity = await lockActivity(tx, { organizationId, userIds: namedBy(is.layers) });
  const edit = await countEdit(tx, { organizationId, scheduleId, now });
  const former = await readFormer(tx, { organizationId, scheduleIds: [scheduleId] });
  const layers = editLayers({
    before: { timezone: was.timezone, layers: layersOf(was.layers, anchors) },
    past: former.get(scheduleId) ?? [],
    after: is,
    now: edit.at,
    isActive: (user) => activity.active.has(user),
    rules: activity.rules,
    nextId: () => ids.next(),
  });
  const revised = { ...is, anchors: anchorsOf(layers), archived };
  await insertRevision(tx, { act, scheduleId, edit, after: revised, activity });
  return { anchors: json(tx, revised.anchors) };
}

/** Whether the same people are on call; names of layers and defaults written out change nothing. */
const isSame = (one: Declared, other: Declared): boolean =>
  one.timezone === other.timezone &&
  one.layers.map(contentOf).join('\n') === other.layers.map(contentOf).join('\n');

type FormerQuery = { readonly organizationId: string; readonly scheduleIds: readonly string[] };

/** By schedule, its latest revisions, oldest first: within them an edit can be taken back. */
export async function readFormer(
  sql: Queries,
  { organizationId, scheduleIds }: FormerQuery,
): Promise<ReadonlyMap<string, readonly Former[]>> {
  if (scheduleIds.length === 0) return new Map();
  const rows = await sql<FormerRow[]>`
    select asked.id, r.in_force_from, r.timezone, r.layers, r.anchors
    from unnest(${[...scheduleIds]}::text[]) as asked (id)
    cross join lateral (
      select number, in_force_from, timezone, layers, anchors from schedule_revisions
      where organization_id = ${organizationId} and oncall_schedule_id = asked.id
      order by number desc limit ${REVISIONS_FOR_UNDO}) r
    order by asked.id, r.number`;
  return Map.groupBy(rows.map(formerOf), ({ id }) => id);
}

type FormerRow = Pick<RevisionRow, 'in_force_from' | 'timezone' | 'layers' | 'anchors'> & {
  readonly id: string;
};

const formerOf = ({ id, in_force_from: from, timezone, layers, anchors }: FormerRow) => ({
  id,
  from,
  timezone,
  layers: layersOf(parseLayers(layers), parseAnchors(anchors)),
});

const namedBy = (layers: readonly DeclaredLayer[]) => layers.flatMap(({ users }) => users);

type NewRevision = {
  readonly act: Act;
  readonly scheduleId: string;
  readonly edit: EditCounted;
  readonly activity: LockedActivity;
  readonly after: {
    readonly timezone: string;
    readonly layers: readonly DeclaredLayer[];
    readonly anchors: readonly Anchor[];
    readonly archived: boolean;
  };
};

async function insertRevision(tx: Queries, revision: NewRevision): Promise<void> {
  const { act, scheduleId, edit, after, activity } = revision;
  const { organizationId, actor, managedBy } = act;
  await tx`
    insert into schedule_revisions
      (organization_id, oncall_schedule_id, number, edit, in_force_from, archived, timezone,
        layers, anchors, actor, managed_by)
    select ${organizationId}, ${scheduleId}, coalesce(max(number), 0) + 1, ${edit.edit},
      ${edit.at},
      ${after.archived}, ${after.timezone}, ${json(tx, after.layers)}, ${json(tx, after.anchors)},
      ${json(tx, actor)}, ${managedBy ? json(tx, managedBy) : null}
    from schedule_revisions
    where organization_id = ${organizationId} and oncall_schedule_id = ${scheduleId}`;
  const { inactive } = activity;
  await noteInactive(tx, { organizationId, scheduleId, edit, inactive });
}

export type StoredRevision = {
  readonly number: number;
  readonly in_force_from: Temporal.Instant;
  readonly archived: boolean;
  readonly timezone: string;
  readonly layers: readonly DeclaredLayer[];
  readonly anchors: readonly Anchor[];
  /** Null: a server of 0.1.0 made it. */
  readonly actor: Act['actor'] | null;
  readonly managed_by: ManagedBy | null;
};

type RevisionRow = Omit<StoredRevision, 'layers' | 'anchors'> & {
  readonly layers: unknown;
  readonly anchors: unknown;
};

type RevisionsQuery = {
  readonly organizationId: string;
  readonly scheduleId: string;
  /** Only those with a lower number; null: all. */
  readonly below: number | null;
  readonly limit: number;
};

/** Newest first. */
export async function listRevisions(
  sql: Queries,
  query: RevisionsQuery,
): Promise<readonly StoredRevision[]> {
  const rows = await sql<RevisionRow[]>`
    select number, in_force_from, archived, timezone, layers, anchors, actor, managed_by
    from schedule_revisions
    where organization_id = ${query.organizationId}
      and oncall_schedule_id = ${query.scheduleId}
      ${query.below === null ? sql`` : sql`and number < ${query.below}`}
    order by number desc limit ${query.limit}`;
  return rows.map(({ layers, anchors, ...row }) => ({
    ...row,
    layers: parseLayers(layers),
    anchors: parseAnchors(anchors),
  }));
}
