// What an edit of an escalation policy changes about whom its steps page and when, in words.
import { counted, namesText } from './plural.ts';

/** As it is declared, or as somebody edits it. */
type AnyTarget = {
  readonly via?: string;
  readonly user_id?: string;
  readonly oncall_schedule_id?: string;
  readonly channel_id?: string;
  readonly channel_name?: string;
  readonly webhook_url?: unknown;
};
type AnyStep<Target> = {
  readonly targets: readonly Target[];
  readonly escalate_after_minutes?: unknown;
};
type TextOf<Target> = (target: Target) => string;

/** As many are named. */
const NAMED = 5;

/** Who or what is meant, whichever the channel. A chat without an id is known by its address. */
const recipientOf = (target: AnyTarget): string =>
  JSON.stringify([
    target.user_id ?? null,
    target.oncall_schedule_id ?? null,
    target.channel_id ?? null,
    target.webhook_url ?? null,
    (target.user_id ?? target.oncall_schedule_id) ? null : (target.channel_name ?? null),
  ]);

const wayOf = (target: AnyTarget) => JSON.stringify([target.via, recipientOf(target)]);

/** A phrase for each step that differs, such as `step 2 pages Lin instead of Max`. */
export function stepChanges<Target extends AnyTarget>(
  before: readonly AnyStep<Target>[],
  after: readonly AnyStep<Target>[],
  textOf: TextOf<Target>,
): readonly string[] {
  const length = Math.max(before.length, after.length);
  return Array.from({ length }, (_, index) => {
    const [was, is] = [before[index], after[index]];
    const step = `step ${index + 1}`;
    if (is === undefined) return [`${step} is removed`];
    if (was === undefined) return [`${step} is new and pages ${listOf(is.targets, textOf)}`];
    const waits = index < Math.min(before.length, after.length) - 1 ? waitChange(was, is) : [];
    return [...targetChange(was.targets, is.targets, textOf), ...waits].map(
      (text) => `${step} ${text}`,
    );
  }).flat();
}

function targetChange<Target extends AnyTarget>(
  was: readonly Target[],
  is: readonly Target[],
  textOf: TextOf<Target>,
): readonly string[] {
  const added = without(is, was, recipientOf);
  const removed = without(was, is, recipientOf);
  const names = (targets: readonly Target[]) => listOf(targets, textOf);
  if (added.length > 0 && removed.length > 0)
    return [`pages ${names(added)} instead of ${names(removed)}`];
  if (added.length > 0) return [`also pages ${names(added)}`];
  if (removed.length > 0) return [`no longer pages ${names(removed)}`];
  const moved = [...without(is, was, wayOf), ...without(was, is, wayOf)];
  return moved.length > 0 ? [`pages ${names(moved)} by other channels`] : [];
}

const without = <Target extends AnyTarget>(
  targets: readonly Target[],
  others: readonly Target[],
  keyOf: (target: AnyTarget) => string,
) => {
  const known = new Set(others.map(keyOf));
  return targets.filter((one) => !known.has(keyOf(one)));
};

/** Somebody who is paged by several channels is named once. */
function listOf<Target extends AnyTarget>(
  targets: readonly Target[],
  textOf: TextOf<Target>,
): string {
  const unique = [...new Map(targets.map((one) => [recipientOf(one), one])).values()];
  if (unique.length === 0) return 'nobody';
  return namesText(unique.slice(0, NAMED).map(textOf), unique.length - NAMED);
}

function waitChange(was: AnyStep<unknown>, is: AnyStep<unknown>): readonly string[] {
  const minutesOf = (one: AnyStep<unknown>) => Number(one.escalate_after_minutes ?? 0);
  const [before, after] = [minutesOf(was), minutesOf(is)];
  if (before === after) return [];
  return [`waits ${counted(after, 'minute')} instead of ${before}`];
}

/** One phrase; of many changes, the first are named. */
export function changesText(changes: readonly string[]): string {
  const more = changes.length - NAMED;
  const shown = [...changes.slice(0, NAMED), ...(more > 0 ? [counted(more, 'more change')] : [])];
  return shown.join('; ');
}
