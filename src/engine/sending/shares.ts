// Shares out how many notices may be in flight at once: an organisation gets no more than it leaves
// for the others, and a channel only a part of the whole. So the next page of anybody finds room,
// however many recipients do not answer.
import { sendingLimits } from '../../limits/sending.ts';
import { mailChannel } from '../../resources/channels.ts';

/** How many more may begin, by name; `each` is for names that are not in `of`. */
export type Rooms = { readonly each: number; readonly of: ReadonlyMap<string, number> };

export type SendingRooms = {
  readonly channels: Rooms;
  readonly organizations: Rooms;
  /** Of the calls of outbound webhooks, by organisation; part of its room. */
  readonly calls: Rooms;
  /** Of each organisation's notices by each channel that vendors take at a pace, by `laneOf`. */
  readonly lanes: Rooms;
};

type UnderWay = { readonly organization_id: string; readonly channel: string };

const laneOf = ({ organization_id, channel }: UnderWay) => `${organization_id} ${channel}`;

export class Shares {
  readonly #max: number;
  readonly #organizations = new Map<string, number>();
  readonly #channels = new Map<string, number>();
  readonly #lanes = new Map<string, number>();
  #used = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get used(): number {
    return this.#used;
  }

  begin(notice: UnderWay): void {
    this.#count(notice, 1);
  }

  end(notice: UnderWay): void {
    this.#count(notice, -1);
  }

  rooms(): SendingRooms {
    const ofChannels = Math.ceil(this.#max * (sendingLimits.ofChannel / 100));
    const channels = new Map(
      [...this.#channels].map(([name, used]) => [name, Math.max(0, ofChannels - used)]),
    );
    const ofMails = Math.min(ofChannels, sendingLimits.mails);
    channels.set(mailChannel, Math.max(0, ofMails - (this.#channels.get(mailChannel) ?? 0)));
    return {
      channels: { each: ofChannels, of: channels },
      organizations: this.#leaving(this.#max),
      calls: this.#leaving(ofChannels),
      lanes: {
        each: sendingLimits.ofLane,
        of: new Map(
          [...this.#lanes].map(([lane, used]) => [lane, Math.max(0, sendingLimits.ofLane - used)]),
        ),
      },
    };
  }

  /** An organisation gets at most as much as stays free; each notice more reduces that by two. */
  #leaving(max: number): Rooms {
    const room = (own: number) => Math.max(0, Math.floor((max - this.#used - own + 1) / 2));
    const of = new Map([...this.#organizations].map(([id, own]) => [id, room(own)]));
    return { each: room(0), of };
  }

  #count(notice: UnderWay, by: 1 | -1): void {
    this.#used += by;
    add(this.#organizations, notice.organization_id, by);
    add(this.#channels, notice.channel, by);
    add(this.#lanes, laneOf(notice), by);
  }
}

function add(counts: Map<string, number>, name: string, by: number): void {
  const sum = (counts.get(name) ?? 0) + by;
  if (sum > 0) counts.set(name, sum);
  else counts.delete(name);
}
