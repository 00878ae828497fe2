import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { deviceChannel } from '../../resources/channels.ts';
import { useWrite } from '../api/use-write.ts';
import { type Contact, contactsQuery } from '../people/queries.ts';
import { Button } from '../ui/button.tsx';
import { FailedWrite } from '../ui/failed-write.tsx';
import { Icon } from '../ui/icon.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Section } from '../ui/section.tsx';
import { type NotSubscribed, type PushState, pushState, subscribe, unsubscribe } from './push.ts';
import { rememberDevice } from './push-renewal.ts';
import { words } from './push-words.ts';
import { channelsQuery, pushHereQuery, pushKeyQuery } from './queries.ts';

type PushSectionProps = { readonly userId: string };

export function PushSection({ userId }: PushSectionProps) {
  const { data: channels } = useQuery(channelsQuery);
  const contacts = useQuery(contactsQuery(userId));
  const here = useQuery(pushHereQuery);
  useProofs();
  const channel = channels?.find((one) => one.channel === deviceChannel);
  return (
    <Section title={words.title} text={words.text}>
      {channel?.reason !== undefined ? (
        <p className="text-pretty text-ink2">{channel.reason}</p>
      ) : (
        <Loaded query={contacts}>
          {(list) => (
            <Loaded query={here}>
              {(browser) => <ThisDevice userId={userId} push={pushState(browser, list)} />}
            </Loaded>
          )}
        </Loaded>
      )}
    </Section>
  );
}

/** The service worker says when it has sent the code back. */
function useProofs() {
  const queries = useQueryClient();
  useEffect(() => {
    const worker = navigator.serviceWorker as ServiceWorkerContainer | undefined;
    const proved = () => void queries.invalidateQueries({ queryKey: ['users'] });
    worker?.addEventListener('message', proved);
    return () => worker?.removeEventListener('message', proved);
  }, [queries]);
}

type ThisDeviceProps = PushSectionProps & { readonly push: PushState };

function ThisDevice({ userId, push }: ThisDeviceProps) {
  const queries = useQueryClient();
  const path = `/users/${userId}/contacts`;
  const adding = useWrite(['users']);
  const sending = useWrite(['users']);
  const removing = useWrite(['users']);
  const [isSubscribing, setSubscribing] = useState(false);
  const [refusal, setRefusal] = useState<NotSubscribed | null>(null);
  const status = useRef<HTMLParagraphElement>(null);

  const readHere = () => queries.invalidateQueries({ queryKey: pushHereQuery.queryKey });
  const send = ({ id }: Pick<Contact, 'id'>) =>
    sending.send({ method: 'POST', path: `${path}/${id}/code`, body: {}, name: words.switchOn });

  async function switchOn(before: Contact | null) {
    setRefusal(null);
    setSubscribing(true);
    const subscription = await queries
      .ensureQueryData(pushKeyQuery)
      .then(({ public_key }) => subscribe(public_key))
      .finally(() => setSubscribing(false));
    if (typeof subscription === 'string') setRefusal(subscription);
    await readHere();
    if (typeof subscription === 'string') return;
    const address = `web:${JSON.stringify(subscription)}`;
    const body = { channel: deviceChannel, address };
    const made = await adding.send({ method: 'POST', path, body, name: words.switchOn });
    if (made === null) return;
    const contact = { id: String(made['id']) };
    rememberDevice({ userId, contactId: contact.id });
    if (before !== null) await remove(before);
    await send(contact);
    status.current?.focus();
  }

  const remove = ({ id }: Contact) =>
    removing.send({ method: 'DELETE', path: `${path}/${id}`, name: words.switchOff });

  async function switchOff(contact: Contact) {
    if ((await remove(contact)) === null) return;
    rememberDevice(null);
    await unsubscribe();
    await readHere();
    status.current?.focus();
  }

  if (!('contact' in push)) return <p className="text-pretty text-ink2">{words[push.state]}</p>;
  const { state, contact } = push;
  const hasEnded = state === 'off' && contact !== null;
  const isPending = isSubscribing || adding.isPending || sending.isPending || removing.isPending;
  // It stays in the order of the keyboard: what was pressed has the focus.
  const pressed = (act: () => Promise<unknown>) => ({
    'aria-disabled': isPending,
    onClick: () => void (isPending || act()),
  });
  return (
    <div className="flex flex-col items-start gap-3">
      <p
        role="status"
        ref={status}
        tabIndex={-1}
        className="inline-flex items-center gap-2 text-pretty"
      >
        {state === 'on' && <Icon name="check" className="size-4 text-green" />}
        {isSubscribing ? words.waiting : words[hasEnded ? 'gone' : state]}
      </p>
      {state === 'on' && <p className="text-pretty text-ink2">{words.steps}</p>}
      {refusal && (
        <p role="alert" className="text-pretty text-red">
          {words[refusal]}
        </p>
      )}
      <FailedWrite failure={adding.failure ?? sending.failure ?? removing.failure} />
      <div className="flex flex-wrap gap-2">
        {state === 'off' && (
          <Button icon="bell-ring" {...pressed(() => switchOn(contact))}>
            {isPending ? words.switchingOn : words.switchOn}
          </Button>
        )}
        {state === 'sent' && contact !== null && (
          <Button {...pressed(() => send(contact))}>{words.again}</Button>
        )}
        {state !== 'off' && contact !== null && (
          <Button {...pressed(() => switchOff(contact))}>{words.switchOff}</Button>
        )}
      </div>
    </div>
  );
}
