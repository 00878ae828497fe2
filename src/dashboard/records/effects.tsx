// What saving a record does to people, in the sentences that a plan of Terraform has.
import { useQuery } from '@tanstack/react-query';
import { PagerError } from '../api/pager.ts';
import { previewFailure } from '../api/preview-failure.ts';
import { problemsOf } from '../form/check.ts';
import { bodyOf, type Draft } from '../form/draft.ts';
import { fieldsOf } from '../form/form.ts';
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
  const resource = resourceOf(kind);
  const isReady = problemsOf(resource, draft).length === 0;
  const body = bodyOf(fieldsOf(resource), late);
  const record = {
    ...body,
    ...(id !== undefined && { id }),
    ...(teamId !== undefined && { team_id: teamId }),
  };
  const { data, error, isPlaceholderData } = useQuery({
    ...effectsQuery(kind, record),
    enabled: isTouched && isReady && !isLate,
  });
  if (!isTouched) return null;
  const isOfOther = isReady && (isLate || isPlaceholderData);
  return (
    <section aria-labelledby="effects" aria-busy={isOfOther}>
      <h2 id="effects" className="font-medium">
        {words.effects}
      </h2>
      <div aria-live="polite" className={isOfOther ? 'opacity-60' : ''}>
        {!isReady ? (
          <p className="text-ink2">{words.incomplete}</p>
        ) : error instanceof PagerError && !isLate ? (
          <p className="text-ink2">
            {error.failure.type === 'refused' ? words.incomplete : previewFailure(error.failure)}
          </p>
        ) : data === undefined ? (
          <p className="text-ink2">{words.computing}</p>
        ) : data.length === 0 ? (
          <p className="text-ink2">{words.noEffects}</p>
        ) : (
          <Consequences warnings={data} />
        )}
      </div>
    </section>
  );
}
