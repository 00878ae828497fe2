import { channelIcon } from '../ui/channel.ts';
import { Icon } from '../ui/icon.tsx';
import { PersonMark } from '../ui/person-mark.tsx';
import { type DraftTarget, kindOf } from './steps.ts';

/** Before the name of a target: a person, a schedule, or a chat. */
export function TargetMark({ target, name }: { target: DraftTarget; name: string }) {
  const kind = kindOf(target);
  if (kind === 'user') return <PersonMark id={target.user_id ?? ''} name={name} />;
  return (
    <Icon
      name={kind === 'oncall_schedule' ? 'phone-call' : channelIcon(target.via ?? '')}
      className="size-4 shrink-0"
    />
  );
}
