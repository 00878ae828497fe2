// By which of their contacts a person can be reached from here, and why not by the others.
import Type from 'typebox';
import { personalChannels } from '../../resources/channels.ts';
import { contactStates, lossOf } from '../../resources/contact-states.ts';
import { choice, flag, objectOf, optional, text } from '../../resources/declaration/field.ts';
import type { ContactOf } from '../../storage/people/contacts.ts';

/** Of a channel, why it is not usable; null: it is. */
type ReasonAgainst = (channel: string) => string | null;

const reason = optional(text({ doc: 'Why not, as a sentence; absent when it is true.' }));

export const reachabilityShape = objectOf(
  {
    reachable: flag({ doc: 'Whether a page to the person leaves this server by some channel.' }),
    reason,
    channels: Type.Array(
      objectOf({
        channel: choice(personalChannels, { doc: 'A channel that the person has a contact on.' }),
        reachable: flag({ doc: 'Whether the person is reached by it.' }),
        reason,
      }),
      { description: 'The channels that the person has contacts on, each once.' },
    ),
  },
  'Whether a person can be reached.',
);

type ChannelReachability = {
  readonly channel: string;
  readonly reachable: boolean;
  readonly reason?: string;
};

export function reachabilityOf(
  person: { readonly active: boolean },
  contacts: readonly Pick<ContactOf, 'channel' | 'verified' | 'state'>[],
  reasonAgainst: ReasonAgainst,
) {
  const channels = personalChannels
    .map((channel) => ({ channel, on: contacts.filter((each) => each.channel === channel) }))
    .filter(({ on }) => on.length > 0)
    .map(({ channel, on }): ChannelReachability => {
      const why = on.some(({ verified }) => verified)
        ? reasonAgainst(channel)
        : whyUnverified(channel, on);
      return { channel, reachable: why === null, ...(why !== null && { reason: why }) };
    });
  const why = reasonOf(person, channels);
  return { reachable: why === null, ...(why !== null && { reason: why }), channels };
}

/** What was lost was verified before. */
function whyUnverified(channel: string, contacts: readonly Pick<ContactOf, 'state'>[]): string {
  const state = contactStates.find((one) => contacts.some((contact) => contact.state === one));
  return `The contact is not verified${state ? `: ${lossOf(state, channel)}` : ''}.`;
}

function reasonOf(
  { active }: { readonly active: boolean },
  channels: readonly ChannelReachability[],
): string | null {
  if (!active) return 'The person is not active.';
  if (channels.length === 0) return 'The person has no contact.';
  if (channels.some(({ reachable }) => reachable)) return null;
  return 'The person has no verified contact on a channel that is set up.';
}
