import { Countdown } from '../ui/countdown.tsx';
import { useNow } from '../ui/now.ts';
import { PersonMark } from '../ui/person-mark.tsx';
import { sentenceText } from '../ui/sentence-text.ts';
import { pagedBy, stepOf, type Upcoming } from './next.ts';
import { words } from './words.ts';

/** What happens if nobody acts: what, when, and who is paged. */
export function NextCell({ next, isUrgent }: { next: Upcoming; isUrgent: boolean }) {
  const step = stepOf(next);
  const [first, ...others] = pagedBy(next);
  const what =
    next.type === 'step' && step !== null ? words.next.numbered(step) : words.next[next.type];
  return (
    <span title={sentenceText(next.text, useNow())} className="flex min-w-0 items-center gap-1.5">
      <span className={`shrink-0 ${isUrgent ? 'text-red' : ''}`}>
        {what} <Countdown at={next.at} />
      </span>
      {first && (
        <>
          <span aria-hidden="true">→</span>
          <span className="sr-only">{words.next.pages}</span>
          {first.id !== null && <PersonMark id={first.id} name={first.name} />}
          <span className="max-w-full truncate text-ink">
            <bdi>{first.name}</bdi>
          </span>
          {others.length > 0 && <span className="shrink-0">+{others.length}</span>}
        </>
      )}
    </span>
  );
}
