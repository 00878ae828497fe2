// Looks up the person and address of an escalation target; or the reason why there is none.
import { type Absent, absentAt, onCallAt } from '../oncall/on-call.ts';
import { noContact } from '../resources/contact-states.ts';
import type { Sealed } from '../resources/declaration/field.ts';
import type { Target } from '../resources/escalation-policy.ts';
import { type Configuration, personIn, rotaIn } from './configuration.ts';
import type { Intent } from './incident.ts';
import { routeThrough, shownRecipient } from './recipient.ts';

/** By which schedule somebody is meant; without a layer, nobody was on call. */
export type Duty = {
  readonly schedule_id: string;
  readonly schedule: string;
  readonly layer: number | 'override' | null;
};

type Addressee = {
  readonly channel: string;
  /** Of the person or chat; of a schedule where nobody is on call, what it names. */
  readonly name: string;
  readonly personId: string | null;
  readonly duty: Duty | null;
};

export type Reach =
  | (Addressee & {
      readonly reached: true;
      readonly address: string | Sealed;
      readonly mention: string | null;
    })
  | (Addressee & {
      readonly reached: false;
      readonly reason: string;
      /** The address of a message that is only written to a folder: it reaches nobody. */
      readonly written?: string;
      /** The person or schedule could not be read: a fault, of which admins are notified. */
      readonly isFault?: true;
    });

/** Where a message goes, though it may only be written to a folder; null: nowhere. */
export function destinationOf(one: Reach): Pick<Intent, 'address' | 'mention' | 'written'> | null {
  if (one.reached) return { address: one.address, mention: one.mention };
  return one.written === undefined ? null : { address: one.written, mention: null, written: true };
}

/** How the target leads to its person; undefined: it names them, or leads to nobody. */
export const routeOf = ({ personId, duty }: Pick<Reach, 'personId' | 'duty'>) =>
  personId === null || duty === null
    ? undefined
    : routeThrough(duty.schedule, duty.layer === 'override');

/** The same with the name, as people read it. */
export const shownName = (one: Pick<Reach, 'name' | 'personId' | 'duty'>): string =>
  shownRecipient({ recipient: one.name, route: routeOf(one) });

/** The person or chat of a target at this instant, and the address; or why there is none. */
export function reach(target: Target, configuration: Configuration, now: Temporal.Instant): Reach {
  const { via } = target;
  if (target.user_id !== undefined) return reachPerson(target.user_id, via, configuration);
  if (target.oncall_schedule_id !== undefined)
    return reachOnCall({ id: target.oncall_schedule_id, via }, configuration, now);
  return reachChat(target, configuration);
}

type Chat = Pick<Target, 'via' | 'webhook_url' | 'channel_id' | 'channel_name' | 'mention'>;

/** A chat channel, which its webhook leads to, or a connection by its id. */
export function reachChat(
  chat: Chat,
  { channels, connected }: Pick<Configuration, 'channels' | 'connected'>,
): Reach {
  const { via } = chat;
  const name = chat.channel_name ?? chat.channel_id ?? `${via} webhook`;
  const addressee = { channel: via, name, personId: null, duty: null };
  const address = chat.webhook_url ?? (connected.has(via) ? chat.channel_id : undefined);
  if (address === undefined || !channels.has(via))
    return { ...addressee, reached: false, reason: 'channel not set up' };
  return { ...addressee, reached: true, address, mention: chat.mention ?? null };
}

/** Of e-mail without a mail server. */
export const onlyWritten =
  'e-mail is not set up, so the message is only written to the folder mail in the data directory';

export function reachPerson(id: string, via: string, configuration: Configuration): Reach {
  if (configuration.unreadable.has(id)) return unread(`the person ${id}`, via, id);
  const person = personIn(configuration, id);
  const addressee = { channel: via, name: person.name, personId: id, duty: null };
  const missed = (reason: string) => ({ ...addressee, reached: false, reason }) as const;
  if (!person.active) return missed('the user is not active');
  const address = person.addresses[via]?.[0];
  if (!configuration.channels.has(via))
    return configuration.written.has(via) && address !== undefined
      ? { ...missed(onlyWritten), written: address }
      : missed('channel not set up');
  if (address === undefined) return missed(noContact(via, person.lost[via]));
  return { ...addressee, reached: true, address, mention: null };
}

/** All addresses by which a page may reach the person on a channel, the one to use first. */
export function addressesOf(
  id: string,
  via: string,
  configuration: Configuration,
): readonly string[] {
  const isReached = reachPerson(id, via, configuration).reached;
  return isReached ? (personIn(configuration, id).addresses[via] ?? []) : [];
}

const unread = (name: string, channel: string, personId: string | null = null): Reach => ({
  channel,
  name,
  personId,
  duty: null,
  reached: false,
  reason: 'its stored record cannot be read',
  isFault: true,
});

function reachOnCall(
  target: { readonly id: string; readonly via: string },
  configuration: Configuration,
  now: Temporal.Instant,
): Reach {
  if (configuration.unreadable.has(target.id))
    return unread(`on call of the schedule ${target.id}`, target.via);
  const known = rotaIn(configuration, target.id);
  const duty = { schedule_id: target.id, schedule: known.name, layer: null };
  const missed = (reason: string): Reach => ({
    reached: false,
    channel: target.via,
    personId: null,
    duty,
    reason,
    name: routeThrough(known.name, false),
  });
  if (known.archived) return missed('the schedule is archived');
  const onCall = onCallAt(known.schedule, now);
  if (!onCall) return missed(nobodyOnCall(absentAt(known.schedule, now), configuration));
  const reached = reachPerson(onCall.user_id, target.via, configuration);
  return { ...reached, duty: { ...duty, layer: onCall.layer } };
}

function nobodyOnCall(absent: Absent | null, { people }: Configuration): string {
  const nobody = 'nobody is on call';
  // Whoever cannot be read has no name, and is not needed here.
  const person = absent && people.get(absent.user_id);
  if (!absent || !person) return nobody;
  return absent.isTakenOff
    ? `${nobody}: an override takes ${person.name} off`
    : `${nobody}: ${person.name} is not active`;
}
