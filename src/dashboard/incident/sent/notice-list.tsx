import { channelName } from '../../ui/channel.ts';
import { Moment } from '../../ui/moment.tsx';
import { PersonMark } from '../../ui/person-mark.tsx';
import type { Attempt, Notice } from '../story.ts';
import { fateOf, hasMore, outcomeOf } from './outcome.ts';
import { words } from './words.ts';

/** Each with its attempts: by which connection, what was answered and what was reported. */
export const NoticeList = ({ notices }: { notices: readonly Notice[] }) => (
  <ul className="mt-1 flex flex-col gap-2 border-s border-line ps-3">
    {notices.map((notice) => (
      <SentNotice key={notice.key} notice={notice} />
    ))}
  </ul>
);

function SentNotice({ notice }: { notice: Notice }) {
  const { recipient = '', route, user_id, channel, state, reason, attempts, finished_at } = notice;
  // Otherwise each attempt names its own.
  const contact = !hasMore(notice) && attempts[0]?.contact;
  return (
    <li className="min-w-0 wrap-anywhere">
      <p className="flex flex-wrap items-center gap-x-1.5">
        {user_id !== undefined && <PersonMark id={user_id} name={recipient} />}
        <bdi className="font-medium">{recipient}</bdi>
        {route !== undefined && <span className="text-ink2">({route})</span>}
        <span>
          {channelName(channel)}
          {contact && (
            <>
              {' '}
              {words.to} <bdi>{contact}</bdi>
            </>
          )}
        </span>
        <span className={state === 'failed' ? 'font-medium text-red' : 'text-ink2'}>
          {words.fate(fateOf(notice))} {finished_at && <Moment at={finished_at} to="second" />}
        </span>
      </p>
      {reason && <p className="text-ink2">{reason}</p>}
      {hasMore(notice) && (
        <ol className="text-sm text-ink2">
          {attempts.map((attempt) => (
            <Try key={attempt.number} attempt={attempt} notice={notice} />
          ))}
        </ol>
      )}
    </li>
  );
}

function Try({ attempt, notice }: { attempt: Attempt; notice: Notice }) {
  const { number, claimed_at, reason, answer, contact, connection, receipt } = attempt;
  return (
    <li>
      {words.attempt(number)} <Moment at={claimed_at} to="second" />{' '}
      {connection && (
        <>
          {words.through} <bdi>{connection.name}</bdi>{' '}
        </>
      )}
      {contact && (
        <>
          {words.to} <bdi>{contact}</bdi>{' '}
        </>
      )}
      {words.outcome(outcomeOf(attempt, notice))}
      {reason !== null && reason !== notice.reason && <>: {reason}</>}
      {answer !== null && (
        <code className="ms-1 font-mono text-xs whitespace-pre-wrap">
          {typeof answer === 'string' ? answer : JSON.stringify(answer)}
        </code>
      )}
      {receipt && (
        <p>
          {words.receipt(receipt.state)} <Moment at={receipt.at} to="second" />
          {receipt.reason && <>: {receipt.reason}</>}
        </p>
      )}
    </li>
  );
}
