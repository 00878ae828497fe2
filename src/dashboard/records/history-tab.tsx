import { PagerError } from '../api/pager.ts';
import { draftOf } from '../form/draft.ts';
import { fieldsOf } from '../form/form.ts';
import { type NameOf, useNames } from '../form/picks.ts';
import { textOf } from '../form/text.ts';
import { Button } from '../ui/button.tsx';
import { Reading } from '../ui/loaded.tsx';
import { Moment } from '../ui/moment.tsx';
import { Trouble } from '../ui/panel.tsx';
import { words as uiWords } from '../ui/words.ts';
import { resourceOf } from './declared.ts';
import { type HistoryEntry, useHistory } from './queries.ts';
import type { RecordKind } from './record.ts';
import { words } from './words.ts';

/** From the audit log: who wrote it, and what that changed. */
export function HistoryTab({ kind, id }: { kind: RecordKind; id: string }) {
  const query = useHistory(kind, id);
  const nameOf = useNames(fieldsOf(resourceOf(kind)));
  if (query.data === undefined) {
    const { error } = query;
    if (!(error instanceof PagerError)) return <Reading />;
    return <Trouble title={uiWords.notRead} failure={error.failure} retry={query.refetch} />;
  }
  const entries = query.data.pages.flatMap(({ data }) => data);
  return (
    <div className="max-w-4xl px-4 py-4 md:px-5">
      <p className="text-sm text-ink2">
        {entries.length === 0 ? words.noHistory : words.historyText}
      </p>
      <ol className="mt-1">
        {entries.map((entry) => (
          <li
            key={entry.id}
            className="grid gap-x-4 gap-y-1 border-t border-line py-3 md:grid-cols-[13rem_minmax(0,1fr)]"
          >
            <div className="min-w-0 text-sm">
              <span className="block text-ink2">
                <Moment at={entry.at} />
              </span>
              <p className="text-base font-medium wrap-anywhere">
                <bdi>{entry.actor.name}</bdi>
              </p>
              <p className="text-ink2">{words.by[entry.actor.type]}</p>
            </div>
            <div className="min-w-0">
              <p className="font-medium">{words.actions[entry.action] ?? entry.action}</p>
              <Differences kind={kind} entry={entry} nameOf={nameOf} />
            </div>
          </li>
        ))}
      </ol>
      {query.hasNextPage && (
        <Button
          className="mt-3"
          disabled={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {words.more}
        </Button>
      )}
    </div>
  );
}

type DifferencesProps = { kind: RecordKind; entry: HistoryEntry; nameOf: NameOf };

function Differences({ kind, entry: { before, after }, nameOf }: DifferencesProps) {
  if (before === undefined || after === undefined) return null;
  const fields = fieldsOf(resourceOf(kind));
  const [old, next] = [draftOf(fields, before), draftOf(fields, after)];
  const changed = fields
    .map(({ name, label, widget }) => ({
      label,
      before: textOf(widget, old[name], nameOf),
      after: textOf(widget, next[name], nameOf),
    }))
    .filter((one) => one.before !== one.after);
  const sentences = kind.changesOf?.(before, after, nameOf) ?? [];
  return (
    <>
      {sentences.map((text) => (
        <p key={text} className="wrap-anywhere">
          {text}
        </p>
      ))}
      <dl className="mt-1 flex flex-col gap-1 text-sm">
        {changed.map((one) => (
          <div key={one.label}>
            <dt className="text-ink3">{one.label}</dt>
            <dd className="whitespace-pre-line wrap-anywhere">
              <del className="text-ink3">{one.before || words.nothing}</del>{' '}
              <ins className="no-underline">{one.after || words.nothing}</ins>
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
