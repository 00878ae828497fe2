import { once } from '../../../resources/once.ts';
import { ageOf } from '../../ui/age.ts';
import { box, Card } from '../card.tsx';
import { hostOf } from '../details.ts';
import { PartFailed } from '../part-failed.tsx';
import { type Changes, useChanges } from './queries.ts';
import { words } from './words.ts';

const absolute = once(
  () => new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' }),
);

type RecentChangesProps = { id: string; openedAt: string };

/** What may have caused it. */
export function RecentChanges({ id, openedAt }: RecentChangesProps) {
  const query = useChanges(id);
  const { data } = query;
  if (data === undefined) return <PartFailed text={words.changesFailed} query={query} />;
  if (data.data.length === 0) return null;
  return (
    <Card title={words.changes}>
      <div className={`${box} flex flex-col gap-3`}>
        <ul className="flex flex-col gap-3">
          {data.data.map((change) => (
            <Change key={change.event_id} change={change} openedAt={openedAt} />
          ))}
        </ul>
        {data.more && <p className="text-sm text-ink2">{words.moreChanges}</p>}
      </div>
    </Card>
  );
}

type ChangeProps = { change: Changes['data'][number]; openedAt: string };

function Change({ change: { at, summary, source, links }, openedAt }: ChangeProps) {
  return (
    <li className="min-w-0 wrap-anywhere">
      <p className="text-sm text-ink2">
        <time dateTime={at} title={absolute().format(new Date(at))}>
          {sinceOpening(Date.parse(at), Date.parse(openedAt))}
        </time>
        {source !== undefined && (
          <>
            {' · '}
            <bdi>{source}</bdi>
          </>
        )}
      </p>
      <p>
        <bdi>{summary}</bdi>
      </p>
      {links.map(({ href, text }) => (
        <p key={href}>
          <a
            href={href}
            target="_blank"
            rel="noopener noreferrer"
            className="inline-flex min-h-6 flex-wrap items-center gap-x-1.5 text-iris underline pointer-coarse:min-h-11"
          >
            <bdi>{text ?? href}</bdi>
            {text !== undefined && <span className="text-sm text-ink3">{hostOf(href)}</span>}
          </a>
        </p>
      ))}
    </li>
  );
}

const sinceOpening = (at: number, opened: number): string =>
  at <= opened ? words.before(ageOf(at, opened)) : words.after(ageOf(opened, at));
