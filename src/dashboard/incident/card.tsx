import { type ReactNode, useId } from 'react';

type CardProps = { title: string; aside?: ReactNode; children: ReactNode };

/** A part of the page beside the timeline. */
export function Card({ title, aside, children }: CardProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0">
      <div className="mb-1.5 flex min-h-6 items-center justify-between gap-2">
        <h2 id={id} className="text-sm font-medium text-ink2">
          {title}
        </h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

export const box = 'rounded-lg border border-line bg-surface p-3.5';
