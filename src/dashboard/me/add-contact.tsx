import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { deviceChannel, personalChannels, rings, signInChannel } from '../../resources/channels.ts';
import { useWrite } from '../api/use-write.ts';
import type { Contact } from '../people/queries.ts';
import { channelNames } from '../ui/channel.ts';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { randomTopic, topicAddress } from './ntfy.ts';
import { channelsQuery, isSetUp } from './queries.ts';
import { words } from './words.ts';

type AddContactProps = {
  userId: string;
  onAdded: (contact: Contact) => void;
  onClose: () => void;
};

/** So that a phone shows the keys for what is typed. */
const inputTypes = {
  email: { type: 'email', autoComplete: 'email' },
  phone: { type: 'tel', autoComplete: 'tel' },
  sms: { type: 'tel', autoComplete: 'tel' },
  'push-notification': { type: 'text', autoComplete: 'off', spellCheck: false },
} as const;

type TypedChannel = keyof typeof inputTypes;
/** A chat is linked by writing to its account (link-chat.tsx), and a browser adds itself: a push is typed for ntfy. */
const nameOf = (channel: TypedChannel) =>
  channel === deviceChannel ? words.ntfy : channelNames[channel];
const typedChannels = personalChannels.filter(
  (channel): channel is TypedChannel => channel in inputTypes,
);

export function AddContactDialog({ userId, onAdded, onClose }: AddContactProps) {
  const { data: channels } = useQuery(channelsQuery);
  const adding = useWrite(['users']);
  const ntfy = channels
    ?.find((one) => one.channel === deviceChannel)
    ?.devices?.find(({ kind }) => kind === 'ntfy');
  const setUp = typedChannels.filter((one) =>
    one === deviceChannel ? ntfy?.usable : isSetUp(channels, one),
  );
  const [chosen, setChannel] = useState<TypedChannel | null>(null);
  const channel = chosen ?? setUp[0] ?? signInChannel;
  const [address, setAddress] = useState('');
  const [topic, setTopic] = useState(randomTopic);
  const isPush = channel === deviceChannel;
  const reasonOf = (name: TypedChannel) =>
    name === deviceChannel ? ntfy?.reason : channels?.find((each) => each.channel === name)?.reason;
  const reasons = typedChannels.filter((one) => !setUp.includes(one) && reasonOf(one));
  async function add() {
    const body = { channel, address: isPush ? topicAddress(topic) : address.trim() };
    const path = `/users/${userId}/contacts`;
    const made = await adding.send({ method: 'POST', path, body, name: words.addContact });
    if (made !== null) onAdded(made as Contact);
  }
  return (
    <Dialog isOpen title={words.addContact} onClose={onClose}>
      <Form
        save={rings(channel) ? words.addAndCall : words.add}
        isPending={adding.isPending}
        failure={adding.failure}
        onSave={() => void add()}
        onCancel={onClose}
      >
        <SelectField
          path="channel"
          label={words.channel}
          help={reasonOf(channel)}
          value={channel}
          options={typedChannels.map((one) => {
            const isDisabled = !setUp.includes(one);
            const name = nameOf(one);
            return { value: one, text: isDisabled ? words.notSetUp(name) : name, isDisabled };
          })}
          onChange={(value) => setChannel(value as TypedChannel)}
        />
        {reasons.length > 0 && (
          <ul aria-label={words.reasonsAgainst} className="-mt-3 text-sm text-pretty text-ink3">
            {reasons.map((one) => (
              <li key={one}>
                {nameOf(one)}: {reasonOf(one)}
              </li>
            ))}
          </ul>
        )}
        <TextField
          key={channel}
          path="address"
          label={words.address[channel]}
          help={words.addressHelp[channel]}
          {...inputTypes[channel]}
          value={isPush ? topic : address}
          onChange={isPush ? setTopic : setAddress}
        />
      </Form>
    </Dialog>
  );
}
