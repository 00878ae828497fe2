import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { personName } from '../../resources/person-name.ts';
import { useWrite, type Writing } from '../api/use-write.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { FailedWrite } from '../ui/failed-write.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Section } from '../ui/section.tsx';
import { ChangedPages, LeftAlone } from './left-alone.tsx';
import type { Person } from './person.ts';
import { deactivationQuery, usesQuery } from './queries.ts';
import { UseList } from './use-list.tsx';
import { words } from './words.ts';

/** Whether they may sign in and are paged. */
export function ActiveSection({ person }: { person: Person }) {
  const [isOpen, setOpen] = useState(false);
  const writing = useWrite(['users'], ['on-calls']);
  const set = async (active: boolean) => {
    const path = `/users/${person.id}`;
    const name = active ? words.reactivate : words.deactivate;
    const done = await writing.send({
      method: 'PATCH',
      path,
      version: person.version,
      body: { active },
      name,
    });
    if (done !== null) setOpen(false);
  };
  if (!person.active)
    return (
      <Section title={words.reactivate} text={words.reactivateText}>
        <Button aria-disabled={writing.isPending} onClick={() => void set(true)}>
          {words.reactivate}
        </Button>
        <FailedWrite failure={writing.failure} />
      </Section>
    );
  return (
    <Section title={words.deactivate} text={words.deactivateText}>
      <Button kind="danger" onClick={() => setOpen(true)}>
        {words.deactivate}
      </Button>
      {isOpen && (
        <DeactivateDialog
          person={person}
          writing={writing}
          onDeactivate={() => void set(false)}
          onClose={() => setOpen(false)}
        />
      )}
    </Section>
  );
}

type DeactivateProps = {
  person: Person;
  writing: Writing;
  onDeactivate: () => void;
  onClose: () => void;
};

function DeactivateDialog({ person, writing, onDeactivate, onClose }: DeactivateProps) {
  const uses = useQuery(usesQuery(person.id));
  const changes = useQuery(deactivationQuery(person.id));
  return (
    <Confirm
      title={words.deactivateTitle(personName(person))}
      text={words.deactivateText}
      action={words.deactivate}
      writing={writing}
      isReady={!uses.isLoading && !changes.isLoading}
      onConfirm={onDeactivate}
      onClose={onClose}
    >
      <Loaded query={changes}>
        {({ schedules, paging }) => (
          <>
            {schedules.length > 0 && <LeftAlone schedules={schedules} />}
            {paging.length > 0 && <ChangedPages messages={paging} />}
          </>
        )}
      </Loaded>
      <Loaded query={uses}>
        {(list) =>
          list.length === 0 ? (
            <p>{words.deactivateNone}</p>
          ) : (
            <>
              <p className="mb-1 font-medium">{words.deactivateUses}</p>
              <UseList uses={list} />
            </>
          )
        }
      </Loaded>
    </Confirm>
  );
}
