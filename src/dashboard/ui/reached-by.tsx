import type { Reachability } from '../../resources/contact-reachability.ts';
import { channelIcons, channelNames, type PersonalChannel } from './channel.ts';
import { Icon } from './icon.tsx';
import { words } from './words.ts';

type Channel = {
  readonly channel: PersonalChannel;
  readonly reachable: boolean;
  readonly reachability: Reachability;
  readonly reason?: string;
};

/** The channels of a person: one that does not reach them is struck through, and says why. */
export const ReachedBy = ({ channels }: { channels: readonly Channel[] }) => (
  <ul className="flex flex-wrap gap-1.5">
    {channels.map(({ channel, reachable, reachability, reason }) => {
      const text = `${channelNames[channel]}: ${words.contact[reachability]}${reachable || !reason ? '' : `. ${reason}`}`;
      return (
        <li
          key={channel}
          title={text}
          className={reachable ? 'text-ink2' : 'not-reached text-ink3'}
        >
          <Icon name={channelIcons[channel]} />
          <span className="sr-only">{text}</span>
        </li>
      );
    })}
  </ul>
);
