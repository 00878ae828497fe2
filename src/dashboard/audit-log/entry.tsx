import { Link } from '@tanstack/react-router';
import { visibleText } from '../../resources/visible-text.ts';
import { recordPages, sameTeam } from '../shell/pages.ts';
import { Moment } from '../ui/moment.tsx';
import { type Difference, differencesOf, type Entry, pageOf, recordName } from './entries.ts';
import { words } from './words.ts';

/** Of a change; more are behind a press. */
const SHOWN_AT_ONCE = 5;
/** A record may have a hundred thousand members. */
const SHOWN_ON_PRESS = 200;

export function EntryRow({ entry }: { entry: Entry }) {
  const { at, actor, action, record_type, record_id, before, after, request_id } = entry;
  const all = differencesOf(entry);
  const isChange = before !== undefined && after !== undefined;
  const first = isChange ? all.slice(0, SHOWN_AT_ONCE) : [];
  const rest = all.slice(first.length, SHOWN_ON_PRESS);
  const left = all.length - first.length - rest.length;
  return (
    <li className="grid gap-x-4 gap-y-1 border-b border-line py-3 last:border-b-0 md:grid-cols-[13rem_minmax(0,1fr)]">
      <div className="min-w-0 text-sm">
        <span className="block text-ink2">
          <Moment at={at} to="second" />
        </span>
        <p className="text-base font-medium wrap-anywhere">
          <bdi>{actor.name}</bdi>
        </p>
        <p className="text-ink2">{words.by[actor.type]}</p>
        {request_id !== undefined && (
          <p className="text-ink3 wrap-anywhere">{words.request(request_id)}</p>
        )}
      </div>
      <div className="min-w-0">
        <p className="wrap-anywhere">
          <span className="font-medium">{words.actions[action] ?? action}</span>{' '}
          <span className="text-ink2">{words.kinds[record_type] ?? record_type}</span>{' '}
          <RecordLink entry={entry} />{' '}
          <Link
            to="/settings/audit-log"
            search={{ type: record_type, record: record_id }}
            className="text-sm whitespace-nowrap text-ink2 underline"
          >
            {words.onlyThis}
          </Link>
        </p>
        <Differences all={first} />
        {rest.length > 0 && (
          <details className="mt-1">
            <summary className="cursor-pointer py-1 text-sm text-ink2">
              {words.show(rest.length + left)}
            </summary>
            <Differences all={rest} />
            {left > 0 && <p className="text-sm text-ink3">{words.rest(left)}</p>}
          </details>
        )}
      </div>
    </li>
  );
}

function RecordLink({ entry }: { entry: Entry }) {
  const page = pageOf(entry, recordPages);
  const name = <bdi>{visibleText(recordName(entry))}</bdi>;
  if (page === null) return name;
  return (
    <Link to={page as string} search={sameTeam} className="underline">
      {name}
    </Link>
  );
}

const Differences = ({ all }: { all: readonly Difference[] }) => (
  <dl className="mt-1 flex flex-col gap-1 text-sm empty:hidden">
    {all.map(({ path, before, after }) => (
      <div key={`${path} ${before !== undefined}`}>
        <dt className="font-mono wrap-anywhere text-ink3">{path}</dt>
        <dd className="whitespace-pre-line wrap-anywhere">
          <Value label={words.before} text={before} /> → <Value label={words.after} text={after} />
        </dd>
      </div>
    ))}
  </dl>
);

const Value = ({ label, text }: { label: string; text: string | undefined }) => (
  <>
    <span className="sr-only">{label} </span>
    {text === undefined ? (
      <span className="text-ink3">{words.absent}</span>
    ) : (
      <bdi>{visibleText(text)}</bdi>
    )}
  </>
);
