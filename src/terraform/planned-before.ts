// What a run has planned so far, for what it plans later. Nothing is remembered but for previews.
import { escalationPolicy } from '../resources/escalation-policy.ts';
import { oncallSchedule } from '../resources/oncall-schedule.ts';
import { type PagedTogether, pagedTogether } from './paged-together.ts';
import type { PlannedRecord } from './planning/planned-record.ts';
import type { Value } from './protocol/value.ts';

export type PlannedChange = {
  readonly planned: PlannedRecord;
  /** What it was; it may have named others. */
  readonly prior: Value;
};

type Remembered = {
  readonly planned: PlannedRecord;
  /** With all ids that it names, or named. */
  readonly text: string;
};

export class PlannedBefore {
  readonly #existing = new Map<unknown, Remembered>();

  remember(change: PlannedChange): void {
    const { id } = change.planned.record;
    // What is new has no id, by which others could name it.
    if (id !== undefined) this.#existing.set(id, rememberedOf(change));
  }

  forget(ids: readonly unknown[]): void {
    for (const id of ids) this.#existing.delete(id);
  }

  /** Whether a step may page by the schedule and by others of them. */
  hasOthersLike({ planned }: PlannedChange): boolean {
    return isPageable(planned) && this.#others(planned).some((one) => isPageable(one.planned));
  }

  /** Those that name it, that it names, or that a step pages with it. */
  relatedTo(change: PlannedChange, saved: PagedTogether): readonly PlannedRecord[] {
    const { planned } = change;
    const own = rememberedOf(change);
    const others = this.#others(planned);
    const named = isRouting(planned)
      ? reached(own, others)
      : others.filter((one) => isNamed(own, one));
    const pagedWith = isPageable(planned)
      ? [saved, pagedTogether(others.map((one) => one.planned.record))].map((all) =>
          all.get(planned.record['id']),
        )
      : [];
    return others
      .filter((one) => named.includes(one) || pagedWith.some((ids) => ids?.has(idOf(one))))
      .map((one) => one.planned);
  }

  #others({ record }: PlannedRecord): readonly Remembered[] {
    return [...this.#existing.values()].filter((one) => idOf(one) !== record['id']);
  }
}

const rememberedOf = ({ planned, prior }: PlannedChange): Remembered => ({
  planned,
  text: JSON.stringify([planned.record, prior]),
});

const idOf = ({ planned }: Remembered) => planned.record['id'];

const isPageable = ({ kind, record }: PlannedRecord): boolean =>
  kind === oncallSchedule.name && record['id'] !== undefined;

/** What routes events pages by what it names, and by what that names: a policy, its schedules. */
const isRouting = ({ kind }: PlannedRecord): boolean =>
  kind !== oncallSchedule.name && kind !== escalationPolicy.name;

const HOPS_MAX = 3;

function reached(own: Remembered, others: readonly Remembered[]): readonly Remembered[] {
  let all = others.filter((one) => isNamed(own, one));
  for (let hops = 1; hops < HOPS_MAX; hops += 1) {
    const known = all;
    const more = others.filter(
      (one) => !known.includes(one) && known.some((by) => by.text.includes(String(idOf(one)))),
    );
    if (more.length === 0) break;
    all = [...known, ...more];
  }
  return all;
}

/** One by the other, in either direction. */
const isNamed = (one: Remembered, other: Remembered): boolean =>
  [[one, other] as const, [other, one] as const].some(
    ([by, named]) => idOf(named) !== undefined && by.text.includes(String(idOf(named))),
  );
