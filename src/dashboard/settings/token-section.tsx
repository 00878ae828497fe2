import { useState } from 'react';
import { useWrite } from '../api/use-write.ts';
import { Button } from '../ui/button.tsx';
import { focusInside } from '../ui/focus-inside.ts';
import { Form } from '../ui/form.tsx';
import { Section } from '../ui/section.tsx';
import type { Connection } from './connection.ts';
import { connectionsPath, staleConnections } from './queries.ts';
import { TokenField } from './token-field.tsx';
import { TokenSteps } from './token-steps.tsx';
import { words } from './words.ts';

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

type TokenSectionProps = { connection: Connection; mayChange: boolean };

export function TokenSection({ connection, mayChange }: TokenSectionProps) {
  const [isReplacing, setReplacing] = useState(false);
  const stored = connection.secrets['bot_token'];
  return (
    <Section title={words.token} text={words.replaceText}>
      {stored && (
        <p className="mb-3">
          {words.stored(stored.ends)}{' '}
          <time dateTime={stored.set_at}>{day.format(new Date(stored.set_at))}</time>
        </p>
      )}
      {isReplacing ? (
        <div tabIndex={-1} ref={focusInside}>
          <ReplaceForm connection={connection} onClose={() => setReplacing(false)} />
        </div>
      ) : (
        mayChange && <Button onClick={() => setReplacing(true)}>{words.replace}</Button>
      )}
    </Section>
  );
}

type ReplaceFormProps = { connection: Connection; onClose: () => void };

function ReplaceForm({ connection: { id, version }, onClose }: ReplaceFormProps) {
  const [token, setToken] = useState('');
  const saving = useWrite(...staleConnections);
  async function save() {
    const path = `${connectionsPath}/${id}`;
    const body = { secrets: { bot_token: token.trim() } };
    const name = words.replace;
    const done = await saving.send({ method: 'PATCH', path, version, body, name });
    if (done !== null) onClose();
  }
  return (
    <Form
      save={words.replace}
      isPending={saving.isPending}
      failure={saving.failure}
      onSave={() => void save()}
      onCancel={onClose}
    >
      <TokenSteps />
      <TokenField value={token} onChange={setToken} />
    </Form>
  );
}
