import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Fields } from '../../client/answer.ts';
import { accessLimits } from '../../limits/access.ts';
import { useWrite } from '../api/use-write.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Icon } from '../ui/icon.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Section } from '../ui/section.tsx';
import { TimeAgo } from '../ui/time-ago.tsx';
import { noOwner, OwnerFields, ownerBody } from './owner-fields.tsx';
import { words } from './passkey-words.ts';
import { here, makePasskey, type Passkey, whyNot } from './passkeys.ts';
import { passkeysPath, passkeysQuery, sessionsQuery } from './queries.ts';

type Open = 'add' | { readonly action: 'rename' | 'remove'; readonly passkey: Passkey };

export function PasskeysSection() {
  const passkeys = useQuery(passkeysQuery);
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  return (
    <Section title={words.title} text={words.text}>
      <Loaded query={passkeys}>
        {(list) => {
          const reason = whyNot(list, here());
          return (
            <div className="flex flex-col items-start gap-3">
              {list.data.length > 0 && (
                <ul className="w-full">
                  {list.data.map((passkey) => (
                    <PasskeyRow
                      key={passkey.id}
                      passkey={passkey}
                      onRename={() => setOpen({ action: 'rename', passkey })}
                      onRemove={() => setOpen({ action: 'remove', passkey })}
                    />
                  ))}
                </ul>
              )}
              {reason === null ? (
                <Button icon="plus" onClick={() => setOpen('add')}>
                  {words.add}
                </Button>
              ) : (
                <p className="text-pretty text-ink2">{reason}</p>
              )}
            </div>
          );
        }}
      </Loaded>
      {open === 'add' && <AddDialog onClose={close} />}
      {open !== null && open !== 'add' && <Changing {...open} onClose={close} />}
    </Section>
  );
}

const Changing = ({ action, ...props }: Exclude<Open, 'add'> & { onClose: () => void }) =>
  action === 'rename' ? <RenameDialog {...props} /> : <RemoveDialog {...props} />;

type PasskeyRowProps = { passkey: Passkey; onRename: () => void; onRemove: () => void };

function PasskeyRow({ passkey, onRename, onRemove }: PasskeyRowProps) {
  const { name, synced, created_at, last_used_at } = passkey;
  return (
    <li className="flex items-center gap-3 border-b border-line py-2 last:border-b-0">
      <Icon name="key-round" className="size-5 text-ink2" />
      <span className="min-w-0 flex-1">
        <bdi className="block truncate font-medium">{name}</bdi>
        <span className="block text-sm text-pretty text-ink3">
          {last_used_at === null ? (
            <>
              {words.added} <TimeAgo at={created_at} isSpelledOut />, {words.neverUsed}
            </>
          ) : (
            <>
              {words.lastUsed} <TimeAgo at={last_used_at} isSpelledOut />
            </>
          )}
          {synced && ` · ${words.synced}`}
        </span>
      </span>
      <IconButton icon="pencil" label={words.renameOf(name)} onClick={onRename} />
      <IconButton icon="trash" label={words.removeOf(name)} onClick={onRemove} />
    </li>
  );
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const { data: sessions } = useQuery(sessionsQuery);
  const [typed, setName] = useState<string | null>(null);
  const name = typed ?? sessions?.find(({ current }) => current)?.device ?? '';
  const [owner, setOwner] = useState(noOwner);
  // Of a browser's dialog that was closed: a code is good once, and need not be given again.
  const [begun, setBegun] = useState<Fields | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const [isMaking, setMaking] = useState(false);
  const beginning = useWrite();
  const adding = useWrite(passkeysQuery.queryKey);
  async function add() {
    setTrouble(null);
    adding.forget();
    const path = `${passkeysPath}/options`;
    const options =
      begun ?? (await beginning.send({ method: 'POST', path, body: ownerBody(owner) }));
    if (options === null) return;
    setBegun(options);
    setMaking(true);
    const credential = await makePasskey(options['public_key']);
    setMaking(false);
    if (typeof credential === 'string') return setTrouble(credential);
    const body = { name, credential };
    if (await adding.send({ method: 'POST', path: passkeysPath, body })) onClose();
    else setBegun(null);
  }
  return (
    <Dialog isOpen title={words.add} text={words.addText} onClose={onClose}>
      <Form
        save={words.continue}
        isPending={beginning.isPending || isMaking || adding.isPending}
        failure={beginning.failure ?? adding.failure}
        onSave={() => void add()}
        onCancel={onClose}
      >
        {trouble && (
          <p role="alert" className="font-medium text-pretty text-red">
            {trouble}
          </p>
        )}
        <NameField value={name} onChange={setName} />
        <OwnerFields value={owner} onChange={setOwner} />
      </Form>
    </Dialog>
  );
}

const NameField = (field: { value: string; onChange: (name: string) => void }) => (
  <TextField
    path="name"
    label={words.name}
    help={words.nameHelp}
    maxLength={accessLimits.passkeyName}
    {...field}
  />
);

type DialogProps = { passkey: Passkey; onClose: () => void };

function RenameDialog({ passkey, onClose }: DialogProps) {
  const [name, setName] = useState(passkey.name);
  const writing = useWrite(passkeysQuery.queryKey);
  async function rename() {
    const path = `${passkeysPath}/${passkey.id}`;
    if (await writing.send({ method: 'PATCH', path, body: { name } })) onClose();
  }
  return (
    <Dialog isOpen title={words.renameOf(passkey.name)} onClose={onClose}>
      <Form
        isPending={writing.isPending}
        failure={writing.failure}
        isTouched={name !== passkey.name}
        onSave={() => void rename()}
        onCancel={onClose}
      >
        <NameField value={name} onChange={setName} />
      </Form>
    </Dialog>
  );
}

function RemoveDialog({ passkey: { id, name }, onClose }: DialogProps) {
  const [owner, setOwner] = useState(noOwner);
  const writing = useWrite(passkeysQuery.queryKey);
  async function remove() {
    const path = `${passkeysPath}/${id}/remove`;
    if (await writing.send({ method: 'POST', path, body: ownerBody(owner) })) onClose();
  }
  return (
    <Dialog isOpen title={words.removeTitle(name)} text={words.removeText} onClose={onClose}>
      <Form
        save={words.remove}
        isPending={writing.isPending}
        failure={writing.failure}
        onSave={() => void remove()}
        onCancel={onClose}
      >
        <OwnerFields value={owner} onChange={setOwner} />
      </Form>
    </Dialog>
  );
}
