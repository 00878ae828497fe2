// The table of README.md that shows by which channels Pager reaches people and chats.
import { channelName } from '../src/dashboard/ui/channel.ts';
import {
  chatChannels,
  personalChannels,
  shiftChannels,
  traitsOf,
} from '../src/resources/channels.ts';
import { vendors } from '../src/resources/connections/vendors.ts';

const incomingWebhook = 'incoming webhook';
/** Without a connection to a vendor. `test/documents/claims.test.ts` compares it with a server. */
const builtIn = {
  'mail server': '[environment](docs/operating.md#configure)',
  browsers: '[browser](docs/push.md)',
  webhooks: incomingWebhook,
} as const;

/** Those by which a page can leave a server. */
export const pagingChannels = [...personalChannels, ...chatChannels].filter(
  (channel) => waysOf(channel).length > 0,
);

export function channelsTable(): string {
  const announces = new Set<string>([...shiftChannels, ...chatChannels]);
  const rows = [...personalChannels, ...chatChannels].map((channel) => {
    const ways = waysOf(channel);
    const pages = ways.length > 0 ? 'yes' : 'not yet';
    const shifts = announces.has(channel) ? pages : 'no';
    return `| ${channelName(channel)} | ${pages} | ${shifts} | ${ways.join(', ')} |`;
  });
  return [
    '| Channel | Incidents | Shift notices | Set up with |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}

function waysOf(channel: string): readonly string[] {
  const connected = vendors
    .filter(({ channels }) => channels.some((each) => each === channel))
    .map(({ vendor, title }) => `[${title}](docs/connections/${vendor}.md)`);
  const without = traitsOf(channel)?.builtIn ?? null;
  return without === null ? connected : [...connected, builtIn[without]];
}
