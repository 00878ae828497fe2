import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { personName } from '../../resources/person-name.ts';
import { useMay } from '../api/use-may.ts';
import { useWrite, type Writing } from '../api/use-write.ts';
import { peopleQuery } from '../people/queries.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { useTitle } from '../shell/use-title.ts';
import { ArchiveSection } from '../ui/archive-section.tsx';
import { Button, IconButton } from '../ui/button.tsx';
import { Conflict } from '../ui/conflict.tsx';
import { FailedWrite } from '../ui/failed-write.tsx';
import { TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Empty } from '../ui/panel.tsx';
import { PersonMark } from '../ui/person-mark.tsx';
import { PickField } from '../ui/pick-field.tsx';
import { Section } from '../ui/section.tsx';
import { useEdit } from '../ui/use-edit.ts';
import { type Team, teamsQuery } from './queries.ts';
import { words } from './words.ts';

export function TeamPage() {
  const { id } = useParams({ from: '/teams/$id' });
  const query = useQuery(teamsQuery);
  const team = query.data?.find((one) => one.id === id);
  useTitle(team?.name ?? words.title);
  const archiving = useWrite(...stale);
  return (
    <>
      <PageHeader title={team?.name ?? words.title} back={{ to: '/teams', text: words.title }} />
      <Loaded query={query}>
        {() =>
          team ? (
            <TeamView key={id} team={team} archiving={archiving} />
          ) : (
            <Empty {...words.notThere} />
          )
        }
      </Loaded>
    </>
  );
}

function TeamView({ team, archiving }: { team: Team; archiving: Writing }) {
  const navigate = useNavigate();
  const mayChange = useMay('admin') === true;
  return (
    <>
      <Section title={words.members} text={words.membersText}>
        <Members team={team} mayChange={mayChange} />
      </Section>
      {mayChange && (
        <>
          <Section title={words.rename} {...(team.default && { text: words.defaultText })}>
            <NameForm team={team} />
          </Section>
          {!team.default && (
            <ArchiveSection
              name={team.name}
              archiving={archiving}
              words={words}
              write={{ path: `/teams/${team.id}` }}
              // What is typed into the forms of the page goes with what they are of.
              onArchived={() => void navigate({ to: '/teams', ignoreBlocker: true })}
            />
          )}
        </>
      )}
    </>
  );
}

const stale = [['teams'], ['users'], ['session']] as const;

function Members({ team, mayChange }: { team: Team; mayChange: boolean }) {
  const people = useQuery(peopleQuery);
  const changing = useWrite(...stale);
  const queries = useQueryClient();
  const list = useRef<HTMLUListElement>(null);
  const [picked, setPicked] = useState('');
  async function set(user_ids: readonly string[]) {
    const answer = await changing.send({
      method: 'PATCH',
      path: `/teams/${team.id}`,
      version: team.version,
      body: { user_ids },
    });
    // The next change is of this version.
    if (answer !== null)
      queries.setQueryData(teamsQuery.queryKey, (teams) =>
        teams?.map((one) => (one.id === team.id ? (answer as Team) : one)),
      );
    return answer;
  }
  async function remove(id: string) {
    const left = await set(team.user_ids.filter((one) => one !== id));
    // The button goes, and the focus would be nowhere.
    if (left !== null) list.current?.focus();
  }
  async function add() {
    if (picked === '') return;
    if ((await set([...team.user_ids, picked])) !== null) setPicked('');
  }
  return (
    <Loaded query={people}>
      {(all) => (
        <>
          {team.user_ids.length === 0 && <p className="text-ink2">{words.noMembers}</p>}
          <ul ref={list} tabIndex={-1} aria-label={words.members}>
            {team.user_ids.map((id) => {
              const person = all.find((one) => one.id === id);
              const name = person ? personName(person) : id;
              return (
                <li
                  key={id}
                  className="flex min-h-11 items-center gap-2.5 border-b border-line last:border-b-0"
                >
                  <PersonMark id={id} name={name} />
                  <Link to="/users/$id" params={{ id }} className="min-w-0 flex-1 truncate">
                    <bdi>{name}</bdi>
                  </Link>
                  {mayChange && (
                    <IconButton
                      icon="x"
                      label={words.remove(name)}
                      aria-disabled={changing.isPending}
                      onClick={() => void remove(id)}
                    />
                  )}
                </li>
              );
            })}
          </ul>
          <FailedWrite failure={changing.failure} />
          {mayChange && (
            <div className="mt-3 flex max-w-md items-end gap-2">
              <div className="min-w-0 flex-1">
                <PickField
                  path="user_id"
                  label={words.addMember}
                  picks={all
                    .filter(({ id, active }) => active && !team.user_ids.includes(id))
                    .map((one) => ({ value: one.id, label: personName(one), hint: one.email }))}
                  mark={({ value, label }) => <PersonMark id={value} name={label} />}
                  value={picked}
                  onChange={setPicked}
                />
              </div>
              <Button aria-disabled={changing.isPending} onClick={() => void add()}>
                {words.addToTeam}
              </Button>
            </div>
          )}
        </>
      )}
    </Loaded>
  );
}

const nameOf = ({ name }: Team) => ({ name });

function NameForm({ team }: { team: Team }) {
  const saving = useWrite(...stale);
  const edit = useEdit({ record: team, draftOf: nameOf, writing: saving });
  const { draft, setDraft, version } = edit;
  async function save() {
    const path = `/teams/${team.id}`;
    const done = await saving.send({ method: 'PATCH', path, version, body: draft });
    if (done !== null) edit.saved(done);
  }
  return (
    <Form
      isPending={saving.isPending}
      failure={saving.failure}
      isTouched={edit.isTouched}
      onSave={() => void save()}
    >
      <Conflict
        edit={edit}
        parts={[{ name: 'name', label: words.name, text: ({ name }) => name }]}
      />
      <TextField
        path="name"
        label={words.name}
        value={draft.name}
        onChange={(name) => setDraft({ name })}
      />
    </Form>
  );
}
