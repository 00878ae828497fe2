import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { personName } from '../../resources/person-name.ts';
import { sessionQuery } from '../api/queries.ts';
import { useMay } from '../api/use-may.ts';
import { useWrite } from '../api/use-write.ts';
import { peopleQuery } from '../people/queries.ts';
import { PageHeader } from '../shell/page-header.tsx';
import { useTitle } from '../shell/use-title.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Empty } from '../ui/panel.tsx';
import { PersonMark } from '../ui/person-mark.tsx';
import { type Team, teamsQuery } from './queries.ts';
import { words } from './words.ts';

const marksShown = 8;

export function TeamsPage() {
  const mayAdd = useMay('admin');
  const query = useQuery(teamsQuery);
  const [isAdding, setAdding] = useState(false);
  useTitle(words.title);
  return (
    <>
      <PageHeader title={words.title}>
        {mayAdd && (
          <Button kind="primary" icon="plus" className="ms-auto" onClick={() => setAdding(true)}>
            {words.add}
          </Button>
        )}
      </PageHeader>
      <Loaded query={query}>
        {(teams) =>
          teams.length === 0 ? (
            <Empty {...words.empty} />
          ) : (
            <ul>
              {teams.map((team) => (
                <TeamRow key={team.id} team={team} />
              ))}
            </ul>
          )
        }
      </Loaded>
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
    </>
  );
}

function TeamRow({ team }: { team: Team }) {
  const { data: people = [] } = useQuery(peopleQuery);
  const members = people.filter(({ id }) => team.user_ids.includes(id));
  return (
    <li>
      <Link
        to="/teams/$id"
        params={{ id: team.id }}
        className="flex min-h-14 items-center gap-3 border-b border-line px-4 py-2 hover:bg-sunken md:px-5"
      >
        <span className="min-w-0 flex-1">
          <span className="block truncate font-medium">
            <bdi>{team.name}</bdi>{' '}
            {team.default && <span className="font-normal text-ink3">{words.isDefault}</span>}
          </span>
          <span className="block text-sm text-ink3">{words.count(team.user_ids.length)}</span>
        </span>
        <span className="flex -space-x-1">
          {members.slice(0, marksShown).map((person) => (
            <PersonMark key={person.id} id={person.id} name={personName(person)} />
          ))}
        </span>
      </Link>
    </li>
  );
}

/** Whoever adds it begins as its only member. */
function AddDialog({ onClose }: { onClose: () => void }) {
  const { data: session } = useQuery(sessionQuery);
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const adding = useWrite(['teams'], ['session'], ['users']);
  async function add() {
    const body = { name, user_ids: session === undefined ? [] : [session.user.id] };
    const made = await adding.send({ method: 'POST', path: '/teams', body });
    if (made !== null) void navigate({ to: '/teams/$id', params: { id: String(made['id']) } });
  }
  return (
    <Dialog isOpen title={words.add} onClose={onClose}>
      <Form
        save={words.add}
        isPending={adding.isPending}
        failure={adding.failure}
        onSave={() => void add()}
        onCancel={onClose}
      >
        <TextField path="name" label={words.name} value={name} onChange={setName} />
      </Form>
    </Dialog>
  );
}
