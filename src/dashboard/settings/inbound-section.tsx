import { answersBy } from '../../resources/channels.ts';
import { channelNames } from '../ui/channel.ts';
import { CopyField } from '../ui/copy-field.tsx';
import { Section } from '../ui/section.tsx';
import type { Connection } from './connection.ts';
import { receiveWords as words } from './words.ts';

/** How Pager hears from the vendor, with the addresses that its console is to have. */
export const InboundSection = ({ connection: { receive, callback_urls } }: Props) => (
  <Section title={words.title} text={words.ways[receive]}>
    <div className="flex max-w-md min-w-0 flex-col gap-3">
      {callback_urls.map(({ channel, url }) => (
        <CopyField key={channel} label={channelNames[channel]} text={url} />
      ))}
      {callback_urls.some(({ channel }) => answersBy('commands', channel)) && (
        <p className="text-pretty text-ink2">{words.ofCommands}</p>
      )}
      {callback_urls.some(({ channel }) => answersBy('texts', channel)) && (
        <p className="text-pretty text-ink2">{words.ofSms}</p>
      )}
    </div>
  </Section>
);

type Props = { connection: Connection };
