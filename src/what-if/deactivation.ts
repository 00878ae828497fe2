// What the deactivation of a person would change: in which schedules nobody, or somebody else, would
// be on call, and when.
import type { Configuration } from '../incidents/configuration.ts';
import { usersOf } from '../oncall/schedule.ts';
import type { Target } from '../resources/escalation-policy.ts';
import { announcedEdit, type Recorded } from './announced-edit.ts';
import { effectsOfSchedule, type PreviewWarning, type ScheduleEffects } from './change-preview.ts';
import {
  type ChangeContext,
  type ChangeSides,
  partOf,
  routingBefore,
  stepsOf,
  withPlanned,
} from './change-sides.ts';
import { pagingSidesOf } from './paging-concern.ts';
import type { Routed } from './paging-part.ts';
import { withDeactivated } from './proposals.ts';
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

type PagedPerson = Pick<Deactivation, 'userId' | 'planned'> & {
  /** By the rules of 0.1.0, whoever is inactive stays on call. */
  readonly areNew: boolean;
};

/** Of the policies, rules and playbooks that name the person directly; null: none is concerned. */
export function sidesOfNaming(
  { userId, planned, areNew }: PagedPerson,
  context: ChangeContext,
): ChangeSides | null {
  const { now, years, inoperative } = context;
  const before = routingBefore(planned, {
    ...context,
    configuration: withPlanned(planned, context),
  });
  const leaving = { userIds: [userId], at: () => now, areNew };
  const after = { ...before, configuration: withDeactivated(before.configuration, leaving) };
  const concern = {
    target: (target: Target) => target?.user_id === userId,
    action: (action: Routed) => 'user_id' in action && action.user_id === userId,
  };
  const paging = pagingSidesOf(concern, { before, after }, now);
  const steps = context.policies.flatMap((policy) => {
    const own = before.configuration.policies.get(policy.id);
    if (own === undefined || own.archived || before.unclear.has(policy.id)) return [];
    const examined = { ...policy, steps: own.steps, isUnknown: () => false };
    const [was, is] = [before, after].map(({ configuration }) =>
      stepsOf(examined, { configuration, inoperative, now }),
    );
    const already = new Set(was?.map(({ step }) => step));
    return (is ?? []).filter(({ step }) => !already.has(step));
  });
  if (paging === null && steps.length === 0) return null;
  const configuration = partOf(after.configuration, null, steps);
  const none = { rota: null, edit: null, areStepsOwn: false };
  return { at: now, years, ...none, steps, paging, configuration };
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
