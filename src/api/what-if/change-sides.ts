// What a change is compared with, put together for a worker thread.
import type { Configuration, Rota } from '../../incidents/configuration.ts';
import { reach } from '../../incidents/target-lookup.ts';
import { editLayers } from '../../oncall/revisions/edits.ts';
import type { Schedule } from '../../oncall/schedule.ts';
import { escalationPolicy, type Step, type Target } from '../../resources/escalation-policy.ts';
import { oncallSchedule } from '../../resources/oncall-schedule.ts';
import { declaredOf } from '../../storage/oncall/revisions.ts';
import type { Use } from '../../storage/records/record-hooks.ts';
import { withSchedules } from '../../what-if/proposals.ts';
import { usersOf } from '../oncall/coverage.ts';
import { inoperativeTarget } from '../records/escalation-policy.ts';
import type { Capabilities } from '../records/record-hooks.ts';
import type { ChangePreviewRequest, Proposed } from './change-preview-request.ts';
import { type EffectsInput, type ExaminedStep, reasonOf } from './change-preview-task.ts';

export type ChangeContext = {
  readonly configuration: Configuration;
  readonly capabilities: Capabilities;
  readonly now: Temporal.Instant;
  readonly years: number;
  /** By schedule, when an edit would take effect. */
  readonly nextEdits: ReadonlyMap<string, Temporal.Instant>;
  /** The active policies that use the schedule. */
  readonly policies: readonly Use[];
};

type Proposals = Pick<ChangePreviewRequest, 'record' | 'planned'>;

/** Null: nothing changes for anybody that could be computed. */
export function changeOf(
  { record, planned }: Proposals,
  context: ChangeContext,
): EffectsInput | null {
  const plannedRotas = planned.filter(isOf(oncallSchedule)).flatMap((one) => {
    const rota = rotaOf(one, context);
    return one.id === null || rota === null ? [] : [[one.id, rota] as const];
  });
  const configuration = withSchedules(context.configuration, new Map(plannedRotas));
  const isSchedule = isOf(oncallSchedule)(record);
  const rota = isSchedule ? rotaOf(record, { ...context, configuration }) : null;
  if (isSchedule && rota === null) return null;
  const policies = policiesOf({ record, planned }, { ...context, configuration });
  const steps = policies.flatMap((policy) => stepsOf(policy, { ...context, configuration }));
  const unsure = planned.filter((one) => isOf(oncallSchedule)(one) && isUnclear(one));
  const certain = steps.filter(({ targets }) =>
    targets.every(({ oncall_schedule_id: id = '' }) => {
      const isUnsure = unsure.some((one) => one.id === id);
      return !isUnsure && configuration.schedules.has(id);
    }),
  );
  if (rota === null && certain.length === 0) return null;
  const at = rota?.schedule.revisions.at(-1)?.from ?? context.now;
  const { years } = context;
  return { at, years, rota, steps: certain, configuration: partOf(configuration, rota, certain) };
}

const isOf =
  ({ name }: { readonly name: string }) =>
  ({ resource }: Proposed): boolean =>
    resource.name === name;

/** Whether who is on call depends on what is unknown. */
const isUnclear = ({ archived, written: { fields }, mayBe }: Proposed): boolean =>
  !archived && (mayBe('layers') || mayBe('timezone') || fields['layers'] === undefined);

/** The schedule with its past, and as it is to be from now on; null when that is unknown. */
function rotaOf(proposed: Proposed, context: ChangeContext): Rota | null {
  if (isUnclear(proposed)) return null;
  const { id, archived, written } = proposed;
  const { configuration, nextEdits, now } = context;
  const was = id === null ? undefined : configuration.schedules.get(id);
  if (was === undefined && (id !== null || archived)) return null;
  const name = String(written.fields['name'] ?? was?.name ?? '');
  const at = (id !== null && nextEdits.get(id)) || now;
  const schedule = editedSchedule(proposed, was, at);
  return { id: id ?? '', name, archived, schedule, notifications: was?.notifications ?? {} };
}

function editedSchedule(
  { archived, written }: Proposed,
  was: Rota | undefined,
  at: Temporal.Instant,
): Schedule {
  const before = was?.schedule.revisions.at(-1) ?? null;
  const after = archived && before !== null ? before : declaredOf(written.fields);
  let made = 0;
  const nextId = () => {
    made += 1;
    return `new ${made}`;
  };
  const layers = archived ? (before?.layers ?? []) : editLayers({ before, after, now: at, nextId });
  const revision = { from: at, archived, timezone: after.timezone, layers };
  return {
    revisions: [...(was?.schedule.revisions ?? []), revision],
    overrides: was?.schedule.overrides ?? [],
  };
}

type ExaminedPolicy = ExaminedStep['policy'] & {
  readonly steps: readonly Step[];
  readonly isUnknown: (step: number) => boolean;
};

/** The policy itself, or as they are to be those that use the schedule. */
function policiesOf(
  { record, planned }: Proposals,
  { configuration, policies }: ChangeContext,
): readonly ExaminedPolicy[] {
  if (isOf(escalationPolicy)(record)) return record.archived ? [] : [proposedPolicy(record)];
  return policies
    .flatMap(({ id, name }) => {
      const proposed = planned.findLast((one) => isOf(escalationPolicy)(one) && one.id === id);
      const steps = configuration.policies.get(id)?.steps ?? [];
      if (proposed === undefined) return [{ id, name, steps, isUnknown: () => false }];
      return proposed.archived ? [] : [{ ...proposedPolicy(proposed), name }];
    })
    .map((policy) => ({ ...policy, steps: onlyWith(record.id, policy.steps) }));
}

/** Steps that page by other schedules alone are left out, as holes. */
function onlyWith(scheduleId: string | null, steps: readonly Step[]): readonly Step[] {
  const paging = [...steps];
  steps.forEach(({ targets }, index) => {
    if (targets.every((target) => target?.oncall_schedule_id !== scheduleId)) delete paging[index];
  });
  return paging;
}

const proposedPolicy = ({ id, written: { fields }, mayBe }: Proposed): ExaminedPolicy => ({
  id,
  name: String(fields['name'] ?? ''),
  // The shape was read; what does not fit is absent, or a hole.
  steps: (fields['steps'] ?? []) as readonly Step[],
  isUnknown: (step) => mayBe(`steps[${step}]`),
});

/** The steps that reach nobody unless it is by a schedule. */
function stepsOf(
  { id, name, steps, isUnknown }: ExaminedPolicy,
  context: ChangeContext,
): readonly ExaminedStep[] {
  return steps.flatMap(({ targets: all }, step): ExaminedStep[] => {
    if (isUnknown(step)) return [];
    const targets = all.flatMap(({ via, oncall_schedule_id, ...target }) => {
      const isOperative = inoperativeTarget({ via, ...target }, context.capabilities).length === 0;
      return oncall_schedule_id !== undefined && isOperative ? [{ via, oncall_schedule_id }] : [];
    });
    const reasons = all.map((target) => missedBy(target, context));
    const missed = reasons.filter((reason) => reason !== undefined);
    if (missed.length + targets.length < all.length) return [];
    return [{ policy: { id, name }, step, targets, reasons: missed }];
  });
}

/** Why the target can never be paged, whoever is on call. */
function missedBy(
  target: Target,
  { configuration, capabilities, now }: ChangeContext,
): string | undefined {
  const [inoperative] = inoperativeTarget(target, capabilities);
  if (inoperative !== undefined) return inoperative.replace(/\.$/, '');
  if (target.oncall_schedule_id !== undefined) return undefined;
  const reached = reach(target, configuration, now);
  return reached.reached ? undefined : reasonOf(reached);
}

/** What effects are computed from: of a whole organization, there may be much. */
function partOf(
  configuration: Configuration,
  rota: Rota | null,
  steps: readonly ExaminedStep[],
): Configuration {
  const ids = new Set([
    ...steps.flatMap(({ targets }) => targets.map(({ oncall_schedule_id: id = '' }) => id)),
    ...(rota === null ? [] : [rota.id]),
  ]);
  const schedules = new Map([...configuration.schedules].filter(([id]) => ids.has(id)));
  const rotas = [...schedules.values(), ...(rota === null ? [] : [rota])];
  const users = new Set(rotas.flatMap(({ schedule }) => usersOf(schedule)));
  const people = new Map([...configuration.people].filter(([id]) => users.has(id)));
  const empty = new Map();
  return {
    ...configuration,
    services: empty,
    policies: empty,
    integrations: empty,
    webhooks: empty,
    teams: empty,
    schedules,
    people,
    notifications: {},
  };
}
