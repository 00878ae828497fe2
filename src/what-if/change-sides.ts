// The two sides of a change to records: the configuration as it is before it, and as it would be.
import type { Configuration, Rota } from '../incidents/configuration.ts';
import { reach, shownName } from '../incidents/target-recipients.ts';
import { declaredOf } from '../oncall/revisions/content.ts';
import { preserveLayers } from '../oncall/revisions/preserved-layers.ts';
import type { Former } from '../oncall/revisions/undo.ts';
import { pickByDesign, type Schedule, usersOf } from '../oncall/schedule.ts';
import type { ManagedBy } from '../resources/declaration/managed-by.ts';
import type { Step, Target } from '../resources/escalation-policy.ts';
import { type AnnouncedEdit, announcedEdit, type Recorded } from './announced-edit.ts';
import { newPolicyOf, type PagingSides, pagingSidesOfRecord } from './paging-sides.ts';
import { withSchedules } from './proposals.ts';
import type { ProposedPolicy, ProposedRecord, ProposedSchedule } from './proposed-record.ts';
import { type Place, type Routing, withRecord } from './proposed-routing.ts';
import {
  archivedSchedule,
  type DeclaredSchedule,
  editedSchedule,
  type ScheduleEdit,
  withInactive,
} from './proposed-schedule.ts';

export type ProposedChange = {
  readonly record: ProposedRecord;
  /** What the same run saves or archives before it. */
  readonly planned: readonly ProposedRecord[];
};

export type ChangeContext = {
  readonly configuration: Configuration;
  readonly now: Temporal.Instant;
  /** That are searched for gaps. */
  readonly years: number;
  /** By schedule, when an edit would take effect. */
  readonly nextEdits: ReadonlyMap<string, Temporal.Instant>;
  /** Who is on call nowhere. */
  readonly inactive: ReadonlySet<string>;
  /** Of the schedule that changes; absent: it is new, or no schedule changes. */
  readonly recorded?: Recorded | null;
  /** By schedule, its latest revisions, oldest first. */
  readonly past: ReadonlyMap<string, readonly Former[]>;
  /** Set while a server of 0.1.0 may be connected. */
  readonly rules?: ScheduleEdit['rules'];
  /** Terraform makes the change. */
  readonly isManaged?: boolean;
  /** The active policies that use the schedule. */
  readonly policies: readonly NamedPolicy[];
  /** Of the rules of the team, by id. */
  readonly rulePlaces?: ReadonlyMap<string, Place>;
  /** In sentences, why a target can page nobody with the settings of this server. */
  readonly inoperative: (target: Target) => readonly string[];
};

type NamedPolicy = {
  readonly id: string;
  readonly name: string;
  readonly managedBy?: ManagedBy | null;
};

/** A step of which everyone but whoever is on call cannot be paged. */
export type ExaminedStep = {
  readonly policy: Omit<NamedPolicy, 'id'> & { readonly id: string | null };
  /** From 0. */
  readonly step: number;
  /** By which schedules it pages. */
  readonly targets: readonly Pick<Target, 'via' | 'oncall_schedule_id'>[];
  /** Why the others cannot be paged. */
  readonly reasons: readonly string[];
  /** One of the others could be, before the change. */
  readonly isNewly?: true;
};

/** What effects are computed from. */
export type ChangeSides = {
  /** When the change takes effect. */
  readonly at: Temporal.Instant;
  /** That are searched for gaps. */
  readonly years: number;
  /** As it is before the change: with what the same run has planned before. */
  readonly configuration: Configuration;
  /** As it is after it, where that is no change of a record. */
  readonly after?: Configuration;
  /** The schedule that changes; null when none does, or when not all of it is known. */
  readonly rota: Rota | null;
  /** What the change is to what was announced so far; null when no schedule changes. */
  readonly edit: AnnouncedEdit | null;
  /** Of the policy that is to be saved, or of those that use the schedule. */
  readonly steps: readonly ExaminedStep[];
  /** Whether they are of the record that changes. */
  readonly areStepsOwn: boolean;
  /** The events that may page others; null: none. */
  readonly paging: PagingSides | null;
};

/** Null: nothing changes for anybody that could be computed. */
export function sidesOf(
  { record, planned }: ProposedChange,
  context: ChangeContext,
): ChangeSides | null {
  const before = { ...context, configuration: withPlanned(planned, context) };
  const rota = isSchedule(record) ? rotaOf(record, before) : null;
  if (isSchedule(record) && rota === null) return null;
  const routing = routingBefore(planned, before);
  const paging = pagingSidesOfRecord(record, routing, context.now);
  const policies = policiesOf({ record, planned }, before, routing);
  const steps = policies.flatMap((policy) => stepsOf(policy, before));
  const unsure = planned.filter(isSchedule).filter(isUnclear);
  const certain = steps.filter(({ targets }) =>
    targets.every(({ oncall_schedule_id: id = '' }) => {
      const isUnsure = unsure.some((one) => one.id === id);
      return !isUnsure && before.configuration.schedules.has(id);
    }),
  );
  if (rota === null && certain.length === 0 && paging === null) return null;
  const at = rota?.schedule.revisions.at(-1)?.from ?? context.now;
  const { years } = context;
  const edit = rota && editOf(rota.schedule, at, context);
  const configuration = partOf(before.configuration, rota, certain);
  return {
    at,
    years,
    rota,
    edit,
    steps: certain,
    areStepsOwn: isPolicy(record),
    paging,
    configuration,
  };
}

/** How events are routed once the same run has done what it planned before. */
export const routingBefore = (
  planned: readonly ProposedRecord[],
  { configuration, rulePlaces }: Pick<ChangeContext, 'configuration' | 'rulePlaces'>,
): Routing =>
  planned.reduce<Routing>(withRecord, {
    configuration,
    places: rulePlaces ?? new Map(),
    unclear: new Set(),
  });

const editOf = (
  schedule: Schedule,
  at: Temporal.Instant,
  { recorded = null }: ChangeContext,
): AnnouncedEdit => announcedEdit({ recorded, at, schedule, revision: schedule.revisions.at(-1) });

/** The configuration with the schedules that the same run has planned before. */
export function withPlanned(
  planned: readonly ProposedRecord[],
  context: ChangeContext,
): Configuration {
  const rotas = planned.filter(isSchedule).flatMap((one) => {
    const rota = rotaOf(one, context);
    return one.id === null || rota === null ? [] : [[one.id, rota] as const];
  });
  return withSchedules(context.configuration, new Map(rotas));
}

const isSchedule = (one: ProposedRecord): one is ProposedSchedule => one.kind === 'schedule';
const isPolicy = (one: ProposedRecord): one is ProposedPolicy => one.kind === 'policy';

const isUnclear = ({ archived, declared }: ProposedSchedule): boolean =>
  !archived && declared === null;

/** The schedule with its past, and as it is to be from now on; null when that is unknown. */
function rotaOf(proposed: ProposedSchedule, context: ChangeContext): Rota | null {
  const { id, archived } = proposed;
  const { configuration, nextEdits, now } = context;
  const was = id === null ? undefined : configuration.schedules.get(id);
  if (was === undefined && (id !== null || archived)) return null;
  const at = (id !== null && nextEdits.get(id)) || now;
  const isActive = (user: string) => configuration.people.get(user)?.active ?? false;
  const past = id === null ? [] : context.past.get(id);
  const { rules, isManaged = false } = context;
  const edit = { at, past: past ?? [], isActive, rules, isManaged };
  const after = scheduleAfter(proposed, was, edit);
  if (after === null) return null;
  const schedule = withInactive(after, context.inactive, at);
  const name = proposed.name ?? was?.name ?? '';
  return { id: id ?? '', name, archived, schedule, notifications: was?.notifications ?? {} };
}

function scheduleAfter(
  { archived, declared }: ProposedSchedule,
  was: Rota | undefined,
  { isManaged, ...edit }: Omit<ScheduleEdit, 'before' | 'after'> & { readonly isManaged: boolean },
) {
  if (archived && was !== undefined) return archivedSchedule(was.schedule, edit.at);
  const before = was?.schedule;
  const after = isManaged && declared && before ? keeping(before, declared) : declared;
  return after && editedSchedule({ ...edit, before, after });
}

/** As a write by Terraform leaves it. */
function keeping(before: Schedule, declared: DeclaredSchedule): DeclaredSchedule {
  const stored = before.revisions.at(-1)?.layers.map(declaredOf) ?? [];
  const { layers } = preserveLayers(stored, declared.layers);
  return { ...pickByDesign(before), ...declared, layers };
}

type ExaminedPolicy = ExaminedStep['policy'] & Pick<ProposedPolicy, 'steps' | 'isUnknown'>;

/** The policy itself, that which an integration is to have, or those that use the schedule. */
function policiesOf(
  { record, planned }: ProposedChange,
  { configuration, policies }: ChangeContext,
  routing: Routing,
): readonly ExaminedPolicy[] {
  if (isPolicy(record)) return record.archived ? [] : [record];
  const taken = newPolicyOf(record, routing);
  if (taken !== null) {
    const { id, name, steps } = taken;
    return routing.unclear.has(id) ? [] : [{ id, name, steps, isUnknown: () => false }];
  }
  if (!isSchedule(record)) return [];
  return policies
    .flatMap(({ id, name, managedBy = null }): readonly ExaminedPolicy[] => {
      const proposed = planned.filter(isPolicy).findLast((one) => one.id === id);
      const steps = configuration.policies.get(id)?.steps ?? [];
      if (proposed === undefined) return [{ id, name, managedBy, steps, isUnknown: () => false }];
      return proposed.archived ? [] : [{ ...proposed, name, managedBy }];
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

/** The steps that reach nobody unless it is by a schedule. */
export function stepsOf(
  { id, name, managedBy = null, steps, isUnknown }: ExaminedPolicy,
  context: ReachContext,
): readonly ExaminedStep[] {
  return steps.flatMap((one, step): ExaminedStep[] => {
    // What is unknown is a hole.
    if (isUnknown(step)) return [];
    const { targets: all } = one;
    const targets = all.flatMap((target) => {
      const { via, oncall_schedule_id } = target;
      const isOperative = context.inoperative(target).length === 0;
      return oncall_schedule_id !== undefined && isOperative ? [{ via, oncall_schedule_id }] : [];
    });
    const reasons = all.map((target) => missedBy(target, context));
    const missed = reasons.filter((reason) => reason !== undefined);
    if (missed.length + targets.length < all.length) return [];
    return [{ policy: { id, name, managedBy }, step, targets, reasons: missed }];
  });
}

/** Why the target can never be paged, whoever is on call. */
const missedBy = (target: Target, context: ReachContext): string | undefined =>
  target.oncall_schedule_id !== undefined && context.inoperative(target).length === 0
    ? undefined
    : missedNow(target, context);

/** What decides whether a target can be paged. */
export type ReachContext = Pick<ChangeContext, 'configuration' | 'inoperative' | 'now'>;

/** Why the target cannot be paged at this moment. */
export function missedNow(
  target: Target,
  { configuration, inoperative, now }: ReachContext,
): string | undefined {
  const [sentence] = inoperative(target);
  if (sentence !== undefined) return sentence.replace(/\.$/, '');
  const reached = reach(target, configuration, now);
  return reached.reached ? undefined : reasonOf(reached);
}

/** Why one target cannot be paged, such as `nobody is on call (on call of Web)`. */
export const reasonOf = (missed: ReturnType<typeof reach>): string =>
  missed.reached ? '' : `${missed.reason} (${shownName(missed)})`;

/** Of a whole organization, there may be much that no effect is computed from. */
export function partOf(
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
