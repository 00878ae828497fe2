import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Session } from '../../client/browser.ts';
import { knownLanguage, languages } from '../../resources/language.ts';
import { useWrite } from '../api/use-write.ts';
import { NameFields } from '../people/name-fields.tsx';
import type { Person } from '../people/person.ts';
import { words as peopleWords } from '../people/words.ts';
import { Conflict, type Part } from '../ui/conflict.tsx';
import { isSame } from '../ui/edits.ts';
import { SelectField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Saved } from '../ui/saved.tsx';
import { Section } from '../ui/section.tsx';
import { useEdit } from '../ui/use-edit.ts';
import { zonesWith } from '../ui/zones.ts';
import { OfferZone } from './offer-zone.tsx';
import { ownQuery } from './queries.ts';
import { words } from './words.ts';

export const AccountSection = ({ session }: { session: Session }) => (
  <Section title={words.account}>
    <Loaded query={useQuery(ownQuery)}>
      {(own) => <AccountForm own={own} organizationZone={session.organization.timezone} />}
    </Loaded>
  </Section>
);

type Draft = {
  readonly first_name: string;
  readonly last_name: string;
  /** None: the organisation's; of the language as well. */
  readonly timezone: string;
  readonly language: string;
};

const draftOf = ({ first_name, last_name, timezone = '', language }: Person): Draft => ({
  first_name,
  last_name,
  timezone,
  language: language ?? '',
});

const languageText = (value: string): string =>
  languages.some((one) => one === value)
    ? words.languages[knownLanguage(value)]
    : words.organizationLanguage;

function AccountForm({ own, organizationZone }: { own: Person; organizationZone: string }) {
  const [saved, setSaved] = useState<Draft | null>(null);
  const saving = useWrite(['session'], ['users']);
  const edit = useEdit({ record: own, draftOf, writing: saving });
  const { draft, setDraft, version } = edit;
  async function save() {
    const body = {
      ...draft,
      timezone: draft.timezone || null,
      language: draft.language || null,
    };
    const done = await saving.send({
      method: 'PATCH',
      path: '/users/me',
      body,
      version,
      name: words.account,
    });
    setSaved(done && draft);
    if (done !== null) edit.saved(done);
  }
  const zoneText = words.organizationZone(organizationZone);
  const parts: readonly Part<Draft>[] = [
    { name: 'first_name', label: peopleWords.firstName, text: ({ first_name }) => first_name },
    { name: 'last_name', label: peopleWords.lastName, text: ({ last_name }) => last_name },
    { name: 'timezone', label: words.zone, text: ({ timezone }) => timezone || zoneText },
    { name: 'language', label: words.language, text: ({ language }) => languageText(language) },
  ];
  return (
    <>
      {own.timezone === undefined && <OfferZone organizationZone={organizationZone} />}
      <Form
        isPending={saving.isPending}
        failure={saving.failure}
        isTouched={edit.isTouched}
        onSave={() => void save()}
      >
        <Conflict edit={edit} parts={parts} />
        <NameFields value={draft} onChange={setDraft} isOwn />
        <SelectField
          path="timezone"
          label={words.zone}
          help={words.zoneHelp}
          value={draft.timezone}
          options={[
            { value: '', text: zoneText },
            ...zonesWith(draft.timezone).map((zone) => ({ value: zone, text: zone })),
          ]}
          onChange={(timezone) => setDraft({ ...draft, timezone })}
        />
        <SelectField
          path="language"
          label={words.language}
          help={words.languageHelp}
          value={draft.language}
          options={['', ...languages].map((value) => ({ value, text: languageText(value) }))}
          onChange={(language) => setDraft({ ...draft, language })}
        />
        <Saved isSaved={isSame(saved, draft)} />
      </Form>
    </>
  );
}
