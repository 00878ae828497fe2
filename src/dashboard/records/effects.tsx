// What saving a record does to people, in the sentences that a plan of Terraform has.
import { useQuery } from '@tanstack/react-query';
import { use } from 'react';
import { FormAround } from '../form/around.tsx';
import { bodyOf, type Draft } from '../form/draft.ts';
import { fieldsOf } from '../form/form.ts';
import { Computed } from '../ui/computed.tsx';
import { Sentence } from '../ui/sentence.tsx';
import { useLate } from '../ui/use-late.ts';
import { resourceOf } from './declared.ts';
import { effectsQuery } from './queries.ts';
import type { RecordKind } from './record.ts';
import { words } from './words.ts';

type Warning = { readonly code: string; readonly message: string };

export const Consequences = ({ warnings }: { warnings: readonly Warning[] }) => (
  <ul className="mt-1 flex flex-col gap-1.5 empty:hidden">
    {warnings.map(({ code, message }) => (
      <li
        key={message}
        className={`rounded-md px-3 py-2 text-pretty ${code === 'notified' ? 'bg-sunken' : 'bg-amber-tint'}`}
      >
        <Sentence text={message} />
      </li>
    ))}
  </ul>
);

type EffectsProps = {
  kind: RecordKind;
  draft: Draft;
  /** Absent: it is new. */
  id?: string;
  teamId: string | undefined;
  /** Nothing is asked about what is as it was. */
  isTouched: boolean;
};

/** Below the fields of a form, while somebody edits it. */
export function Effects({ kind, draft, id, teamId, isTouched }: EffectsProps) {
  const late = useLate(draft);
  const isLate = JSON.stringify(late) !== JSON.stringify(draft);
  const isComplete = use(FormAround).problems.length === 0;
  const body = bodyOf(fieldsOf(resourceOf(kind)), late);
  const record = {
    ...body,
    ...(id !== undefined && { id }),
    ...(teamId !== undefined && { team_id: teamId }),
  };
  const query = useQuery({
    ...effectsQuery(kind, record),
    enabled: isTouched && isComplete && !isLate,
  });
  if (!isTouched) return null;
  return (
    <Computed
      title={words.effects}
      query={query}
      isComplete={isComplete}
      isLate={isLate}
      incomplete={words.incomplete}
    >
      {(data) =>
        data.length === 0 ? (
          <p className="text-ink2">{kind.words.noEffects ?? words.noEffects}</p>
        ) : (
          <Consequences warnings={data} />
        )
      }
    </Computed>
  );
}
