import { Icon } from '../ui/icon.tsx';
import { Moment } from '../ui/moment.tsx';
import { PersonMark } from '../ui/person-mark.tsx';
import { visibleText } from '../ui/visible-text.ts';
import { type Notice, tally } from './story.ts';
import { words } from './words.ts';

const pageKinds = ['page', 'nobody_paged', 'not_all_paged'];

/** How many were reached; opened, each with its attempts and what was answered. */
export function SentNotices({ notices }: { notices: readonly Notice[] }) {
  const isPage = notices.some(({ kind }) => pageKinds.includes(kind));
  return (
    <details className="group">
      <summary className="inline-flex min-h-6 cursor-pointer flex-wrap items-center gap-x-1 rounded-sm text-ink2 pointer-coarse:min-h-11">
        <Icon
          name="chevron-right"
          className="size-3.5 group-open:rotate-90 rtl:-scale-x-100 rtl:group-open:scale-x-100"
        />
        {tally(notices).map(({ state, count }, index) => (
          <span key={state} className={state === 'failed' ? 'font-medium text-red' : ''}>
            {words.tally[state](count, isPage)}
            {index < tally(notices).length - 1 && ','}
          </span>
        ))}
      </summary>
      <ul className="mt-1 flex flex-col gap-2 border-s border-line ps-3">
        {notices.map((notice) => (
          <SentNotice key={notice.key} notice={notice} />
        ))}
      </ul>
    </details>
  );
}

function SentNotice({ notice }: { notice: Notice }) {
  const { recipient = '', user_id, channel, state, reason, attempts, finished_at } = notice;
  const isPlain = attempts.length <= 1 && !attempts[0]?.answer;
  return (
    <li className="min-w-0 wrap-anywhere">
      <p className="flex flex-wrap items-center gap-x-1.5">
        {user_id !== undefined && <PersonMark id={user_id} name={recipient} />}
        <bdi className="font-medium">{visibleText(recipient)}</bdi>
        <span>{words.by(channel)}</span>
        <span className={state === 'failed' ? 'font-medium text-red' : 'text-ink2'}>
          {words.states[state]} {finished_at && <Moment at={finished_at} to="second" />}
        </span>
      </p>
      {reason && <p className="text-ink2">{visibleText(reason)}</p>}
      {!isPlain && (
        <ol className="text-sm text-ink2">
          {attempts.map(({ number, claimed_at, outcome, reason: why, answer }) => (
            <li key={number}>
              {words.attempt(number)} <Moment at={claimed_at} to="second" />{' '}
              {outcome === null ? words.running : (words.outcomes[outcome] ?? outcome)}
              {why !== null && why !== reason && <>: {visibleText(why)}</>}
              {answer !== null && (
                <code className="ms-1 font-mono text-xs whitespace-pre-wrap">
                  {visibleText(typeof answer === 'string' ? answer : JSON.stringify(answer))}
                </code>
              )}
            </li>
          ))}
        </ol>
      )}
    </li>
  );
}
