import { useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { vendors } from '../../resources/connections/vendors.ts';
import { useWrite } from '../api/use-write.ts';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Warnings } from '../ui/warnings.tsx';
import {
  newSecrets,
  sentFields,
  type TypedFields,
  typedFields,
  vendorTitle,
} from './connection.ts';
import { secretFields, settingFields } from './declared.ts';
import { SecretFields, SettingFields } from './declared-fields.tsx';
import { connectionsPath, staleConnections, vendorLimitsQuery } from './queries.ts';
import { VendorSteps } from './vendor-steps.tsx';
import { words } from './words.ts';

/** One that serves the channel; the first of all for any. */
function firstVendor(channel: string | null): string {
  const serving = vendors.find(({ channels }) => channels.some((one) => one === channel));
  return (serving ?? vendors[0])?.vendor ?? '';
}

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

type AddConnectionProps = {
  /** That is to be set up; null: any. */
  channel: string | null;
  onClose: () => void;
};

export function AddConnectionDialog({ channel, onClose }: AddConnectionProps) {
  const [draft, setDraft] = useState<Draft>(() => emptyOf(firstVendor(channel), null));
  const { vendor, fields } = draft;
  const name = draft.name ?? words.nameOf(vendorTitle(vendor));
  const { data: limits } = useQuery(vendorLimitsQuery(vendor));
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
        <Warnings warnings={limits ?? []} />
        <VendorSteps vendor={vendor} />
        <TextField
          path="name"
          label={words.name}
          value={name}
          onChange={(typed) => setDraft({ ...draft, name: typed })}
        />
        {[true, false].map((isRequired) => (
          <Fragment key={String(isRequired)}>
            <SettingFields
              fields={settingFields(vendor).filter((one) => one.isRequired === isRequired)}
              draft={fields}
              onChange={change}
            />
            <SecretFields
              fields={secretFields(vendor).filter((one) => one.isRequired === isRequired)}
              draft={fields}
              onChange={change}
              mayStay={false}
            />
          </Fragment>
        ))}
      </Form>
    </Dialog>
  );
}
