// Creating a record.
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ComponentType, useState } from 'react';
import { sessionQuery, teamNamesQuery } from '../api/queries.ts';
import { useMay } from '../api/use-may.ts';
import { useWrite } from '../api/use-write.ts';
import type { OwnWidgets } from '../form/around.tsx';
import { bodyOf, type Draft, newDraft } from '../form/draft.ts';
import { fieldsOf } from '../form/form.ts';
import { RecordForm } from '../form/record-form.tsx';
import { PageHeader } from '../shell/page-header.tsx';
import { sameTeam } from '../shell/pages.ts';
import { useTeam } from '../shell/team-label.tsx';
import { useTitle } from '../shell/use-title.ts';
import { isSame } from '../ui/edits.ts';
import { SelectField } from '../ui/field.tsx';
import { NotAllowed } from '../ui/not-allowed.tsx';
import { warningsIn } from '../ui/warnings.tsx';
import { About } from './about.tsx';
import { resourceOf } from './declared.ts';
import { Effects } from './effects.tsx';
import { type DraftViewProps, keyOf, pathOf, type RecordKind } from './record.ts';
import { words } from './words.ts';

type NewRecordPageProps = {
  kind: RecordKind;
  own?: OwnWidgets;
  /** What it begins with, beside what has to be there. */
  begin?: Draft;
  /** Below the form. */
  below?: ComponentType<DraftViewProps>;
};

export function NewRecordPage({ kind, own, begin, below: Below }: NewRecordPageProps) {
  const resource = resourceOf(kind);
  const fields = fieldsOf(resource);
  const navigate = useNavigate();
  const writing = useWrite([keyOf(kind)], ['search']);
  const [begun] = useState<Draft>(() => ({ ...newDraft(fields), ...begin }));
  const [draft, setDraft] = useState(begun);
  const { teamId, teams, setTeam } = useTeamChoice();
  const title = words.create(kind.words.one);
  useTitle(title);
  const isAllowed = useMay('manager');
  const save = async () => {
    const body = { ...bodyOf(fields, draft), ...(teamId !== undefined && { team_id: teamId }) };
    const made = await writing.send({ method: 'POST', path: kind.path, body });
    if (made !== null)
      void navigate({
        to: pathOf(kind, String(made['id'])),
        search: sameTeam,
        // Its page shows them.
        state: { warnings: warningsIn(made) },
        replace: true,
        ignoreBlocker: true,
      });
  };
  if (isAllowed === false) return <NotAllowed title={title} least="manager" />;
  const isTouched = !isSame(begun, draft);
  return (
    <>
      <PageHeader title={title} back={{ to: kind.path, text: kind.words.title }} />
      <div className="px-4 py-4 md:px-5">
        <RecordForm
          resource={resource}
          draft={draft}
          onChange={setDraft}
          teamId={teamId}
          own={own}
          save={title}
          isTouched={isTouched}
          isPending={writing.isPending}
          failure={writing.failure}
          onSave={() => void save()}
          onCancel={() => void navigate({ to: kind.path, search: sameTeam, ignoreBlocker: true })}
          above={
            <>
              <About kind={kind} />
              {teams.length > 1 && (
                <SelectField
                  path="team_id"
                  label={words.team}
                  value={teamId ?? ''}
                  options={teams}
                  onChange={setTeam}
                />
              )}
            </>
          }
          below={<Effects kind={kind} draft={draft} teamId={teamId} isTouched={isTouched} />}
        />
        {Below && <Below draft={draft} teamId={teamId} />}
      </div>
    </>
  );
}

/** The team that the address names, else the first of one's own, else the first. */
function useTeamChoice() {
  const named = useTeam();
  const { data: session } = useQuery(sessionQuery);
  const { data: names } = useQuery(teamNamesQuery);
  const [chosen, setTeam] = useState('');
  const teams = [...(names ?? [])].map(([value, text]) => ({ value, text }));
  const own = session?.teams.find(({ id }) => names?.has(id))?.id;
  const teamId = chosen || named || own || teams[0]?.value;
  return { teamId, teams, setTeam };
}
