import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  isDeviceChannel,
  linkedChannels,
  signInChannel,
  traitsOf,
} from '../../resources/channels.ts';
import { incidentRole, mayAct, type Role } from '../../resources/roles.ts';
import { useMay } from '../api/use-may.ts';
import { useWrite } from '../api/use-write.ts';
import { type Contact, contactsQuery } from '../people/queries.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { channelIcons, channelNames } from '../ui/channel.ts';
import { Confirm } from '../ui/confirm.tsx';
import { ContactState } from '../ui/contact-state.tsx';
import { Icon } from '../ui/icon.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Section } from '../ui/section.tsx';
import { AddContactDialog } from './add-contact.tsx';
import { countBeside, inOrder, isUsedFirst } from './contact-order.ts';
import { EditContactDialog } from './edit-contact.tsx';
import { LinkChatDialog } from './link-chat.tsx';
import { type LinkedChannel, linkedChannel } from './linked.ts';
import { isTopic } from './ntfy.ts';
import { channelsQuery, isSetUp } from './queries.ts';
import { VerifyDialog } from './verify-contact.tsx';
import { words } from './words.ts';

type MeProps = { me: { readonly id: string; readonly email: string; readonly role: Role } };

/** What is open above the list. */
type Open =
  | { readonly type: 'add' }
  | { readonly type: 'link'; readonly channel: LinkedChannel }
  | { readonly type: 'verify' | 'edit' | 'remove'; readonly contact: Contact };

export function ContactsSection({ me }: MeProps) {
  const contacts = useQuery(contactsQuery(me.id));
  const { data: channels } = useQuery(channelsQuery);
  const [open, setOpen] = useState<Open | null>(null);
  const mayChange = mayAct(me, incidentRole);
  const seesChannels = useMay('manager');
  const close = () => setOpen(null);
  const isSignIn = ({ channel, address }: Contact) =>
    channel === signInChannel && address.toLowerCase() === me.email.toLowerCase();
  const add = mayChange && (
    <div className="flex flex-wrap gap-2">
      <Button icon="plus" onClick={() => setOpen({ type: 'add' })}>
        {words.addContact}
      </Button>
      {linkedChannels
        .filter((channel) => isSetUp(channels, channel))
        .map((channel) => (
          <Button
            key={channel}
            icon={channelIcons[channel]}
            onClick={() => setOpen({ type: 'link', channel })}
          >
            {words.link.title(channelNames[channel])}
          </Button>
        ))}
    </div>
  );
  return (
    <Section title={words.contacts} text={words.contactsText} action={add}>
      <Loaded query={contacts}>
        {(list) => (
          <ul>
            {inOrder(list).map((contact) => (
              <ContactRow
                key={contact.id}
                contact={contact}
                isSignIn={isSignIn(contact)}
                isFirst={isUsedFirst(list, contact)}
                mayChange={mayChange}
                onOpen={setOpen}
              />
            ))}
          </ul>
        )}
      </Loaded>
      {mayChange &&
        channels
          ?.filter(({ channel, reason }) => linkedChannel(channel) && reason !== undefined)
          .map(({ channel, reason }) => (
            <p key={channel} className="mt-3 text-sm text-pretty text-ink3">
              {words.link.notUsable(nameOf(channel))} {reason}{' '}
              {seesChannels && (
                <Link to="/settings/channels" className="underline">
                  {words.link.settings}
                </Link>
              )}
            </p>
          ))}
      {open?.type === 'link' && contacts.data && (
        <LinkChatDialog
          userId={me.id}
          channel={open.channel}
          contacts={contacts.data}
          onClose={close}
        />
      )}
      {open?.type === 'add' && (
        <AddContactDialog
          userId={me.id}
          onAdded={(contact) => setOpen({ type: 'verify', contact })}
          onClose={close}
        />
      )}
      {open?.type === 'verify' && (
        <VerifyDialog userId={me.id} contact={open.contact} onClose={close} />
      )}
      {open?.type === 'edit' && contacts.data && (
        <EditContactDialog
          userId={me.id}
          contact={open.contact}
          count={countBeside(contacts.data, open.contact)}
          onClose={close}
        />
      )}
      {open?.type === 'remove' && (
        <RemoveDialog userId={me.id} contact={open.contact} onClose={close} />
      )}
    </Section>
  );
}

const nameOf = (channel: string): string => traitsOf(channel)?.words.name ?? channel;

type ContactRowProps = {
  contact: Contact;
  isSignIn: boolean;
  /** Of several on its channel. */
  isFirst: boolean;
  mayChange: boolean;
  onOpen: (open: Open) => void;
};

function ContactRow({ contact, isSignIn, isFirst, mayChange, onOpen }: ContactRowProps) {
  const { channel, address, label, verified, state_reason, reachability } = contact;
  const linked = linkedChannel(channel);
  // A browser sends its code back by itself.
  const isTyped = !isDeviceChannel(channel) || isTopic(contact);
  return (
    <li className="flex items-center gap-3 border-b border-line py-2 last:border-b-0">
      <Icon name={channelIcons[channel]} className="size-5 text-ink2" />
      <span className="min-w-0 flex-1">
        <bdi className="block truncate font-medium">{address}</bdi>
        <span className="block text-sm text-pretty text-ink3">
          {label !== undefined && (
            <>
              <bdi>{label}</bdi> ·{' '}
            </>
          )}
          {channelNames[channel]}
          {isFirst && ` · ${words.usedFirst}`}
          {isSignIn && ` · ${words.signInAddress}`}
        </span>
        {verified && reachability === 'broken' && contact.reachability_reason && (
          <span className="block text-sm text-pretty text-ink2">{contact.reachability_reason}</span>
        )}
        {!verified && (
          <span className="block text-sm text-pretty text-amber">
            {state_reason ?? (linked ? words.link.lost : words.notVerified)}
          </span>
        )}
      </span>
      {verified ? (
        <ContactState contact={contact} />
      ) : (
        mayChange &&
        isTyped && (
          <Button
            onClick={() =>
              onOpen(linked ? { type: 'link', channel: linked } : { type: 'verify', contact })
            }
          >
            {linked ? words.link.again : words.verify}
          </Button>
        )
      )}
      {mayChange && (
        <IconButton
          icon="pencil"
          label={`${words.edit} ${address}`}
          onClick={() => onOpen({ type: 'edit', contact })}
        />
      )}
      {mayChange && !isSignIn && (
        <IconButton
          icon="trash"
          label={`${words.remove} ${address}`}
          onClick={() => onOpen({ type: 'remove', contact })}
        />
      )}
    </li>
  );
}

type RemoveProps = { userId: string; contact: Contact; onClose: () => void };

function RemoveDialog({ userId, contact: { id, address }, onClose }: RemoveProps) {
  const writing = useWrite(['users']);
  const remove = async () => {
    const path = `/users/${userId}/contacts/${id}`;
    if ((await writing.send({ method: 'DELETE', path, name: words.remove })) !== null) onClose();
  };
  return (
    <Confirm
      title={words.removeTitle(address)}
      text={words.removeText}
      action={words.remove}
      writing={writing}
      onConfirm={() => void remove()}
      onClose={onClose}
    />
  );
}
