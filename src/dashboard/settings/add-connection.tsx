import { useState } from 'react';
import { vendors } from '../../resources/connections/vendors.ts';
import { useWrite } from '../api/use-write.ts';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import {
  newSecrets,
  sentFields,
  type TypedFields,
  typedFields,
  vendorTitle,
} from './connection.ts';
import { secretFields, settingFields } from './declared.ts';
import { SecretFields, SettingFields } from './declared-fields.tsx';
import { connectionsPath, staleConnections } from './queries.ts';
import { VendorSteps } from './vendor-steps.tsx';
import { words } from './words.ts';

const [firstVendor = ''] = vendors.map(({ vendor }) => vendor);

/** The name is null until somebody types one. */
type Draft = {
  readonly vendor: string;
  readonly name: string | null;
  readonly fields: TypedFields;
};

const emptyOf = (vendor: string, name: string | null): Draft => ({
  vendor,
  name,
  fields: typedFields(settingFields(vendor), {}),
});

export function AddConnectionDialog({ onClose }: { onClose: () => void }) {
  const [draft, setDraft] = useState<Draft>(() => emptyOf(firstVendor, null));
  const { vendor, fields } = draft;
  const name = draft.name ?? words.nameOf(vendorTitle(vendor));
  const adding = useWrite(...staleConnections);
  const change = (typed: TypedFields) => setDraft({ ...draft, fields: typed });
  async function add() {
    const settings = sentFields(settingFields(vendor), fields);
    const secrets = newSecrets(secretFields(vendor), fields);
    const body = { name, vendor, settings, secrets };
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
        <SelectField
          path="vendor"
          label={words.vendor}
          value={vendor}
          options={vendors.map((one) => ({ value: one.vendor, text: one.title }))}
          onChange={(chosen) => {
            adding.forget();
            setDraft(emptyOf(chosen, draft.name));
          }}
        />
        <VendorSteps vendor={vendor} />
        <TextField
          path="name"
          label={words.name}
          value={name}
          onChange={(typed) => setDraft({ ...draft, name: typed })}
        />
        <SettingFields fields={settingFields(vendor)} draft={fields} onChange={change} />
        <SecretFields
          fields={secretFields(vendor)}
          draft={fields}
          onChange={change}
          mayStay={false}
        />
      </Form>
    </Dialog>
  );
}
