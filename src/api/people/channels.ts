// By which channels people and chats can be reached from here, and why not by the others.
import { chatChannels, personalChannels } from '../../resources/channels.ts';
import { choice, flag, objectOf, optional, text } from '../../resources/declaration/field.ts';
import { pageSchema } from '../answers.ts';
import { ok, type Route } from '../route.ts';
import { isPushPossible } from './push.ts';
import { type PeopleParts, route } from './writing.ts';

const channelNames = [...personalChannels, ...chatChannels] as const;

const channelShape = objectOf(
  {
    channel: choice(channelNames, { doc: 'The channel, as steps of policies name it.' }),
    usable: flag({
      doc: 'Whether notices by this channel leave the server. E-mails do not while no mail server is set: each is a file in its data directory, for whoever tries Pager out.',
    }),
    reason: optional(text({ doc: 'Why it is not usable; absent when it is.' })),
  },
  'A channel, and whether it is set up.',
);

export const channelRoutes = (parts: PeopleParts): Route[] => [
  route('GET /channels', 'viewer', {
    ...{
      tag: 'organization',
      doc: 'Lists all channels, and whether each is set up.',
      answers: { status: 200, schema: pageSchema(channelShape) },
    },
    async handle() {
      const data = channelNames.map((channel) => {
        const reason = reasonAgainst(channel, parts);
        return { channel, usable: reason === null, ...(reason !== null && { reason }) };
      });
      return ok({ data, next_cursor: null });
    },
  }),
];

export function reasonAgainst(
  channel: string,
  {
    channels,
    hasMailServer,
    publicUrl,
  }: Pick<PeopleParts, 'channels' | 'hasMailServer' | 'publicUrl'>,
): string | null {
  if (!channels.has(channel)) return 'It is not set up on this server.';
  if (channel === 'email' && !hasMailServer)
    return 'No mail server is set (PAGER_SMTP_URL), so nobody gets a mail: each is a file in the folder mail of the data directory.';
  if (channel === 'push-notification' && !isPushPossible(publicUrl))
    return `Browsers take pushes only over https, or on localhost, and PAGER_PUBLIC_URL is ${publicUrl}.`;
  return null;
}
