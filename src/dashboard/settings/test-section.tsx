import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { sessionQuery } from '../api/queries.ts';
import { useWrite } from '../api/use-write.ts';
import { contactsQuery } from '../people/queries.ts';
import { CheckField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Icon } from '../ui/icon.tsx';
import { Section } from '../ui/section.tsx';
import { type Connection, isTested, ownContactOf, sentenceOf } from './connection.ts';
import { connectionsPath, staleConnections } from './queries.ts';
import { words } from './words.ts';

type Check = { readonly name: string; readonly ok: boolean; readonly message: string };

export function TestSection({ connection }: { connection: Connection }) {
  const { data: session } = useQuery(sessionQuery);
  const me = session?.user.id ?? '';
  const { data: contacts } = useQuery({ ...contactsQuery(me), enabled: me !== '' });
  const own = contacts && ownContactOf(connection, contacts);
  const testing = useWrite(...staleConnections);
  const [withMessage, setWithMessage] = useState(true);
  const [checks, setChecks] = useState<readonly Check[]>([]);
  async function test() {
    setChecks([]);
    const body = own && withMessage ? { contact_id: own.id } : {};
    const path = `${connectionsPath}/${connection.id}/test`;
    const answer = await testing.send({ method: 'POST', path, body, name: words.test });
    if (answer !== null) setChecks(answer['checks'] as readonly Check[]);
  }
  return (
    <Section title={words.test} text={words.testText}>
      <Form
        save={words.test}
        isPending={testing.isPending}
        failure={testing.failure}
        onSave={() => void test()}
      >
        {own && (
          <CheckField
            path="contact_id"
            label={words.testMessage(own.channel, own.address)}
            isChecked={withMessage}
            onChange={setWithMessage}
          />
        )}
        {!own && connection.channels.some(isTested) && (
          <p className="text-sm text-pretty text-ink3">
            {words.noChat}{' '}
            <Link to="/me" className="underline">
              {words.linkChat}
            </Link>
          </p>
        )}
      </Form>
      <div role="status" className="mt-3 empty:hidden">
        {checks.length > 0 && (
          <ul className="flex flex-col gap-1">
            {checks.map(({ name, ok, message }) => (
              <li key={name} className={`flex gap-2 ${ok ? 'text-green' : 'text-red'}`}>
                <Icon name={ok ? 'check' : 'triangle-alert'} className="mt-0.5 size-4 shrink-0" />
                <span className="min-w-0 text-pretty wrap-anywhere">{sentenceOf(message)}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Section>
  );
}
