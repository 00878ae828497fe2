// POST /preview of an override: whom making, changing or removing it puts on call, and who is notified.
import { isAfter } from '../../oncall/order.ts';
import type { Override } from '../../oncall/schedule.ts';
import { located } from '../../resources/declaration/resource.ts';
import { storedInstant } from '../../resources/instant.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import type { ShiftIntent } from '../../shifts/notice.ts';
import type { Queries } from '../../storage/database/database.ts';
import { type CurrentOverride, findOverride } from '../../storage/oncall/overrides.ts';
import { find } from '../../storage/records/queries.ts';
import { lookupIn } from '../../storage/records/uses.ts';
import { announcedEdit, nextEdit, type Recorded } from '../../what-if/announced-edit.ts';
import {
  movedShiftsOf,
  type PreviewWarning,
  type ScheduleEffects,
} from '../../what-if/change-preview.ts';
import { type ChangeContext, withPlanned } from '../../what-if/change-sides.ts';
import { timezoneOf } from '../../what-if/coverage-words.ts';
import { overrideWarnings } from '../../what-if/override-preview.ts';
import { type RunTask, taskRequester } from '../computing/computer.ts';
import { invalid, Refusal } from '../failures.ts';
import { reviewOverride } from '../oncall/overrides.ts';
import type { Call } from '../route.ts';
import { type ChangePreviewRequest, deactivatedBy } from './change-preview-request.ts';
import { noticesOf } from './notices-at-once.ts';
import { proposed } from './override-preview.ts';
import { pagingPartOf } from './paging-part-of.ts';
import type { PreviewReads } from './preview-reads.ts';
import { readSavedSide } from './saved-side.ts';

type Parts = {
  readonly sql: Queries;
  readonly reads: PreviewReads;
  readonly compute: RunTask;
};

/** Of one schedule. */
type Edit = {
  readonly scheduleId: string;
  /** Null: it is removed. */
  readonly override: Override | null;
  readonly replaces: Override | null;
};

type OverrideEffects = {
  readonly warnings: readonly PreviewWarning[];
  readonly movedShifts: ScheduleEffects['movedShifts'];
  readonly notices: readonly ShiftIntent[];
};

export async function previewOverrideChange(
  parts: Parts,
  call: Call,
  request: ChangePreviewRequest,
): Promise<OverrideEffects> {
  const edits = await editsOf(parts, call, request);
  const all = await Promise.all(edits.map((edit) => effectsOf(edit, parts, { call, request })));
  return {
    warnings: all.flatMap(({ warnings }) => warnings),
    movedShifts: all.flatMap(({ movedShifts }) => movedShifts),
    notices: all.flatMap(({ notices }) => notices),
  };
}

const deciding = ['oncall_schedule_id', 'user_id', 'replaces_user_id', 'start', 'end'];

/** None: nothing changes, or not all of it is known. Moved to another schedule, it changes both. */
async function editsOf(
  { sql }: Parts,
  call: Call,
  { record }: ChangePreviewRequest,
): Promise<readonly Edit[]> {
  const { caller, now } = call;
  const { organizationId } = caller;
  const { id, archived, mayBe, path, written } = record;
  const saved = id === null ? null : await findOverride(sql, organizationId, id);
  const isSeen = (key: string) => find(sql, oncallSchedule, { key, scope: caller });
  if (id !== null && (saved === null || !(await isSeen(saved.oncall_schedule_id))))
    throw invalid([{ path: `${path}.id`, message: 'does not match any override' }]);
  const isOver = saved !== null && !isAfter(storedInstant(saved.end), now);
  const was = saved === null || isOver ? null : saved;
  const removed = was && {
    scheduleId: was.oncall_schedule_id,
    override: null,
    replaces: savedOf(was),
  };
  if (archived) return removed ? [removed] : [];
  if (deciding.some((part) => mayBe(part))) return [];
  const { oncall_schedule_id: to, ...fields } = written.fields;
  const scheduleId = String(to);
  if (!(await isSeen(scheduleId))) {
    const message = 'does not match any on-call schedule';
    throw invalid([{ path: `${path}.oncall_schedule_id`, message }]);
  }
  const lookup = lookupIn(sql, organizationId);
  const isSame = was?.oncall_schedule_id === scheduleId;
  const before = isSame ? was : null;
  const reviewed = await reviewOverride(fields, { lookup, before, now }).catch((error) => {
    if (!(error instanceof Refusal)) throw error;
    throw new Refusal(error.code, { issues: located(path, error.issues) });
  });
  const override = proposed(reviewed);
  if (isSame) return [{ scheduleId, override, replaces: savedOf(was) }];
  return [{ scheduleId, override, replaces: null }, ...(removed ? [removed] : [])];
}

const savedOf = (saved: CurrentOverride): Override => ({ ...proposed(saved), id: saved.id });

type Context = { readonly call: Call; readonly request: ChangePreviewRequest };

const nothing: OverrideEffects = { warnings: [], movedShifts: [], notices: [] };

async function effectsOf(
  { scheduleId, override, replaces }: Edit,
  { compute, reads }: Parts,
  { call, request }: Context,
): Promise<OverrideEffects> {
  const scheduleIds = [scheduleId];
  const [saved, cursors] = await Promise.all([
    readSavedSide(reads, call, {
      scheduleIds,
      deactivated: deactivatedBy(request.planned),
      isManaged: (request.managedBy ?? call.managedBy) !== null,
    }),
    reads.shiftCursors(scheduleIds),
  ]);
  const recorded = cursors.get(scheduleId);
  const context = { ...saved, inoperative: () => [], policies: [] };
  const side = recorded && sideOf(scheduleId, recorded, { request, context });
  if (!side) return nothing;
  const { rota, people } = side;
  const at = saved.nextEdits.get(scheduleId) ?? call.now;
  const overrides = override === null ? [] : [override];
  const input = { ...side.recorded, at, overrides, replaces };
  const { advance, changes } = await compute(taskRequester(call), 'overrideEffects', input);
  const timezone = timezoneOf(rota.schedule);
  return {
    warnings: overrideWarnings(changes, { at, timezone, people }),
    movedShifts: movedShiftsOf(changes, { people }),
    notices: noticesOf(advance, rota, saved.configuration),
  };
}

type Planning = { readonly request: ChangePreviewRequest; readonly context: ChangeContext };

/** The schedule as the same run leaves it before; undefined: it is archived, or unknown. */
function sideOf(id: string, recorded: Recorded, { request, context }: Planning) {
  const planned = request.planned.flatMap((one) => pagingPartOf(one) ?? []);
  const own = planned.findLast((one) => one.kind === 'schedule' && one.id === id);
  const configuration = withPlanned(planned, context);
  const rota = configuration.schedules.get(id);
  const isUnclear = own?.kind === 'schedule' && own.declared === null;
  if (rota === undefined || rota.archived || isUnclear) return undefined;
  const { people } = configuration;
  if (own === undefined && deactivatedBy(request.planned).length === 0)
    return { rota, people, recorded };
  const revision = own && rota.schedule.revisions.at(-1);
  const at = context.nextEdits.get(id) ?? context.now;
  const { edited } = announcedEdit({ recorded, at, schedule: rota.schedule, revision });
  const cursor = { ...recorded.cursor, edits: nextEdit(recorded) };
  return { rota, people, recorded: { cursor, history: edited } };
}
