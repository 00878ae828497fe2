// Who gets a notice of a cover request, and what state the request is in.
import { type Configuration, personIn } from '../incidents/configuration.ts';
import { destinationOf, reachPerson } from '../incidents/target-recipients.ts';
import { rings, signInChannel } from '../resources/channels.ts';
import type { CoverRequestState, StoredRequestState } from '../resources/cover-request.ts';
import type { Sealed } from '../resources/declaration/field.ts';
import type { PersonalNotifications } from '../resources/shift-notifications.ts';
import { channelsOf } from './announce.ts';
import type { ShiftStory } from './notice.ts';

/** The content of a notice, fixed when the request is made. */
export type CoverStory = {
  readonly id: string;
  readonly schedule: ShiftStory['schedule'];
  /** The name of whoever is on call, and of whoever requests cover for them, if that is another. */
  readonly person: string;
  readonly requester: string | null;
  readonly start: Temporal.Instant;
  readonly end: Temporal.Instant;
  readonly comment: string | null;
};

/** A notice to one person; it is sent once per key. */
export type CoverIntent = {
  readonly key: string;
  readonly channel: string;
  readonly address: string | Sealed;
  readonly user_id: string;
  readonly recipient: string;
  readonly why: string;
  readonly story: CoverStory;
};

/** To each person by their channels for changed shifts. Whoever cannot be reached sees it in the dashboard. */
export function coverIntents(
  story: CoverStory,
  candidates: readonly string[],
  configuration: Configuration,
): readonly CoverIntent[] {
  return candidates.flatMap((id) =>
    quietChannels(personIn(configuration, id).notifications, story.schedule.id).flatMap((via) => {
      const reach = reachPerson(id, via, configuration);
      const destination = destinationOf(reach);
      if (destination === null) return [];
      return [
        {
          key: `cover_request/${story.id}/${via}/${id}`,
          channel: via,
          address: destination.address,
          user_id: id,
          recipient: reach.name,
          why: 'You are on this schedule',
          story,
        },
      ];
    }),
  );
}

/** A request can wait until it is read: whoever is called about changed shifts gets an e-mail. */
function quietChannels(settings: PersonalNotifications, scheduleId: string): readonly string[] {
  const chosen = channelsOf(settings, 'shift_change', scheduleId);
  const quiet = chosen.filter((one) => !rings(one));
  return quiet.length === 0 && chosen.length > 0 ? [signInChannel] : quiet;
}

type Stored = {
  readonly state: StoredRequestState;
  readonly end: Temporal.Instant;
};

/** An open request expires when its end has passed. */
export const coverRequestState = (
  { state, end }: Stored,
  now: Temporal.Instant,
): CoverRequestState =>
  state === 'open' && Temporal.Instant.compare(end, now) <= 0 ? 'expired' : state;
