import { useState } from 'react';
import { useWrite } from '../api/use-write.ts';
import { Button } from '../ui/button.tsx';
import { CheckField } from '../ui/field.tsx';
import { focusInside } from '../ui/focus-inside.ts';
import { Form } from '../ui/form.tsx';
import { Section } from '../ui/section.tsx';
import { type Connection, newSecrets, type TypedFields } from './connection.ts';
import { type DeclaredField, secretFields } from './declared.ts';
import { SecretFields } from './declared-fields.tsx';
import { connectionsPath, staleConnections } from './queries.ts';
import { VendorSteps } from './vendor-steps.tsx';
import { words } from './words.ts';

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

type SecretsSectionProps = { connection: Connection; mayChange: boolean };

export function SecretsSection({ connection, mayChange }: SecretsSectionProps) {
  const [isReplacing, setReplacing] = useState(false);
  return (
    <Section title={words.secrets} text={words.replaceText}>
      <dl className="mb-3 flex flex-col gap-2">
        {secretFields(connection.vendor).map((field) => (
          <StoredSecret key={field.path} connection={connection} field={field} />
        ))}
      </dl>
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

type StoredSecretProps = { connection: Connection; field: DeclaredField };

function StoredSecret({ connection: { secrets }, field: { name, label } }: StoredSecretProps) {
  const stored = secrets[name];
  return (
    <div>
      <dt className="font-medium">{label}</dt>
      <dd className="text-ink2">
        {stored ? (
          <>
            {words.stored(stored.ends)}{' '}
            <time dateTime={stored.set_at}>{day.format(new Date(stored.set_at))}</time>
          </>
        ) : (
          words.notSet
        )}
      </dd>
    </div>
  );
}

type ReplaceFormProps = { connection: Connection; onClose: () => void };

function ReplaceForm({ connection, onClose }: ReplaceFormProps) {
  const { id, version, vendor, secrets: stored } = connection;
  const [draft, setDraft] = useState<TypedFields>({});
  const [removed, setRemoved] = useState<readonly string[]>([]);
  const saving = useWrite(...staleConnections);
  const fields = secretFields(vendor);
  const removable = fields.filter(({ name, isRequired }) => !isRequired && name in stored);
  function type(typed: TypedFields) {
    setDraft(typed);
    // A secret that is typed is not one to be removed.
    const untyped = fields.filter(({ path }) => !typed[path]).map(({ name }) => name);
    setRemoved(removed.filter((name) => untyped.includes(name)));
  }
  async function save() {
    const path = `${connectionsPath}/${id}`;
    const nulls = Object.fromEntries(removed.map((name) => [name, null]));
    const body = { secrets: { ...nulls, ...newSecrets(fields, draft) } };
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
      <VendorSteps vendor={vendor} />
      <SecretFields fields={fields} draft={draft} onChange={type} mayStay />
      {removable.map(({ name, label }) => (
        <CheckField
          key={name}
          path={`remove.${name}`}
          label={words.removeSecret(label)}
          isChecked={removed.includes(name)}
          onChange={(isChecked) =>
            setRemoved(isChecked ? [...removed, name] : removed.filter((one) => one !== name))
          }
        />
      ))}
    </Form>
  );
}
