import { useQuery } from '@tanstack/react-query';
import { shiftChannels } from '../../resources/channels.ts';
import { channelIcons, channelNames } from '../ui/channel.ts';
import { Icon } from '../ui/icon.tsx';
import { channelsOf, events, type NoticeSettings, toggled } from './notices.ts';
import { channelsQuery, isSetUp } from './queries.ts';
import { words } from './words.ts';

type NoticeGridProps = {
  title: string;
  settings: NoticeSettings;
  /** Null: of all that have no choice of their own. */
  scheduleId: string | null;
  onChange: (settings: NoticeSettings) => void;
};

/** Which event by which channel; a column that is not set up is disabled, and what is chosen stays. */
export function NoticeGrid({ title, settings, scheduleId, onChange }: NoticeGridProps) {
  const { data: channels } = useQuery(channelsQuery);
  return (
    <table className="w-full max-w-md table-fixed">
      <caption className="sr-only">{title}</caption>
      <thead>
        <tr className="text-xs text-ink2">
          <th scope="col" className="w-24 py-1 text-start font-normal">
            {words.when}
          </th>
          {shiftChannels.map((channel) => (
            <th key={channel} scope="col" title={channelNames[channel]} className="font-normal">
              <span
                className={`inline-flex flex-col items-center gap-0.5 ${isSetUp(channels, channel) ? '' : 'text-ink3'}`}
              >
                <Icon name={channelIcons[channel]} />
                <span className="sr-only md:not-sr-only">{channelNames[channel]}</span>
              </span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <tr key={event} className="border-t border-line">
            <th scope="row" className="py-1 text-start font-medium">
              {words.events[event]}
            </th>
            {shiftChannels.map((channel) => {
              const isChosen = channelsOf(settings, event, scheduleId).includes(channel);
              return (
                <td key={channel} className="p-0 text-center">
                  <label className="inline-flex size-8 items-center justify-center pointer-coarse:size-11">
                    <span className="sr-only">
                      {words.eventBy(words.events[event], channelNames[channel])}
                    </span>
                    <input
                      type="checkbox"
                      checked={isChosen}
                      disabled={!isSetUp(channels, channel) && !isChosen}
                      onChange={() => onChange(toggled(settings, { scheduleId, event, channel }))}
                      className="size-4 accent-ink pointer-coarse:size-5"
                    />
                  </label>
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
