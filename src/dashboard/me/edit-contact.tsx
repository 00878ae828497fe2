import { useState } from 'react';
import { accessLimits } from '../../limits/access.ts';
import { useWrite } from '../api/use-write.ts';
import type { Contact } from '../people/queries.ts';
import { Dialog } from '../ui/dialog.tsx';
import { SelectField, TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { TestContact } from './test-contact.tsx';
import { words } from './words.ts';

type EditProps = {
  userId: string;
  contact: Contact;
  /** On its channel, with it. */
  count: number;
  onClose: () => void;
};

/** What a contact is called, and when it is used of several on its channel. */
export function EditContactDialog({ userId, contact, count, onClose }: EditProps) {
  const [label, setLabel] = useState(contact.label ?? '');
  const [position, setPosition] = useState(contact.position);
  const saving = useWrite(['users']);
  async function save() {
    const path = `/users/${userId}/contacts/${contact.id}`;
    const body = { label: label.trim() || null, ...(count > 1 && { position }) };
    const done = await saving.send({ method: 'PATCH', path, body, name: words.edit });
    if (done !== null) onClose();
  }
  return (
    <Dialog isOpen title={words.editTitle(contact.address)} onClose={onClose}>
      <Form
        isPending={saving.isPending}
        failure={saving.failure}
        onSave={() => void save()}
        onCancel={onClose}
      >
        <TextField
          path="label"
          label={words.label}
          help={words.labelHelp}
          maxLength={accessLimits.contactLabel}
          value={label}
          onChange={setLabel}
        />
        {count > 1 && (
          <SelectField
            path="position"
            label={words.order}
            help={words.orderHelp}
            value={String(position)}
            options={Array.from({ length: count }, (_, index) => ({
              value: String(index + 1),
              text: words.place(index + 1),
            }))}
            onChange={(value) => setPosition(Number(value))}
          />
        )}
      </Form>
      {contact.verified && <TestContact userId={userId} contact={contact} />}
    </Dialog>
  );
}
