import { type ReactNode, useId } from 'react';

type SectionProps = { title: string; text?: ReactNode; action?: ReactNode; children: ReactNode };

/** Of a page with several subjects: what it is about beside it, on a phone above it. */
export function Section({ title, text, action, children }: SectionProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="grid gap-x-8 gap-y-3 border-b border-line px-4 py-6 last:border-b-0 md:px-5 lg:grid-cols-[15rem_minmax(0,1fr)]"
    >
      <div className="flex min-w-0 flex-wrap items-start justify-between gap-2 lg:flex-col lg:justify-start">
        <div className="min-w-0">
          <h2 id={id} className="text-lg font-bold">
            {title}
          </h2>
          {text && <p className="mt-1 text-pretty text-ink2">{text}</p>}
        </div>
        {action}
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  );
}
