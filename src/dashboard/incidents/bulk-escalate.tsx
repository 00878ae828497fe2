import { useQueries } from '@tanstack/react-query';
import { possibleQuery } from '../incident/queries.ts';
import { Sentence } from '../ui/sentence.tsx';
import { words as uiWords } from '../ui/words.ts';
import { WriteButton } from '../ui/write-button.tsx';
import { bulkWords } from './bulk-words.ts';
import type { Incident } from './incident.ts';
import { pagedBy } from './next.ts';

type BulkEscalateProps = { selected: readonly Incident[]; onEscalate: () => void };

/** The second press, beside whom it pages as the API foresees it for each. */
export function BulkEscalate({ selected, onEscalate }: BulkEscalateProps) {
  const foreseen = useQueries({ queries: selected.map(({ id }) => possibleQuery(id)) });
  const isRead = foreseen.every(({ data }) => data !== undefined);
  const each = foreseen.flatMap(({ data }) => data?.get('escalate') ?? []);
  const names = [...new Set(each.flatMap(pagedBy).map(({ name }) => name))];
  const acknowledged = selected.filter(({ status }) => status === 'acknowledged').length;
  const refused = each.flatMap(({ reason }) => reason ?? []);
  return (
    <div>
      {isRead ? (
        <p className="text-pretty">
          {acknowledged > 0 && `${bulkWords.endsAcknowledgements(acknowledged)} `}
          {names.length === 0 ? bulkWords.pagesNobody : bulkWords.pages(names)}
        </p>
      ) : (
        <p role="status">{uiWords.loading}</p>
      )}
      {refused.length > 0 && (
        <ul className="max-h-24 overflow-y-auto text-ink2">
          {refused.map((reason) => (
            <li key={reason}>
              <Sentence text={reason} />
            </li>
          ))}
        </ul>
      )}
      <WriteButton
        kind={names.length === 0 ? 'primary' : 'danger'}
        className="mt-2"
        aria-disabled={!isRead}
        onClick={() => isRead && onEscalate()}
      >
        {bulkWords.escalateAll(selected.length)}
      </WriteButton>
    </div>
  );
}
