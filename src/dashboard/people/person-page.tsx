import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { personName } from '../../resources/person-name.ts';
import { mayAct } from '../../resources/roles.ts';
import { sessionQuery, teamNamesQuery } from '../api/queries.ts';
import { useMay } from '../api/use-may.ts';
import { useWrite } from '../api/use-write.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { sameTeam } from '../shell/pages.ts';
import { useTitle } from '../shell/use-title.ts';
import { channelIcons, channelNames } from '../ui/channel.ts';
import { Conflict, type Part } from '../ui/conflict.tsx';
import { ContactState } from '../ui/contact-state.tsx';
import { isSame } from '../ui/edits.ts';
import { Form } from '../ui/form.tsx';
import { Icon } from '../ui/icon.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Empty } from '../ui/panel.tsx';
import { PersonMark } from '../ui/person-mark.tsx';
import { Saved } from '../ui/saved.tsx';
import { Section } from '../ui/section.tsx';
import { useEdit } from '../ui/use-edit.ts';
import { type Access, AccessFields } from './access-fields.tsx';
import { ActiveSection } from './active.tsx';
import { AddressForm } from './address.tsx';
import { FactorsSection } from './factors.tsx';
import { InviteAgain } from './invite-again.tsx';
import type { ListedPerson } from './person.ts';
import { contactsQuery, onCallQuery, peopleQuery, usesQuery } from './queries.ts';
import { Unreachable } from './row.tsx';
import { ShiftList } from './shift-list.tsx';
import { UseList } from './use-list.tsx';
import { words } from './words.ts';

const list = new Intl.ListFormat(undefined, { type: 'unit', style: 'short' });

export function PersonPage() {
  const { id } = useParams({ from: '/users/$id' });
  const query = useQuery(peopleQuery);
  const person = query.data?.find((one) => one.id === id);
  useTitle(person ? personName(person) : words.title);
  return (
    <>
      <PageHeader
        title={person ? personName(person) : words.title}
        back={{ to: '/users', text: words.title }}
      />
      <Loaded query={query}>
        {() => (person ? <PersonView key={id} person={person} /> : <Empty {...words.notThere} />)}
      </Loaded>
    </>
  );
}

function PersonView({ person }: { person: ListedPerson }) {
  const { data: session } = useQuery(sessionQuery);
  const me = session?.user;
  const mayChange =
    me !== undefined && mayAct(me, 'admin') && (person.role !== 'owner' || me.role === 'owner');
  const shifts = useQuery(onCallQuery(person.id));
  const uses = useQuery(usesQuery(person.id));
  return (
    <>
      <Summary person={person} isMe={person.id === me?.id} />
      <Section title={words.contacts} text={words.contactsText}>
        <Contacts person={person} />
      </Section>
      <Section title={words.shifts} text={words.shiftsText}>
        <Loaded query={shifts}>{(onCall) => <ShiftList onCall={onCall} />}</Loaded>
      </Section>
      <Section title={words.uses} text={words.usesText}>
        <Loaded query={uses}>{(list) => <UseList uses={list} />}</Loaded>
      </Section>
      {mayChange && (
        <>
          <Section title={words.access}>
            <AccessForm person={person} />
          </Section>
          <Section title={words.address} text={words.addressText}>
            <AddressForm person={person} />
          </Section>
          {person.active && person.id !== me?.id && <InviteAgain person={person} />}
          {person.id !== me?.id && <FactorsSection person={person} />}
          {person.id !== me?.id && <ActiveSection person={person} />}
        </>
      )}
    </>
  );
}

function Summary({ person, isMe }: { person: ListedPerson; isMe: boolean }) {
  const { id, email, role, active, reachability } = person;
  const seesOthers = useMay('manager');
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-4 py-4 md:px-5">
      <PersonMark id={id} name={personName(person)} />
      <a href={`mailto:${email}`} className="min-w-0 truncate underline decoration-line">
        <bdi>{email}</bdi>
      </a>
      <span className="text-ink2">{words.roles[role]}</span>
      {!active && <span className="font-medium">{words.deactivated}</span>}
      {active && !reachability.reachable && (
        <span className="flex min-w-0 flex-wrap items-center gap-x-2">
          <Unreachable />
          <span className="text-ink2">{reachability.reason}</span>
        </span>
      )}
      {isMe && <span className="text-ink3">{words.you}</span>}
      {(isMe || seesOthers) && (
        <Link
          to="/pages"
          search={(search) => ({ ...sameTeam(search), person: id })}
          className="underline"
        >
          <bdi>{words.pagesTo(personName(person))}</bdi>
        </Link>
      )}
    </div>
  );
}

function Contacts({ person: { id } }: { person: ListedPerson }) {
  return (
    <Loaded query={useQuery(contactsQuery(id))}>
      {(contacts) =>
        contacts.length === 0 ? (
          <p className="text-ink2">{words.noContacts}</p>
        ) : (
          <ul className="flex flex-col gap-2">
            {contacts.map((contact) => {
              const { id, channel, address, reachability, reachability_reason: reason } = contact;
              return (
                <li key={id} className="flex min-w-0 gap-2.5">
                  <Icon name={channelIcons[channel]} className="mt-0.5 size-4" />
                  <span className="min-w-0">
                    <span className="block truncate">
                      <bdi className="font-medium">{address}</bdi>{' '}
                      <span className="text-ink3">{channelNames[channel]}</span>
                    </span>
                    <span className="block text-sm text-pretty text-ink2">
                      <ContactState contact={contact} />
                      {reachability === 'broken' && reason && <> {reason}</>}
                    </span>
                  </span>
                </li>
              );
            })}
          </ul>
        )
      }
    </Loaded>
  );
}

const accessOf = ({ role, team_ids }: ListedPerson): Access => ({ role, team_ids });

function AccessForm({ person }: { person: ListedPerson }) {
  const { data: teams } = useQuery(teamNamesQuery);
  const saving = useWrite(['users'], ['teams'], ['session']);
  const edit = useEdit({ record: person, draftOf: accessOf, writing: saving });
  const [saved, setSaved] = useState<Access | null>(null);
  const { draft, setDraft, version } = edit;
  async function save() {
    const path = `/users/${person.id}`;
    const done = await saving.send({
      method: 'PATCH',
      path,
      body: draft,
      version,
      name: words.access,
    });
    setSaved(done && draft);
    if (done !== null) edit.saved(done);
  }
  const parts: readonly Part<Access>[] = [
    { name: 'role', label: words.role, text: ({ role }) => words.roles[role] },
    {
      name: 'team_ids',
      label: words.teams,
      text: ({ team_ids }) => list.format(team_ids.map((id) => teams?.get(id) ?? id).toSorted()),
    },
  ];
  return (
    <Form
      isPending={saving.isPending}
      failure={saving.failure}
      isTouched={edit.isTouched}
      onSave={() => void save()}
    >
      <Conflict edit={edit} parts={parts} />
      <AccessFields value={draft} onChange={setDraft} />
      <Saved isSaved={isSame(saved, draft)} />
    </Form>
  );
}
