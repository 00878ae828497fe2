// A target of a step: who, by which channel.
import { useQuery } from '@tanstack/react-query';
import { use, useId } from 'react';
import { personalChannels } from '../../resources/channels.ts';
import { pathTo } from '../form/parts.ts';
import { channelsQuery } from '../me/queries.ts';
import { ChannelFields, useHasApp } from '../oncall/notifications-tab.tsx';
import { IconButton } from '../ui/button.tsx';
import { channelName } from '../ui/channel.ts';
import { Problems, ProblemText } from '../ui/field.tsx';
import { targetName } from './sentence.ts';
import { type DraftTarget, kindOf } from './steps.ts';
import { TargetMark } from './target-mark.tsx';
import { useTargetNames } from './use-target-names.ts';
import { words } from './words.ts';

type TargetFieldProps = {
  path: string;
  target: DraftTarget;
  /** What the step is called. */
  step: string;
  number: number;
  onChange: (target: DraftTarget) => void;
  onRemove: () => void;
};

export const TargetField = (props: TargetFieldProps) =>
  kindOf(props.target) === 'chat' ? <ChatTarget {...props} /> : <PersonalTarget {...props} />;

function ChatTarget({ path, target, step, number, onChange, onRemove }: TargetFieldProps) {
  const { via = '', ...channel } = target;
  const { hasApp } = useHasApp(via, true);
  return (
    <ChannelFields
      vendor={via}
      channel={channel}
      mayEdit
      hasApp={hasApp}
      path={path}
      title={words.chatTarget(channelName(via), step, number)}
      change={(next) => onChange({ via, ...next })}
      remove={onRemove}
    />
  );
}

function PersonalTarget({ path, target, step, onChange, onRemove }: TargetFieldProps) {
  const id = useId();
  const name = targetName(target, useTargetNames());
  const { data: channels } = useQuery(channelsQuery);
  const viaPath = pathTo(path, 'via');
  // Whoever is named has no field of their own.
  const problem = use(Problems).find((one) => one.path.startsWith(`${path}.`));
  const textOf = (channel: string) => {
    const known = channels?.find((one) => one.channel === channel);
    return known?.usable === false && known.reason !== undefined
      ? words.channelWithReason(channelName(channel), known.reason)
      : channelName(channel);
  };
  return (
    <div>
      <div className="flex min-h-10 flex-wrap items-center gap-2 rounded-lg bg-sunken px-2 py-1">
        <span className="flex min-w-0 flex-1 basis-36 items-center gap-2">
          <TargetMark target={target} name={name} />
          <bdi className="min-w-0 truncate font-medium">{name}</bdi>
        </span>
        <label htmlFor={id} className="sr-only">
          {words.channelFor(name)}
        </label>
        <select
          id={id}
          name={viaPath}
          value={target.via ?? ''}
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-about`}
          onChange={({ target: { value } }) => onChange({ ...target, via: value })}
          className="h-9 max-w-44 min-w-0 rounded-md border border-edge bg-surface px-2 aria-[invalid=true]:border-red pointer-coarse:h-11 pointer-coarse:text-lg"
        >
          {personalChannels.map((channel) => (
            <option key={channel} value={channel}>
              {textOf(channel)}
            </option>
          ))}
        </select>
        <IconButton icon="x" label={words.removeTarget(name, step)} onClick={onRemove} />
      </div>
      <div id={`${id}-about`} className="mt-1 text-sm empty:hidden">
        <ProblemText problem={problem} />
      </div>
    </div>
  );
}
