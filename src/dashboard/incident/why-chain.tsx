import { Suspense, useState } from 'react';
import { lazyPart } from '../shell/lazy-part.ts';
import { Icon } from '../ui/icon.tsx';
import type { Why } from './incident.ts';
import { words } from './words.ts';

const WhyStory = lazyPart(() => import('./why-story.tsx'), 'WhyStory');

/** What led to it, link by link, with the record that shows each. */
export function WhyChain({ id, why }: { id: string; why: Why }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="group" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="inline-flex min-h-6 cursor-pointer items-center rounded-sm text-iris pointer-coarse:min-h-11">
        <Icon
          name="chevron-right"
          className="-ms-1 size-4 group-open:rotate-90 rtl:-scale-x-100 rtl:group-open:scale-x-100"
        />
        {why.paged ? words.whyMe : words.whyNotMe}
      </summary>
      {isOpen && (
        <Suspense>
          <WhyStory id={id} own={why} />
        </Suspense>
      )}
    </details>
  );
}
