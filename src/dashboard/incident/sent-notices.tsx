import { Suspense } from 'react';
import { lazyPart } from '../shell/lazy-part.ts';
import { Icon } from '../ui/icon.tsx';
import { type Notice, tally } from './story.ts';
import { words } from './words.ts';

const NoticeList = lazyPart(() => import('./sent/notice-list.tsx'), 'NoticeList');

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
      <Suspense>
        <NoticeList notices={notices} />
      </Suspense>
    </details>
  );
}
