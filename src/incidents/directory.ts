import { onCallAt } from '../oncall/on-call.ts';
import type { Schedule } from '../oncall/schedule.ts';
import type { Sealed } from '../resources/declaration/sealed.ts';
import type { Target } from '../resources/escalation-policy.ts';

export type Person = {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  /** Verified addresses by channel, the one to use first. */
  readonly addresses: Readonly<Record<string, readonly string[]>>;
};

/** A schedule that a step may page: as it is in force now, with what is to come. */
export type Rota = {
  readonly name: string;
  readonly archived: boolean;
  readonly schedule: Schedule;
};

/** What the engine knows about people when it decides: read just before, in the same transaction. */
export type Directory = {
  readonly people: ReadonlyMap<string, Person>;
  readonly schedules: ReadonlyMap<string, Rota>;
  /** Who is told when nobody else can be: per team, owners and admins. */
  readonly adminsOfTeam: ReadonlyMap<string, readonly string[]>;
  /** Channels that are set up on this installation. */
  readonly channels: ReadonlySet<string>;
};

/** By which schedule somebody is meant; without a layer, nobody was on call. */
export type Duty = {
  readonly schedule_id: string;
  readonly schedule: string;
  readonly layer: number | 'override' | null;
};

type Meant = {
  readonly channel: string;
  readonly name: string;
  readonly personId: string | null;
  readonly duty: Duty | null;
};

export type Reach =
  | (Meant & {
      readonly reached: true;
      readonly address: string | Sealed;
      readonly mention: string | null;
    })
  | (Meant & { readonly reached: false; readonly reason: string });

/** Whom a target means at this instant, and at which address; or why nobody. */
export function reach(target: Target, directory: Directory, now: Temporal.Instant): Reach {
  const { via } = target;
  if (target.user_id !== undefined) return reachPerson(target.user_id, via, directory);
  if (target.oncall_schedule_id !== undefined)
    return reachOnCall({ id: target.oncall_schedule_id, via }, directory, now);
  return reachChat(target, directory);
}

type Chat = Pick<Target, 'via' | 'webhook_url' | 'channel_id' | 'channel_name' | 'mention'>;

/** A chat channel, which only its webhook leads to. */
export function reachChat(chat: Chat, { channels }: Pick<Directory, 'channels'>): Reach {
  const { via } = chat;
  const name = chat.channel_name ?? chat.channel_id ?? `${via} webhook`;
  const meant = { channel: via, name, personId: null, duty: null };
  if (chat.webhook_url === undefined || !channels.has(via))
    return { ...meant, reached: false, reason: 'channel not set up' };
  return { ...meant, reached: true, address: chat.webhook_url, mention: chat.mention ?? null };
}

export function reachPerson(
  id: string,
  via: string,
  directory: Pick<Directory, 'people' | 'channels'>,
): Reach {
  const person = directory.people.get(id);
  const meant = { channel: via, name: person?.name ?? id, personId: id, duty: null };
  const missed = (reason: string): Reach => ({ ...meant, reached: false, reason });
  if (!person) return missed('there is no such user');
  if (!person.active) return missed('the user is not active');
  if (!directory.channels.has(via)) return missed('channel not set up');
  const address = person.addresses[via]?.[0];
  if (address === undefined) return missed(`no verified ${via} contact`);
  return { ...meant, reached: true, address, mention: null };
}

function reachOnCall(
  target: { readonly id: string; readonly via: string },
  directory: Directory,
  now: Temporal.Instant,
): Reach {
  const known = directory.schedules.get(target.id);
  const duty = { schedule_id: target.id, schedule: known?.name ?? target.id, layer: null };
  const missed = (reason: string): Reach => ({
    ...{ reached: false, channel: target.via, personId: null, duty, reason },
    name: known ? `on call of ${known.name}` : target.id,
  });
  if (!known) return missed('there is no such schedule');
  if (known.archived) return missed('the schedule is archived');
  const onCall = onCallAt(known.schedule, now);
  if (!onCall) return missed('nobody is on call');
  const reached = reachPerson(onCall.user_id, target.via, directory);
  const by = onCall.layer === 'override' ? ', by an override' : '';
  return {
    ...reached,
    name: `${reached.name} (on call of ${known.name}${by})`,
    duty: { ...duty, layer: onCall.layer },
  };
}
