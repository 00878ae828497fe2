import { useState } from 'react';
import type { Session } from '../../client/browser.ts';
import { useWrite } from '../api/use-write.ts';
import { SelectField, TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Saved } from '../ui/saved.tsx';
import { Section } from '../ui/section.tsx';
import { words } from './words.ts';

export function AccountSection({ session: { user, organization } }: { session: Session }) {
  const { first_name, last_name, timezone = '' } = user;
  const [draft, setDraft] = useState({ first_name, last_name, timezone });
  const [isSaved, setSaved] = useState(false);
  const saving = useWrite(['session'], ['users']);
  const set = (name: keyof typeof draft) => (value: string) => {
    setDraft({ ...draft, [name]: value });
    setSaved(false);
  };
  async function save() {
    const body = { ...draft, timezone: draft.timezone || null };
    setSaved((await saving.send({ method: 'PATCH', path: '/users/me', body })) !== null);
  }
  return (
    <Section title={words.account}>
      <Form isPending={saving.isPending} failure={saving.failure} onSave={() => void save()}>
        <div className="grid grid-cols-2 gap-3">
          <TextField
            path="first_name"
            label={words.firstName}
            autoComplete="given-name"
            value={draft.first_name}
            onChange={set('first_name')}
          />
          <TextField
            path="last_name"
            label={words.lastName}
            autoComplete="family-name"
            value={draft.last_name}
            onChange={set('last_name')}
          />
        </div>
        <SelectField
          path="timezone"
          label={words.zone}
          help={words.zoneHelp}
          value={draft.timezone}
          options={[
            { value: '', text: words.organizationZone(organization.timezone) },
            ...zonesWith(timezone).map((zone) => ({ value: zone, text: zone })),
          ]}
          onChange={set('timezone')}
        />
        <Saved isSaved={isSaved} />
      </Form>
    </Section>
  );
}

/** Those that the browser knows, and the one that is chosen. */
function zonesWith(chosen: string): readonly string[] {
  const zones = Intl.supportedValuesOf('timeZone');
  return chosen === '' || zones.includes(chosen) ? zones : [chosen, ...zones];
}
