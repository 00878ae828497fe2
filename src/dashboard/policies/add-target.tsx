import { useQuery } from '@tanstack/react-query';
import { chatChannels } from '../../resources/channels.ts';
import { listingVendor } from '../../resources/connections/vendors.ts';
import { usePicks } from '../form/picks.ts';
import { channelsQuery } from '../me/queries.ts';
import { peopleQuery } from '../people/queries.ts';
import { channelIcon, channelName } from '../ui/channel.ts';
import { Icon } from '../ui/icon.tsx';
import { PersonMark } from '../ui/person-mark.tsx';
import { type Pick, PickField } from '../ui/pick-field.tsx';
import { channelFor, type DraftStep, type DraftTarget, pickOf, targetOf } from './steps.ts';
import { useUsualChannel } from './use-usual-channel.ts';
import { words } from './words.ts';

type AddTargetProps = {
  path: string;
  /** The steps up to this one. */
  before: readonly DraftStep[];
  onAdd: (target: DraftTarget) => void;
};

/** People, schedules and chats, of every team. */
export function AddTarget({ path, before, onAdd }: AddTargetProps) {
  const people = usePicks('user', undefined) ?? [];
  const schedules = usePicks('oncall_schedule', undefined) ?? [];
  const { data: channels } = useQuery(channelsQuery);
  const personal = useUsualChannel(before);
  const picks: readonly Pick[] = [
    ...people.map((one) => ({ ...one, value: pickOf('user', one.value) })),
    ...schedules.map(({ value, label }) => ({
      value: pickOf('oncall_schedule', value),
      label: words.onCallOf(label),
      hint: words.schedule,
    })),
    ...chatChannels.map((chat) => ({
      value: pickOf('chat', chat),
      label: words.chatChannel(channelName(chat)),
      hint: channels?.find(({ channel }) => channel === chat)?.reason ?? words.chat,
    })),
  ];
  const { data: reachable } = useQuery(peopleQuery);
  const add = (pick: string) => {
    const person = reachable?.find(({ id }) => pick === pickOf('user', id));
    const target = targetOf(pick, {
      personal: channelFor(personal, person?.reachability.channels ?? []),
      isListed: (chat) => listingVendor(chat) !== undefined,
    });
    if (target !== null) onAdd(target);
  };
  return (
    <PickField
      path={path}
      label={words.addTarget}
      help={words.addTargetHelp}
      mark={({ value, label }) => <PickMark pick={value} label={label} />}
      picks={picks}
      value=""
      onChange={add}
    />
  );
}

function PickMark({ pick, label }: { pick: string; label: string }) {
  const [kind, id = ''] = pick.split(':');
  if (kind === 'user') return <PersonMark id={id} name={label} />;
  return <Icon name={kind === 'chat' ? channelIcon(id) : 'phone-call'} />;
}
