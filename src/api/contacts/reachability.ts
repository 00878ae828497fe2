// By which of their contacts a person can be reached from here, and why not by the others.
import Type from 'typebox';
import { personalChannels } from '../../resources/channels.ts';
import {
  contactReachability,
  isReached,
  type Reachability,
  type ReachedContact,
  reachabilities,
  surest,
} from '../../resources/contact-reachability.ts';
import { choice, flag, objectOf, optional, text } from '../../resources/declaration/field.ts';
import type { ContactOf } from '../../storage/people/contacts.ts';
import type { ProblemOf } from './contact-problems.ts';

const reason = optional(text({ doc: 'Why not, as a sentence. Absent if it is true.' }));

export const reachabilityShape = objectOf(
  {
    reachable: flag({ doc: 'Whether a page to the person can be sent by at least one channel.' }),
    reason,
    channels: Type.Array(
      objectOf({
        channel: choice(personalChannels, { doc: 'A channel that the person has a contact on.' }),
        reachable: flag({ doc: 'Whether the person can be reached by it.' }),
        reachability: choice(reachabilities, {
          doc: 'How certain that is, based on the most certain contact on the channel.',
        }),
        reason: optional(
          text({ doc: 'Why it is not proved, as a sentence. Absent if it is proved.' }),
        ),
      }),
      { description: 'The channels for which the person has contacts, each once.' },
    ),
  },
  'Whether a person can be reached.',
);

type ChannelReachability = {
  readonly channel: string;
  readonly reachable: boolean;
  readonly reachability: Reachability;
  readonly reason?: string;
};

export function reachabilityOf(
  person: { readonly active: boolean },
  contacts: readonly (ReachedContact & ContactOf)[],
  { problemOf, now }: { readonly problemOf: ProblemOf; readonly now: Temporal.Instant },
) {
  const channels = personalChannels.flatMap((channel): readonly ChannelReachability[] => {
    const own = contacts.filter((contact) => contact.channel === channel);
    const best = surest(own.map((one) => contactReachability(one, problemOf(one), now)));
    return best === null ? [] : [{ channel, reachable: isReached(best.reachability), ...best }];
  });
  const why = reasonOf(person, channels);
  return { reachable: why === null, ...(why !== null && { reason: why }), channels };
}

function reasonOf(
  { active }: { readonly active: boolean },
  channels: readonly ChannelReachability[],
): string | null {
  if (!active) return 'The person is not active.';
  if (channels.length === 0) return 'The person has no contact.';
  if (channels.some(({ reachable }) => reachable)) return null;
  return 'Nothing can be sent to any verified contact of the person.';
}
