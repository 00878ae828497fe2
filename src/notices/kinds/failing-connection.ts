// Nothing could be sent through a channel connection for a while. Sent to admins.
import { instant, objectOf, text } from '../../resources/declaration/stored-document.ts';
import type { AnyNotice, QueuedKind } from '../kind.ts';
import { timeOf } from '../words/times.ts';
import { phraseOf, safeLink, type Words } from '../words/wording.ts';

export type FailingConnection = {
  readonly id: string;
  readonly name: string;
  readonly since: Temporal.Instant;
  /** With the setting to change. */
  readonly reason: string;
};
type Stored = { readonly connection: FailingConnection };
type Due = Stored & { readonly about: 'connection'; readonly kind: 'connection_failing' };
type Content = Due & {
  /** The connection's page. */
  readonly url: string;
};
type FailingConnectionNotice = AnyNotice & Content;

export const failingConnection: QueuedKind<Content, Stored, Due> = {
  about: 'connection',
  stored: {
    connection: objectOf<FailingConnection>({ id: text, name: text, since: instant, reason: text }),
  },
  read: ({ notice: { connection } }) =>
    connection ? { about: 'connection', kind: 'connection_failing', connection } : null,
  compose: ({ about, kind, connection }, { publicUrl }) => ({
    about,
    kind,
    connection,
    url: `${publicUrl}/settings/channels/${connection.id}`,
  }),
  words: failingConnectionWords,
  threadOf: ({ connection }) => `connection-${connection.id}`,
  sample: sampleFailingConnectionNotice,
};

function failingConnectionWords({
  organization,
  connection,
  url,
  why,
  timezone,
}: FailingConnectionNotice): Words {
  return {
    tone: 'warning',
    lead: 'A channel connection is failing',
    label: '',
    title: phraseOf(connection.name),
    facts: [{ name: 'Failing since', value: timeOf(connection.since, timezone) }],
    details:
      `${phraseOf(connection.reason).replace(/[.!?…]*$/, '.')} Other connections for the same ` +
      'channel are used instead. If there are none, nobody can be reached through it. Pager keeps ' +
      'trying. While it fails, admins are notified once a day.',
    actions: safeLink(url, 'Open connection'),
    links: [],
    why: phraseOf(why),
    organization: phraseOf(organization.name),
    url: safeLink(url)[0]?.href,
  };
}

export function sampleFailingConnectionNotice(): FailingConnectionNotice {
  return {
    about: 'connection',
    kind: 'connection_failing',
    key: 'connection/65f0000000000000000000c1/1795240800000/email/65f0000000000000000000b1',
    organization: { id: '65f000000000000000000001', name: 'Acme & Sons' },
    recipient: 'Ada Lovelace',
    why: 'you are an admin of the organization',
    connection: {
      id: '65f0000000000000000000c1',
      name: 'Calls <Berlin>',
      since: Temporal.Instant.from('2026-11-21T08:00:00Z'),
      reason:
        'Twilio: the credentials are not valid: set auth_token to that of the console (20003)',
    },
    url: 'https://pager.example.com/settings/channels/65f0000000000000000000c1',
  };
}
