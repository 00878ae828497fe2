// Nothing could be sent for a while through a channel that needs no connection. Sent to admins.
import { traitsOf } from '../../resources/channels.ts';
import { instant, objectOf, text } from '../../resources/declaration/stored-document.ts';
import type { AnyNotice, QueuedKind } from '../kind.ts';
import { timeOf } from '../words/times.ts';
import { phraseOf, safeLink, type Words } from '../words/wording.ts';

export type FailingChannel = {
  readonly channel: string;
  /** The host, for a channel that sends to several. Else empty. */
  readonly service: string;
  readonly since: Temporal.Instant;
  /** With what to do about it. */
  readonly reason: string;
};
type Due = {
  readonly about: 'channel';
  readonly kind: 'channel_failing';
  readonly failing: FailingChannel;
};
type Content = Due & {
  /** The page with all channels. */
  readonly url: string;
};
type FailingChannelNotice = AnyNotice & Content;

export const failingChannel: QueuedKind<
  Content,
  { readonly failing_channel: FailingChannel },
  Due
> = {
  about: 'channel',
  stored: {
    failing_channel: objectOf<FailingChannel>({
      channel: text,
      service: text,
      since: instant,
      reason: text,
    }),
  },
  read: ({ notice: { failing_channel: failing } }) =>
    failing ? { about: 'channel', kind: 'channel_failing', failing } : null,
  compose: ({ about, kind, failing }, { publicUrl }) => ({
    about,
    kind,
    failing,
    url: `${publicUrl}/settings/channels`,
  }),
  words: failingChannelWords,
  threadOf: ({ failing, organization }) => `channel-${failing.channel}-${organization.id}`,
  sample: sampleFailingChannelNotice,
};

function failingChannelWords({
  organization,
  failing: { channel, since, reason },
  url,
  why,
  timezone,
}: FailingChannelNotice): Words {
  return {
    tone: 'warning',
    lead: 'A channel is failing',
    label: '',
    title: traitsOf(channel)?.words.builtIn ?? channel,
    facts: [{ name: 'Failing since', value: timeOf(since, timezone) }],
    details:
      `Reason: ${phraseOf(reason).replace(/[.!?…]*$/, '.')} Pager keeps trying. Until the ` +
      'channel works again, people who are paged only through it cannot be reached. While it fails, ' +
      'admins are notified once a day.',
    actions: safeLink(url, 'Open channels'),
    links: [],
    why: phraseOf(why),
    organization: phraseOf(organization.name),
    url: safeLink(url)[0]?.href,
  };
}

/** The mail server refuses its user, so it goes out by another channel. */
export function sampleFailingChannelNotice(): FailingChannelNotice {
  return {
    about: 'channel',
    kind: 'channel_failing',
    key: 'channel/email/1795240800000/push-notification/65f0000000000000000000b1',
    organization: { id: '65f000000000000000000001', name: 'Acme & Sons' },
    recipient: 'Ada Lovelace',
    why: 'you are an admin of the organization',
    failing: {
      channel: 'email',
      service: '',
      since: Temporal.Instant.from('2026-11-21T08:00:00Z'),
      reason: 'the mail server refused the sign-in with 535: correct the user and the password',
    },
    url: 'https://pager.example.com/settings/channels',
  };
}
