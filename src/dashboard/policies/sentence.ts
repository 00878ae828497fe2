// A policy in one line.
import type { NameOf } from '../form/picks.ts';
import { channelName } from '../ui/channel.ts';
import { type DraftTarget, stepsIn } from './steps.ts';
import { words } from './words.ts';

const list = new Intl.ListFormat('en');

export function targetName(target: DraftTarget, nameOf: NameOf): string {
  const { user_id, oncall_schedule_id, channel_name, channel_id, via = '' } = target;
  if (user_id !== undefined) return nameOf('user', user_id);
  if (oncall_schedule_id !== undefined)
    return words.onCallOf(nameOf('oncall_schedule', oncall_schedule_id));
  return channel_name || channel_id || words.chatChannel(channelName(via));
}

export function sentenceOf(
  { steps, delay_minutes }: Readonly<Record<string, unknown>>,
  nameOf: NameOf,
): string {
  const [first, ...rest] = stepsIn(steps);
  if (first === undefined) return '';
  const textOf = (targets: readonly DraftTarget[]) =>
    list.format(
      targets.map((one) => words.target(targetName(one, nameOf), channelName(one.via ?? ''))),
    );
  const all = [first, ...rest];
  const text = words.sentence(
    textOf(first.targets),
    rest.map(({ targets }, index) => [
      Number(all[index]?.escalate_after_minutes ?? 0),
      textOf(targets),
    ]),
  );
  return typeof delay_minutes === 'number' && delay_minutes > 0
    ? words.startsLate(delay_minutes, text)
    : text;
}
