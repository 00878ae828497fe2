import { useQuery } from '@tanstack/react-query';
import { personalChannels } from '../../resources/channels.ts';
import { channelsQuery } from '../me/queries.ts';
import { type DraftStep, usualChannel } from './steps.ts';

/** By which a person is paged unless somebody chooses another channel. */
export function useUsualChannel(steps: readonly DraftStep[]): string {
  const { data: channels } = useQuery(channelsQuery);
  const usable = personalChannels.filter((one) =>
    channels?.some(({ channel, usable: isUsable }) => channel === one && isUsable),
  );
  return usualChannel(steps, usable) ?? personalChannels[0] ?? '';
}
