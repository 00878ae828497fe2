// The steps of a policy as somebody edits them. The waits are between the steps, so they stay where
// they are when a step is moved.
import { personalChannels } from '../../resources/channels.ts';
import { isObject } from '../../resources/declaration/is-object.ts';
import { withMoved } from '../ui/moved.ts';

export type DraftTarget = {
  readonly via?: string;
  readonly user_id?: string;
  readonly oncall_schedule_id?: string;
  readonly channel_id?: string;
  readonly channel_name?: string;
  readonly mention?: string;
  readonly webhook_url?: string;
};

export type DraftStep = {
  readonly targets: readonly DraftTarget[];
  /** A text: what is typed is no whole number yet. */
  readonly escalate_after_minutes?: unknown;
};

/** Of a draft, which is any JSON. */
export const stepsIn = (value: unknown): readonly DraftStep[] =>
  (Array.isArray(value) ? value : []).filter(isObject).map(({ targets, ...rest }) => ({
    targets: (Array.isArray(targets) ? targets : []).filter(isObject),
    ...rest,
  }));

export const withWait = ({ targets }: DraftStep, wait: unknown): DraftStep => ({
  targets,
  ...(wait !== undefined && { escalate_after_minutes: wait }),
});

export const withStep = (steps: readonly DraftStep[]): readonly DraftStep[] => [
  ...steps,
  { targets: [] },
];

export function movedStep(
  steps: readonly DraftStep[],
  index: number,
  by: number,
): readonly DraftStep[] {
  return withMoved(steps, index, by).map((step, at) =>
    withWait(step, steps[at]?.escalate_after_minutes),
  );
}

/** The step before the end waits for nothing. */
export function withoutStep(steps: readonly DraftStep[], index: number): readonly DraftStep[] {
  const left = steps.toSpliced(index, 1);
  const last = left.at(-1);
  return index === left.length && last ? left.with(-1, withWait(last, undefined)) : left;
}

/** A schedule is a target as whoever is on call then. */
type TargetKind = 'user' | 'oncall_schedule' | 'chat';

export const kindOf = ({ user_id, oncall_schedule_id }: DraftTarget): TargetKind =>
  user_id !== undefined ? 'user' : oncall_schedule_id !== undefined ? 'oncall_schedule' : 'chat';

const PICK = /^(user|oncall_schedule|chat):(.*)$/;

export const pickOf = (kind: TargetKind, id: string): string => `${kind}:${id}`;

type Defaults = {
  /** By which a person is paged unless somebody chooses another. */
  readonly personal: string;
  /** Whether channels of the chat are named by their ids. */
  readonly isListed: (chat: string) => boolean;
};

/** The new target of a pick. */
export function targetOf(pick: string, { personal, isListed }: Defaults): DraftTarget | null {
  const [, kind, id = ''] = PICK.exec(pick) ?? [];
  switch (kind) {
    case 'user':
      return { via: personal, user_id: id };
    case 'oncall_schedule':
      return { via: personal, oncall_schedule_id: id };
    case 'chat':
      return { via: id, ...(isListed(id) ? { channel_id: '' } : { webhook_url: '' }) };
    default:
      return null;
  }
}

/** By which most targets of the last step with people are paged, else the first that is set up. */
export function usualChannel(
  steps: readonly DraftStep[],
  usable: readonly string[],
): string | undefined {
  const used = steps
    .flatMap(({ targets }) => targets)
    .filter((target) => kindOf(target) !== 'chat')
    .at(-1)?.via;
  return used ?? usable[0];
}

/** The usual channel, unless the person is reached only by others; then the first of those. */
export function channelFor(
  usual: string,
  channels: readonly { readonly channel: string; readonly reachable: boolean }[],
): string {
  const reached = channels.filter(({ reachable }) => reachable).map(({ channel }) => channel);
  if (reached.includes(usual)) return usual;
  return personalChannels.find((one) => reached.includes(one)) ?? usual;
}

type ForSchedule = { readonly schedule: string; readonly via: string };

export const scheduleStep = ({ schedule, via }: ForSchedule): DraftStep => ({
  targets: [{ via, oncall_schedule_id: schedule }],
});

/** With a step more, unless some step has the schedule. */
export function withSchedule(value: unknown, added: ForSchedule): readonly DraftStep[] {
  const steps = stepsIn(value);
  const has = steps.some(({ targets }) =>
    targets.some((one) => one.oncall_schedule_id === added.schedule),
  );
  return has ? steps : [...steps, scheduleStep(added)];
}
