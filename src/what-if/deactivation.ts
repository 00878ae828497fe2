// What the deactivation of a person would change: in which schedules nobody, or somebody else, would
// be on call, and when.
import type { Configuration } from '../incidents/configuration.ts';
import { usersOf } from '../oncall/schedule.ts';
import { announcedEdit, type Recorded } from './announced-edit.ts';
import { effectsOfSchedule, type PreviewWarning, type ScheduleEffects } from './change-preview.ts';
import { type ChangeContext, type ChangeSides, partOf, withPlanned } from './change-sides.ts';
import type { ProposedRecord } from './proposed-record.ts';
import { withInactive } from './proposed-schedule.ts';

type Deactivation = {
  readonly userId: string;
  /** The schedules that are compared, in the order in which they are listed. */
  readonly scheduleIds: readonly string[];
  /** What the same run saves or archives before it. */
  readonly planned: readonly ProposedRecord[];
  /** By schedule. */
  readonly recorded: ReadonlyMap<string, Recorded>;
};

/** Of the schedules that name the person; the years that are searched are shared among them. */
export function sidesOfDeactivation(
  { userId, scheduleIds, planned, recorded }: Deactivation,
  context: ChangeContext,
): readonly ChangeSides[] {
  const configuration = withPlanned(planned, context);
  const years = Math.max(1, Math.floor(context.years / Math.max(1, scheduleIds.length)));
  return scheduleIds.flatMap((id) =>
    sidesOfSchedule({ id, userId, years, recorded: recorded.get(id) }, configuration, context),
  );
}

type OfSchedule = {
  readonly id: string;
  readonly userId: string;
  readonly years: number;
  readonly recorded: Recorded | undefined;
};

function sidesOfSchedule(
  { id, userId, years, recorded }: OfSchedule,
  configuration: Configuration,
  { nextEdits, now }: ChangeContext,
): readonly ChangeSides[] {
  const was = configuration.schedules.get(id);
  if (was === undefined || was.archived || !usersOf(was.schedule).includes(userId)) return [];
  const at = nextEdits.get(id) ?? now;
  const rota = { ...was, schedule: withInactive(was.schedule, new Set([userId]), at) };
  const { schedule } = rota;
  const edit = recorded === undefined ? null : announcedEdit({ recorded, at, schedule });
  const part = partOf(configuration, rota, []);
  const none = { steps: [], areStepsOwn: false, paging: null };
  return [{ at, years, rota, edit, ...none, configuration: part }];
}

/** Of one schedule, named. */
export type DeactivationEffects = ScheduleEffects & {
  readonly scheduleId: string;
  readonly name: string;
};

/** Schedules in which nothing changes are left out. */
export const effectsOfDeactivation = (
  sides: readonly ChangeSides[],
): readonly DeactivationEffects[] =>
  sides.flatMap((one) => {
    if (one.rota === null) return [];
    const { id: scheduleId, name } = one.rota;
    const effects = effectsOfSchedule(one, one.rota);
    const warnings = effects.warnings.map((warning) => ofSchedule(name, warning));
    return warnings.length === 0 ? [] : [{ ...effects, warnings, scheduleId, name }];
  });

const ofSchedule = (name: string, { code, message }: PreviewWarning): PreviewWarning => ({
  code,
  path: null,
  message: `On-call schedule "${name}": ${message}`,
});
