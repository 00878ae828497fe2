// The widgets of the organization's fields that its declaration alone does not say.
import { useMay } from '../api/use-may.ts';
import type { FieldProps, OwnWidgets } from '../form/around.tsx';
import { labelOf } from '../form/around.tsx';
import { Group } from '../form/group.tsx';
import { ChannelFields, useHasApp } from '../oncall/notifications-tab.tsx';
import type { TeamChannel } from '../oncall/queries.ts';
import { Button } from '../ui/button.tsx';
import { channelName } from '../ui/channel.ts';
import { words } from './words.ts';

/** The chat channels that every schedule inherits. */
function ChatChannelsField({ field, path, value, onChange }: FieldProps) {
  const vendor = field.name;
  const { hasApp, isLoading } = useHasApp(vendor, useMay('admin') === true);
  // As the declaration has them.
  const channels = Array.isArray(value) ? (value as readonly TeamChannel[]) : [];
  const blank: TeamChannel = hasApp ? { channel_id: '' } : { webhook_url: '' };
  const set = (next: readonly TeamChannel[]) => onChange(next.length === 0 ? undefined : next);
  const name = channelName(vendor);
  return (
    <Group path={path} label={labelOf(field)} help={field.help} isList>
      {channels.length === 0 && <p className="text-ink2">{words.noChannels}</p>}
      {channels.map((channel, index) => (
        <ChannelFields
          key={`${vendor} ${index}`}
          vendor={vendor}
          channel={channel}
          mayEdit
          hasApp={hasApp}
          path={`${path}[${index}]`}
          title={words.channel(name, index + 1)}
          change={(next) => set(channels.with(index, next))}
          remove={() => set(channels.toSpliced(index, 1))}
        />
      ))}
      <Button
        icon="plus"
        className="self-start"
        disabled={isLoading}
        aria-label={words.addChannelOf(name)}
        onClick={() => set([...channels, blank])}
      >
        {words.addChannel}
      </Button>
    </Group>
  );
}

export const organizationWidgets: OwnWidgets = {
  'shift_notifications.slack': ChatChannelsField,
  'shift_notifications.msteams': ChatChannelsField,
  'shift_notifications.discord': ChatChannelsField,
};
