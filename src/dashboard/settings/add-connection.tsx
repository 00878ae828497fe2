import { useState } from 'react';
import { useWrite } from '../api/use-write.ts';
import { channelName } from '../ui/channel.ts';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { connectionsPath, staleConnections } from './queries.ts';
import { TokenField } from './token-field.tsx';
import { TokenSteps } from './token-steps.tsx';
import { words } from './words.ts';

const vendor = 'telegram';

export function AddConnectionDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState<string>(words.nameOf(channelName(vendor)));
  const [token, setToken] = useState('');
  const adding = useWrite(...staleConnections);
  async function add() {
    const body = { name, vendor, secrets: { bot_token: token.trim() } };
    const path = connectionsPath;
    const made = await adding.send({ method: 'POST', path, body, name: words.add });
    if (made !== null) onClose();
  }
  return (
    <Dialog isOpen title={words.addTitle} onClose={onClose}>
      <Form
        save={words.add}
        isPending={adding.isPending}
        failure={adding.failure}
        onSave={() => void add()}
        onCancel={onClose}
      >
        <TokenSteps />
        <TextField path="name" label={words.name} value={name} onChange={setName} />
        <TokenField value={token} onChange={setToken} />
      </Form>
    </Dialog>
  );
}
