// What a cover request shows, who is asked by one, and what the reader can do.
import { coverCandidates } from '../../oncall/cover-candidates.ts';
import { mayAct, type Role } from '../../resources/roles.ts';
import type { CoverRequest, Member, Schedule } from './queries.ts';
import { requestWords as words } from './words.ts';

/** Chosen in the place of a person: the others on the schedule are asked. */
export const ANYONE = 'anyone';

type Recipients = {
  readonly schedule: Pick<Schedule, 'layers'>;
  readonly members: readonly Member[];
  /** Whose shift it is, and who asks. */
  readonly except: readonly string[];
  readonly nameOf: (id: string) => string;
};

/** Who gets the request, before it is sent. */
export function recipientsText({ schedule, members, except, nameOf }: Recipients): string {
  const active = new Set(members.flatMap(({ id, active }) => (active === false ? [] : [id])));
  const ids = coverCandidates({
    layers: schedule.layers,
    except,
    isActive: (id) => active.has(id),
  });
  return ids.length === 0
    ? words.nobody
    : words.recipients(new Intl.ListFormat().format(ids.map(nameOf)));
}

type Reader = { readonly id: string; readonly role: Role };
type Allowed = { readonly canTake: boolean; readonly canWithdraw: boolean };

/** On an open request. */
export function allowedOn({ user_id, requested_by }: CoverRequest, reader: Reader): Allowed {
  if (!mayAct(reader, 'responder')) return { canTake: false, canWithdraw: false };
  return {
    canTake: user_id !== reader.id,
    canWithdraw: [user_id, requested_by.id].includes(reader.id) || mayAct(reader, 'manager'),
  };
}

/** In one sentence, with the time if it is open. */
export function requestText(
  { user_id, state, accepted_by = '' }: CoverRequest,
  { time, nameOf }: { readonly time: string; readonly nameOf: (id: string) => string },
): string {
  const name = nameOf(user_id);
  switch (state) {
    case 'open':
      return words.open(name, time);
    case 'accepted':
      return words.accepted(nameOf(accepted_by), name, time);
    case 'withdrawn':
      return words.withdrawn(name, time);
    case 'expired':
      return words.expired(name, time);
  }
}
