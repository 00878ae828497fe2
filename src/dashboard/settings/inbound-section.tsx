import { vendorNamed } from '../../resources/connections/vendors.ts';
import { channelNames } from '../ui/channel.ts';
import { CopyField } from '../ui/copy-field.tsx';
import { Section } from '../ui/section.tsx';
import { Warnings } from '../ui/warnings.tsx';
import type { Connection } from './connection.ts';
import { receiveWords as words } from './words.ts';

/** How Pager hears from the vendor, with the addresses that its console is to have. */
export function InboundSection({ connection }: { connection: Connection }) {
  const { vendor, receive, callback_urls, callback_warning } = connection;
  const declared = vendorNamed(vendor);
  const isUnreachable = receive === 'nothing' && callback_warning !== undefined;
  return (
    <Section
      title={words.title}
      {...(!isUnreachable && { text: declared?.receiveText ?? words.ways[receive] })}
    >
      <div className="flex max-w-md min-w-0 flex-col gap-3">
        {callback_warning !== undefined && <Warnings warnings={[callback_warning]} />}
        {callback_urls.map(({ channel, url }) => (
          <CopyField key={channel} label={channelNames[channel]} text={url} />
        ))}
        {callback_urls.length > 0 && declared?.callbackHelp !== undefined && (
          <p className="text-pretty text-ink2">{declared.callbackHelp}</p>
        )}
      </div>
    </Section>
  );
}
