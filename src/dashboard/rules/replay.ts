// What a replay compares: the saved rules of a team, and those with one of them changed or left out.
import type { Draft } from '../form/draft.ts';
import { spanText } from '../oncall/times.ts';
import { ownZone } from '../ui/zones.ts';
import { inOrder, type Placed } from './order.ts';

type Saved = Placed & Draft;

/** Null: without the rule. The others stay as they are, by their ids. */
export function proposedRules(
  saved: readonly Saved[],
  { id, rule }: { readonly id: string | undefined; readonly rule: Draft | null },
  fieldNames: readonly string[],
): readonly Draft[] {
  const bodyOf = (one: Saved): Draft => ({
    id: one.id,
    ...Object.fromEntries(
      fieldNames.filter((name) => one[name] !== undefined).map((name) => [name, one[name]]),
    ),
  });
  const ordered = inOrder(saved);
  if (id === undefined) return [...ordered.map(bodyOf), ...(rule === null ? [] : [rule])];
  return ordered.flatMap((one) => {
    if (one.id !== id) return [bodyOf(one)];
    return rule === null ? [] : [{ ...rule, id }];
  });
}

export type Difference<Of> = {
  readonly event_id: string;
  readonly at: string;
  readonly title: string;
  readonly saved: Of | null;
  readonly proposed: Of | null;
};
export type Differences<Of> = {
  readonly count: number;
  readonly examples: readonly Difference<Of>[];
};
export type Compared<Of> = {
  readonly saved: number;
  readonly proposed: number;
  readonly added: Differences<Of>;
  readonly removed: Differences<Of>;
  readonly changed: Differences<Of>;
};
export type Outcome = {
  readonly title: string;
  readonly status: string;
  readonly priority: string | null;
  readonly severity: string | null;
  readonly escalation_policy: { readonly name: string } | null;
};
export type PageSent = { readonly at: string; readonly channel: string; readonly to: string };

/** As POST /alert-rules/replay answers. */
export type ReplayAnswer = {
  readonly from: string;
  readonly to: string;
  readonly events: { readonly read: number; readonly unreadable: number };
  readonly incidents: Compared<Outcome>;
  readonly pages: Compared<PageSent>;
  readonly quiet_though_worse: number;
  readonly warnings: readonly string[];
};

/** The period, with the day of its end where that is another one than that of its begin. */
export const spanOf = (
  { from, to }: Pick<ReplayAnswer, 'from' | 'to'>,
  now: number,
  zone: string = ownZone(),
): string => spanText(zone, { start: Date.parse(from), end: Date.parse(to) }, now);

/** Of two bars, how much of the longer one each has, in percent. */
export function barsOf({ saved, proposed }: { saved: number; proposed: number }) {
  const most = Math.max(saved, proposed, 1);
  return { saved: (100 * saved) / most, proposed: (100 * proposed) / most };
}

/** What of an incident differs, before and after: at least its title, if nothing else is shown. */
export function changesOf(before: Outcome, after: Outcome): readonly [string, string][] {
  const parts = [
    [before.title, after.title],
    [before.status, after.status],
    [before.priority ?? '', after.priority ?? ''],
    [before.severity ?? '', after.severity ?? ''],
    [before.escalation_policy?.name ?? '', after.escalation_policy?.name ?? ''],
  ] as const;
  return parts.filter(([one, other]) => one !== other).map(([one, other]) => [one, other]);
}
