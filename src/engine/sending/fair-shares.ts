// Shares out how many notices may be in flight at once: an organization gets no more than it leaves
// for the others, and a channel only a part of the whole. So the next page of anybody finds room,
// however many recipients do not answer.
import { sendingLimits } from '../../limits/sending.ts';
import { mailChannel, traitsOf } from '../../resources/channels.ts';
import { anyNumber, Counts, type Rooms, within } from '../claims/rooms.ts';

export type SendingRooms = {
  readonly channels: Rooms;
  readonly organizations: Rooms;
  /** Of the calls of outbound webhooks, by organization; part of its room. */
  readonly calls: Rooms;
  /** Of each organization's notices by each channel that vendors take at a pace, by `laneOf`. */
  readonly lanes: Rooms;
};

const unlimited: SendingRooms = {
  channels: anyNumber,
  organizations: anyNumber,
  calls: anyNumber,
  lanes: anyNumber,
};

type UnderWay = { readonly organization_id: string; readonly channel: string };

const laneOf = ({ organization_id, channel }: UnderWay): string => `${organization_id} ${channel}`;

export class Shares {
  readonly #max: number;
  readonly #organizations = new Counts();
  readonly #channels = new Counts();
  readonly #lanes = new Counts();

  constructor(max: number) {
    this.#max = max;
  }

  get used(): number {
    return this.#organizations.total;
  }

  begin(notice: UnderWay): void {
    this.#count(notice, 1);
  }

  end(notice: UnderWay): void {
    this.#count(notice, -1);
  }

  rooms(): SendingRooms {
    const ofChannels = Math.ceil(this.#max * (sendingLimits.ofChannel / 100));
    const ofMails = Math.min(ofChannels, sendingLimits.mails);
    const mails = Math.max(0, ofMails - this.#channels.of(mailChannel));
    const channels = this.#channels.roomsUpTo(ofChannels);
    return {
      channels: { each: ofChannels, of: new Map([...channels.of, [mailChannel, mails]]) },
      organizations: this.#organizations.roomsLeaving(this.#max),
      calls: this.#organizations.roomsLeaving(ofChannels),
      lanes: this.#lanes.roomsUpTo(sendingLimits.ofLane),
    };
  }

  #count(notice: UnderWay, by: 1 | -1): void {
    this.#organizations.add(notice.organization_id, by);
    this.#channels.add(notice.channel, by);
    this.#lanes.add(laneOf(notice), by);
  }
}

/** A notice that is due, and that nothing but its share keeps from being sent. */
export type Candidate = UnderWay & { readonly recipient_key: string };

/** What one claim may take of each. */
export type SendingLimits = {
  readonly perRecipient: number;
  /** Other limits than `perRecipient`, by recipient. */
  readonly shares?: ReadonlyMap<string, number>;
  /** Limits by channel, by organization, and of an organization's calls; unlimited without. */
  readonly rooms?: SendingRooms;
};

/**
 * Those that may be sent of the candidates, in their order: the most urgent first. They are shared out
 * among recipients, then organizations, then channels.
 */
export function shareOut<Notice extends Candidate>(
  candidates: readonly Notice[],
  { perRecipient, shares = new Map(), rooms = unlimited }: SendingLimits,
): readonly Notice[] {
  const isCall = ({ channel }: Notice) => channel === 'webhook';
  const isPaced = ({ channel }: Notice) => traitsOf(channel)?.paced === true;
  return candidates
    .filter(within({ each: perRecipient, of: shares }, (notice) => notice.recipient_key))
    .filter(within(rooms.calls, (one) => (isCall(one) ? one.organization_id : null)))
    .filter(within(rooms.organizations, ({ organization_id }) => organization_id))
    .filter(within(rooms.lanes, (one) => (isPaced(one) ? laneOf(one) : null)))
    .filter(within(rooms.channels, ({ channel }) => channel));
}
